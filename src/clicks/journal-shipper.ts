import { rename, stat } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { sleep } from '../base/service.ts'
import { ForeignSegmentError, type SealedSegment } from '../journal/reader.ts'
import { JournalCursor, type Ledger } from './cursor.ts'
import type { Fault } from './fault.ts'
import { freeze, type FreezeDeps } from './freeze.ts'
import { isOverload } from './insert-errors.ts'
import type { Meters } from './meters.ts'
import { readFrozen } from './rows.ts'
import { unlinkSegment, type Shipping, type Work } from './ship.ts'

const FIRST_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 5_000
const OVERLOAD_BACKOFF_MS = 1_000

export type JournalShipperDeps = FreezeDeps & {
  shipping: Shipping
  ledger: Ledger
  meters: Meters
  log: Log
  clock: Clock
  fault: Fault
}

/** Undefined if the segment is committed and only its files are left. */
type Prepared = Promise<Work | undefined>

/**
 * Ships the segments of one journal in order. The rows of the next segment are prepared while the
 * databases store those of the current one.
 */
export class JournalShipper {
  readonly #deps: JournalShipperDeps

  constructor(deps: JournalShipperDeps) {
    this.#deps = deps
  }

  /**
   * Ends between two attempts once the signal is aborted.
   * @param attempts limit for each segment
   * @throws the error of the last attempt
   */
  async ship(
    segments: readonly SealedSegment[],
    signal: AbortSignal,
    attempts: number,
  ): Promise<void> {
    const [first] = segments
    if (first === undefined) return
    const cursor = new JournalCursor(this.#deps.ledger, first.journalId)
    let ahead: Prepared | undefined
    try {
      for (const [index, segment] of segments.entries()) {
        if (signal.aborted) return
        const ready = ahead ?? this.#prepare(segment, cursor)
        const next = segments[index + 1]
        ahead = next && ready.then(() => this.#prepare(next, cursor))
        // Its error is handled in the next round; until then it must not count as unhandled.
        ahead?.catch(() => {})
        await this.#shipWithRetries(segment, ready, cursor, { signal, attempts })
      }
    } finally {
      await ahead?.catch(() => {})
    }
  }

  async #prepare(segment: SealedSegment, cursor: JournalCursor): Prepared {
    if ((await cursor.read()) >= segment.sequence) return undefined
    const earlier = await readFrozen(segment.rowsFile)
    const frozen = earlier ?? (await freeze(segment, this.#deps))
    await this.#deps.fault('frozen', segment.name)
    const isInDoubt = segment.isInherited || earlier !== undefined
    return { segment, frozen, isInDoubt, refusals: 0, quarantined: 0 }
  }

  async #shipWithRetries(
    segment: SealedSegment,
    ready: Prepared,
    cursor: JournalCursor,
    { signal, attempts }: { signal: AbortSignal; attempts: number },
  ): Promise<void> {
    let prepared = ready
    for (let failures = 1; ; failures++) {
      try {
        const work = await prepared
        if (work !== undefined) await this.#attempt(work, cursor, signal)
        else await unlinkSegment(segment, this.#deps.fault)
        return
      } catch (error) {
        cursor.forget()
        if (failures >= attempts || signal.aborted) throw error
        if (error instanceof ForeignSegmentError) return this.#setAside(segment, error)
        await this.#backOff(segment, failures, error, signal)
        if (signal.aborted) return
        // Rows that were made once are kept; only a failed preparation is repeated.
        prepared = prepared.catch(() => this.#prepare(segment, cursor))
      }
    }
  }

  async #attempt(work: Work, cursor: JournalCursor, signal: AbortSignal): Promise<void> {
    const { shipping, meters, clock } = this.#deps
    // Sealing is the last write to a segment.
    const sealed = await stat(work.segment.sealedFile).catch(() => undefined)
    const outcome = await shipping.attempt(work, cursor, signal)
    if (outcome === 'shipped' && sealed !== undefined)
      meters.shipSeconds.observe(Math.max(0, clock() - sealed.mtimeMs) / 1000)
  }

  async #backOff(
    segment: SealedSegment,
    failures: number,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const { meters, log } = this.#deps
    meters.failures.inc()
    const delayMs = toBackoffMs(failures, error)
    // A long outage is logged at doubling intervals, not at every attempt.
    if (Number.isInteger(Math.log2(failures)))
      log.warn(
        { err: error, segment: segment.name, failures, delayMs },
        'a journal segment could not be shipped: the attempt will be repeated',
      )
    await sleep(delayMs, signal)
  }

  /** Renames a segment of the own journal that lost its header. Other journals are left unchanged. */
  async #setAside(segment: SealedSegment, error: ForeignSegmentError): Promise<void> {
    if (segment.isInherited) throw error
    const file = `${segment.sealedFile}.unreadable`
    this.#deps.log.error({ file }, 'a journal segment lost its header: it was renamed and skipped')
    this.#deps.meters.discarded.inc({ reason: 'unreadable' })
    await rename(segment.sealedFile, file)
  }
}

/** Doubles up to {@link MAX_BACKOFF_MS}; the random part spreads the attempts of several shippers. */
function toBackoffMs(failures: number, error: unknown): number {
  const fullMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
  const leastMs = isOverload(error) ? OVERLOAD_BACKOFF_MS : 0
  return Math.max(leastMs, fullMs * (0.5 + Math.random() / 2))
}
