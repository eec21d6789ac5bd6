import { inTransaction, type SystemSql, type Tx } from '../storage/postgres.ts'
import { announceClicks, type AnnouncingDeps } from './announce.ts'
import { addArrival } from './arrivals.ts'
import type { Position } from './batch.ts'
import { storeDeepLinks } from './deep-links.ts'
import { addPageViews } from './page-views.ts'
import type { Fault } from './fault.ts'
import type { Frozen, LinkTally } from './rows.ts'

export type Commit = {
  journalId: string
  sequence: number
  /** Expected sequence of the cursor. */
  after: number
  frozen: Frozen
  /** Last sequence of the batch after this one; null for a single segment. */
  nextThrough: number | null
}

export type Ledger = ReturnType<typeof createLedger>

/** PostgreSQL's side of a batch: the cursor of each journal, and the click counters of links. */
export function createLedger(deps: AnnouncingDeps & { sql: SystemSql; fault?: Fault }) {
  const { sql, clock, fault } = deps

  async function positionOf(journalId: string): Promise<Position> {
    const [row] = await sql<Position[]>`
      select sequence, next_through from journal_cursors where journal_id = ${journalId}`
    return row ?? { sequence: 0, nextThrough: null }
  }

  /**
   * Moves the cursor, chooses the next batch, adds to the counters, stores the clicks of deep links, publishes events and
   * numbers the batch in one transaction. `fenced`: the cursor is not at `after`, because another shipper has committed; nothing
   * changes.
   */
  function commit(segment: Commit): Promise<'committed' | 'fenced'> {
    return inTransaction(sql, async (tx) => {
      if (!(await moveCursor(tx, segment, new Date(clock())))) return 'fenced'
      await fault?.('cursor-moved', `${segment.journalId}-${segment.sequence}`)
      await addClicks(tx, segment.frozen.about.tallies)
      await addPageViews(tx, segment.frozen.about.views ?? [])
      await storeDeepLinks(tx, segment.frozen.about.deepLinks ?? [])
      await announceClicks(tx, deps, segment.frozen)
      await addArrival(tx, segment)
      return 'committed'
    })
  }

  return { positionOf, commit }
}

/** The cursor of one journal as its shipper knows it, read again after every failure. */
export class JournalCursor {
  readonly #ledger: Ledger
  readonly #journalId: string
  #position: Promise<Position> | undefined

  constructor(ledger: Ledger, journalId: string) {
    this.#ledger = ledger
    this.#journalId = journalId
  }

  read(): Promise<Position> {
    return (this.#position ??= this.#ledger.positionOf(this.#journalId))
  }

  movedTo(position: Position): void {
    this.#position = Promise.resolve(position)
  }

  forget(): void {
    this.#position = undefined
  }
}

/** Compare-and-set: of two shippers of the same batch, one gets true. */
export async function moveCursor(tx: Tx, commit: Commit, now: Date): Promise<boolean> {
  const { journalId, sequence, after, nextThrough } = commit
  const moved =
    after === 0
      ? await tx`
          insert into journal_cursors (journal_id, sequence, next_through, updated_at)
          values (${journalId}, ${sequence}, ${nextThrough}, ${now})
          on conflict (journal_id) do nothing`
      : await tx`
          update journal_cursors
          set sequence = ${sequence}, next_through = ${nextThrough}, updated_at = ${now}
          where journal_id = ${journalId} and sequence = ${after}`
  return moved.count === 1
}

/**
 * Adds to the counters of links. Links and workspaces that were deleted are skipped and cannot fail
 * the segment: the others are locked against deletion until the commit. Rows are locked in one order
 * everywhere, so that two shippers with the same links cannot deadlock. JSON, because escaping
 * thousands of array elements one by one would block the thread that answers redirects.
 */
export async function addClicks(tx: Tx, tallies: readonly LinkTally[]): Promise<void> {
  if (tallies.length === 0) return
  const workspaceIds = [...new Set(tallies.map(({ workspaceId }) => workspaceId))]
  await tx`
    select id from workspaces where id = any(${workspaceIds}) order by id for key share`
  await tx`
    with counted as (
      insert into link_clicks (link_id, workspace_id, clicks, last_clicked_at)
      select links.id, links.workspace_id, tally.clicks, to_timestamp(tally."lastMs" / 1000.0)
      from json_to_recordset(${JSON.stringify(tallies)}::text::json) as tally (
        "workspaceId" text, "linkId" text, clicks bigint, "lastMs" bigint
      )
      join links on links.id = tally."linkId" and links.workspace_id = tally."workspaceId"
      order by links.id
      on conflict (link_id) do update set
        clicks = link_clicks.clicks + excluded.clicks,
        last_clicked_at = greatest(link_clicks.last_clicked_at, excluded.last_clicked_at)
      returning link_id
    )
    insert into link_rank_changes (link_ids)
    select array_agg(link_id) from counted having count(*) > 0`
}
