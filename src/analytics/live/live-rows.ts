import { isUlid, timeOfUlid } from '../../platform/core/ids.ts'
import { CLICK_COLUMNS, type ClickFields } from '../../platform/facts/click-data.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { instant } from '../questions/span.ts'

/**
 * A segment of clicks that count, with its number in the order in which they began to count
 * (migrations/postgres/0009_clicks.sql): every segment with a smaller number counts already.
 */
export type Arrival = { arrival: number; segment: string; fromMs: number; toMs: number }

export type Topic = { workspaceId: string; linkId: string | null }

export type LiveRow = ClickFields & { workspace_id: string; segment: string }
/** The newest clicks of each topic, oldest first, and how many more there are of each. */
export type Newest = { rows: LiveRow[]; left: { topic: Topic; clicks: number }[] }

/** Ids are written into the statements, because many of them do not fit into a URL as parameters. */
const ID = /^[A-Za-z0-9_-]{1,64}$/
const MAX_EXECUTION_SECONDS = 5
export const MAX_SEGMENTS = 500
/** Segments that a resumed stream reads at most. */
const MAX_MISSED_SEGMENTS = 2_000

export async function readLastArrival(sql: SystemSql): Promise<number> {
  const [row] = await sql<[{ arrivals: number }]>`select arrivals from click_arrival_count`
  return row.arrivals
}

/** The next segments after one, in order; `isOurs` is false for those without a click of these workspaces. */
export async function readArrivals(
  sql: SystemSql,
  after: number,
  workspaceIds: readonly string[],
): Promise<(Arrival & { isOurs: boolean })[]> {
  return sql<(Arrival & { isOurs: boolean })[]>`
    select arrival, segment, from_ms, to_ms, workspaces is null
      or workspaces && (select array_agg(hashtext(id)) from unnest(${[...workspaceIds]}::text[]) as named (id)) as is_ours
    from click_arrivals where arrival > ${after} order by arrival limit ${MAX_SEGMENTS}`
}

/**
 * @param topics of one kind: workspaces, or links
 * @param perTopic clicks of each topic that are read
 */
export async function readNewest(
  clickhouse: ClickHouseClient,
  arrivals: readonly Arrival[],
  topics: readonly Topic[],
  perTopic: number,
): Promise<Newest> {
  const where = toCondition(arrivals, topics)
  if (where === null) return { rows: [], left: [] }
  const key = topics[0]!.linkId === null ? 'workspace_id' : 'workspace_id, link_id'
  const rows = await read<LiveRow>(
    clickhouse,
    `select workspace_id, segment, ${CLICK_COLUMNS.join(', ')} from clicks where ${where}
     order by ${toOrder(arrivals)} desc, click_id desc limit ${perTopic} by ${key}`,
  )
  const full = topics.filter((topic) => rows.filter((row) => isOf(topic, row)).length === perTopic)
  const counts =
    full.length === 0
      ? []
      : await read<{ workspace_id: string; link_id?: string; clicks: number }>(
          clickhouse,
          `select ${key}, count() as clicks from clicks
           where ${toCondition(arrivals, full)!} group by ${key}`,
        )
  const left = counts.map(({ workspace_id, link_id = null, clicks }) => ({
    topic: { workspaceId: workspace_id, linkId: link_id },
    clicks: clicks - perTopic,
  }))
  return { rows: rows.toReversed(), left: left.filter(({ clicks }) => clicks > 0) }
}

function isOf(
  { workspaceId, linkId }: Topic,
  row: { workspace_id: string; link_id: string },
): boolean {
  return row.workspace_id === workspaceId && (linkId === null || row.link_id === linkId)
}

/** The place of a click in a stream: its segment's place, then its id. */
export type Place = { arrival: Arrival; clickId: string }

/** The place of a click that a client names; null for an unknown click or one that is too old. */
export async function findPlace(
  sql: SystemSql,
  clickhouse: ClickHouseClient,
  workspaceId: string,
  clickId: string,
): Promise<Place | null> {
  if (!isUlid(clickId)) return null
  const atMs = timeOfUlid(clickId)
  const [row] = await read<{ segment: string }>(
    clickhouse,
    `select segment from clicks
     where workspace_id = ${toLiteral(workspaceId)} and click_id = '${clickId}'
       and at >= ${instant(atMs - 1_000)} and at <= ${instant(atMs + 1_000)} limit 1`,
  )
  if (!row) return null
  const [arrival] = await sql<Arrival[]>`
    select arrival, segment, from_ms, to_ms from click_arrivals where segment = ${row.segment}`
  return arrival ? { arrival, clickId } : null
}

/** The clicks of a topic between a place and an arrival, and how many they are. */
export type Missed = {
  clicks: number
  read(offset: number, limit: number): Promise<LiveRow[]>
}

/** @returns null when there are too many segments to read */
export async function findMissed(
  sql: SystemSql,
  clickhouse: ClickHouseClient,
  topic: Topic,
  { arrival, clickId }: Place,
  through: number,
): Promise<Missed | null> {
  const later = await sql<Arrival[]>`
    select arrival, segment, from_ms, to_ms from click_arrivals
    where arrival > ${arrival.arrival} and arrival <= ${through}
      and (workspaces is null or hashtext(${topic.workspaceId}::text) = any(workspaces))
    order by arrival limit ${MAX_MISSED_SEGMENTS + 1}`
  if (later.length > MAX_MISSED_SEGMENTS) return null
  const arrivals = [arrival, ...later]
  const condition = toCondition(arrivals, [topic])
  if (condition === null) return { clicks: 0, read: async () => [] }
  const where = `${condition} and (segment != ${toLiteral(arrival.segment)} or click_id > '${clickId}')`
  const [row] = await read<{ clicks: number }>(
    clickhouse,
    `select count() as clicks from clicks where ${where}`,
  )
  return {
    clicks: row!.clicks,
    read: (offset, limit) =>
      read<LiveRow>(
        clickhouse,
        `select workspace_id, segment, ${CLICK_COLUMNS.join(', ')} from clicks where ${where}
         order by ${toOrder(arrivals)}, click_id limit ${limit} offset ${offset}`,
      ),
  }
}

/** Human clicks of these segments and topics; null when there are none of either. */
function toCondition(arrivals: readonly Arrival[], topics: readonly Topic[]): string | null {
  const known = topics.filter(({ linkId }) => linkId === null || ID.test(linkId))
  if (known.length === 0 || arrivals.length === 0) return null
  const names = known.map(({ workspaceId, linkId }) =>
    linkId === null ? toLiteral(workspaceId) : `(${toLiteral(workspaceId)}, ${toLiteral(linkId)})`,
  )
  const columns = known[0]!.linkId === null ? 'workspace_id' : '(workspace_id, link_id)'
  const fromMs = Math.min(...arrivals.map((arrival) => arrival.fromMs))
  const toMs = Math.max(...arrivals.map((arrival) => arrival.toMs))
  return `${columns} in (${names.join(', ')}) and kind = 'human'
    and at >= ${instant(fromMs)} and at <= ${instant(toMs)}
    and segment in (${arrivals.map(({ segment }) => toLiteral(segment)).join(', ')})`
}

function toOrder(arrivals: readonly Arrival[]): string {
  return `indexOf([${arrivals.map(({ segment }) => toLiteral(segment)).join(', ')}], segment)`
}

function toLiteral(id: string): string {
  if (!ID.test(id)) throw new Error(`not an id: ${JSON.stringify(id)}`)
  return `'${id}'`
}

async function read<Row>(clickhouse: ClickHouseClient, query: string): Promise<Row[]> {
  const answer = await clickhouse.query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { max_execution_time: MAX_EXECUTION_SECONDS },
  })
  return answer.json<Row>()
}
