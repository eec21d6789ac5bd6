import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { EVENT_TYPES, getCatalogRow, isEventType, type EventType } from '../events.ts'
import { countAddressed, fanOut, type EventRow } from '../delivery/outbox.ts'
import {
  MAX_RETRIED_ATTEMPTS,
  queueTest,
  replayEvents,
  retryDelivery,
  retryDeliveries,
} from '../delivery/queue/requeue.ts'
import { MAX_ATTEMPTS } from '../delivery/queue/states.ts'
import {
  allOf,
  inWorkspace,
  type Tx,
  type TenantSql,
} from '../../platform/storage/postgres/postgres.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import type { SaveIdempotentResponse } from '../../platform/resources/idempotent-responses.ts'
import type { RequireCapability } from '../../platform/plans/limits.ts'
import { toDate, toPeriod } from '../../platform/resources/shapes.ts'
import { isOwn, notFound } from './endpoints.ts'
import type { Dispatch, Replay, RetryMany } from './schema.ts'

type Deps = {
  sql: TenantSql
  clock: Clock
  audit: Audit
  saveIdempotentResponse: SaveIdempotentResponse
  requireCapability: RequireCapability
  /** The rate of all calls of a workspace. */
  calls: {
    /** @throws ApiError RATE_LIMITED with `details: {retryAfter, limit, window}` */
    consume(workspaceId: string, points?: number): Promise<unknown>
    /** @throws ApiError RATE_LIMITED when none is left */
    check(workspaceId: string): Promise<void>
  }
  /** Limit of one dispatch: the bytes of its payload times the endpoints that it addresses. */
  maxFanoutBytes: number
  /** Endpoints that a workspace may have. */
  maxEndpoints: number
}

/** A call that queues more deliveries than this counts as several. */
const DELIVERIES_PER_CALL = 100
/** A dispatch that causes more bytes than this counts as several calls. */
const BYTES_PER_CALL = 1024 * 1024

export type Sending = ReturnType<typeof createSending>

/** Deliveries that a caller sends: tests, events of its own, retries and replays, all within one rate. */
export const createSending = (deps: Deps) =>
  bindDeps(deps, { catalog, requireRate, test, dispatch, retry, retryMany, replay })

function catalog() {
  const events = EVENT_TYPES.map((type) => {
    const { label, description, sample } = getCatalogRow(type)
    return { type, label, description, sample }
  })
  return { events }
}

/** Refuses a dispatch before its body is read when the workspace may send no more now. */
async function requireRate({ calls }: Deps, principal: Principal): Promise<void> {
  await calls.check(principal.workspaceId)
}

/** Sends a sample of one type to this endpoint alone, whether or not it subscribes to the type. */
async function test(deps: Deps, principal: Principal, endpointId: string, type = 'link.created') {
  const { workspaceId } = principal
  const eventType = checkType(type, 'eventType')
  return countedCall(deps, principal, async (tx) => {
    const url = await requireLive(tx, principal, endpointId)
    const data = JSON.stringify({ ...getCatalogRow(eventType).sample, workspaceId })
    const { id, createdAt } = await queueTest(tx, deps.clock, {
      workspaceId,
      endpointId,
      eventType,
      data,
    })
    await deps.audit(tx, principal, {
      action: 'webhook.tested',
      target: { type: 'webhook', id: endpointId, name: url },
    })
    return { id, status: 'pending', eventType, createdAt: createdAt.toISOString() }
  })
}

/**
 * Sends an event of the caller to every active endpoint that subscribes to the type.
 * @throws ApiError PAYLOAD_TOO_LARGE with `details: {limitBytes, bytes, endpoints}`
 */
async function dispatch(deps: Deps, principal: Principal, { type, payload = {} }: Dispatch) {
  const {
    sql,
    clock,
    audit,
    requireCapability,
    saveIdempotentResponse,
    maxFanoutBytes,
    maxEndpoints,
  } = deps
  const { workspaceId } = principal
  const eventType = checkType(type, 'type')
  const data = JSON.stringify(payload)
  const row = { id: newId('evt', clock()), workspaceId, type: eventType, data }
  await deps.calls.consume(workspaceId)
  // A payload that fits all endpoints that a workspace may have needs no count of them.
  const fits = Buffer.byteLength(data) * maxEndpoints <= maxFanoutBytes
  const answer = await inWorkspace(sql, workspaceId, async (tx) => {
    if (!fits) await requireFanout(tx, principal, row, maxFanoutBytes)
    const [, dispatched] = await allOf([
      requireCapability(tx, workspaceId, 'webhooks'),
      fanOut(tx, clock, [row]),
      audit(tx, principal, {
        action: 'webhook.dispatched',
        target: { type: 'event', id: row.id, name: type },
      }),
    ])
    return saveIdempotentResponse(tx, principal, { dispatched })
  })
  await countCaused(deps, principal, answer.dispatched, Buffer.byteLength(data) * answer.dispatched)
  return answer
}

/**
 * Makes the next attempt of a failed delivery due now; a dead letter gets one extra attempt.
 * @throws ApiError CONFLICT in any other state, and for the second of two retries, and after too many
 */
async function retry(deps: Deps, principal: Principal, id: string) {
  return countedCall(deps, principal, async (tx) => {
    const retried = await retryDelivery(tx, deps.clock, principal.workspaceId, id)
    if (retried === null)
      throw new ApiError(
        'CONFLICT',
        `Only a failed delivery, or a dead letter with fewer than ${MAX_RETRIED_ATTEMPTS} attempts, can be retried.`,
      )
    const { attempts, eventType } = retried
    await deps.audit(tx, principal, {
      action: 'webhook.delivery_retried',
      target: { type: 'delivery', id, name: eventType },
    })
    return { id, status: 'pending', attempts, maxAttempts: MAX_ATTEMPTS }
  })
}

async function retryMany(deps: Deps, principal: Principal, input: RetryMany) {
  const { endpointId, eventType, eventId, responseStatus, status } = input
  if (eventType !== undefined) checkType(eventType, 'eventType')
  const { from, to } = toPeriod(input)
  if (endpointId !== undefined && !(await isOwn(deps.sql, principal, endpointId)))
    throw invalid('endpointId', 'There is no such webhook endpoint.')
  const retried = await countedCall(deps, principal, async (tx) => {
    const { workspaceId } = principal
    const ofAnswer = { eventId, responseStatus }
    const filter = { workspaceId, endpointId, status, eventType, ...ofAnswer, from, to }
    const result = await retryDeliveries(tx, deps.clock, filter)
    if (result.requeued > 0)
      await deps.audit(tx, principal, {
        action: 'webhook.deliveries_retried',
        target: { type: 'webhook', id: endpointId ?? '*', name: null },
        changes: { requeued: { old: null, new: result.requeued } },
      })
    return result
  })
  await countCaused(deps, principal, retried.requeued)
  return retried
}

/**
 * Sends past events again, as new deliveries to one endpoint that missed them during a pause or an
 * outage. Named types are sent whether or not the endpoint subscribes to them, as in a test.
 */
async function replay(deps: Deps, principal: Principal, endpointId: string, input: Replay) {
  const { clock, audit } = deps
  const since = toDate(input.since, 'since')
  const until = input.until === undefined ? new Date(clock()) : toDate(input.until, 'until')
  // They may be equal: that is where paging ends.
  if (since > until) {
    const problem = input.until === undefined ? 'in the future' : 'after until'
    throw invalid('since', `since must not be ${problem}.`)
  }
  const types =
    input.events?.map((type, at) => (type === '*' ? '*' : checkType(type, `events.${at}`))) ?? null
  const answer = await countedCall(deps, principal, async (tx) => {
    const url = await requireLive(tx, principal, endpointId)
    const { workspaceId } = principal
    const replayed = await replayEvents(tx, clock, { workspaceId, endpointId, since, until, types })
    await audit(tx, principal, {
      action: 'webhook.replayed',
      target: { type: 'webhook', id: endpointId, name: url },
      changes: { queued: { old: null, new: replayed.queued } },
    })
    return { queued: replayed.queued, next: replayed.next?.toISOString() ?? null }
  })
  await countCaused(deps, principal, answer.queued)
  return answer
}

/** A transaction of a call that counts against the rate of its workspace; what `work` returns is its answer. */
async function countedCall<T>(
  deps: Deps,
  principal: Principal,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  await deps.calls.consume(principal.workspaceId)
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    await deps.requireCapability(tx, principal.workspaceId, 'webhooks')
    return deps.saveIdempotentResponse(tx, principal, await work(tx))
  })
}

/** Counts the deliveries of a call. Those above the rate are queued already: the next calls are refused instead. */
async function countCaused(
  { calls }: Deps,
  principal: Principal,
  deliveries: number,
  bytes = 0,
): Promise<void> {
  const more = Math.ceil(Math.max(deliveries / DELIVERIES_PER_CALL, bytes / BYTES_PER_CALL)) - 1
  if (more <= 0) return
  await calls.consume(principal.workspaceId, more).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
}

/** Runs before anything is written. @throws ApiError PAYLOAD_TOO_LARGE */
async function requireFanout(
  tx: Tx,
  principal: Principal,
  { type, data }: EventRow,
  maxBytes: number,
): Promise<void> {
  const endpoints = await countAddressed(tx, principal.workspaceId, type)
  const bytes = Buffer.byteLength(data) * endpoints
  if (bytes <= maxBytes) return
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `This payload would be ${bytes} bytes to ${endpoints} endpoints; one event may be ${maxBytes}.`,
    { limitBytes: maxBytes, bytes, endpoints },
  )
}

/** The endpoint of the path may have been deleted since it was found. @returns its URL */
async function requireLive(tx: Tx, principal: Principal, id: string): Promise<string> {
  const [row] = await tx<{ url: string }[]>`
    select url from webhook_endpoints
    where id = ${id} and workspace_id = ${principal.workspaceId} and deleted_at is null`
  if (!row) throw notFound()
  return row.url
}

/** @throws ApiError VALIDATION_ERROR */
export function checkType(type: string, path: string): EventType {
  if (!isEventType(type)) throw invalid(path, `${JSON.stringify(type)} is not an event type.`)
  return type
}
