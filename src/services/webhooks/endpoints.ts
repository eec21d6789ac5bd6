import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Secrets } from '../../base/secrets.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { isEventType } from '../../delivery/catalog.ts'
import {
  mintEndpointSecret,
  openEndpointSecret,
  sealEndpointSecret,
} from '../../delivery/secret.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import { inWorkspace, type Tx, type SystemSql, type TenantSql } from '../../storage/postgres.ts'
import type { Audit, Changes } from '../audit.ts'
import { parseAddress } from '../email-address.ts'
import type { Limit } from '../limits.ts'
import type { RecordSecurity, SecurityType } from '../security.ts'
import { countRows } from '../paging.ts'
import { clampLimit, isoOrNull, type Paged } from '../shapes.ts'
import type { CreateEndpoint, Endpoint, UpdateEndpoint } from './schema.ts'

type Deps = {
  sql: TenantSql
  reads: Pick<HeavyReads, 'read'>
  /** Of the worker role: whether a member's address is verified is hidden from the request role. */
  systemSql: SystemSql
  clock: Clock
  secrets: Secrets
  audit: Audit
  limit: Limit
  recordSecurity: RecordSecurity
  /** Of one workspace, whatever its plan says. */
  maxEndpoints: number
  /** @throws ApiError PLAN_CAPABILITY_REQUIRED */
  requireCapability: (tx: Tx, workspaceId: string, capability: 'webhooks') => Promise<void>
  /** @throws Error whose message says why this URL is never connected to */
  checkUrl: (url: string) => Promise<void>
}

type EndpointRow = Omit<Endpoint, 'createdAt' | 'updatedAt' | 'lastFailureAt' | 'lastSuccessAt'> & {
  secretSealed: Buffer
  createdAt: Date
  updatedAt: Date
  lastFailureAt: Date | null
  lastSuccessAt: Date | null
}

const WRITABLE = [
  'url',
  'events',
  'description',
  'status',
  'standardHeaders',
  'failureEmail',
] as const satisfies (keyof UpdateEndpoint)[]

export type Endpoints = ReturnType<typeof createEndpoints>

/**
 * Who wants to hear of what. Every change holds for all that is not on the wire yet. Under a plan
 * without webhooks endpoints can still be read, paused and deleted, and their secrets replaced.
 */
export function createEndpoints(deps: Deps) {
  const { sql, reads, systemSql, clock, secrets, audit } = deps
  const { limit, recordSecurity, requireCapability } = deps
  return { find, list, get, create, update, remove, readSecret, rotateSecret }

  /** @throws ApiError NOT_FOUND, for a deleted one as well, or FORBIDDEN */
  async function find(who: Who, params: Record<string, string>): Promise<void> {
    const [row] = await sql<{ owner: string | null }[]>`
      select owner_of_webhook_endpoint(${params['id'] ?? ''}) as owner`
    if (!row?.owner) throw notFound()
    if (row.owner !== who.workspaceId)
      throw new ApiError('FORBIDDEN', 'This webhook endpoint belongs to another workspace.')
  }

  async function list(who: Who, query: Paged, signal?: AbortSignal) {
    const { offset } = query
    const limitRows = clampLimit(query.limit)
    return reads.read(who, signal, async (tx) => {
      const matches = tx`
        webhook_endpoints e where e.workspace_id = ${who.workspaceId} and e.deleted_at is null`
      const [rows, total] = await Promise.all([
        tx<EndpointRow[]>`
          select p.*, s.failure_count, s.last_failure_at, s.last_success_at, s.dropped_clicks
          from (
            select e.* from ${matches}
            order by e.created_at desc, e.id desc limit ${limitRows} offset ${offset}
          ) as p join webhook_endpoint_stats s on s.endpoint_id = p.id
          order by p.created_at desc, p.id desc`,
        countRows(tx, matches, false),
      ])
      return page(rows.map(show), { total, limit: limitRows, offset })
    })
  }

  async function get(who: Who, id: string): Promise<Endpoint> {
    return within(who, async (tx) => show(await load(tx, who, id)))
  }

  async function create(who: Who, input: CreateEndpoint) {
    const events = checkEvents(input.events)
    const checked = await checkFields(who, input)
    return within(who, async (tx) => {
      await requireCapability(tx, who.workspaceId, 'webhooks')
      await limit(tx, who.workspaceId, 'webhook_endpoints')
      await requireRoom(tx, who)
      const now = new Date(clock())
      const id = newId('whe', now.getTime())
      const secret = mintEndpointSecret()
      const status = input.status ?? 'active'
      await tx`
        insert into webhook_endpoints ${tx({
          id,
          workspaceId: who.workspaceId,
          url: checked.url!,
          description: input.description ?? null,
          events,
          status,
          secretSealed: sealEndpointSecret(secrets, id, secret),
          standardHeaders: input.standardHeaders ?? false,
          failureEmail: checked.failureEmail ?? null,
          createdBy: who.userId,
          createdAt: now,
          updatedAt: now,
        })}`
      await tx`
        insert into webhook_endpoint_stats (endpoint_id, workspace_id) values (${id}, ${who.workspaceId})`
      await tx`
        insert into webhook_lanes (endpoint_id, workspace_id) values (${id}, ${who.workspaceId})`
      await subscribe(tx, who, id, events, status)
      const endpoint = show(await load(tx, who, id))
      await audit(tx, who, { action: 'webhook.created', target: target(endpoint) })
      return { ...endpoint, secret }
    })
  }

  /** Nothing is written when nothing differs. */
  async function update(who: Who, id: string, input: UpdateEndpoint): Promise<Endpoint> {
    const events = input.events && checkEvents(input.events)
    const checked = await checkFields(who, input)
    return within(who, async (tx) => {
      const before = await load(tx, who, id, true)
      const wanted = { ...input, ...checked, ...(events && { events }) }
      const changes = differences(before, wanted)
      if (Object.keys(changes).length === 0) return show(before)
      if (!isPause(changes)) await requireCapability(tx, who.workspaceId, 'webhooks')
      const columns = Object.fromEntries(
        Object.entries(changes).map(([name, change]) => [name, change.new]),
      )
      await tx`
        update webhook_endpoints set ${tx({ ...columns, updatedAt: new Date(clock()) })}
        where id = ${id} and workspace_id = ${who.workspaceId}`
      const after = await load(tx, who, id)
      if (changes['events'] || changes['status'])
        await subscribe(tx, who, id, after.events, after.status)
      if (changes['status']) await setLane(tx, who, id, after.status === 'active')
      if (changes['failureEmail']) await armFailureMail(tx, who, id)
      const endpoint = show(after)
      await audit(tx, who, { action: 'webhook.updated', target: target(endpoint), changes })
      return endpoint
    })
  }

  /** Hidden at once with its deliveries; the rows are purged in pieces afterwards. */
  async function remove(who: Who, id: string): Promise<void> {
    await within(who, async (tx) => {
      const row = await load(tx, who, id, true)
      await limit(tx, who.workspaceId, 'webhook_endpoints', -1)
      await tx`
        update webhook_endpoints set deleted_at = ${new Date(clock())}
        where id = ${id} and workspace_id = ${who.workspaceId}`
      await tx`
        delete from webhook_subscriptions where endpoint_id = ${id} and workspace_id = ${who.workspaceId}`
      await setLane(tx, who, id, false)
      await audit(tx, who, { action: 'webhook.deleted', target: target(show(row)) })
    })
  }

  async function readSecret(who: Who, id: string) {
    return within(who, async (tx) => {
      const row = await load(tx, who, id)
      await audit(tx, who, { action: 'webhook.secret_viewed', target: target(show(row)) })
      await noteSecret(tx, who, 'webhook.secret_viewed', id)
      return { id, secret: openEndpointSecret(secrets, id, row.secretSealed) }
    })
  }

  /** The old secret is invalid at once (spec): whatever is sent from now on carries the new one. */
  async function rotateSecret(who: Who, id: string) {
    return within(who, async (tx) => {
      const row = await load(tx, who, id, true)
      const secret = mintEndpointSecret()
      await tx`
        update webhook_endpoints
        set secret_sealed = ${sealEndpointSecret(secrets, id, secret)}, updated_at = ${new Date(clock())}
        where id = ${id} and workspace_id = ${who.workspaceId}`
      await audit(tx, who, { action: 'webhook.secret_rotated', target: target(show(row)) })
      await noteSecret(tx, who, 'webhook.secret_rotated', id)
      return { id, secret }
    })
  }

  /**
   * The row of the plan's counter is locked, so that parallel creations are counted one after the other.
   * @throws ApiError PLAN_LIMIT_REACHED with `details: {limit, max, used}`
   */
  async function requireRoom(tx: Tx, who: Who): Promise<void> {
    const max = deps.maxEndpoints
    const [count] = await tx<[{ used: number }]>`
      select count(*) as used from webhook_endpoints
      where workspace_id = ${who.workspaceId} and deleted_at is null`
    if (count.used < max) return
    const message = `A workspace has at most ${max} webhook endpoints.`
    const details = { limit: 'webhook_endpoints', max, used: count.used }
    throw new ApiError('PLAN_LIMIT_REACHED', message, details)
  }

  function within<T>(who: Who, work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(sql, who.workspaceId, work)
  }

  async function load(tx: Tx, who: Who, id: string, isForUpdate = false): Promise<EndpointRow> {
    const [row] = await tx<EndpointRow[]>`
      select e.*, s.failure_count, s.last_failure_at, s.last_success_at, s.dropped_clicks
      from webhook_endpoints e join webhook_endpoint_stats s on s.endpoint_id = e.id
      where e.id = ${id} and e.workspace_id = ${who.workspaceId} and e.deleted_at is null
      ${isForUpdate ? tx`for update of e` : tx``}`
    if (!row) throw notFound()
    return row
  }

  /** @returns URL and address as they are stored */
  async function checkFields(
    who: Who,
    input: UpdateEndpoint,
  ): Promise<Pick<UpdateEndpoint, 'url' | 'failureEmail'>> {
    const { failureEmail, url } = input
    const checked: Pick<UpdateEndpoint, 'url' | 'failureEmail'> = {}
    if (typeof failureEmail === 'string')
      checked.failureEmail = await checkRecipient(who, failureEmail)
    if (url === undefined) return checked
    try {
      await deps.checkUrl(url.trim())
    } catch (error) {
      throw invalid('url', (error as Error).message)
    }
    return { ...checked, url: new URL(url.trim()).href }
  }

  /**
   * One answer for an unknown address, a person of another workspace, a member below admin and an
   * unverified address. The worker checks again before each mail.
   * @returns the address as it is compared
   */
  async function checkRecipient(who: Who, text: string): Promise<string> {
    const emailKey = parseAddress(text)?.emailKey
    const [recipient] =
      emailKey === undefined
        ? []
        : await systemSql`
            select 1 from users u join members m on m.user_id = u.id
            where u.email_key = ${emailKey} and u.email_verified_at is not null
              and u.suspended_at is null and m.workspace_id = ${who.workspaceId}
              and m.role in ('admin', 'owner')`
    if (emailKey === undefined || !recipient)
      throw invalid(
        'failureEmail',
        'failureEmail must be the verified e-mail address of an admin or owner of this workspace.',
        'recipient',
      )
    return emailKey
  }

  async function noteSecret(tx: Tx, who: Who, type: SecurityType, id: string): Promise<void> {
    await recordSecurity(tx, {
      type,
      userId: who.userId,
      workspaceId: who.workspaceId,
      actor: who.actor,
      ip: who.ip,
      userAgent: who.userAgent,
      requestId: who.requestId,
      details: { endpointId: id },
    })
  }
}

async function subscribe(
  tx: Tx,
  who: Who,
  id: string,
  events: readonly string[],
  status: string,
): Promise<void> {
  await tx`
    delete from webhook_subscriptions where endpoint_id = ${id} and workspace_id = ${who.workspaceId}`
  await tx`
    insert into webhook_subscriptions ${tx(
      events.map((eventType) => ({
        workspaceId: who.workspaceId,
        eventType,
        endpointId: id,
        isActive: status === 'active',
      })),
    )}`
}

/** A paused lane sleeps whatever is queued in it; a resumed one is looked at anew. */
async function setLane(tx: Tx, who: Who, id: string, isAwake: boolean): Promise<void> {
  await tx`
    update webhook_lanes set ready_at = ${isAwake ? tx`now()` : null}
    where endpoint_id = ${id} and workspace_id = ${who.workspaceId}`
  if (isAwake) await tx`select pg_notify('signpost_deliveries', '')`
}

/** A new recipient is told of an endpoint that keeps failing already. */
async function armFailureMail(tx: Tx, who: Who, id: string): Promise<void> {
  await tx`
    update webhook_endpoint_stats set notified_at = null
    where endpoint_id = ${id} and workspace_id = ${who.workspaceId}`
}

/** Known types without repetition. */
function checkEvents(events: readonly string[]): string[] {
  for (const [at, type] of events.entries()) {
    if (type !== '*' && !isEventType(type))
      throw invalid(`events.${at}`, `There is no event type ${JSON.stringify(type)}.`)
  }
  return [...new Set(events)]
}

/** Of the fields that a client may change, and of no other that a body may carry. */
function differences(before: EndpointRow, wanted: UpdateEndpoint): Changes {
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

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', 'There is no such webhook endpoint.')
}

function target(endpoint: Endpoint) {
  return { type: 'webhook', id: endpoint.id, name: endpoint.url }
}

function show(row: EndpointRow): Endpoint {
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
  }
}
