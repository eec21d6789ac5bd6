import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readText } from '../embedded/engine-process.ts'

export type Lock = { release(): void; [Symbol.dispose](): void }

const SQLITE_BUSY = 5
const WAIT_MS = 200

export class LockHeldError extends Error {
  override name = 'LockHeldError'
  readonly holder: string

  constructor(file: string, holder: string) {
    super(`${file} is held by ${holder}`)
    this.holder = holder
  }
}

/**
 * The file is never removed, because two processes could then lock two files of one name. Node has no `flock`; the
 * kernel releases SQLite's lock when the process dies.
 * @param holder such as `process 4711 since 2026-11-21T03:04:05Z`
 * @throws LockHeldError when any process, this one included, holds it
 */
export function holdLock(file: string, holder: string): Lock {
  const database = new DatabaseSync(file, { timeout: WAIT_MS })
  try {
    // A journal on the disk would be slow, and nothing is ever written.
    database.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new LockHeldError(file, readHolder(file))
  }
  writeFileSync(holderFile(file), `${holder}\n`, { mode: 0o600 })
  const release = () => {
    if (database.isOpen) database.close()
  }
  return { release, [Symbol.dispose]: release }
}

export function isLockHeld(file: string): boolean {
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file)
  try {
    database.exec('begin exclusive; rollback')
    return false
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    return true
  } finally {
    database.close()
  }
}

function readHolder(file: string): string {
  return readText(holderFile(file)).trim() || 'another process'
}

function holderFile(file: string): string {
  return `${file}.holder`
}
