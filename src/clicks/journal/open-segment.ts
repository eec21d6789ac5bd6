import type * as fs from 'node:fs'
import { join } from 'node:path'
import { HEADER_BYTES, JOURNAL_LOCK, encodeHeader, segmentName } from './format.ts'

/** One block of the disk. */
export const TRIAL_BYTES = 4_096

/** File system calls of the journal; tests replace single ones to make them fail. */
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

/** `dropped`: answer, the click is counted as lost. `refused`: do not answer. */
export type Outcome = 'journaled' | 'dropped' | 'refused'

/** Called once, with the outcome of one click. */
export type Waiter = { settled(outcome: Outcome): void }

/** A segment that this process writes. `sizeBytes` is the end of the last whole record. */
export type OpenSegment = {
  readonly sequence: number
  readonly fd: number
  sizeBytes: number
  /** End of the data that is durable; moves only with `fsync` durability. */
  syncedBytes: number
  isSyncing: boolean
  /** True once the folder that names the file has been synced too. */
  isNamed: boolean
  /** Waiters of clicks that are written and not yet synced. */
  unsynced: Waiter[]
  isClosed: boolean
}

/**
 * Creates a segment file with its header, and removes it again if that fails.
 * @throws the error of the file system, ENOSPC for a header that did not fit
 */
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
 * Writes and removes a small file beside the segments. Its name begins with that of the lock, with which the
 * folder is removed.
 * @throws the error of the file system for which the next segment could not be begun either
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

/** True while clicks wait for a sync of this segment. */
export function isSyncing(segment: OpenSegment): boolean {
  return segment.isSyncing || segment.unsynced.length > 0
}

/** Truncates to `sizeBytes`. If that fails, a reader still stops after the last whole record. */
export function cutSegment(files: JournalFiles, segment: OpenSegment, sizeBytes: number): void {
  segment.sizeBytes = sizeBytes
  ignoreErrors(() => files.ftruncateSync(segment.fd, sizeBytes))
}

/**
 * Closes a segment and hands it to the shipper by renaming it; an empty one is removed.
 * @throws when it cannot be renamed; it may be called again.
 */
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

/** Syncs a segment's data, and before the first time the folder that holds its name. */
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

/** For cleanup after an error that the caller reports. */
function ignoreErrors(act: () => void): void {
  try {
    act()
  } catch {
    // Reported by the caller, or harmless.
  }
}
