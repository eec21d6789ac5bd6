import { readFile, rename, rm, truncate } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeRecords, readHeader } from './decode.ts'
import { HEADER_BYTES, listSegments, segmentName, type ClickRecord } from './format.ts'

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
 * /
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
