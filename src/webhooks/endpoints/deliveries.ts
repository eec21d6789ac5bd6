import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { maskedHeaders } from '../delivery/endpoint-headers.ts'
import { deliveryBody, fixedHeaders } from '../delivery/request.ts'
import { unpackSignatures } from '../delivery/signature.ts'
import { matching } from '../delivery/queue/requeue.ts'
import { MAX_ATTEMPTS, STATUS, STATUS_NAMES } from '../delivery/queue/states.ts'
import type { HeavyReads } from '../../platform/storage/postgres/heavy-reads.ts'
import {
  inWorkspace,
  type Fragment,
  type Tx,
  type TenantSql,
} from '../../platform/storage/postgres/postgres.ts'
import { clampLimit, toPeriod } from '../../platform/resources/shapes.ts'
import { isOwn } from './endpoints.ts'
import type { CountDeliveries, DeliveryCounts } from './count-shapes.ts'
import type { Delivery, DeliveryDetail, ListDeliveries } from './schema.ts'
import { checkType } from './sending.ts'

type Deps = { sql: TenantSql; reads: Pick<HeavyReads, 'read'> }

/** A row of the queue or of the log; `dueAt` is null in the log, `finishedAt` in the queue. */
type DeliveryRow = {
  id: string
  workspaceId: string
  endpointId: string
  eventType: string
  eventId: string
  eventAt: Date
  status: number
  attempts: number
  responseStatus: number | null
  durationMs: number | null
  error: string | null
  createdAt: Date
  dueAt: Date | null
  finishedAt: Date | null
}

type DetailRow = DeliveryRow & {
  responseBody: string | null
  responseHeaders: Record<string, string> | null
  signed: Buffer | null
  sentHeaders: string | null
  attemptLog: LoggedAttempt[] | null
  data: string | null
}

type AttemptEntry = DeliveryDetail['attemptLog'][number]
/** The latest entry has no response, nor do entries whose responses are not kept. */
type LoggedAttempt = Omit<AttemptEntry, 'responseHeaders' | 'responseBody'> & Partial<AttemptEntry>

type StatusCount = { status: number; n: number }
type Count = StatusCount & { endpointId: string }

/** Deliveries on the wire are at the head of their lane, except after ones queued later and due earlier. */
const LANE_HEAD = 20_000

export type Deliveries = ReturnType<typeof createDeliveries>

export const createDeliveries = (deps: Deps) => bindDeps(deps, { find, list, countByStatus, get })

async function find({ sql }: Deps, principal: Principal, params: Record<string, string>) {
  const [row] = await sql<{ owner: string | null }[]>`
    select owner_of_webhook_delivery(${params['deliveryId'] ?? ''}) as owner`
  if (row?.owner === principal.workspaceId) return
  if (!row?.owner) throw notFound()
  throw new ApiError('FORBIDDEN', 'This delivery belongs to another workspace.')
}

/**
 * The total is exact for the snapshot that is listed: a sum of counters or, with filters that they lack, a count.
 */
async function list(
  { reads }: Deps,
  principal: Principal,
  query: ListDeliveries,
  signal?: AbortSignal,
) {
  const limit = clampLimit(query.limit)
  const { offset, endpointId, eventId } = query
  const status = query.status === undefined ? null : STATUS_NAMES.indexOf(query.status as never)
  const filter = toFilter(query)
  return reads.read(principal, signal, async (tx) => {
    // Refuses another workspace's endpoint; an unknown one matches nothing.
    if (endpointId !== undefined) await isOwn(tx, principal, endpointId)
    if (eventId !== undefined)
      return listOfEvent(tx, principal, { eventId, endpointId, status, filter, limit, offset })
    const counts = await readTallies(tx, principal, endpointId)
    const wanted = counts.filter((row) => status === null || row.status === status)
    const onWire = sum(counts.filter((row) => row.status === STATUS.processing))
    const searched = { counts: wanted, status, filter, onWire }
    const total = filter === null ? sum(wanted) : await countMatching(tx, searched)
    const meta = { total, limit, offset }
    if (total <= offset) return page<Delivery[], typeof meta>([], meta)
    const count = Math.min(limit, total - offset)
    const rows = await tx<DeliveryRow[]>`
      select d.* from ${deliveriesOf(tx, searched, offset + count)}
      order by created_at desc, id desc limit ${count} offset ${offset}`
    return page(rows.map(show), meta)
  })
}

async function countByStatus(
  { reads }: Deps,
  principal: Principal,
  query: CountDeliveries,
  signal?: AbortSignal,
) {
  const { endpointId, eventId } = query
  const filter = toFilter(query)
  return reads.read(principal, signal, async (tx) => {
    if (endpointId !== undefined) await isOwn(tx, principal, endpointId)
    if (eventId !== undefined) {
      const ofEvent = { eventId, endpointId, status: null, filter }
      return toCounts(
        await tx<StatusCount[]>`
          with ${deliveriesOfEvent(tx, principal, ofEvent)}
          select status, count(*) as n from live group by status`,
      )
    }
    const counts = await readTallies(tx, principal, endpointId)
    if (filter === null) return toCounts(counts)
    const searched = { counts, status: null, filter, onWire: 0 }
    return toCounts(
      await tx<StatusCount[]>`
        select status, count(*) as n from ${deliveriesOf(tx, searched, null)} group by status`,
    )
  })
}

async function countMatching(tx: Tx, searched: Searched): Promise<number> {
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from ${deliveriesOf(tx, searched, null)}`
  return counted.total
}

function toCounts(counts: readonly StatusCount[]): DeliveryCounts {
  const byStatus = STATUS_NAMES.map((name, status) => [
    name,
    sum(counts.filter((row) => row.status === status)),
  ])
  return { total: sum(counts), ...Object.fromEntries(byStatus) } as DeliveryCounts
}

async function readTallies(tx: Tx, { workspaceId }: Principal, endpointId: string | undefined) {
  // Every part of the list has an index in its order. Do not let outdated statistics hide that.
  await tx`
    select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_bitmapscan', 'off', true)`
  return tx<Count[]>`
    select e.id as endpoint_id, t.status, sum(t.n)::bigint as n from webhook_endpoints e
    join webhook_tallies t on t.endpoint_id = e.id
    where e.workspace_id = ${workspaceId} and e.deleted_at is null
      ${endpointId === undefined ? tx`` : tx`and e.id = ${endpointId}`}
    group by e.id, t.status having sum(t.n) > 0`
}

/** The filters that the counters lack; null without any. */
function toFilter({ eventType, responseStatus, ...query }: CountDeliveries): Filter | null {
  const { from, to } = toPeriod(query)
  if (eventType !== undefined) checkType(eventType, 'eventType')
  if (eventType === undefined && responseStatus === undefined && !from && !to) return null
  return (tx) => matching(tx, { eventType, responseStatus, from, to })
}

type OfEvent = {
  eventId: string
  endpointId: string | undefined
  status: number | null
  filter: Filter | null
  limit: number
  offset: number
}

async function listOfEvent(tx: Tx, principal: Principal, wanted: OfEvent) {
  const { limit, offset } = wanted
  const live = deliveriesOfEvent(tx, principal, wanted)
  const [counted] = await tx<[{ total: number }]>`
    with ${live} select count(*) as total from live`
  const meta = { total: counted.total, limit, offset }
  const rows = await tx<DeliveryRow[]>`
    with ${live} select * from live
    order by created_at desc, id desc limit ${limit} offset ${offset}`
  return page(rows.map(show), meta)
}

function deliveriesOfEvent(
  tx: Tx,
  principal: Principal,
  { eventId, endpointId, status, filter }: Omit<OfEvent, 'limit' | 'offset'>,
): Fragment {
  const where = tx`workspace_id = ${principal.workspaceId} and event_id = ${eventId}
    ${endpointId === undefined ? tx`` : tx`and endpoint_id = ${endpointId}`}
    ${status === null ? tx`` : tx`and status = ${status}`} ${filter ? filter(tx) : tx``}`
  // Materialized: for the order, the planner would otherwise scan indexes through all other events.
  return tx`matching as materialized (
      select ${queued(tx)} from webhook_queue where ${where}
      union all
      select ${logged(tx)} from webhook_log where ${where}
    ), live as (
      select m.* from matching m join webhook_endpoints e on e.id = m.endpoint_id
      where e.workspace_id = ${principal.workspaceId} and e.deleted_at is null
    )`
}

async function get({ sql }: Deps, principal: Principal, id: string): Promise<DeliveryDetail> {
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const [row] = await tx<DetailRow[]>`
      select d.*, e.data from (
        select ${queued(tx)}, response_body, response_headers, signed, sent_headers, attempt_log
        from webhook_queue where id = ${id} and workspace_id = ${principal.workspaceId}
        union all
        select ${logged(tx)}, response_body, response_headers, signed, sent_headers, attempt_log
        from webhook_log where id = ${id} and workspace_id = ${principal.workspaceId}
      ) as d
      join webhook_endpoints w on w.id = d.endpoint_id and w.deleted_at is null
      left join events e on e.created_at = d.event_at and e.id = d.event_id
      limit 1`
    if (!row) throw notFound()
    return showDetail(row)
  })
}

type Filter = (tx: Tx) => Fragment

type Searched = {
  counts: readonly Count[]
  status: number | null
  filter: Filter | null
  /** Deliveries being processed: reads that many more rows, since they may be among the others. */
  onWire: number
}

/**
 * Reads each part of the list per endpoint from an index that contains only that part and the few rows on the
 * wire, so that the number of other rows does not slow down a page.
 * @param count newest deliveries of each part; null: all
 */
function deliveriesOf(tx: Tx, searched: Searched, count: number | null): Fragment {
  const { counts, status, filter } = searched
  const endpointIds = [...new Set(counts.map((row) => row.endpointId))]
  return status === STATUS.processing
    ? tx`unnest(${endpointIds}::text[], ${counts.map((row) => row.n)}::int[]) as endpoint (id, n)
        cross join lateral (${onTheWire(tx)}) as d where true ${filter ? filter(tx) : tx``}`
    : tx`unnest(${endpointIds}::text[]) as endpoint (id)
        cross join lateral (${parts(tx, searched, count)}) as d`
}

function parts(tx: Tx, { status, filter, onWire }: Searched, count: number | null): Fragment {
  const newest = (extra: number) =>
    count === null ? tx`` : tx`order by created_at desc, id desc limit ${count + extra}`
  const matches = filter ? filter(tx) : tx``
  const hasStatus = status === null ? tx`` : tx`where status = ${status}`
  const live = (predicate: Fragment) => tx`
    (select * from (
      select ${queued(tx)} from webhook_queue
      where endpoint_id = endpoint.id and ${predicate} ${matches}
      ${newest(onWire)}) as live ${hasStatus})`
  const ended = (predicate: Fragment) => tx`
    (select ${logged(tx)} from webhook_log where endpoint_id = endpoint.id and ${predicate} ${matches}
      ${newest(0)})`
  const all = [
    ...(isAmong(status, STATUS.pending) ? [live(tx`(attempts = 0 or is_hurried)`)] : []),
    ...(isAmong(status, STATUS.failed) ? [live(tx`attempts > 0 and not is_hurried`)] : []),
    ...(isAmong(status, STATUS.completed) ? [ended(tx`status = 2`)] : []),
    ...(isAmong(status, STATUS.deadLetter) ? [ended(tx`status = 4`)] : []),
  ]
  return all.reduce((union, part) => tx`${union} union all ${part}`)
}

function isAmong(wanted: number | null, status: number): boolean {
  return wanted === null || wanted === status
}

function onTheWire(tx: Tx): Fragment {
  return tx`
    select ${queued(tx)} from (
      select * from webhook_queue where endpoint_id = endpoint.id order by due_at, id limit ${LANE_HEAD}
    ) as head where status = ${STATUS.processing}::smallint limit endpoint.n`
}

function sum(counts: readonly StatusCount[]): number {
  return counts.reduce((total, row) => total + row.n, 0)
}

const COLUMNS = `id, workspace_id, endpoint_id, event_type, event_id, event_at, status, attempts,
  response_status, duration_ms, error, created_at`

function queued(tx: Tx) {
  return tx.unsafe(`${COLUMNS}, due_at, null::timestamptz as finished_at`)
}

function logged(tx: Tx) {
  return tx.unsafe(`${COLUMNS}, null::timestamptz as due_at, finished_at`)
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such delivery.')
}

function show(row: DeliveryRow): Delivery {
  const status = STATUS_NAMES[row.status]!
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    endpointId: row.endpointId,
    eventType: row.eventType,
    eventId: row.eventId,
    status,
    attempts: row.attempts,
    maxAttempts: MAX_ATTEMPTS,
    responseStatus: row.responseStatus,
    durationMs: row.durationMs,
    createdAt: row.createdAt.toISOString(),
    completedAt: status === 'completed' ? row.finishedAt!.toISOString() : null,
    error: row.error,
    nextAttemptAt:
      status === 'pending' || status === 'failed' ? (row.dueAt?.toISOString() ?? null) : null,
  }
}

function showDetail(row: DetailRow): DeliveryDetail {
  const delivery = show(row)
  const hasBeenSent = row.attempts > 0 && row.data !== null
  return {
    ...delivery,
    responseBody: row.responseBody,
    responseHeaders: row.responseHeaders,
    payload: row.data === null ? null : (JSON.parse(row.data) as unknown),
    requestBody: hasBeenSent ? deliveryBody(row, row.data!, row.attempts) : null,
    requestHeaders: hasBeenSent ? toHeaders(row) : null,
    attemptLog: toAttemptLog(row),
  }
}

function toHeaders(row: DetailRow): Record<string, string> {
  const { id, eventType, eventId, signed, sentHeaders } = row
  return {
    ...fixedHeaders(eventType, eventId),
    ...maskedHeaders(sentHeaders?.split(',') ?? []),
    ...(signed === null ? {} : unpackSignatures(id, signed)),
  }
}

/** The response to the latest attempt is in the row's columns, not in its entry. */
function toAttemptLog(row: DetailRow): AttemptEntry[] {
  const { responseHeaders, responseBody } = row
  const entries = row.attemptLog ?? firstSuccess(row)
  return entries.map((entry, at) => ({
    ...entry,
    responseHeaders: entry.responseHeaders ?? null,
    responseBody: entry.responseBody ?? null,
    ...(at === entries.length - 1 && { responseHeaders, responseBody }),
  }))
}

/** The entry of a first attempt that succeeded, which only the row itself records. */
function firstSuccess(row: DetailRow): LoggedAttempt[] {
  if (row.finishedAt === null) return []
  const { responseStatus, durationMs, error } = row
  const at = new Date(row.finishedAt.getTime() - (durationMs ?? 0)).toISOString()
  return [{ attempt: row.attempts, at, responseStatus, durationMs, error }]
}
