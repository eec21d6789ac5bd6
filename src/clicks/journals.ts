import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { JOURNAL_LOCK, listJournals } from '../journal/format.ts'
import { listSealedSegments } from '../journal/reader.ts'
import { holdLock, isLockHeld } from '../storage/lock.ts'
import type { JournalReports } from './reports.ts'

/** A younger folder without segments may belong to a process that is starting. */
const EMPTY_FOLDER_MS = 60_000

type Reports = Pick<JournalReports, 'retire'>

/** Whether the journal has segments that were sealed and not shipped. */
export async function hasSealed(folder: string): Promise<boolean> {
  return (await listSealedSegments(folder, false).catch(() => [])).length > 0
}

/** The journals of other processes: of those that died, and of those that run, which hold their locks. */
export async function listOtherJournals(
  journalDir: string,
  ownFolder: string | null,
  nowMs: number,
): Promise<string[]> {
  const folders: string[] = []
  for (const journalId of await listJournals(journalDir).catch(() => [])) {
    const folder = join(journalDir, journalId)
    const isOwn = ownFolder !== null && resolve(folder) === resolve(ownFolder)
    if (!isOwn && !(await isStarting(folder, nowMs))) folders.push(folder)
  }
  return folders
}

/** Whether a process left a journal that another one can ship. */
export async function hasLeftovers(
  journalDir: string,
  ownFolder: string | null,
  nowMs: number,
): Promise<boolean> {
  const folders = await listOtherJournals(journalDir, ownFolder, nowMs)
  return folders.some((folder) => !isLockHeld(join(folder, JOURNAL_LOCK)))
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
