import { bindDeps } from '../../base/bind-deps.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Who } from '../../base/who.ts'
import { EVENT_TYPES, getCatalogRow, isEventType, type EventType } from '../events.ts'
import { countAddressed, fanOut, type EventRow } from '../../delivery/outbox.ts'
import {
  MAX_RETRIED_ATTEMPTS,
  queueTest,
  replayEvents,
  retryDelivery,
  retryDeliveries,
} from '../../delivery/requeue.ts'
import { MAX_ATTEMPTS } from '../../delivery/states.ts'
import { allOf, inWorkspace, type Tx, type TenantSql } from '../../storage/postgres.ts'
import type { Audit } from '../audit.ts'
import type { KeepAnswer } from '../kept-answers.ts'
import type { RequireCapability } from '../limits.ts'
import { toDate, toPeriod } from '../shapes.ts'
import { isOwn, notFound } from './endpoints.ts'
import type { Dispatch, Replay, RetryMany } from './schema.ts'

type Deps = {
  sql: TenantSql
  clock: Clock
  audit: Audit
  keepAnswer: KeepAnswer
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
async function requireRate({ calls }: Deps, who: Who): Promise<void> {
  await calls.check(who.workspaceId)
}

/** Sends a sample of one type to this endpoint alone, whether or not it subscribes to the type. */
async function test(deps: Deps, who: Who, endpointId: string, type = 'link.created') {
  const { workspaceId } = who
  const eventType = checkType(type, 'eventType')
  return countedCall(deps, who, async (tx) => {
    const url = await requireLive(tx, who, endpointId)
    const data = JSON.stringify({ ...getCatalogRow(eventType).sample, workspaceId })
    const { id, createdAt } = await queueTest(tx, deps.clock, {
      workspaceId,
      endpointId,
      eventType,
      data,
    })
    await deps.audit(tx, who, {
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
async function dispatch(deps: Deps, who: Who, { type, payload = {} }: Dispatch) {
  const { sql, clock, audit, requireCapability, keepAnswer, maxFanoutBytes, maxEndpoints } = deps
  const { workspaceId } = who
  const eventType = checkType(type, 'type')
  const data = JSON.stringify(payload)
  const row = { id: newId('evt', clock()), workspaceId, type: eventType, data }
  await deps.calls.consume(workspaceId)
  // A payload that fits all endpoints that a workspace may have needs no count of them.
  const fits = Buffer.byteLength(data) * maxEndpoints <= maxFanoutBytes
  const answer = await inWorkspace(sql, workspaceId, async (tx) => {
    if (!fits) await requireFanout(tx, who, row, maxFanoutBytes)
    const [, dispatched] = await allOf([
      requireCapability(tx, workspaceId, 'webhooks'),
      fanOut(tx, clock, [row]),
      audit(tx, who, {
        action: 'webhook.dispatched',
        target: { type: 'event', id: row.id, name: type },
      }),
    ])
    return keepAnswer(tx, who, { dispatched })
  })
  await countCaused(deps, who, answer.dispatched, Buffer.byteLength(data) * answer.dispatched)
  return answer
}

/**
 * Makes the next attempt of a failed delivery due now; a dead letter gets one extra attempt.
 * @throws ApiError CONFLICT in any other state, and for the second of two retries, and after too many
 */
async function retry(deps: Deps, who: Who, id: string) {
  return countedCall(deps, who, async (tx) => {
    const retried = await retryDelivery(tx, deps.clock, who.workspaceId, id)
    if (retried === null)
      throw new ApiError(
        'CONFLICT',
        `Only a failed delivery, or a dead letter with fewer than ${MAX_RETRIED_ATTEMPTS} attempts, can be retried.`,
      )
    const { attempts, eventType } = retried
    await deps.audit(tx, who, {
      action: 'webhook.delivery_retried',
      target: { type: 'delivery', id, name: eventType },
    })
    return { id, status: 'pending', attempts, maxAttempts: MAX_ATTEMPTS }
  })
}

async function retryMany(deps: Deps, who: Who, input: RetryMany) {
  const { endpointId, eventType, eventId, responseStatus, status } = input
  if (eventType !== undefined) checkType(eventType, 'eventType')
  const { from, to } = toPeriod(input)
  if (endpointId !== undefined && !(await isOwn(deps.sql, who, endpointId)))
    throw invalid('endpointId', 'There is no such webhook endpoint.')
  const retried = await countedCall(deps, who, async (tx) => {
    const { workspaceId } = who
    const ofAnswer = { eventId, responseStatus }
    const filter = { workspaceId, endpointId, status, eventType, ...ofAnswer, from, to }
    const result = await retryDeliveries(tx, deps.clock, filter)
    if (result.requeued > 0)
      await deps.audit(tx, who, {
        action: 'webhook.deliveries_retried',
        target: { type: 'webhook', id: endpointId ?? '*', name: null },
        changes: { requeued: { old: null, new: result.requeued } },
      })
    return result
  })
  await countCaused(deps, who, retried.requeued)
  return retried
}

/**
 * Sends past events again, as new deliveries to one endpoint that missed them during a pause or an
 * outage. Named types are sent whether or not the endpoint subscribes to them, as in a test.
 */
async function replay(deps: Deps, who: Who, endpointId: string, input: Replay) {
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
  const answer = await countedCall(deps, who, async (tx) => {
    const url = await requireLive(tx, who, endpointId)
    const { workspaceId } = who
    const replayed = await replayEvents(tx, clock, { workspaceId, endpointId, since, until, types })
    await audit(tx, who, {
      action: 'webhook.replayed',
      target: { type: 'webhook', id: endpointId, name: url },
      changes: { queued: { old: null, new: replayed.queued } },
    })
    return { queued: replayed.queued, next: replayed.next?.toISOString() ?? null }
  })
  await countCaused(deps, who, answer.queued)
  return answer
}

/** A transaction of a call that counts against the rate of its workspace; what `work` returns is its answer. */
async function countedCall<T>(deps: Deps, who: Who, work: (tx: Tx) => Promise<T>): Promise<T> {
  await deps.calls.consume(who.workspaceId)
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    await deps.requireCapability(tx, who.workspaceId, 'webhooks')
    return deps.keepAnswer(tx, who, await work(tx))
  })
}

/** Counts the deliveries of a call. Those above the rate are queued already: the next calls are refused instead. */
async function countCaused(
  { calls }: Deps,
  who: Who,
  deliveries: number,
  bytes = 0,
): Promise<void> {
  const more = Math.ceil(Math.max(deliveries / DELIVERIES_PER_CALL, bytes / BYTES_PER_CALL)) - 1
  if (more <= 0) return
  await calls.consume(who.workspaceId, more).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
}

/** Runs before anything is written. @throws ApiError PAYLOAD_TOO_LARGE */
async function requireFanout(
  tx: Tx,
  who: Who,
  { type, data }: EventRow,
  maxBytes: number,
): Promise<void> {
  const endpoints = await countAddressed(tx, who.workspaceId, type)
  const bytes = Buffer.byteLength(data) * endpoints
  if (bytes <= maxBytes) return
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `This payload would be ${bytes} bytes to ${endpoints} endpoints; one event may be ${maxBytes}.`,
    { limitBytes: maxBytes, bytes, endpoints },
  )
}

/** The endpoint of the path may have been deleted since it was found. @returns its URL */
async function requireLive(tx: Tx, who: Who, id: string): Promise<string> {
  const [row] = await tx<{ url: string }[]>`
    select url from webhook_endpoints
    where id = ${id} and workspace_id = ${who.workspaceId} and deleted_at is null`
  if (!row) throw notFound()
  return row.url
}

/** @throws ApiError VALIDATION_ERROR */
export function checkType(type: string, path: string): EventType {
  if (!isEventType(type)) throw invalid(path, `${JSON.stringify(type)} is not an event type.`)
  return type
}
