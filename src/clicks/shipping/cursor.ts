import {
  allOf,
  inTransaction,
  type SystemSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import { announceClicks, readSubscribers, type AnnouncingDeps } from './announce.ts'
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

/** Takes back what the transaction of a batch did that another shipper has committed. */
const FENCED = new Error('another shipper has moved the cursor')

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
  async function commit(batch: Commit): Promise<'committed' | 'fenced'> {
    try {
      await inTransaction(sql, (tx) => write(tx, batch))
      return 'committed'
    } catch (error) {
      if (error === FENCED) return 'fenced'
      throw error
    }
  }

  async function write(tx: Tx, batch: Commit): Promise<void> {
    const { journalId, sequence, frozen } = batch
    const { tallies, views = [], deepLinks = [] } = frozen.about
    // Sent together: the later clicks of the journal wait for each round trip. The server runs them in this order.
    const [isMoved, subscribers] = await allOf([
      moveCursor(tx, batch, new Date(clock())),
      readSubscribers(tx, tallies),
      addClicks(tx, tallies),
      addPageViews(tx, views),
      storeDeepLinks(tx, deepLinks),
    ])
    if (!isMoved) throw FENCED
    await fault?.('cursor-moved', `${journalId}-${sequence}`)
    await announceClicks(tx, deps, frozen, subscribers)
    await addArrival(tx, batch)
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
  await allOf([
    tx`select id from workspaces where id = any(${workspaceIds}) order by id for key share`,
    tx`
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
    select array_agg(link_id) from counted having count(*) > 0`,
  ])
}
