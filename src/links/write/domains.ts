import { ApiError, invalid, itIs } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkRow } from '../link/row.ts'
import type { UpdateLink } from '../link/schema.ts'
import type { ShortHost } from '../link/short-host.ts'

/** A branded host of the workspace. */
export type LinkDomain = {
  readonly id: string
  readonly hostname: string
  readonly isCaseSensitive: boolean
  readonly isDefault: boolean
  /** Whether its links redirect. */
  readonly isServed: boolean
}

export type DomainInput = Pick<UpdateLink, 'domainId' | 'domain'>
type UrlInput = Pick<
  UpdateLink,
  'destinationUrl' | 'expiredUrl' | 'iosDeepLink' | 'androidDeepLink' | 'rules' | 'variants'
>
type DomainColumns = Pick<LinkRow, 'domainId' | 'hostname' | 'isCaseSensitive'>

/** `foreign` are ids of other workspaces. */
type Known = { readonly domains: readonly LinkDomain[]; readonly foreign: ReadonlySet<string> }

/**
 * Reads and locks the default domain, the domains that requests name, also in their URLs, and the links' own. Domains
 * are locked before links, since changing the case rule or deleting a domain locks its row first too.
 */
export function readDomains(
  tx: Tx,
  { workspaceId }: Principal,
  inputs: readonly (DomainInput & UrlInput)[],
  linkIds: readonly string[] = [],
): Promise<readonly LinkDomain[]> {
  const ids = inputs.flatMap(({ domainId }) => domainId ?? [])
  const names = inputs.flatMap((input) => [
    ...(typeof input.domain === 'string' ? [toName(input.domain)] : []),
    ...toUrlHosts(input),
  ])
  return tx<LinkDomain[]>`
    select d.id, d.hostname, d.case_sensitive as is_case_sensitive, d.is_default,
      d.status in ('verified', 'misconfigured') as is_served
    from domains d where d.workspace_id = ${workspaceId} and d.id in (
      select id from domains where workspace_id = ${workspaceId} and is_default
      union
      select id from domains where workspace_id = ${workspaceId} and id = any(${ids}::text[])
      union
      select id from domains
      where workspace_id = ${workspaceId} and hostname = any(${[...new Set(names)]}::text[])
      union
      select domain_id from links
      where workspace_id = ${workspaceId} and id = any(${[...linkIds]}::text[]))
    order by d.id for key share of d`
}

/**
 * The domain that a request gives a link: null for the shared host, undefined for no change. A new link without one
 * gets the default domain.
 * @param before null for a new link
 * @throws ApiError VALIDATION_ERROR for an unknown domain, FORBIDDEN for one of another workspace
 */
export function chooseDomain(
  input: DomainInput,
  before: Pick<LinkRow, 'domainId'> | null,
  host: Pick<ShortHost, 'domain'>,
  groups: Known,
): LinkDomain | null | undefined {
  const named = chooseByName(input.domain, host, groups)
  const chosen = chooseById(input.domainId, before, groups)
  if (named !== undefined && chosen !== undefined && named !== chosen)
    throw invalid('domain', 'domain must be the host of domainId; leave out one of them.')
  const domain = named === undefined ? chosen : named
  if (before === null && domain === undefined)
    return groups.domains.find(({ isDefault }) => isDefault) ?? null
  return domain === undefined || (domain?.id ?? null) === before?.domainId ? undefined : domain
}

function chooseById(
  id: string | null | undefined,
  before: object | null,
  { domains, foreign }: Known,
): LinkDomain | null | undefined {
  if (id === undefined) return undefined
  if (id === null) return before === null ? undefined : null
  const found = domains.find((domain) => domain.id === id)
  if (found) return found
  if (foreign.has(id))
    throw new ApiError('FORBIDDEN', 'domainId belongs to another workspace.', [
      { path: 'domainId', message: 'This domain belongs to another workspace.', code: 'foreign' },
    ])
  throw invalid('domainId', 'domainId must be the id of a domain of this workspace.', 'unknown')
}

function chooseByName(
  name: string | null | undefined,
  host: Pick<ShortHost, 'domain'>,
  { domains }: Pick<Known, 'domains'>,
): LinkDomain | null | undefined {
  if (name === undefined || name === null) return undefined
  const hostname = toName(name)
  const found = domains.find((domain) => domain.hostname === hostname)
  if (found) return found
  if (hostname === host.domain) return null
  throw invalid(
    'domain',
    `domain must be ${host.domain} or the host of a domain of this workspace${itIs('domain', name)}.`,
    'unknown',
  )
}

export function toDomainColumns(domain: LinkDomain | null): DomainColumns {
  if (domain === null) return { domainId: null, hostname: null, isCaseSensitive: false }
  const { id, hostname, isCaseSensitive } = domain
  return { domainId: id, hostname, isCaseSensitive }
}

/** Tests for URLs of the server and of domains that it serves for the workspace. */
export function createOwnTest(host: ShortHost, { domains }: Pick<Known, 'domains'>) {
  const names = new Set(domains.filter(({ isServed }) => isServed).map(({ hostname }) => hostname))
  return (url: URL) => host.isOwn(url) || names.has(url.hostname.replace(/\.$/, ''))
}

function toUrlHosts(input: UrlInput): string[] {
  const urls = [
    ...[input.destinationUrl, input.expiredUrl, input.iosDeepLink, input.androidDeepLink],
    ...[...(input.rules ?? []), ...(input.variants ?? [])].map(
      ({ destinationUrl }) => destinationUrl,
    ),
  ]
  const hosts = urls.flatMap((url) => (url ? (URL.parse(url.trim())?.hostname ?? []) : []))
  return [...new Set(hosts.map((host) => host.replace(/\.$/, '')).filter(Boolean))]
}

export function toName(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, '')
}
