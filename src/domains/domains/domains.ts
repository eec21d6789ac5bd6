import { randomBytes } from 'node:crypto'
import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { getChanges, isDifferent } from '../../platform/audit/audit.ts'
import { announceDomain } from '../../links/link/addresses.ts'
import { requireRoom } from '../../platform/resources/ownership.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import { rekeyLinks, removeDomain, type RemovalDeps } from './domain-links.ts'
import { checkBlocked, checkSettings } from './fields.ts'
import { checkHostname, routeFor, toRecords, type Routing } from './records.ts'
import type { DomainLookups } from './check.ts'
import {
  findDomain,
  isServed,
  listDomains,
  loadDomain,
  toDomain,
  toJsonValue,
  type DomainRow,
} from './row.ts'
import { FIRST_CHECK_MS } from './outcome.ts'
import type { CreateDomain, Domain, ListDomains, UpdateDomain } from './schema.ts'

type Deps = RemovalDeps & {
  ownHosts: ReadonlySet<string | null>
  lookups: Pick<DomainLookups, 'readRouting'>
  routing: Routing
}

export type Domains = ReturnType<typeof createDomains>

const MAX_DOMAINS = 1_000
const DERIVED = [
  ...(['id', 'workspaceId', 'status', 'verification', 'failureReason', 'lastCheckedAt'] as const),
  ...(['blockedUrls', 'verifiedAt', 'sslStatus', 'sslFailureReason'] as const),
  ...(['sslNextAttemptAt', 'createdAt', 'updatedAt'] as const),
]

/** Others neither see a claim nor are blocked by it: the first to prove a host holds it (verification.ts). */
export const createDomains = (deps: Deps) =>
  bindDeps(deps, { find: findDomain, get, list, create, update, remove: removeDomain })

async function get(deps: Deps, principal: Principal, id: string, origin?: string): Promise<Domain> {
  const row = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    loadDomain(tx, principal, id),
  )
  return toDomain(row, routeFor(deps.routing, origin))
}

async function list(
  deps: Deps,
  principal: Principal,
  { search, status, ...query }: ListDomains,
  origin?: string,
  signal?: AbortSignal,
) {
  const { rows, meta } = await listDomains(deps, principal, query, signal, (tx) => [
    search && tx`strpos(hostname, ${search.toLowerCase()}) > 0`,
    status && tx`status = ${status}`,
  ])
  const route = routeFor(deps.routing, origin)
  return page(
    rows.map((row) => toDomain(row, route)),
    meta,
  )
}

async function create(deps: Deps, principal: Principal, input: CreateDomain, origin?: string) {
  const given = input.hostname ?? input.domain ?? input.name
  if (given === undefined) throw invalid('hostname', 'hostname is required.', 'required')
  const hostname = checkHostname(given, deps.ownHosts)
  const settings = checkSettings(deps, hostname, input)
  const token = randomBytes(16).toString('hex')
  const records = toRecords({ hostname, token }, await deps.lookups.readRouting(), null)
  const { workspaceId } = principal
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    await deps.requireCapability(tx, workspaceId, 'custom_domains')
    await deps.limit(tx, workspaceId, 'domains')
    await requireRoom(tx, principal, 'domains', 'domains', MAX_DOMAINS)
    await requireFree(tx, principal, hostname)
    await checkBlocked(tx, { blockedUrls: [] }, settings)
    const nowMs = deps.clock()
    const now = new Date(nowMs)
    const row: DomainRow = {
      ...{ id: newId('dom', nowMs), workspaceId, hostname, token, records },
      ...{ status: 'pending', failureReason: null, isDefault: false, caseSensitive: false },
      ...{ rootRedirectUrl: null, notFoundUrl: null, expiredUrl: null, blockedUrls: [] },
      ...{ appleAppSiteAssociation: null, assetLinks: null },
      ...{ sslStatus: 'none', sslFailureReason: null, sslNextAttemptAt: null },
      ...{ lastCheckedAt: null, verifiedAt: null, misconfiguredSince: null },
      ...{ nextCheckAt: new Date(nowMs + FIRST_CHECK_MS), createdAt: now, updatedAt: now },
      ...settings,
    }
    await insert(tx, row)
    const domain = toDomain(row, routeFor(deps.routing, origin))
    const changes = { hostname: { old: null, new: hostname } }
    await deps.audit(tx, principal, { action: 'domain.created', target: toTarget(domain), changes })
    return deps.saveIdempotentResponse(tx, principal, domain)
  })
}

async function update(
  deps: Deps,
  principal: Principal,
  id: string,
  input: UpdateDomain,
  origin?: string,
): Promise<Domain> {
  const { workspaceId } = principal
  const route = routeFor(deps.routing, origin)
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    // Locked before the row of the domain, so that two requests for the default do not deadlock.
    if (input.isDefault)
      await tx`select from workspaces where id = ${workspaceId} for no key update`
    const before = await loadDomain(tx, principal, id, 'for update')
    requireMatch(principal, toDomain(before))
    const settings = checkSettings(deps, before.hostname, input)
    if (!isDifferent(before, settings)) return toDomain(before, route)
    const { caseSensitive = before.caseSensitive } = settings
    if (settings.rootRedirectUrl) await requireNoRootPage(tx, principal, id)
    if (settings.isDefault) await becomeDefault(deps, tx, principal, before)
    if (caseSensitive !== before.caseSensitive) await rekeyLinks(tx, principal, id, caseSensitive)
    const blockedUrls = await checkBlocked(tx, before, settings)
    const updatedAt = changeTime(deps.clock(), before)
    const after = { ...before, ...settings, blockedUrls, updatedAt }
    await updateSettings(tx, principal, after)
    await announceDomain(tx, id)
    const domain = toDomain(after, route)
    const changes = getChanges(toDomain(before, route), domain, DERIVED)
    await deps.audit(tx, principal, { action: 'domain.updated', target: toTarget(domain), changes })
    return domain
  })
}

async function becomeDefault({ clock }: Deps, tx: Tx, principal: Principal, row: DomainRow) {
  if (!isServed(row))
    throw new ApiError('CONFLICT', 'Only a verified domain can be the default.', [
      { path: 'isDefault', message: 'This domain is not verified.', code: 'not_verified' },
    ])
  const replaced = await tx<{ id: string }[]>`
    update domains set is_default = false, updated_at = greatest(
      ${new Date(clock())}, updated_at + interval '1 millisecond')
    where workspace_id = ${principal.workspaceId} and is_default and id <> ${row.id}
    returning id`
  for (const { id } of replaced) await announceDomain(tx, id)
}

async function requireNoRootPage(tx: Tx, { workspaceId }: Principal, id: string): Promise<void> {
  const pages = await tx`
    select from bio_pages where domain_id = ${id} and is_root and workspace_id = ${workspaceId}`
  if (pages.length > 0)
    throw invalid(
      'rootRedirectUrl',
      'A bio page is at the root of this domain. Set its isRoot to false first.',
      'taken',
    )
}

async function updateSettings(tx: Tx, principal: Principal, row: DomainRow): Promise<void> {
  await tx`
    update domains set is_default = ${row.isDefault}, case_sensitive = ${row.caseSensitive},
      root_redirect_url = ${row.rootRedirectUrl}, not_found_url = ${row.notFoundUrl},
      expired_url = ${row.expiredUrl}, blocked_urls = ${row.blockedUrls},
      apple_app_site_association = ${toJsonValue(tx, row.appleAppSiteAssociation)},
      asset_links = ${toJsonValue(tx, row.assetLinks)}, updated_at = ${row.updatedAt}
    where id = ${row.id} and workspace_id = ${principal.workspaceId}`
}

async function insert(tx: Tx, row: DomainRow): Promise<void> {
  await tx`
    insert into domains (id, workspace_id, hostname, token, case_sensitive, root_redirect_url,
      not_found_url, expired_url, apple_app_site_association, asset_links, records, next_check_at,
      created_at, updated_at)
    values (${row.id}, ${row.workspaceId}, ${row.hostname}, ${row.token}, ${row.caseSensitive},
      ${row.rootRedirectUrl}, ${row.notFoundUrl}, ${row.expiredUrl},
      ${toJsonValue(tx, row.appleAppSiteAssociation)}, ${toJsonValue(tx, row.assetLinks)},
      ${toJsonValue(tx, row.records)}, ${row.nextCheckAt}, ${row.createdAt}, ${row.updatedAt})`
}

/** The plan's counter serializes the claims of a workspace; verification decides a race with another one. */
async function requireFree(tx: Tx, { workspaceId }: Principal, hostname: string): Promise<void> {
  const [found] = await tx<[{ isOwn: boolean; isHeld: boolean }]>`
    select is_host_held(${hostname}) as is_held, exists (
      select from domains where workspace_id = ${workspaceId} and hostname = ${hostname}) as is_own`
  if (!found.isOwn && !found.isHeld) return
  const message = found.isOwn
    ? 'The workspace has this domain already.'
    : 'Another workspace has verified this domain.'
  throw new ApiError('CONFLICT', message, [{ path: 'hostname', message, code: 'taken' }])
}

function toTarget({ id, hostname }: { id: string; hostname: string }) {
  return { type: 'domain', id, name: hostname }
}
