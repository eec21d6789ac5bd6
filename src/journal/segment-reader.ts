import { readFile, rename, rm, truncate } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  HEADER_BYTES,
  decodeSegment,
  listSegments,
  segmentName,
  type ClickRecord,
} from './format.ts'

/** One sealed segment of a journal, or what is left of it. */
export type Segment = {
  journalId: string
  sequence: number
  /** Journal id and sequence: the deduplication token, and the `segment` of its rows. */
  name: string
  sealedFile: string
  rowsFile: string
  /** Left behind by another process, which may have sent its rows. */
  isInherited: boolean
}

/** A segment whose bytes are no segment of this version: to be kept, and looked at by a person. */
export class ForeignSegmentError extends Error {
  override name = 'ForeignSegmentError'

  constructor(file: string) {
    super(`${file} is no journal segment that this version can read; it is left as it is`)
  }
}

/** Some two hundred records: a few milliseconds. */
const SLICE_BYTES = 64 * 1024

/** The segments of a folder that are ready to ship, in order. The folder's name is the journal's id. */
export async function sealedSegments(folder: string, isInherited: boolean): Promise<Segment[]> {
  const files = await listSegments(folder)
  const sequences = new Set(files.filter((file) => file.state !== 'open').map(sequenceOf))
  return [...sequences].map((sequence) => toSegment(folder, sequence, isInherited))
}

/**
 * Cuts the open segments that a dead process left at their last whole record, and seals them. What
 * is cut was never answered. The caller holds the folder's lock.
 * @throws ForeignSegmentError
 */
export async function sealLeftovers(folder: string, beforeSeal: () => unknown): Promise<void> {
  for (const { name, sequence, state } of await listSegments(folder)) {
    if (state !== 'open') continue
    const file = join(folder, name)
    const bytes = await readFile(file)
    let validBytes = 0
    for await (const slice of readSlices(bytes, file)) validBytes = slice.endsAt
    if (validBytes <= HEADER_BYTES) {
      await rm(file)
      continue
    }
    if (validBytes < bytes.length) await truncate(file, validBytes)
    await beforeSeal()
    await rename(file, join(folder, segmentName(sequence, 'sealed')))
  }
}

/** `endsAt`: length of the segment up to here, all of it whole records or damage between them. */
export type Slice = { records: ClickRecord[]; unreadable: number; endsAt: number }

/**
 * Decodes a segment piece by piece, because a whole one would hold the thread for too long. A piece
 * that ends inside a record is read again, from there, with more bytes behind it.
 * @throws ForeignSegmentError
 */
export async function* readSlices(bytes: Buffer, file: string): AsyncGenerator<Slice> {
  const header = bytes.subarray(0, HEADER_BYTES)
  let at = HEADER_BYTES
  let length = SLICE_BYTES
  if (decodeSegment(header).format === 'foreign') throw new ForeignSegmentError(file)
  while (at < bytes.length) {
    const piece = Buffer.concat([header, bytes.subarray(at, at + length)])
    const { records, corruptRecords, validBytes } = decodeSegment(piece)
    const isLast = at + length >= bytes.length
    if (validBytes <= HEADER_BYTES) {
      if (isLast) return
      length *= 2
      continue
    }
    at += validBytes - HEADER_BYTES
    length = SLICE_BYTES
    yield { records, unreadable: corruptRecords, endsAt: at }
    if (isLast) return
    await nextTurn()
  }
}

function toSegment(folder: string, sequence: number, isInherited: boolean): Segment {
  const journalId = basename(folder)
  return {
    journalId,
    sequence,
    name: `${journalId}-${sequence}`,
    sealedFile: join(folder, segmentName(sequence, 'sealed')),
    rowsFile: join(folder, segmentName(sequence, 'rows')),
    isInherited,
  }
}

function sequenceOf(file: { sequence: number }): number {
  return file.sequence
}
