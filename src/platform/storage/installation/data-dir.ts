import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { OperatorError } from '../../core/errors.ts'
import { holdLock, isLockHeld, LockHeldError, type Lock } from './lock.ts'

export type DataDir = {
  readonly path: string
  secretKey(): string
  secretKeyAlso(): string | null
}

type HeldDataDir = DataDir & { [Symbol.dispose](): void }

export class DataDirHeldError extends OperatorError {}

const SECRET_BYTES = 32
const FORMER_SECRET = 'secret.key.former'
const INCOMPLETE = 'restore.incomplete'
const EXTERNAL = 'postgres.external'

/** Every data directory has these after its first start or a restore. */
const MARKS = /^(signpost\.lock|secret\.key)/
const EMPTY = /^(lost\+found$|\.)/

export function openDataDir(path: string): DataDir {
  try {
    makeDirectory(path)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    refuseForeign(path)
    refuseIncomplete(path)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw unusable(path, error)
  }
  return {
    path,
    secretKey: () => readOrMakeSecret(path),
    secretKeyAlso: () => readFormerSecret(path),
  }
}

export function writeSecretKey(path: string, secretKey: string): void {
  writeOnce(join(path, 'secret.key'), `${secretKey}\n`)
}

/** Makes a new key beside the former one; the next start accepts both. A repeated call does nothing. */
export function replaceSecretKey(path: string): void {
  const [file, former] = [join(path, 'secret.key'), join(path, FORMER_SECRET)]
  if (existsSync(former)) return
  // In this order a crash leaves the former key in both files, never in none.
  writeOnce(former, readFileSync(file, 'utf8'))
  const draft = `${file}.next`
  rmSync(draft, { force: true })
  writeOnce(draft, newSecret())
  renameSync(draft, file)
}

export function removeFormerSecretKey(path: string): void {
  rmSync(join(path, FORMER_SECRET), { force: true })
}

function readFormerSecret(path: string): string | null {
  const file = join(path, FORMER_SECRET)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** /etc or a home is more likely a mistake than a place for databases. */
function refuseForeign(path: string): void {
  const entries = readdirSync(path).filter((name) => !EMPTY.test(name))
  if (entries.length === 0 || entries.some((name) => MARKS.test(name))) return
  throw new OperatorError(
    `DATA_DIR (${path}) has other files but no data of Signpost; choose an empty directory, or one that does not exist yet.`,
  )
}

function refuseIncomplete(path: string): void {
  if (existsSync(join(path, INCOMPLETE)))
    throw new OperatorError(
      `DATA_DIR (${path}) has an unfinished restore; remove the directory and restore again.`,
    )
}

export function requireEmptyDataDir(path: string): void {
  if (!existsSync(path)) return
  if (isLockHeld(join(path, 'signpost.lock')))
    throw new DataDirHeldError(`DATA_DIR (${path}) is in use by a running Signpost.`)
  const entries = readdirSync(path).filter((name) => !EMPTY.test(name))
  if (entries.length > 0)
    throw new OperatorError(
      `DATA_DIR (${path}) is not empty; choose an empty directory, or one that does not exist yet.`,
    )
}

export function markIncomplete(path: string): { remove(): void } {
  const file = join(path, INCOMPLETE)
  writeFileSync(file, '', { mode: 0o600, flush: true })
  return { remove: () => rmSync(file) }
}

export function markExternal(path: string): void {
  writeFileSync(join(path, EXTERNAL), '', { mode: 0o600, flush: true })
}

/** An embedded PostgreSQL would be empty if the data are elsewhere. */
export function refuseExternal(path: string): void {
  if (existsSync(join(path, EXTERNAL)))
    throw new OperatorError(
      `The data of DATA_DIR (${path}) are in the PostgreSQL that a backup was restored to; set DATABASE_URL to that server.`,
    )
}

export function holdDataDir(path: string, clock: Clock): HeldDataDir {
  const dataDir = openDataDir(path)
  const lock = takeLock(path, clock)
  return { ...dataDir, [Symbol.dispose]: () => lock.release() }
}

/** Node's `recursive` never returns on a file system that answers ENOENT to every new name, such as /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeDirectory(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function takeLock(path: string, clock: Clock): Lock {
  const since = new Date(clock()).toISOString()
  try {
    return holdLock(join(path, 'signpost.lock'), `process ${process.pid} since ${since}`)
  } catch (error) {
    if (error instanceof LockHeldError)
      throw new DataDirHeldError(
        `Signpost already runs on DATA_DIR (${path}): it is held by ${error.holder}.`,
      )
    throw unusable(path, error)
  }
}

function readOrMakeSecret(directory: string): string {
  const file = join(directory, 'secret.key')
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (secret === '')
      throw new OperatorError(
        `The secret key in DATA_DIR (${file}) is empty; restore the file from a copy, or remove it to give up the former key.`,
      )
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    writeOnce(file, newSecret())
  } catch (error) {
    throw unusable(directory, error)
  }
  return readOrMakeSecret(directory)
}

function newSecret(): string {
  return `${randomBytes(SECRET_BYTES).toString('base64url')}\n`
}

/** The file appears whole and synced, and the first of two writers wins. */
function writeOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}`
  rmSync(draft, { force: true })
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'cannot be written by the user that started Signpost',
  EPERM: 'cannot be written by the user that started Signpost',
  EROFS: 'is on a read-only file system',
  ENOTDIR: 'is not a directory',
  EEXIST: 'is not a directory',
  ENOSPC: 'is on a full disk',
  ENAMETOOLONG: 'is too long a path',
}

function unusable(path: string, error: unknown): OperatorError {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = REASONS[code ?? ''] ?? `cannot be used (${message})`
  return new OperatorError(`DATA_DIR (${path}) ${reason}.`)
}
