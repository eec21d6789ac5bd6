import { rename, stat } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { sleep } from '../base/service.ts'
import type { Log } from '../base/log.ts'
import type { Ledger } from './cursor.ts'
import type { Fault } from './fault.ts'
import { freeze, type FreezeDeps } from './freeze.ts'
import type { Meters } from './meters.ts'
import { readFrozen } from './rows.ts'
import { ForeignSegmentError, type Segment } from '../journal/segment-reader.ts'
import { isOverload, unlinkSegment, type Shipping, type Work } from './ship.ts'

const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 5_000
const OVERLOAD_BACKOFF_MS = 1_000

export type LaneDeps = FreezeDeps & {
  shipping: Shipping
  ledger: Ledger
  meters: Meters
  log: Log
  clock: Clock
  fault?: Fault
}

export type Lane = {
  /**
   * Ships the segments of one journal, in order. Stops between two tries once the signal is aborted.
   * @param tries for each segment; Infinity: until it is shipped
   * @throws what the last try met
   */
  ship(segments: readonly Segment[], signal: AbortSignal, tries: number): Promise<void>
}

/** The rows of the next segment are made while the databases take those of the last. */
export function createLane(deps: LaneDeps): Lane {
  const { shipping, ledger, meters, log, clock } = deps

  return {
    async ship(segments, signal, tries) {
      let ahead: Promise<Work | undefined> | undefined
      try {
        for (const [index, segment] of segments.entries()) {
          if (signal.aborted) return
          const ready = ahead ?? prepare(segment)
          const next = segments[index + 1]
          ahead = next && ready.then(() => prepare(next))
          // Its error is met by whoever takes it up; until then it is nobody's.
          ahead?.catch(() => {})
          await persist(segment, ready, signal, tries)
        }
      } finally {
        await ahead?.catch(() => {})
      }
    },
  }

  /** Undefined when the segment is shipped already and only its files are left. */
  async function prepare(segment: Segment): Promise<Work | undefined> {
    if ((await ledger.shippedThrough(segment.journalId)) >= segment.sequence) return undefined
    const earlier = await readFrozen(segment.rowsFile)
    const frozen = earlier ?? (await freeze(segment, deps))
    await deps.fault?.('frozen', segment.name)
    const isInDoubt = segment.isInherited || earlier !== undefined
    return { segment, frozen, isInDoubt, refusals: 0, quarantined: 0 }
  }

  async function persist(
    segment: Segment,
    ready: Promise<Work | undefined>,
    signal: AbortSignal,
    tries: number,
  ): Promise<void> {
    let pending: Promise<Work | undefined> = ready
    for (let failures = 1; ; failures++) {
      try {
        await shipOnce(segment, await pending, signal)
        return
      } catch (error) {
        if (failures >= tries || signal.aborted) throw error
        if (error instanceof ForeignSegmentError) return putAway(segment, error)
        meters.failures.inc()
        const delayMs = backoffMs(failures, error)
        // A long outage is told a few times, not at every try.
        if (Number.isInteger(Math.log2(failures)))
          log.warn({ err: error, segment: segment.name, failures, delayMs }, 'shipping failed')
        await sleep(delayMs, signal)
        if (signal.aborted) return
        // What a try has learned is kept, unless it never came to anything.
        pending = pending.catch(() => prepare(segment))
      }
    }
  }

  async function shipOnce(
    segment: Segment,
    work: Work | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (work === undefined) return unlinkSegment(segment)
    const sealedAtMs = await sealedAt(segment)
    const outcome = await shipping.attempt(work, signal)
    if (outcome === 'shipped' && sealedAtMs !== undefined)
      meters.shipSeconds.observe(Math.max(0, clock() - sealedAtMs) / 1000)
  }

  /** A later version may read it: then it lies in a leftover folder, which is left alone whole. */
  async function putAway(segment: Segment, error: ForeignSegmentError): Promise<void> {
    if (segment.isInherited) throw error
    log.error({ segment: segment.name }, 'a journal segment lost its header and was put away')
    meters.discarded.inc({ reason: 'unreadable' })
    await rename(segment.sealedFile, `${segment.sealedFile}.unreadable`)
  }
}

/** Sealing is the last time that a segment is written to. */
async function sealedAt(segment: Segment): Promise<number | undefined> {
  try {
    return (await stat(segment.sealedFile)).mtimeMs
  } catch {
    return undefined
  }
}

/** Grows to {@link LONGEST_BACKOFF_MS}; the random part keeps several shippers from one rhythm. */
function backoffMs(failures: number, error: unknown): number {
  const fullMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
  const leastMs = isOverload(error) ? OVERLOAD_BACKOFF_MS : 0
  return Math.max(leastMs, fullMs * (0.5 + Math.random() / 2))
}
