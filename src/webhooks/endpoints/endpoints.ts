import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { isEventType } from '../events.ts'
import { maskedHeaders, replaceHeaders, type StoredHeaders } from '../delivery/endpoint-headers.ts'
import { wakeAfterCommit } from '../delivery/outbox.ts'
import {
  mintEndpointSecret,
  openEndpointSecret,
  sealEndpointSecret,
} from '../delivery/signature.ts'
import type { HeavyReads } from '../../platform/storage/postgres/heavy-reads.ts'
import { inWorkspace, type Tx, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import { toEntryFields } from '../../platform/audit/acting.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import { parseAddress } from '../../platform/resources/field-checks.ts'
import type { CheckCapability, TakeLimit } from '../../platform/plans/limits.ts'
import type { SecurityType } from '../../platform/audit/security.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { countRows } from '../../platform/resources/lists.ts'
import { clampLimit, isoOrNull } from '../../platform/resources/shapes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import { readEndpointStats } from './endpoint-stats.ts'
import type { ListEndpoints } from './count-shapes.ts'
import type { CreateEndpoint, Endpoint, UpdateEndpoint } from './schema.ts'
import { HOUR_MS } from '../../platform/core/clock.ts'

// `systemSql`, because the request role cannot see whether a member's address is verified.
type Deps = Pick<
  Dependencies,
  'sql' | 'systemSql' | 'clock' | 'secrets' | 'audit' | 'recordSecurity' | 'saveIdempotentResponse'
> & {
  reads: Pick<HeavyReads, 'read'>
  limit: TakeLimit
  requireCapability: CheckCapability
  maxEndpoints: number
  checkUrl: (url: string) => Promise<void>
}

type Times = 'createdAt' | 'updatedAt' | 'lastFailureAt' | 'lastSuccessAt' | 'autoPausedAt'
type EndpointRow = Omit<Endpoint, Times | 'previousSecretValidUntil' | 'headers'> &
  StoredHeaders & {
    secretSealed: Buffer
    createdAt: Date
    updatedAt: Date
    lastFailureAt: Date | null
    lastSuccessAt: Date | null
    autoPausedAt: Date | null
    previousSecretUntil: Date | null
  }

const WRITABLE = [
  'url',
  'events',
  'description',
  'status',
  'standardHeaders',
  'failureEmail',
  'disableAfterHours',
] as const satisfies (keyof UpdateEndpoint)[]

const NO_HEADERS: StoredHeaders = { headerNames: [], headersSealed: null }
const WITH_HEALTH =
  'e.*, s.failure_count, s.last_failure_at, s.last_success_at, s.dropped_clicks, s.auto_paused_at'

export type Endpoints = ReturnType<typeof createEndpoints>

/** Under a plan without webhooks, endpoints can still be read, paused and deleted, and their secrets replaced. */
export const createEndpoints = (deps: Deps) =>
  bindDeps(deps, { find, list, get, getStats, create, update, remove, readSecret, rotateSecret })

async function find({ sql }: Deps, principal: Principal, params: Record<string, string>) {
  if (!(await isOwn(sql, principal, params['id'] ?? ''))) throw notFound()
}

/** False when it does not exist or is deleted. @throws ApiError FORBIDDEN when another workspace owns it */
export async function isOwn(
  sql: TenantSql | Tx,
  principal: Principal,
  id: string,
): Promise<boolean> {
  const [row] = await sql<{ owner: string | null }[]>`
    select owner_of_webhook_endpoint(${id}) as owner`
  if (!row?.owner) return false
  if (row.owner === principal.workspaceId) return true
  throw new ApiError('FORBIDDEN', 'This webhook endpoint belongs to another workspace.')
}

async function list(
  { reads, clock }: Deps,
  principal: Principal,
  query: ListEndpoints,
  signal?: AbortSignal,
) {
  const { offset } = query
  const now = clock()
  const limit = clampLimit(query.limit)
  return reads.read(principal, signal, async (tx) => {
    const matches = tx`
      webhook_endpoints e where e.workspace_id = ${principal.workspaceId} and e.deleted_at is null`
    const [rows, total] = await Promise.all([
      tx<EndpointRow[]>`
        select ${tx.unsafe(WITH_HEALTH)}
        from (
          select e.* from ${matches}
          order by e.created_at desc, e.id desc limit ${limit} offset ${offset}
        ) as e join webhook_endpoint_stats s on s.endpoint_id = e.id
        order by e.created_at desc, e.id desc`,
      countRows(tx, matches, false),
    ])
    const endpoints = rows.map((row) => show(row, now))
    const meta = { total, limit, offset }
    if (query.stats === undefined) return page(endpoints, meta)
    const stats = await readEndpointStats(tx, principal, endpoints, now)
    return page(
      endpoints.map((endpoint, i) => ({ ...endpoint, stats: stats[i]! })),
      meta,
    )
  })
}

async function getStats(
  { reads, clock }: Deps,
  principal: Principal,
  id: string,
  signal?: AbortSignal,
) {
  const now = clock()
  return reads.read(principal, signal, async (tx) => {
    const endpoint = show(await load(tx, principal, id), now)
    const [stats] = await readEndpointStats(tx, principal, [endpoint], now)
    return stats!
  })
}

async function get({ sql, clock }: Deps, principal: Principal, id: string): Promise<Endpoint> {
  return inWorkspace(sql, principal.workspaceId, async (tx) =>
    show(await load(tx, principal, id), clock()),
  )
}

async function create(deps: Deps, principal: Principal, input: CreateEndpoint) {
  const events = checkEvents(input.events)
  const { url, failureEmail } = await checkFields(deps, principal, input)
  const id = newId('whe', deps.clock())
  const headers = replaceHeaders(deps.secrets, id, NO_HEADERS, input.headers ?? null)
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    await deps.requireCapability(tx, principal.workspaceId, 'webhooks')
    await deps.limit(tx, principal.workspaceId, 'webhook_endpoints')
    await requireRoom(tx, principal, deps.maxEndpoints)
    const now = new Date(deps.clock())
    const secret = mintEndpointSecret()
    const status = input.status ?? 'active'
    await tx`
      insert into webhook_endpoints ${tx({
        id,
        workspaceId: principal.workspaceId,
        url: url!,
        description: input.description ?? null,
        events,
        status,
        secretSealed: sealEndpointSecret(deps.secrets, id, secret),
        standardHeaders: input.standardHeaders ?? false,
        failureEmail: failureEmail ?? null,
        disableAfterHours: input.disableAfterHours ?? null,
        ...headers.stored,
        createdBy: principal.userId,
        createdAt: now,
        updatedAt: now,
      })}`
    await tx`
      insert into webhook_endpoint_stats (endpoint_id, workspace_id) values (${id}, ${principal.workspaceId})`
    await tx`
      insert into webhook_lanes (endpoint_id, workspace_id) values (${id}, ${principal.workspaceId})`
    await subscribe(tx, principal, id, events, status)
    const endpoint = show(await load(tx, principal, id), deps.clock())
    await deps.audit(tx, principal, { action: 'webhook.created', target: toTarget(endpoint) })
    return deps.saveIdempotentResponse(tx, principal, { ...endpoint, secret })
  })
}

async function update(deps: Deps, principal: Principal, id: string, input: UpdateEndpoint) {
  const events = input.events && checkEvents(input.events)
  const checked = await checkFields(deps, principal, input)
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const before = await load(tx, principal, id, true)
    requireMatch(principal, show(before, deps.clock()))
    const fields = findChanges(before, { ...input, ...checked, ...(events && { events }) })
    const headers =
      input.headers === undefined ? null : replaceHeaders(deps.secrets, id, before, input.headers)
    const changes = { ...fields, ...headers?.changes }
    if (Object.keys(changes).length === 0) return show(before, deps.clock())
    if (!isPause(changes)) await deps.requireCapability(tx, principal.workspaceId, 'webhooks')
    const columns = Object.fromEntries(
      Object.entries(fields).map(([name, change]) => [name, change.new]),
    )
    const updatedAt = changeTime(deps.clock(), before)
    await tx`
      update webhook_endpoints set ${tx({ ...columns, ...headers?.stored, updatedAt })}
      where id = ${id} and workspace_id = ${principal.workspaceId}`
    const after = await load(tx, principal, id)
    if (changes['events'] || changes['status'])
      await subscribe(tx, principal, id, after.events, after.status)
    if (changes['status']) {
      await setLane(tx, principal, id, after.status === 'active')
      // A resumed endpoint is paused again only after that many hours of new failures.
      await tx`
        update webhook_endpoint_stats set failing_since = null, auto_paused_at = null
        where endpoint_id = ${id} and workspace_id = ${principal.workspaceId}`
    }
    // The new recipient also gets a mail about an endpoint that is already failing.
    if (changes['failureEmail'])
      await tx`
        update webhook_endpoint_stats set notified_at = null
        where endpoint_id = ${id} and workspace_id = ${principal.workspaceId}`
    const endpoint = show(
      { ...after, ...(changes['status'] && { autoPausedAt: null }) },
      deps.clock(),
    )
    await deps.audit(tx, principal, {
      action: 'webhook.updated',
      target: toTarget(endpoint),
      changes,
    })
    return endpoint
  })
}

/** Hides the endpoint and its deliveries at once; a sweep purges the rows later. */
async function remove({ sql, clock, limit, audit }: Deps, principal: Principal, id: string) {
  await inWorkspace(sql, principal.workspaceId, async (tx) => {
    const row = await load(tx, principal, id, true)
    await limit(tx, principal.workspaceId, 'webhook_endpoints', -1)
    await tx`
      update webhook_endpoints set deleted_at = ${new Date(clock())}
      where id = ${id} and workspace_id = ${principal.workspaceId}`
    await tx`
      delete from webhook_subscriptions where endpoint_id = ${id} and workspace_id = ${principal.workspaceId}`
    await setLane(tx, principal, id, false)
    await audit(tx, principal, { action: 'webhook.deleted', target: toTarget(row) })
  })
}

async function readSecret(deps: Deps, principal: Principal, id: string) {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const row = await load(tx, principal, id)
    await recordSecretUse(deps, tx, principal, 'webhook.secret_viewed', row)
    return { id, secret: openEndpointSecret(deps.secrets, id, row.secretSealed) }
  })
}

/**
 * Without an overlap the old secret is invalid at once (spec). An earlier overlap ends in any case, so that at
 * most two secrets are valid.
 */
async function rotateSecret(deps: Deps, principal: Principal, id: string, overlapHours = 0) {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const row = await load(tx, principal, id, true)
    const now = deps.clock()
    const secret = mintEndpointSecret()
    const until = overlapHours > 0 ? new Date(now + overlapHours * HOUR_MS) : null
    if (until) openEndpointSecret(deps.secrets, id, row.secretSealed)
    await tx`
      update webhook_endpoints set secret_sealed = ${sealEndpointSecret(deps.secrets, id, secret)},
        previous_secret_sealed = ${until && row.secretSealed}, previous_secret_until = ${until},
        updated_at = ${changeTime(now, row)}
      where id = ${id} and workspace_id = ${principal.workspaceId}`
    const previousSecretValidUntil = isoOrNull(until)
    const old = overlapEnd(row, now)
    await recordSecretUse(deps, tx, principal, 'webhook.secret_rotated', row, {
      ...(old !== previousSecretValidUntil && {
        previousSecretValidUntil: { old, new: previousSecretValidUntil },
      }),
    })
    return deps.saveIdempotentResponse(tx, principal, { id, secret, previousSecretValidUntil })
  })
}

/** Parallel creations wait for each other at the plan's counter, so the count is exact. */
async function requireRoom(tx: Tx, principal: Principal, max: number): Promise<void> {
  const [{ used }] = await tx<[{ used: number }]>`
    select count(*) as used from webhook_endpoints
    where workspace_id = ${principal.workspaceId} and deleted_at is null`
  if (used < max) return
  const message = `A workspace has at most ${max} webhook endpoints; delete one first.`
  throw new ApiError('PLAN_LIMIT_REACHED', message, { limit: 'webhook_endpoints', max, used })
}

async function load(tx: Tx, principal: Principal, id: string, isForUpdate = false) {
  const [row] = await tx<EndpointRow[]>`
    select ${tx.unsafe(WITH_HEALTH)}
    from webhook_endpoints e join webhook_endpoint_stats s on s.endpoint_id = e.id
    where e.id = ${id} and e.workspace_id = ${principal.workspaceId} and e.deleted_at is null
    ${isForUpdate ? tx`for update of e` : tx``}`
  if (!row) throw notFound()
  return row
}

async function checkFields(
  deps: Deps,
  principal: Principal,
  { failureEmail, url }: UpdateEndpoint,
): Promise<Pick<UpdateEndpoint, 'url' | 'failureEmail'>> {
  const checked: Pick<UpdateEndpoint, 'url' | 'failureEmail'> = {}
  if (typeof failureEmail === 'string')
    checked.failureEmail = await checkRecipient(deps, principal, failureEmail)
  if (url === undefined) return checked
  try {
    await deps.checkUrl(url.trim())
  } catch (error) {
    throw invalid('url', (error as Error).message)
  }
  return { ...checked, url: new URL(url.trim()).href }
}

/** One error for all refused addresses, so that it reveals nothing. The worker checks again before each mail. */
async function checkRecipient({ systemSql }: Deps, principal: Principal, text: string) {
  const emailKey = parseAddress(text)?.emailKey
  const [recipient] =
    emailKey === undefined
      ? []
      : await systemSql`
          select 1 from users u join members m on m.user_id = u.id
          where u.email_key = ${emailKey} and u.email_verified_at is not null
            and u.suspended_at is null and m.workspace_id = ${principal.workspaceId}
            and m.role in ('admin', 'owner')`
  if (emailKey === undefined || !recipient)
    throw invalid(
      'failureEmail',
      'failureEmail must be the verified e-mail address of an admin or owner of this workspace.',
      'recipient',
    )
  return emailKey
}

async function recordSecretUse(
  { audit, recordSecurity }: Deps,
  tx: Tx,
  principal: Principal,
  type: SecurityType & `webhook.${string}`,
  row: EndpointRow,
  changes: Changes = {},
): Promise<void> {
  await audit(tx, principal, { action: type, target: toTarget(row), changes })
  const { userId } = principal
  const details = { endpointId: row.id }
  await recordSecurity(tx, { ...toEntryFields(principal), type, userId, details })
}

async function subscribe(
  tx: Tx,
  principal: Principal,
  id: string,
  events: readonly string[],
  status: string,
): Promise<void> {
  await tx`
    delete from webhook_subscriptions where endpoint_id = ${id} and workspace_id = ${principal.workspaceId}`
  await tx`
    insert into webhook_subscriptions ${tx(
      events.map((eventType) => ({
        workspaceId: principal.workspaceId,
        eventType,
        endpointId: id,
        isActive: status === 'active',
      })),
    )}`
}

/** A paused lane sleeps even with queued deliveries. */
async function setLane(tx: Tx, principal: Principal, id: string, isAwake: boolean): Promise<void> {
  await tx`
    update webhook_lanes set ready_at = ${isAwake ? tx`now()` : null}
    where endpoint_id = ${id} and workspace_id = ${principal.workspaceId}`
  if (isAwake) wakeAfterCommit(tx, [])
}

function checkEvents(events: readonly string[]): string[] {
  for (const [at, type] of events.entries()) {
    if (type !== '*' && !isEventType(type))
      throw invalid(`events.${at}`, `${JSON.stringify(type)} is not an event type.`)
  }
  return [...new Set(events)]
}

function findChanges(before: EndpointRow, wanted: UpdateEndpoint): Changes {
  const changes: Changes = {}
  for (const name of WRITABLE) {
    const [old, value] = [before[name], wanted[name]]
    if (value !== undefined && JSON.stringify(old) !== JSON.stringify(value))
      changes[name] = { old, new: value }
  }
  return changes
}

function isPause(changes: Changes): boolean {
  return Object.keys(changes).length === 1 && changes['status']?.new === 'paused'
}

export function notFound(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such webhook endpoint.')
}

function toTarget({ id, url }: Pick<Endpoint, 'id' | 'url'>) {
  return { type: 'webhook', id, name: url }
}

/** An overlap that has ended stays in the row until the next sweep. */
function overlapEnd({ previousSecretUntil: until }: EndpointRow, nowMs: number): string | null {
  return until && until.getTime() > nowMs ? until.toISOString() : null
}

function show(row: EndpointRow, nowMs: number): Endpoint {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    url: row.url,
    description: row.description,
    events: row.events,
    status: row.status,
    failureCount: row.failureCount,
    lastFailureAt: isoOrNull(row.lastFailureAt),
    lastSuccessAt: isoOrNull(row.lastSuccessAt),
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    standardHeaders: row.standardHeaders,
    failureEmail: row.failureEmail,
    droppedClicks: row.droppedClicks,
    disableAfterHours: row.disableAfterHours,
    autoPausedAt: isoOrNull(row.autoPausedAt),
    previousSecretValidUntil: overlapEnd(row, nowMs),
    headers: maskedHeaders(row.headerNames),
  }
}
