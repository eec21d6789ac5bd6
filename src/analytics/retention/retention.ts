import { DAY_MS, type Clock } from '../../platform/core/clock.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Log } from '../../platform/core/log.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { FoldCopy, type Source } from './fold-copy.ts'
import { monthPeriod, toMonth } from '../questions/folds.ts'
import { areDeletionsHeld } from '../../platform/storage/postgres/advisory-locks.ts'
import type { SegmentRanges } from '../../platform/storage/clickhouse/segment-ranges.ts'

export type RetentionDeps = {
  sql: SystemSql
  clickhouse: ClickHouseClient
  clock: Clock
  log: Log
  days: number
  /** Time between the commit of a fold and the deletion of its clicks; longer than any answer. */
  graceMs?: number
  /** Time without a sign of life after which another worker repeats an attempt. */
  leaseMs?: number
  /** Clicks that one statement copies, at most, unless an hour has more. */
  pieceClicks?: number
  fault?: FoldFault
}

/** Points at which tests end or stop the process, in the order in which a fold passes them. */
export type FoldPoint =
  | 'begun'
  | 'copied a piece'
  | 'copied'
  | 'folded'
  | 'recounted'
  | 'deleting'
  | 'deleted'

/** Called when a fold passes a point; does nothing outside of tests. */
export type FoldFault = (point: FoldPoint, month: number) => void | Promise<void>

type Fold = Source & { id: string }

const GRACE_MS = 120_000
const LEASE_MS = 600_000
/** Journals of one fold; the others of a month are in the next one. */
const MAX_JOURNALS = 2_000
/** A copy that was cut off may continue in ClickHouse, but not for this long. */
const VOID_KEPT = '7 days'
const NEVER = new AbortController().signal

/**
 * Replaces months of clicks that ended more than CLICK_RETENTION_DAYS ago by daily rows, in any number of
 * processes. Each click is counted exactly once at every moment, wherever a process ends:
 *
 *   copying ──groups add up──▶ folded ──2 minutes, clicks recounted──▶ deleting ──none is left──▶ done
 *      └── lease ended, or sums differ ──▶ void ◀── count differs ──┘
 *
 * - Only clicks of committed segments are copied: the shipper never sends those again, while rows of an
 *   uncommitted one may still be counted, sent and deleted.
 * - Answers count the rows of folded, deleting and done attempts, and no clicks of their segments.
 * - An attempt has an id and a partition of its own, since the copy of a killed process may go on.
 * - Clicks are deleted by the exact list of their segments, so that one that arrives late stays. It is
 *   folded by a later attempt, which begins after the last sequences of those before it.
 */
export class ClickRetention {
  readonly #deps: Required<Omit<RetentionDeps, 'pieceClicks'>>
  readonly #copy: FoldCopy

  constructor(deps: RetentionDeps) {
    this.#deps = { graceMs: GRACE_MS, leaseMs: LEASE_MS, fault: () => {}, ...deps }
    this.#copy = new FoldCopy(deps.clickhouse, deps.pieceClicks)
  }

  /** Folds every month that is due, and deletes the clicks of folds whose time has come. */
  async once(signal: AbortSignal = NEVER): Promise<void> {
    await this.foldDue(signal)
    await this.finish(signal)
  }

  async foldDue(signal: AbortSignal = NEVER): Promise<void> {
    await this.#dropVoid()
    const { clock, days } = this.#deps
    const untilMs = monthPeriod(toMonth(clock() - days * DAY_MS)).startMs
    for (const month of await this.#copy.monthsBefore(untilMs)) {
      signal.throwIfAborted()
      await this.#foldMonth(month, signal)
    }
  }

  /** Deletes the clicks of folds that are older than any answer. */
  async finish(signal: AbortSignal = NEVER): Promise<void> {
    const { sql } = this.#deps
    if (await areDeletionsHeld(sql)) return
    const due = await sql<(Fold & { clicks: number; state: string })[]>`
      select id, month, segments, clicks, state from click_folds
      where state = 'deleting' or state = 'folded' and delete_after <= now()
      order by month`
    for (const fold of due) {
      signal.throwIfAborted()
      if (fold.state === 'deleting' || (await this.#confirm(fold))) await this.#delete(fold, signal)
    }
  }

  async #foldMonth(month: number, signal: AbortSignal): Promise<void> {
    const { sql, log, fault } = this.#deps
    const journals = await this.#copy.journalsOf(month)
    const fold = await this.#begin(month, journals)
    if (!fold) return
    await fault('begun', month)
    let clicks = 0
    for (const piece of await this.#copy.piecesOf(fold)) {
      signal.throwIfAborted()
      if (!(await this.#isHeld(fold))) return
      await this.#copy.copy(fold.id, fold, piece)
      clicks += piece.clicks
      await fault('copied a piece', month)
    }
    await fault('copied', month)
    if (!(await this.#copy.hasCopied(fold.id, clicks))) {
      log.warn(
        { month, fold: fold.id },
        'clicks changed while they were folded into days; trying again',
      )
      return this.#void(fold, 'copying')
    }
    const { count } = await sql`
      update click_folds
      set state = 'folded', clicks = ${clicks},
        delete_after = now() + ${this.#deps.graceMs} * interval '1 ms'
      where id = ${fold.id} and state = 'copying'`
    if (count === 1) log.info({ month, clicks }, 'clicks of a month folded into days')
    await fault('folded', month)
  }

  /**
   * Null: another attempt at the month is not finished, or all of its committed clicks are folded. The
   * new row claims the month before the earlier folds are read: from then on none of them changes.
   */
  #begin(month: number, journals: ReadonlyMap<string, number>): Promise<Fold | null> {
    const { sql, clock, leaseMs } = this.#deps
    const id = newId('fold', clock())
    return inTransaction(sql, async (tx) => {
      await tx`
        update click_folds set state = 'void', ended_at = now()
        where month = ${month} and state = 'copying' and lease_until < now()`
      const { count } = await tx`
        insert into click_folds (id, month, segments, lease_until)
        values (${id}, ${month}, '{}', now() + ${leaseMs} * interval '1 ms')
        on conflict do nothing`
      if (count === 0) return null
      const segments = await readUnfolded(tx, month, journals)
      if (Object.keys(segments).length === 0) {
        await tx`delete from click_folds where id = ${id}`
        return null
      }
      await tx`
        update click_folds set segments = ${JSON.stringify(segments)}::text::jsonb where id = ${id}`
      return { id, month, segments }
    })
  }

  /** Extends the lease. False: another worker considered the attempt dead. */
  async #isHeld({ id }: Fold): Promise<boolean> {
    const { sql, leaseMs } = this.#deps
    const { count } = await sql`
      update click_folds set lease_until = now() + ${leaseMs} * interval '1 ms'
      where id = ${id} and state = 'copying'`
    return count === 1
  }

  /** The last check before clicks are deleted: rows that a replica received late are missed by a copy. */
  async #confirm(fold: Fold & { clicks: number }): Promise<boolean> {
    const { sql, log, fault } = this.#deps
    const clicks = await this.#copy.count(fold)
    await fault('recounted', fold.month)
    if (clicks !== fold.clicks) {
      const { id, month } = fold
      log.warn(
        { month, fold: id, clicks },
        'clicks changed after they were folded; folding them again',
      )
      await this.#void(fold, 'folded')
      return false
    }
    const { count } = await sql`
      update click_folds set state = 'deleting' where id = ${fold.id} and state = 'folded'`
    return count === 1
  }

  async #delete(fold: Fold, signal: AbortSignal): Promise<void> {
    const { sql, fault } = this.#deps
    await fault('deleting', fold.month)
    await this.#copy.delete(fold, signal)
    await fault('deleted', fold.month)
    await sql`
      update click_folds set state = 'done', ended_at = now()
      where id = ${fold.id} and state = 'deleting'`
  }

  async #void({ id }: Fold, from: 'copying' | 'folded'): Promise<void> {
    await this.#deps.sql`
      update click_folds set state = 'void', ended_at = now() where id = ${id} and state = ${from}`
  }

  /** An answer that began before the end of the attempt may still read its rows. */
  async #dropVoid(): Promise<void> {
    const { sql, graceMs } = this.#deps
    const rows = await sql<{ id: string; month: number }[]>`
      select id, month from click_folds
      where state = 'void' and ended_at < now() - ${graceMs} * interval '1 ms'`
    for (const { id, month } of rows) await this.#copy.drop(id, month)
    await sql`
      delete from click_folds
      where state = 'void' and ended_at < now() - ${VOID_KEPT}::interval`
  }
}

/**
 * The segments of these journals that are committed and not folded yet.
 * @param journals the last sequence of each in the month
 */
async function readUnfolded(
  tx: Tx,
  month: number,
  journals: ReadonlyMap<string, number>,
): Promise<SegmentRanges> {
  const ids = [...journals.keys()]
  const rows = await tx<{ journalId: string; after: number; committed: number }[]>`
    select c.journal_id, c.sequence as committed, coalesce((
      select max((f.segments->c.journal_id->>1)::bigint) from click_folds f
      where f.month = ${month} and f.state = 'done'), 0) as after
    from journal_cursors c where c.journal_id = any(${ids}) order by 1`
  const ranges = rows
    .map(({ journalId, after, committed }) => {
      const through = Math.min(committed, journals.get(journalId)!)
      return [journalId, [after, through]] as const
    })
    .filter(([, [after, through]]) => through > after)
  return Object.fromEntries(ranges.slice(0, MAX_JOURNALS))
}
