import type * as fs from 'node:fs'
import { join } from 'node:path'
import { HEADER_BYTES, encodeHeader, segmentName } from './format.ts'

/** The calls the journal makes; tests replace single ones to make them fail at will. */
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

/** `dropped`: answer, the click is reported as lost. `refused`: do not answer. */
export type Outcome = 'journaled' | 'dropped' | 'refused'

/** Told once, when the fate of a click is known. */
export type Waiter = { settled(outcome: Outcome): void }

/** One segment that this process writes. `size` ends at a whole record; behind it may be torn bytes. */
export type Segment = {
  readonly sequence: number
  readonly fd: number
  size: number
  /** Durable up to here; moves only with `fsync` durability. */
  syncedSize: number
  isSyncing: boolean
  /** True once the folder that names the file has been synced too. */
  isNamed: boolean
  /** Whose clicks are written but not yet synced. */
  unsynced: Waiter[]
  isClosed: boolean
}

/**
 * Begins a segment: a file with its header. What was begun is removed again when that fails.
 * @throws what the file system throws, ENOSPC for a header that did not fit
 */
export function beginSegment(
  files: JournalFiles,
  folder: string,
  sequence: number,
  seed: number,
): Segment {
  const path = join(folder, segmentName(sequence, 'open'))
  const fd = files.openSync(path, 'wx', 0o600)
  try {
    const written = files.writeSync(fd, encodeHeader(seed), 0, HEADER_BYTES, 0)
    if (written < HEADER_BYTES) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  } catch (error) {
    quietly(() => files.closeSync(fd))
    quietly(() => files.unlinkSync(path))
    throw error
  }
  return {
    sequence,
    fd,
    size: HEADER_BYTES,
    syncedSize: HEADER_BYTES,
    isSyncing: false,
    isNamed: false,
    unsynced: [],
    isClosed: false,
  }
}

export function isEmpty(segment: Segment): boolean {
  return segment.size === HEADER_BYTES
}

/** True while somebody waits for the disk to have this segment. */
export function isSyncing(segment: Segment): boolean {
  return segment.isSyncing || segment.unsynced.length > 0
}

/** Drops what lies behind `size`. Should that fail, a reader still stops at the last whole record. */
export function cutSegment(files: JournalFiles, segment: Segment, size: number): void {
  segment.size = size
  quietly(() => files.ftruncateSync(segment.fd, size))
}

/**
 * Closes a segment and makes it the shipper's by its new name; an empty one is removed.
 * @throws when it cannot be renamed; it may be called again.
 */
export function sealSegment(files: JournalFiles, folder: string, segment: Segment): void {
  closeSegment(files, segment)
  const open = join(folder, segmentName(segment.sequence, 'open'))
  if (isEmpty(segment)) files.unlinkSync(open)
  else files.renameSync(open, join(folder, segmentName(segment.sequence, 'sealed')))
}

export function closeSegment(files: JournalFiles, segment: Segment): void {
  if (segment.isClosed) return
  segment.isClosed = true
  quietly(() => files.closeSync(segment.fd))
}

/** Syncs a segment's data, and before the first time the folder that holds its name. */
export function syncSegment(
  files: JournalFiles,
  folderFd: number,
  segment: Segment,
  done: (error: Error | null) => void,
): void {
  if (segment.isNamed) {
    files.fdatasync(segment.fd, done)
    return
  }
  files.fsync(folderFd, (error) => {
    if (error) {
      done(error)
      return
    }
    segment.isNamed = true
    files.fdatasync(segment.fd, done)
  })
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // The caller has a better error to report, or none is needed.
  }
}
