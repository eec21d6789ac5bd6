import { bindDeps } from '../../platform/core/functions.ts'
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
import { allOf, inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { RateLimiter } from '../../platform/limits/rate-limits.ts'
import type { CheckCapability } from '../../platform/plans/limits.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { toDate, toPeriod } from '../../platform/resources/shapes.ts'
import { isOwn, notFound } from './endpoints.ts'
import type { Dispatch, Replay, RetryMany } from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'clock' | 'audit' | 'saveIdempotentResponse'> & {
  requireCapability: CheckCapability
  calls: Pick<RateLimiter, 'check'> & {
    consume(workspaceId: string, points?: number): Promise<unknown>
  }
  /** Per dispatch: payload bytes times the number of endpoints. */
  maxFanoutBytes: number
  maxEndpoints: number
}

const DELIVERIES_PER_CALL = 100
const BYTES_PER_CALL = 1024 * 1024

export type Sending = ReturnType<typeof createSending>

/** One rate covers everything that a caller sends: tests, dispatches, retries and replays. */
export const createSending = (deps: Deps) =>
  bindDeps(deps, { catalog, requireRate, test, dispatch, retry, retryMany, replay })

function catalog() {
  const events = EVENT_TYPES.map((type) => {
    const { label, description, sample } = getCatalogRow(type)
    return { type, label, description, sample }
  })
  return { events }
}

async function requireRate({ calls }: Deps, principal: Principal): Promise<void> {
  await calls.check(principal.workspaceId)
}

async function test(deps: Deps, principal: Principal, endpointId: string, type = 'link.created') {
  const { workspaceId } = principal
  const eventType = checkType(type, 'eventType')
  return countedCall(deps, principal, async (tx) => {
    const url = await requireLive(tx, principal, endpointId)
    const data = JSON.stringify({ ...getCatalogRow(eventType).sample, workspaceId })
    const queued = { workspaceId, endpointId, eventType, data }
    const { id, createdAt } = await queueTest(tx, deps.clock, queued)
    await deps.audit(tx, principal, {
      action: 'webhook.tested',
      target: { type: 'webhook', id: endpointId, name: url },
    })
    return { id, status: 'pending', eventType, createdAt: createdAt.toISOString() }
  })
}

async function dispatch(deps: Deps, principal: Principal, { type, payload = {} }: Dispatch) {
  const { clock, maxFanoutBytes } = deps
  const { workspaceId } = principal
  const eventType = checkType(type, 'type')
  const data = JSON.stringify(payload)
  const row = { id: newId('evt', clock()), workspaceId, type: eventType, data }
  await deps.calls.consume(workspaceId)
  // Skip the count for a payload that fits the largest possible number of endpoints.
  const fits = Buffer.byteLength(data) * deps.maxEndpoints <= maxFanoutBytes
  const answer = await inWorkspace(deps.sql, workspaceId, async (tx) => {
    if (!fits) await requireFanout(tx, principal, row, maxFanoutBytes)
    const [, dispatched] = await allOf([
      deps.requireCapability(tx, workspaceId, 'webhooks'),
      fanOut(tx, clock, [row]),
      deps.audit(tx, principal, {
        action: 'webhook.dispatched',
        target: { type: 'event', id: row.id, name: type },
      }),
    ])
    return deps.saveIdempotentResponse(tx, principal, { dispatched })
  })
  await countCaused(deps, principal, answer.dispatched, Buffer.byteLength(data) * answer.dispatched)
  return answer
}

/** @throws ApiError CONFLICT unless the delivery failed, for the second of two retries, and after too many attempts */
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

/** Sends the types that the request names, even without a subscription. */
async function replay(deps: Deps, principal: Principal, endpointId: string, input: Replay) {
  const { clock, audit } = deps
  const since = toDate(input.since, 'since')
  const until = input.until === undefined ? new Date(clock()) : toDate(input.until, 'until')
  // Equal times are allowed: the last page of a replay has them.
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

async function countedCall<T>(deps: Deps, principal: Principal, work: (tx: Tx) => Promise<T>) {
  await deps.calls.consume(principal.workspaceId)
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    await deps.requireCapability(tx, principal.workspaceId, 'webhooks')
    return deps.saveIdempotentResponse(tx, principal, await work(tx))
  })
}

/** Never refuses: the deliveries are already queued. Beyond the rate, the next calls are refused. */
async function countCaused({ calls }: Deps, principal: Principal, deliveries: number, bytes = 0) {
  const more = Math.ceil(Math.max(deliveries / DELIVERIES_PER_CALL, bytes / BYTES_PER_CALL)) - 1
  if (more <= 0) return
  await calls.consume(principal.workspaceId, more).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
}

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
    `This payload takes ${bytes} bytes for ${endpoints} endpoints; one dispatch can take ${maxBytes}. Send a smaller payload.`,
    { limitBytes: maxBytes, bytes, endpoints },
  )
}

/** The endpoint may have been deleted after the check of the path. @returns its URL */
async function requireLive(tx: Tx, principal: Principal, id: string): Promise<string> {
  const [row] = await tx<{ url: string }[]>`
    select url from webhook_endpoints
    where id = ${id} and workspace_id = ${principal.workspaceId} and deleted_at is null`
  if (!row) throw notFound()
  return row.url
}

export function checkType(type: string, path: string): EventType {
  if (!isEventType(type)) throw invalid(path, `${JSON.stringify(type)} is not an event type.`)
  return type
}
