import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { JOURNAL_LOCK, listJournals } from '../journal/format.ts'
import { holdLock, isLockHeld } from '../../platform/storage/installation/lock.ts'
import type { JournalReports } from './reports.ts'

/** A younger folder without segments may belong to a process that is starting. */
const EMPTY_FOLDER_MS = 60_000

type Reports = Pick<JournalReports, 'retire'>

/** The journals of a data directory, but for those of processes that are starting. */
export async function listShippable(journalDir: string, nowMs: number): Promise<string[]> {
  const folders: string[] = []
  for (const journalId of await listJournals(journalDir).catch(() => [])) {
    const folder = join(journalDir, journalId)
    if (!(await isStarting(folder, nowMs))) folders.push(folder)
  }
  return folders
}

/** Whether the process that writes the journal is alive. */
export function isHeld(folder: string): boolean {
  return isLockHeld(join(folder, JOURNAL_LOCK))
}

/** Locks the journal for its shipper. @throws LockHeldError while the process that writes it is alive */
export function holdJournal(folder: string) {
  const since = new Date().toISOString()
  return holdLock(join(folder, JOURNAL_LOCK), `process ${process.pid} since ${since}`)
}

/** Removes a journal whose segments are all shipped. The caller holds its lock. */
export async function retireJournal(folder: string, reports: Reports): Promise<void> {
  await reports.retire(basename(folder))
  const names = await readdir(folder)
  // No process waits for the lock that is removed with the folder: journal ids are never reused.
  if (names.every((name) => name.startsWith(JOURNAL_LOCK))) await rm(folder, { recursive: true })
}

/** A process creates its folder first and its lock directly after it. */
async function isStarting(folder: string, nowMs: number): Promise<boolean> {
  try {
    const names = await readdir(folder)
    return names.length === 0 && nowMs - (await stat(folder)).mtimeMs < EMPTY_FOLDER_MS
  } catch {
    return true
  }
}
