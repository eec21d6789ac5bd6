import { open, readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeRecords, readHeader } from './decode.ts'
import {
  HEADER_BYTES,
  listJournals,
  listSegments,
  RECORD_HEAD_BYTES,
  segmentName,
  type ClickRecord,
  type SegmentFile,
} from './format.ts'
import type { Registry } from 'prom-client'
import type { Clock } from '../../platform/core/clock.ts'
import { createReadMetrics } from '../../platform/processes/metrics.ts'
import { totalBytes } from './size.ts'

/** One sealed segment of a journal, or what is left of it. */
export type SealedSegment = {
  journalId: string
  sequence: number
  /** Deduplication token and `segment` of its rows, if it is shipped alone. */
  name: string
  sealedFile: string
  rowsFile: string
  /** Left by another process, which may have sent its rows. */
  isInherited: boolean
}

/** Not a segment of this version. The file is kept for the operator. */
export class ForeignSegmentError extends Error {
  override name = 'ForeignSegmentError'
  readonly file: string

  constructor(file: string) {
    super(`${file} is not a journal segment that this version can read; the file is kept unchanged`)
    this.file = file
  }
}

/** About two hundred records, or a few milliseconds. */
const SLICE_BYTES = 64 * 1024

export async function listSealedSegments(
  folder: string,
  isInherited: boolean,
): Promise<SealedSegment[]> {
  const files = await listSegments(folder)
  const ready = files.filter(({ state }) => state !== 'open')
  const sequences = new Set(ready.map(({ sequence }) => sequence))
  const journalId = basename(folder)
  return [...sequences].map((sequence) => ({
    journalId,
    sequence,
    name: `${journalId}-${sequence}`,
    sealedFile: join(folder, segmentName(sequence, 'sealed')),
    rowsFile: join(folder, segmentName(sequence, 'rows')),
    isInherited,
  }))
}

/**
 * Truncates the open segments of a dead process after their last whole record, and seals them. The bytes
 * cut off belong to clicks that were never answered. The caller holds the folder's lock.
 * @throws ForeignSegmentError
 */
export async function sealLeftovers(folder: string, beforeSeal: () => unknown): Promise<void> {
  for (const { name, sequence, state } of await listSegments(folder)) {
    if (state !== 'open') continue
    const file = join(folder, name)
    const bytes = await readFile(file)
    let validBytes = 0
    for await (const slice of readSlices(bytes, file)) validBytes = slice.end
    if (validBytes === 0) {
      await rm(file)
      continue
    }
    if (validBytes < bytes.length) await truncate(file, validBytes)
    await beforeSeal()
    await rename(file, join(folder, segmentName(sequence, 'sealed')))
  }
}

/** Records up to `end`, and the number of damaged spots between them. */
export type Slice = { records: ClickRecord[]; unreadable: number; end: number }

/** In slices, one per turn of the event loop, so that it does not block the thread. */
export async function* readSlices(bytes: Buffer, file: string): AsyncGenerator<Slice> {
  const header = readHeader(bytes)
  if (header === 'foreign') throw new ForeignSegmentError(file)
  if (header === 'short') return
  let slice: Slice = { records: [], unreadable: 0, end: HEADER_BYTES }
  let start = HEADER_BYTES
  for (const { click, end } of decodeRecords(bytes, header)) {
    if (click === null) slice.unreadable++
    else slice.records.push(click)
    slice.end = end
    if (end - start < SLICE_BYTES) continue
    yield slice
    await nextTurn()
    slice = { records: [], unreadable: 0, end }
    start = end
  }
  if (slice.end > start) yield slice
}

/** Reads the disk on collection, so that the values are right even while nothing is shipped. */
export function registerUnshipped(registry: Registry, root: string, clock: Clock): void {
  createReadMetrics(registry).gauge(
    'signpost_clicks_unshipped_age_seconds',
    'Age of the oldest click that is not in both databases yet; 0 without one.',
    async () => {
      const sinceMs = await unshippedSinceMs(root)
      return sinceMs === Infinity ? 0 : Math.max(0, clock() - sinceMs) / 1_000
    },
  )
  createReadMetrics(registry).gauge(
    'signpost_clicks_unshipped_bytes',
    'Bytes of the journals on the disk.',
    () => totalBytes(root),
  )
}

/** Flags and time: the start of a payload in every version. */
const TIME_END = HEADER_BYTES + RECORD_HEAD_BYTES + 7

/**
 * For each journal under `root`, a time before which every answered click is in both databases: the
 * creation of its oldest unshipped segment, `Infinity` without one. A click answered during the call may be
 * missing, so read the clock first.
 */
export async function readUnshipped(root: string): Promise<Map<string, number>> {
  const journals = new Map<string, number>()
  for (const journalId of await listJournals(root))
    journals.set(journalId, await readOldestMs(join(root, journalId)))
  return journals
}

export async function unshippedSinceMs(root: string): Promise<number> {
  return Math.min(Infinity, ...(await readUnshipped(root)).values())
}

/** Segments ship in order, so the lowest sequence is the oldest. If it is removed meanwhile, the next one is. */
async function readOldestMs(folder: string): Promise<number> {
  const files = await listSegments(folder).catch(refuseOther)
  for (const same of Map.groupBy(files ?? [], ({ sequence }) => sequence).values()) {
    const oldestMs = await readCreatedMs(folder, same)
    if (oldestMs !== null) return oldestMs
  }
  return Infinity
}

/** A rows file is younger than its clicks. Null once all are removed. */
async function readCreatedMs(folder: string, files: readonly SegmentFile[]) {
  let createdMs: number | null = null
  for (const { name } of files) {
    const path = join(folder, name)
    const found = await stat(path).catch(refuseOther)
    if (!found) continue
    const ms = Math.min(found.birthtimeMs || found.mtimeMs, await readFirstClickMs(path))
    createdMs = createdMs === null ? ms : Math.min(createdMs, ms)
  }
  return createdMs
}

/** Survives copying the file, unlike its creation time. `Infinity` without a click, and for a rows file. */
async function readFirstClickMs(path: string): Promise<number> {
  if (path.endsWith('.rows')) return Infinity
  const file = await open(path).catch(refuseOther)
  if (!file) return Infinity
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TIME_END), 0, TIME_END, 0)
    return bytesRead < TIME_END ? Infinity : buffer.readUIntLE(TIME_END - 6, 6)
  } finally {
    await file.close()
  }
}

function refuseOther(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
