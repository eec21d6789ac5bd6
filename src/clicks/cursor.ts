import { inTransaction, type SystemSql, type Tx } from '../storage/postgres.ts'
import { announceClicks, type AnnouncingDeps } from './announce.ts'
import { addArrival } from './arrivals.ts'
import { storeDeepLinks } from './deep-links.ts'
import { addPageViews } from './page-views.ts'
import type { Fault } from './fault.ts'
import type { Frozen, LinkTally } from './rows.ts'

export type Commit = {
  journalId: string
  sequence: number
  /** Expected position of the cursor. */
  after: number
  frozen: Frozen
}

export type Ledger = ReturnType<typeof createLedger>

/** PostgreSQL's side of a segment: the cursor of each journal, and the click counters of links. */
export function createLedger(deps: AnnouncingDeps & { sql: SystemSql; fault?: Fault }) {
  const { sql, clock, fault } = deps

  /** Sequence of the last committed segment; 0 before the first. */
  async function shippedThrough(journalId: string): Promise<number> {
    const [row] = await sql<{ sequence: number }[]>`
      select sequence from journal_cursors where journal_id = ${journalId}`
    return row?.sequence ?? 0
  }

  /**
   * Moves the cursor, adds to the counters, stores the clicks of deep links, publishes events and numbers the segment in
   * one transaction. `fenced`: the
   * cursor is not at `after`, because another shipper has committed this segment; nothing changes.
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

  return { shippedThrough, commit }
}

/** The cursor of one journal as its shipper knows it, read again after every failure. */
export class JournalCursor {
  readonly #ledger: Ledger
  readonly #journalId: string
  #sequence: Promise<number> | undefined

  constructor(ledger: Ledger, journalId: string) {
    this.#ledger = ledger
    this.#journalId = journalId
  }

  read(): Promise<number> {
    return (this.#sequence ??= this.#ledger.shippedThrough(this.#journalId))
  }

  movedTo(sequence: number): void {
    this.#sequence = Promise.resolve(sequence)
  }

  forget(): void {
    this.#sequence = undefined
  }
}

/** Compare-and-set: of two shippers of the same segment, one gets true. */
export async function moveCursor(tx: Tx, commit: Commit, now: Date): Promise<boolean> {
  const { journalId, sequence, after } = commit
  const moved =
    after === 0
      ? await tx`
          insert into journal_cursors (journal_id, sequence, updated_at)
          values (${journalId}, ${sequence}, ${now})
          on conflict (journal_id) do nothing`
      : await tx`
          update journal_cursors set sequence = ${sequence}, updated_at = ${now}
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
