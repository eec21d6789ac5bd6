import type { Clock } from '../../platform/core/clock.ts'
import { toClickData, type ToShortUrl } from '../../platform/facts/click-data.ts'
import {
  allOf,
  inTransaction,
  notifyAfterCommit,
  type SystemSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import { fanOut, type EventRow } from '../../webhooks/delivery/outbox.ts'
import type { Fault, Position } from './batch.ts'
import { storeDeepLinks } from './deep-links.ts'
import { readRows, type Frozen, type LinkTally, type RowFields } from './rows.ts'

export type Commit = {
  journalId: string
  sequence: number
  after: number
  frozen: Frozen
  nextThrough: number | null
}

export type LedgerDeps = {
  sql: SystemSql
  clock: Clock
  toShortUrl: ToShortUrl
  fault?: Fault
  /** Endpoints with more live deliveries get no clicks. */
  maxBacklog?: number
}

export const CLICKS_CHANNEL = 'signpost_clicks'

/** How many segments a live stream can go back: hours of one edge, which ships at most two a second. */
const KEPT_SEGMENTS = 20_000
/** Workspaces named per row, so that the kept rows take a few megabytes. */
const MAX_NAMED = 200
/** A segment has the clicks of half a second. */
const RANKED_SEGMENTS = 20

/** Rolls back a batch that another shipper has committed. */
const FENCED = new Error('another shipper has moved the cursor')

export type Ledger = ReturnType<typeof createLedger>

export function createLedger(deps: LedgerDeps) {
  const { sql, clock, fault } = deps

  async function positionOf(journalId: string): Promise<Position> {
    const [row] = await sql<Position[]>`
      select sequence, next_through from journal_cursors where journal_id = ${journalId}`
    return row ?? { sequence: 0, nextThrough: null }
  }

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
    // Sent together, because later clicks of the journal wait for each round trip. The server runs them in order.
    const [isMoved, subscribers] = await allOf([
      moveCursor(tx, batch, new Date(clock())),
      readSubscribers(tx, tallies),
      addClicks(tx, tallies),
      addPageViews(tx, views),
      storeDeepLinks(tx, deepLinks),
    ])
    if (!isMoved) throw FENCED
    await fault?.('cursor-moved', `${journalId}-${sequence}`)
    await publishClicks(tx, deps, frozen, subscribers)
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
 * Adds to the counters of links. Deleted links and workspaces are skipped and cannot fail the segment; the
 * others are locked against deletion until the commit. Rows are locked in one order everywhere, so that two
 * shippers cannot deadlock. JSON, because escaping thousands of array elements would block the thread.
 */
export async function addClicks(tx: Tx, tallies: readonly LinkTally[]): Promise<void> {
  if (tallies.length === 0) return
  await allOf([
    lockWorkspaces(tx, tallies),
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

/** Adds to the counters of bio pages, like {@link addClicks}; `linkId` is the id of the page. */
async function addPageViews(tx: Tx, tallies: readonly LinkTally[]): Promise<void> {
  if (tallies.length === 0) return
  await allOf([
    lockWorkspaces(tx, tallies),
    tx`
    with page as (
      select p.id, p.workspace_id, tally.clicks
      from json_to_recordset(${JSON.stringify(tallies)}::text::json) as tally (
        "workspaceId" text, "linkId" text, clicks bigint
      )
      join bio_pages p on p.id = tally."linkId" and p.workspace_id = tally."workspaceId"
      order by p.id for key share of p
    )
    insert into bio_page_views (page_id, workspace_id, views)
    select id, workspace_id, clicks from page order by id
    on conflict (page_id) do update set views = bio_page_views.views + excluded.views`,
  ])
}

function lockWorkspaces(tx: Tx, tallies: readonly LinkTally[]) {
  return tx`
    select id from workspaces where id = any(${toWorkspaceIds(tallies)}) order by id for key share`
}

function toWorkspaceIds(tallies: readonly LinkTally[]): string[] {
  return [...new Set(tallies.map(({ workspaceId }) => workspaceId))]
}

async function readSubscribers(
  tx: Tx,
  tallies: readonly LinkTally[],
): Promise<ReadonlySet<string>> {
  if (tallies.length === 0) return new Set()
  const rows = await tx<{ workspaceId: string }[]>`
    select distinct workspace_id from webhook_subscriptions
    where workspace_id = any(${toWorkspaceIds(tallies)}::text[])
      and event_type in ('click.received', '*')`
  return new Set(rows.map(({ workspaceId }) => workspaceId))
}

/** The cursor ensures that a segment that is shipped again publishes no second event. */
async function publishClicks(
  tx: Tx,
  { clock, toShortUrl, maxBacklog }: LedgerDeps,
  frozen: Frozen,
  subscribers: ReadonlySet<string>,
): Promise<void> {
  if (subscribers.size === 0) return
  for await (const rows of readRows(frozen)) {
    const events = rows
      .filter(({ fields }) => fields.kind === 'human' && subscribers.has(fields.workspace_id))
      .map(({ fields }) => toEvent(fields, toShortUrl))
    if (events.length > 0) await fanOut(tx, clock, events, maxBacklog)
  }
}

function toEvent(row: RowFields, toShortUrl: ToShortUrl): EventRow {
  return {
    id: `evt_${row.click_id}`,
    workspaceId: row.workspace_id,
    type: 'click.received',
    data: JSON.stringify(toClickData(row, toShortUrl)),
  }
}

/** Must be the last statement of the commit, because other commits wait for its lock. */
async function addArrival(tx: Tx, { journalId, sequence, frozen }: Commit): Promise<void> {
  const { tallies, fromMs, toMs } = frozen.about
  if (tallies.length === 0) return
  const workspaceIds = toWorkspaceIds(tallies)
  const named = workspaceIds.length <= MAX_NAMED ? workspaceIds : []
  await tx`
    with next as (
      update click_arrival_count set arrivals = arrivals + 1 returning arrivals
    ), dropped as (
      delete from click_arrivals where arrival = (select arrivals from next) - ${KEPT_SEGMENTS}
    )
    insert into click_arrivals (arrival, segment, from_ms, to_ms, workspaces)
    select arrivals, ${`${journalId}-${sequence}`}, ${fromMs}, ${toMs},
      (select array_agg(hashtext(id)) from unnest(${named}::text[]) as named (id))
    from next`
  notifyAfterCommit(tx, CLICKS_CHANNEL, '')
}

/**
 * Copies the click counters of links to the table that lists are sorted by. The counters change with every
 * segment, so they have no index.
 *
 *   addClicks: link_clicks, link_rank_changes ──every 5 seconds──▶ copy_link_ranks: link_ranks
 */
export async function copyAllLinkRanks(sql: SystemSql, signal: AbortSignal): Promise<void> {
  while ((await copyLinkRanks(sql)) === RANKED_SEGMENTS && !signal.aborted);
}

export async function copyLinkRanks(sql: SystemSql): Promise<number> {
  const [row] = await sql<[{ copied: number }]>`
    select copy_link_ranks(${RANKED_SEGMENTS}) as copied`
  return row.copied
}
