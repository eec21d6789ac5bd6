import { rename, stat } from 'node:fs/promises'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { sleep } from '../../platform/core/service.ts'
import { ForeignSegmentError, type SealedSegment } from '../journal/reader.ts'
import {
  ChosenElsewhereError,
  chooseBatch,
  isNext,
  toNextBatch,
  type Batch,
  type Fault,
} from './batch.ts'
import { JournalCursor, type Ledger } from './cursor.ts'
import { freeze, type FreezeDeps } from './freeze.ts'
import { isOverload } from './table.ts'
import type { Meters } from './meters.ts'
import { readFrozen } from './rows.ts'
import { unlinkSegments, type Outcome, type BatchShipper, type Work } from './ship.ts'

const FIRST_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 5_000
const OVERLOAD_BACKOFF_MS = 1_000

export type JournalShipperDeps = FreezeDeps & {
  batches: BatchShipper
  ledger: Ledger
  meters: Meters
  log: Log
  clock: Clock
  fault: Fault
}

type Prepared = { batch: Batch; work: Promise<Work> }

type Limits = { signal: AbortSignal; attempts: number }

/** While the databases store one batch, it prepares the next, which the commit of the current one chooses. */
export class JournalShipper {
  readonly #deps: JournalShipperDeps

  constructor(deps: JournalShipperDeps) {
    this.#deps = deps
  }

  async ship(
    segments: readonly SealedSegment[],
    signal: AbortSignal,
    attempts: number,
  ): Promise<void> {
    const [first] = segments
    if (first === undefined) return
    const cursor = new JournalCursor(this.#deps.ledger, first.journalId)
    let rest = segments
    let ahead: Prepared | undefined
    try {
      while (rest.length > 0 && !signal.aborted)
        ({ rest, ahead } = await this.#shipNext(rest, ahead, cursor, { signal, attempts }))
    } finally {
      await ended(ahead)
    }
  }

  /** @returns the segments that are left, and what was prepared of them */
  async #shipNext(
    segments: readonly SealedSegment[],
    ahead: Prepared | undefined,
    cursor: JournalCursor,
    { signal, attempts }: Limits,
  ): Promise<{ rest: readonly SealedSegment[]; ahead: Prepared | undefined }> {
    let current = ahead
    let next: Prepared | undefined
    for (let failures = 1; ; failures++) {
      try {
        const position = await cursor.read()
        const waiting = segments.filter(({ sequence }) => sequence > position.sequence)
        if (waiting.length < segments.length) {
          await ended(next)
          await this.#removeCommitted(segments.slice(0, segments.length - waiting.length))
          return { rest: waiting, ahead: current }
        }
        const batch = toNextBatch(segments, position)
        // Prepared rows are kept; only a failed preparation is repeated.
        if (current?.batch.name !== batch.name || !isNext(current.batch, position)) {
          await ended(current)
          current = this.#prepare(batch)
        }
        const work = await current.work
        const rest = segments.slice(current.batch.segments.length)
        next ??= await this.#prepareNext(rest)
        const outcome = await this.#attempt(work, cursor, next, signal)
        if (outcome !== 'changed') return { rest, ahead: next }
        await ended(next)
        return { rest: segments, ahead: current }
      } catch (error) {
        cursor.forget()
        if (await hasFailed(current)) current = undefined
        if (await hasFailed(next)) next = undefined
        const isFinal = failures >= attempts || signal.aborted
        if (isFinal || error instanceof ChosenElsewhereError) throw error
        if (error instanceof ForeignSegmentError) {
          await this.#setAside(segments[0]!, error)
          const rest = segments.filter(({ sealedFile }) => sealedFile !== error.file)
          return { rest, ahead: undefined }
        }
        await this.#backOff(segments[0]!, failures, error, signal)
        if (signal.aborted) return { rest: segments, ahead: current }
      }
    }
  }

  #prepare(batch: Batch): Prepared {
    const work = this.#freeze(batch)
    // The batch's turn handles its error; until then it must not count as unhandled.
    work.catch(() => {})
    return { batch, work }
  }

  async #prepareNext(segments: readonly SealedSegment[]): Promise<Prepared | undefined> {
    const batch = await chooseBatch(segments)
    return batch && this.#prepare(batch)
  }

  async #freeze(batch: Batch): Promise<Work> {
    const earlier = await readFrozen(batch)
    const frozen = earlier ?? (await freeze(batch, this.#deps))
    await this.#deps.fault('frozen', batch.name)
    const isInDoubt = batch.isInherited || earlier !== undefined
    return { batch, frozen, isInDoubt, refusals: 0, quarantined: 0 }
  }

  async #attempt(
    work: Work,
    cursor: JournalCursor,
    next: Prepared | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { batches, meters, clock } = this.#deps
    const sealed = await Promise.all(
      work.batch.segments.map(({ sealedFile }) => stat(sealedFile).catch(() => undefined)),
    )
    const outcome = await batches.ship(work, cursor, toChoice(next), signal)
    if (outcome === 'shipped')
      for (const file of sealed)
        if (file) meters.shipSeconds.observe(Math.max(0, clock() - file.mtimeMs) / 1000)
    return outcome
  }

  async #removeCommitted(segments: readonly SealedSegment[]): Promise<void> {
    for (const segment of segments)
      await unlinkSegments({ ...segment, segments: [segment] }, this.#deps.fault)
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
    // Logged at doubling intervals, not at every attempt.
    if (Number.isInteger(Math.log2(failures)))
      log.warn(
        { err: error, segment: segment.name, failures, delayMs },
        'a journal segment could not be shipped: the attempt will be repeated',
      )
    await sleep(delayMs, signal)
  }

  /** Renames a segment of the own journal that lost its header. */
  async #setAside({ isInherited }: SealedSegment, error: ForeignSegmentError): Promise<void> {
    if (isInherited) throw error
    const file = `${error.file}.unreadable`
    this.#deps.log.error({ file }, 'a journal segment lost its header: it was renamed and skipped')
    this.#deps.meters.discarded.inc({ reason: 'unreadable' })
    await rename(error.file, file)
  }
}

/** Chosen only once its rows are made, so that a batch that cannot be read is shipped alone. */
async function toChoice(next: Prepared | undefined): Promise<number | null> {
  if (next === undefined || next.batch.segments.length === 1 || (await hasFailed(next))) return null
  return next.batch.sequence
}

/** Two preparations of one batch would write the same file. */
async function ended(prepared: Prepared | undefined): Promise<void> {
  await hasFailed(prepared)
}

async function hasFailed(prepared: Prepared | undefined): Promise<boolean> {
  return (await prepared?.work.catch(() => null)) === null
}

/** Doubles up to {@link MAX_BACKOFF_MS}, with jitter to spread several shippers. */
function toBackoffMs(failures: number, error: unknown): number {
  const fullMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
  const leastMs = isOverload(error) ? OVERLOAD_BACKOFF_MS : 0
  return Math.max(leastMs, fullMs * (0.5 + Math.random() / 2))
}
