import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { ClickHouseError } from '@clickhouse/client'
import { sleep } from '../base/service.ts'
import type { Log } from '../base/log.ts'
import type { Ledger } from './cursor.ts'
import type { Fault } from './fault.ts'
import type { Meters } from './meters.ts'
import { Refusal, bisect, setAside, type Poison } from './quarantine.ts'
import { clickIdOf, linesOf, temporaryOf, type Frozen } from './rows.ts'
import type { Segment } from '../journal/segment-reader.ts'
import { DROP_REASONS, KINDS, type Kind } from './steps.ts'
import type { ClickTable } from './table.ts'

/**
 * One segment of the journal, exactly once into both databases.
 *
 *   sealed ──steps──▶ frozen ──ask the cursor──▶ insert, token = segment ──▶ commit ──▶ unlink
 *                                 │   └ shipped ─────────────────────────────────────────▲
 *                                 └ in doubt ──▶ count ──▶ all there ──────────▶ commit ─┘
 *                                                 ▲  └ some missing: insert those, first under
 *                                                 └─── the same token, then token#2, #3 …
 *
 * In doubt is every segment whose rows may have been sent before: after any failure, and when
 * it was left behind by another process. What must stay true:
 * - A token is made of the segment's name and of nothing that changes between tries. ClickHouse
 *   drops what comes twice under it, so the same token may be sent at any time.
 * - A token that is answered with success proves nothing in doubt: ClickHouse writes it down before
 *   the rows. Only rows that were counted are there.
 * - Rows that were counted are never sent again, for ClickHouse forgets tokens after a while.
 * - The commit moves the cursor by compare-and-set and adds the counters in one transaction; of two
 *   shippers one passes. Nothing is unlinked before it.
 *
 * The count must be answered by a server that sees the insert: with several replicas behind one
 * address, a missing row is only believed after `settleMs`.
 */

/** A segment being shipped. It outlives its failures, so that they leave it wiser. */
export type Work = {
  segment: Segment
  frozen: Frozen
  isInDoubt: boolean
  /** Refusals in a row that were neither the network's nor the server's state. */
  refusals: number
  quarantined: number
}

export type ShippingDeps = {
  table: ClickTable
  ledger: Ledger
  quarantineDir: string
  meters: Meters
  log: Log
  fault?: Fault
  settleMs?: number
}

/** What one try came to. `elsewhere`: another shipper had committed the segment. */
export type Outcome = 'shipped' | 'elsewhere'

const REFUSALS_BEFORE_SEARCH = 5
const MOST_TOKENS = 8
const SETTLE_MS = 2_000

/** ClickHouse's codes for a state of the server, the table or the account: no row is to blame. */
const NOT_THE_ROWS = new Set([
  3, 16, 60, 74, 75, 76, 81, 159, 160, 164, 173, 192, 193, 194, 195, 198, 201, 202, 203, 209, 210,
  225, 236, 241, 242, 243, 252, 279, 285, 286, 289, 305, 319, 335, 394, 425, 439, 473, 497, 516,
  999,
])
const TOO_MANY_PARTS = 252

export type Shipping = {
  /** @throws whatever went wrong, after which the same work may be tried again */
  attempt(work: Work, signal: AbortSignal): Promise<Outcome>
}

export function createShipping(deps: ShippingDeps): Shipping {
  const { table, ledger, meters, log } = deps
  const fault = deps.fault ?? (() => {})
  const settleMs = deps.settleMs ?? SETTLE_MS

  return { attempt }

  async function attempt(work: Work, signal: AbortSignal): Promise<Outcome> {
    const { segment } = work
    for (;;) {
      const after = await ledger.shippedThrough(segment.journalId)
      if (after >= segment.sequence) {
        await unlinkSegment(segment, fault)
        return 'elsewhere'
      }
      await fault('asked', segment.name)
      await store(work, signal)
      await fault('stored', segment.name)
      const { journalId, sequence } = segment
      const { tallies } = work.frozen.about
      const outcome = await ledger.commit({
        journalId,
        sequence,
        after,
        tallies,
        lines: () => linesOf(work.frozen),
      })
      if (outcome === 'committed') break
      meters.fenced.inc()
    }
    await fault('committed', segment.name)
    countShipped(work)
    await unlinkSegment(segment, fault)
    return 'shipped'
  }

  async function store(work: Work, signal: AbortSignal): Promise<void> {
    const { segment, frozen } = work
    if (frozen.about.rows === 0) return
    if (!work.isInDoubt) {
      work.isInDoubt = true
      await send(work, frozen.chunks, segment.name)
      return
    }
    if (work.refusals >= REFUSALS_BEFORE_SEARCH) await removePoison(work, signal)
    for (let round = 1; round <= MOST_TOKENS; round++) {
      let missing = await findMissing(work)
      if (missing.length > 0 && round === 2) {
        await sleep(settleMs, signal)
        missing = await findMissing(work)
      }
      await fault('counted', segment.name)
      if (missing.length === 0) return
      if (round > 1) {
        meters.repaired.inc(missing.length)
        log.warn({ segment: segment.name, rows: missing.length }, 'sending rows a token hid')
      }
      const token = round === 1 ? segment.name : `${segment.name}#${round}`
      await send(work, toChunks(missing), token)
    }
    throw new Error(`rows are still missing after ${MOST_TOKENS} tokens`)
  }

  async function send(work: Work, chunks: readonly Buffer[], token: string): Promise<void> {
    try {
      await table.insert(chunks, token)
      work.refusals = 0
    } catch (error) {
      work.refusals = isRefusal(error) ? work.refusals + 1 : 0
      throw error
    }
    await fault('inserted', work.segment.name)
  }

  /** The lines of this segment that ClickHouse does not have. */
  async function findMissing(work: Work): Promise<string[]> {
    const { about } = work.frozen
    if (about.rows === 0) return []
    const span = { segment: work.segment.name, fromMs: about.fromMs, toMs: about.toMs }
    const { rows, ids } = await table.count(span)
    if (rows > ids) {
      meters.surplus.inc(rows - ids)
      log.error({ segment: work.segment.name, surplus: rows - ids }, 'a segment is stored twice')
    }
    if (ids >= about.rows) return []
    const present = ids === 0 ? new Set<string>() : await table.clickIds(span)
    return [...linesOf(work.frozen)].filter((line) => !present.has(clickIdOf(line)))
  }

  /**
   * Refused again and again: finds the rows at fault and goes on without them. The pieces have
   * tokens of their own content; a piece that an earlier try left in flight is waited for.
   */
  async function removePoison(work: Work, signal: AbortSignal): Promise<void> {
    const { name } = work.segment
    await sleep(settleMs, signal)
    const poison = await bisect(await findMissing(work), async (lines) => {
      signal.throwIfAborted()
      try {
        await table.insert(toChunks(lines), `${name}#${digest(lines)}`)
      } catch (error) {
        throw isRefusal(error) ? new Refusal((error as Error).message, { cause: error }) : error
      }
    })
    work.refusals = 0
    if (poison.length === 0) return
    await setAside(deps.quarantineDir, name, poison)
    withdraw(work, poison)
    log.error(
      { segment: name, rows: poison.length, reason: poison[0]?.reason },
      'rows that ClickHouse refuses were set aside in quarantine',
    )
  }

  function countShipped(work: Work): void {
    const { kinds, dropped } = work.frozen.about
    for (const kind of KINDS) meters.shipped.inc({ kind }, kinds[kind])
    for (const reason of DROP_REASONS) meters.discarded.inc({ reason }, dropped[reason] ?? 0)
    meters.quarantined.inc(work.quarantined)
  }
}

/** Removes the segment itself first: it is what holds addresses. */
export async function unlinkSegment(segment: Segment, fault: Fault = () => {}): Promise<void> {
  await rm(segment.sealedFile, { force: true })
  await fault('unlinked', segment.name)
  await rm(segment.rowsFile, { force: true })
  await rm(temporaryOf(segment.rowsFile), { force: true })
}

/** ClickHouse asks for fewer inserts; the others may be tried again soon. */
export function isOverload(error: unknown): boolean {
  return error instanceof ClickHouseError && Number(error.code) === TOO_MANY_PARTS
}

function isRefusal(error: unknown): boolean {
  return error instanceof ClickHouseError && !NOT_THE_ROWS.has(Number(error.code))
}

/** Takes rows out of the frozen set and out of what it adds to the counters. */
function withdraw(work: Work, poison: readonly Poison[]): void {
  const { about } = work.frozen
  const bad = new Set(poison.map(({ line }) => line))
  const left = [...linesOf(work.frozen)].filter((line) => !bad.has(line))
  work.frozen = { about, chunks: toChunks(left) }
  work.quarantined += poison.length
  about.rows = left.length
  for (const line of bad) {
    const row = JSON.parse(line) as { kind: Kind; link_id: string }
    about.kinds[row.kind]--
    if (row.kind !== 'human') continue
    const tally = about.tallies.find(({ linkId }) => linkId === row.link_id)
    if (tally) tally.clicks--
  }
  about.tallies = about.tallies.filter(({ clicks }) => clicks > 0)
}

function toChunks(lines: readonly string[]): Buffer[] {
  return [Buffer.from(lines.join(''))]
}

function digest(lines: readonly string[]): string {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(clickIdOf(line))
  return hash.digest('hex').slice(0, 16)
}
