import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { segmentName } from '../journal/format.ts'
import type { SealedSegment } from '../journal/reader.ts'

/**
 * Segments that are stored by one insert under one token, and one commit. The batch has the name and sequence of its
 * last segment.
 */
export type Batch = Pick<
  SealedSegment,
  'journalId' | 'sequence' | 'name' | 'rowsFile' | 'isInherited'
> & { segments: readonly SealedSegment[] }

export type Position = {
  sequence: number
  /** Last sequence of the next batch, chosen by the previous commit; null for a single segment. */
  nextThrough: number | null
}

/** As many as one segment may have, so that a batch takes no more memory than a segment. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_SEGMENTS = 100

/** Another shipper has chosen a batch with segments that this one has not listed yet. */
export class ChosenElsewhereError extends Error {
  override name = 'ChosenElsewhereError'
}

/**
 * The batch that must be shipped next. It follows from the position, not from the segments that a shipper
 * happens to find, so that every shipper of the journal or a copy of it sends the same rows under one
 * token.
 * @param segments in order, not empty, all after the position
 * @throws ChosenElsewhereError if the own journal has to be listed again
 */
export function toNextBatch(segments: readonly SealedSegment[], position: Position): Batch {
  const [first] = segments
  const through = position.nextThrough
  if (through === null || first!.sequence > through) return toBatch([first!])
  // The list of an inherited journal is complete: missing segments are gone.
  if (through > segments.at(-1)!.sequence && !first!.isInherited)
    throw new ChosenElsewhereError(`another shipper sends segments up to ${through}`)
  return toBatch(
    segments.filter(({ sequence }) => sequence <= through),
    through,
  )
}

/** The batch that a commit chooses for the next one; undefined if no segment waits. */
export async function chooseBatch(segments: readonly SealedSegment[]): Promise<Batch | undefined> {
  const chosen: SealedSegment[] = []
  let bytes = 0
  for (const segment of segments.slice(0, MAX_SEGMENTS)) {
    const file = await stat(segment.sealedFile).catch(() => undefined)
    bytes += file?.size ?? 0
    if (chosen.length > 0 && bytes > MAX_BYTES) break
    chosen.push(segment)
  }
  return chosen.length === 0 ? undefined : toBatch(chosen)
}

export function isNext({ segments, sequence }: Batch, position: Position): boolean {
  const first = segments[0]!.sequence
  if (first <= position.sequence) return false
  const { nextThrough } = position
  return nextThrough === null || first > nextThrough
    ? segments.length === 1 && sequence === first
    : sequence === nextThrough
}

function toBatch(segments: readonly SealedSegment[], sequence = segments.at(-1)!.sequence): Batch {
  const { journalId, sealedFile, isInherited } = segments[0]!
  return {
    journalId,
    sequence,
    name: `${journalId}-${sequence}`,
    rowsFile: join(dirname(sealedFile), segmentName(sequence, 'rows')),
    isInherited,
    segments,
  }
}

/** Points at which tests end or stop the process, in the order in which a segment passes them. */
export type CrashPoint =
  | 'tail-cut'
  | 'frozen'
  | 'cursor-read'
  | 'counted'
  | 'inserted'
  | 'stored'
  | 'cursor-moved'
  | 'committed'
  | 'unlinked'

/** Does nothing outside of tests. */
export type Fault = (point: CrashPoint, segment: string) => void | Promise<void>
