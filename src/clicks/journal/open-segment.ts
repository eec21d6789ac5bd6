import type * as fs from 'node:fs'
import { join } from 'node:path'
import { HEADER_BYTES, JOURNAL_LOCK, encodeHeader, segmentName } from './format.ts'

export const TRIAL_BYTES = 4_096

/** File system calls of the journal; tests make single ones fail. */
export type JournalFiles = Pick<
  typeof fs,
  | 'openSync'
  | 'writeSync'
  | 'ftruncateSync'
  | 'closeSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'fdatasync'
  | 'fsync'
>

/** `dropped`: answer, and count the click as lost. `refused`: do not answer. */
export type Outcome = 'journaled' | 'dropped' | 'refused'

export type Waiter = { settled(outcome: Outcome): void }

/** A segment being written. `sizeBytes` is the end of the last whole record. */
export type OpenSegment = {
  readonly sequence: number
  readonly fd: number
  sizeBytes: number
  /** End of the durable data; moves only with `fsync` durability. */
  syncedBytes: number
  isSyncing: boolean
  isNamed: boolean
  unsynced: Waiter[]
  isClosed: boolean
}

/** Removes the file again if its header did not fit. */
export function beginSegment(
  files: JournalFiles,
  folder: string,
  sequence: number,
  seed: number,
): OpenSegment {
  const path = join(folder, segmentName(sequence, 'open'))
  const fd = files.openSync(path, 'wx', 0o600)
  try {
    const written = files.writeSync(fd, encodeHeader(seed), 0, HEADER_BYTES, 0)
    if (written < HEADER_BYTES) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  } catch (error) {
    ignoreErrors(() => files.closeSync(fd))
    ignoreErrors(() => files.unlinkSync(path))
    throw error
  }
  return {
    sequence,
    fd,
    sizeBytes: HEADER_BYTES,
    syncedBytes: HEADER_BYTES,
    isSyncing: false,
    isNamed: false,
    unsynced: [],
    isClosed: false,
  }
}

/**
 * Writes and removes a small file beside the segments. Its name starts like the lock's, which is ignored
 * when the folder is removed.
 * @throws the error with which the next segment could not be created either
 */
export function tryFolder(files: JournalFiles, folder: string): void {
  const path = join(folder, `${JOURNAL_LOCK}.trial`)
  const fd = files.openSync(path, 'w', 0o600)
  try {
    const written = files.writeSync(fd, Buffer.alloc(TRIAL_BYTES), 0, TRIAL_BYTES, 0)
    if (written < TRIAL_BYTES) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  } finally {
    ignoreErrors(() => files.closeSync(fd))
    ignoreErrors(() => files.unlinkSync(path))
  }
}

export function isSyncing(segment: OpenSegment): boolean {
  return segment.isSyncing || segment.unsynced.length > 0
}

/** If truncating fails, a reader still stops after the last whole record. */
export function cutSegment(files: JournalFiles, segment: OpenSegment, sizeBytes: number): void {
  segment.sizeBytes = sizeBytes
  ignoreErrors(() => files.ftruncateSync(segment.fd, sizeBytes))
}

/** Renames a segment so that the shipper takes it; removes an empty one. May be called again if renaming fails. */
export function sealSegment(files: JournalFiles, folder: string, segment: OpenSegment): void {
  closeSegment(files, segment)
  const open = join(folder, segmentName(segment.sequence, 'open'))
  if (segment.sizeBytes === HEADER_BYTES) files.unlinkSync(open)
  else files.renameSync(open, join(folder, segmentName(segment.sequence, 'sealed')))
}

export function closeSegment(files: JournalFiles, segment: OpenSegment): void {
  if (segment.isClosed) return
  segment.isClosed = true
  ignoreErrors(() => files.closeSync(segment.fd))
}

/** Syncs the data, and the first time also the folder entry. */
export function syncSegment(
  files: JournalFiles,
  folderFd: number,
  segment: OpenSegment,
  done: (error: Error | null) => void,
): void {
  if (segment.isNamed) return files.fdatasync(segment.fd, done)
  files.fsync(folderFd, (error) => {
    if (error) return done(error)
    segment.isNamed = true
    files.fdatasync(segment.fd, done)
  })
}

function ignoreErrors(act: () => void): void {
  try {
    act()
  } catch {}
}
