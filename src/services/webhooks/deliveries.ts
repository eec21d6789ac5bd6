import { ApiError } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { deliveryBody, fixedHeaders } from '../../delivery/request.ts'
import { MAX_ATTEMPTS, STATUS, STATUS_NAMES } from '../../delivery/states.ts'
import { inSnapshot, inWorkspace } from '../../storage/postgres.ts'
import type { Sql, Tx } from '../../storage/postgres.ts'
import { clampLimit } from '../shapes.ts'
import type { Delivery, DeliveryDetail, ListDeliveries } from './schema.ts'

type Deps = {
  sql: Sql
  requireCapability: (tx: Tx, workspaceId: string, capability: 'webhooks') => Promise<void>
}

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
  attemptLog: DeliveryDetail['attemptLog'] | null
  data: string | null
}

/** Claimed rows are at the head of their lane; so far it is searched for them. */
const LANE_HEAD = 1_000

export type Deliveries = ReturnType<typeof createDeliveries>

/** The delivery log: what is queued and what has ended, in one list. */
export function createDeliveries({ sql, requireCapability }: Deps) {
  return { list, get, find }

  /** @throws ApiError NOT_FOUND or FORBIDDEN for the delivery that the path names */
  async function find(who: Who, params: Record<string, string>): Promise<void> {
    const [row] = await sql<{ owner: string | null }[]>`
      select coalesce(workspace_of('webhook_queue', ${params['id'] ?? ''}),
        workspace_of('webhook_log', ${params['id'] ?? ''})) as owner`
    if (!row?.owner) throw new ApiError('NOT_FOUND', 'There is no such delivery.')
    if (row.owner !== who.workspaceId)
      throw new ApiError('FORBIDDEN', 'This delivery belongs to another workspace.')
  }

  /** Newest first; the total is a sum of counters, exact for the snapshot that is listed. */
  async function list(who: Who, query: ListDeliveries) {
    const limit = clampLimit(query.limit)
    const { offset, endpointId } = query
    if (endpointId !== undefined) await refuseForeign(who, endpointId)
    const status = query.status === undefined ? null : STATUS_NAMES.indexOf(query.status as never)
    return inSnapshot(sql, who.workspaceId, async (tx) => {
      await requireCapability(tx, who.workspaceId, 'webhooks')
      const counts = await tx<{ endpointId: string; n: number }[]>`
        select e.id as endpoint_id, sum(t.n) as n from webhook_endpoints e
        join webhook_tallies t on t.endpoint_id = e.id
        where e.workspace_id = ${who.workspaceId} and e.deleted_at is null
          ${endpointId === undefined ? tx`` : tx`and e.id = ${endpointId}`}
          ${status === null ? tx`` : tx`and t.status = ${status}`}
        group by e.id having sum(t.n) > 0`
      const total = counts.reduce((sum, row) => sum + Number(row.n), 0)
      const meta = { total, limit, offset }
      if (total <= offset) return page<Delivery[], typeof meta>([], meta)
      const endpointIds = counts.map((row) => row.endpointId)
      const rows =
        status === null && endpointId === undefined
          ? await ofWorkspace(tx, who, limit, offset)
          : await ofEndpoints(tx, endpointIds, status, limit, offset)
      return page(rows.map(show), meta)
    })
  }

  /** The two newest-first indexes of the workspace, merged. */
  async function ofWorkspace(tx: Tx, who: Who, limit: number, offset: number) {
    const mine = tx`workspace_id = ${who.workspaceId} and exists (
      select from webhook_endpoints e where e.id = endpoint_id and e.deleted_at is null)`
    const newest = tx`order by created_at desc, id desc limit ${limit + offset}`
    return tx<DeliveryRow[]>`
      (select ${queued(tx)} from webhook_queue where ${mine} ${newest})
      union all
      (select ${ended(tx)} from webhook_log where ${mine} ${newest})
      order by created_at desc, id desc limit ${limit} offset ${offset}`
  }

  /** Endpoint by endpoint, of those that have such deliveries at all, each through its own index. */
  async function ofEndpoints(
    tx: Tx,
    endpointIds: readonly string[],
    status: number | null,
    limit: number,
    offset: number,
  ) {
    const newest = tx`order by created_at desc, id desc limit ${limit + offset}`
    const isLive = status === null || ([0, 1, 3] as number[]).includes(status)
    const isEnded = status === null || ([2, 4] as number[]).includes(status)
    const live =
      status === STATUS.processing
        ? tx`select ${queued(tx)} from (
            select * from webhook_queue q where q.endpoint_id = asked.id
            order by due_at, id limit ${LANE_HEAD}) as head
            where status = ${STATUS.processing} ${newest}`
        : tx`select ${queued(tx)} from webhook_queue where endpoint_id = asked.id
            ${status === STATUS.failed ? tx`and attempts > 0` : tx``}
            ${status === null ? tx`` : tx`and status = ${status}`} ${newest}`
    const log = tx`select ${ended(tx)} from webhook_log where endpoint_id = asked.id
      ${status === STATUS.deadLetter ? tx`and status = 4` : tx``}
      ${status === STATUS.completed ? tx`and status = 2` : tx``} ${newest}`
    return tx<DeliveryRow[]>`
      select d.* from unnest(${endpointIds as string[]}::text[]) as asked (id)
      cross join lateral (
        ${isLive ? tx`(${live})` : tx``}
        ${isLive && isEnded ? tx`union all` : tx``}
        ${isEnded ? tx`(${log})` : tx``}
      ) as d
      order by created_at desc, id desc limit ${limit} offset ${offset}`
  }

  async function get(who: Who, id: string): Promise<DeliveryDetail> {
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      await requireCapability(tx, who.workspaceId, 'webhooks')
      const [row] = await tx<DetailRow[]>`
        select d.*, e.data from (
          select ${queued(tx)}, response_body, response_headers, attempt_log
          from webhook_queue where id = ${id} and workspace_id = ${who.workspaceId}
          union all
          select ${ended(tx)}, response_body, response_headers, attempt_log
          from webhook_log where id = ${id} and workspace_id = ${who.workspaceId}
        ) as d
        join webhook_endpoints w on w.id = d.endpoint_id and w.deleted_at is null
        left join events e on e.created_at = d.event_at and e.id = d.event_id
        limit 1`
      if (!row) throw new ApiError('NOT_FOUND', 'There is no such delivery.')
      return showDetail(row)
    })
  }

  /** A foreign id is FORBIDDEN; an unknown one matches nothing. */
  async function refuseForeign(who: Who, endpointId: string): Promise<void> {
    const [row] = await sql<{ owner: string | null }[]>`
      select workspace_of('webhook_endpoints', ${endpointId}) as owner`
    if (row?.owner && row.owner !== who.workspaceId)
      throw new ApiError('FORBIDDEN', 'This webhook endpoint belongs to another workspace.')
  }
}

const COLUMNS = `id, workspace_id, endpoint_id, event_type, event_id, event_at, status, attempts,
  response_status, duration_ms, error, created_at`

function queued(tx: Tx) {
  return tx.unsafe(`${COLUMNS}, due_at, null::timestamptz as finished_at`)
}

function ended(tx: Tx) {
  return tx.unsafe(`${COLUMNS}, null::timestamptz as due_at, finished_at`)
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
    requestBody: hasBeenSent
      ? deliveryBody({ ...row, data: row.data!, attempt: row.attempts })
      : null,
    requestHeaders: hasBeenSent ? fixedHeaders(row.eventType, row.eventId) : null,
    attemptLog: row.attemptLog ?? firstSuccess(row),
  }
}

/** A first attempt that succeeds leaves no entry of its own: the row says it all. */
function firstSuccess(row: DetailRow): DeliveryDetail['attemptLog'] {
  if (row.finishedAt === null) return []
  const { responseStatus, durationMs, error } = row
  const at = new Date(row.finishedAt.getTime() - (durationMs ?? 0)).toISOString()
  return [{ attempt: row.attempts, at, responseStatus, durationMs, error }]
}
