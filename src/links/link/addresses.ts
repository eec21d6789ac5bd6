import type { Principal } from '../../platform/routes/principal.ts'
import {
  notifyAfterCommit,
  type SystemSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import type { LinkRow } from './rows.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { checkSlug, slugFromPath, slugKeyOf } from '../../platform/facts/slug.ts'
import { MAX_ALIASES, type UpdateLink } from './schema.ts'

export const FREED_DAYS = 30

export type Address = {
  linkId: string
  domainId: string
  key: string
  slug: string
  isAlias: boolean
}

/** Addresses of other links, and addresses reserved for other workspaces, as {@link toAddressKey}. */
export async function readTakenKeys(
  tx: Tx,
  { workspaceId }: Principal,
  addresses: readonly Pick<Address, 'domainId' | 'key' | 'linkId'>[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const domains = addresses.map(({ domainId }) => domainId)
  const keys = addresses.map(({ key }) => key)
  const rows = await tx<{ domainId: string; key: string; linkId: string | null }[]>`
    select a.domain_id, a.slug_key as key, coalesce(a.link_id, a.held_for) as link_id
    from unnest(${domains}::text[], ${keys}::text[]) as wanted (domain_id, slug_key)
    join link_addresses a on a.domain_id = wanted.domain_id and a.slug_key = wanted.slug_key
    where not (a.link_id is null and a.held_for is null
      and (a.workspace_id = ${workspaceId} or a.free_at <= ${now}))`
  const owners = new Map(addresses.map((address) => [toAddressKey(address), address.linkId]))
  const taken = rows.filter((row) => owners.get(toAddressKey(row)) !== row.linkId)
  return new Set(taken.map(toAddressKey))
}

/** An address as its changes are announced: `<domain id, or empty>\n<slug key>`. */
export function toAddressKey({ domainId, key }: Pick<Address, 'domainId' | 'key'>): string {
  return `${domainId}\n${key}`
}

export function compareAddresses(before: LinkRow, after: LinkRow) {
  const [old, wanted] = [addressesOf(before), addressesOf(after)]
  if (before.domainId !== after.domainId)
    return { taken: toAddresses(after), left: toAddresses(before) }
  const isMoved = (key: string) => key === before.slugKey || key === after.slugKey
  return {
    taken: toAddresses(after).filter(
      ({ key, slug }) =>
        old.get(key) !== slug || (isMoved(key) && before.slugKey !== after.slugKey),
    ),
    left: toAddresses(before).filter(({ key }) => !wanted.has(key)),
  }
}

export function toAddresses(link: LinkRow): Address[] {
  return Array.from(addressesOf(link), ([key, slug]) => ({
    linkId: link.id,
    domainId: link.domainId ?? '',
    key,
    slug,
    isAlias: key !== link.slugKey,
  }))
}

/** Freed addresses stay reserved; a blocked link keeps its own, so that no other link of the owner gets them. */
export async function freeAddresses(
  tx: Tx,
  { workspaceId }: Principal,
  addresses: readonly Address[],
  now: Date,
): Promise<void> {
  if (addresses.length === 0) return
  const freeAt = new Date(now.getTime() + FREED_DAYS * 86_400_000)
  const { domains, keys, links } = toColumns(addresses)
  await tx`
    with freed as (
      -- Locked in the order of all statements that write several addresses.
      select a.domain_id, a.slug_key, a.link_id from link_addresses a
      join unnest(${domains}::text[], ${keys}::text[], ${links}::text[]) as own (domain_id, slug_key, link_id)
        on a.domain_id = own.domain_id and a.slug_key = own.slug_key and a.link_id = own.link_id
      where a.workspace_id = ${workspaceId}
      order by a.slug_key for update of a
    )
    update link_addresses a set link_id = null, is_alias = false, held_for = b.link_id,
      free_at = case when b.link_id is null then ${freeAt}::timestamptz else 'infinity' end
    from freed left join link_blocks b
      on b.link_id = freed.link_id and b.workspace_id = ${workspaceId}
    where a.domain_id = freed.domain_id and a.slug_key = freed.slug_key
      and a.workspace_id = ${workspaceId}`
}

export function announce(tx: Tx, ...links: LinkRow[]): Promise<void> {
  const keys = links.flatMap((link) => toAddresses(link).map(toAddressKey))
  return announceLinks(tx, [...new Set(keys)])
}

/**
 * Inserts addresses, or takes over freed ones and the links' own. Returns no row for an address that
 * is taken or reserved. The primary key decides races. Rows are taken in one order, so that parallel changes rarely
 * wait for each other.
 */
export function toAddressRows(
  tx: Tx,
  { workspaceId }: Principal,
  addresses: readonly Address[],
  now: Date,
) {
  const { domains, keys, links, slugs, areAliases } = toColumns(addresses)
  return tx<{ slugKey: string }[]>`
    insert into link_addresses as a (domain_id, slug_key, workspace_id, link_id, slug, is_alias)
    select domain_id, slug_key, ${workspaceId}, link_id, slug, is_alias
    from unnest(${domains}::text[], ${keys}::text[], ${links}::text[], ${slugs}::text[],
      ${areAliases}::bool[]) as address (domain_id, slug_key, link_id, slug, is_alias)
    on conflict (domain_id, slug_key) do update
      set workspace_id = excluded.workspace_id, link_id = excluded.link_id, slug = excluded.slug,
        is_alias = excluded.is_alias, free_at = null, held_for = null
      where a.link_id = excluded.link_id
        or (a.link_id is null and coalesce(a.held_for, excluded.link_id) = excluded.link_id
          and (a.workspace_id = excluded.workspace_id or a.free_at <= ${now}))
    returning slug_key`
}

/** Sorted by key byte by byte, as the database compares them. */
function toColumns(addresses: readonly Address[]) {
  const sorted = addresses.toSorted(
    (a, b) =>
      Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || (a.domainId < b.domainId ? -1 : 1),
  )
  return {
    domains: sorted.map(({ domainId }) => domainId),
    keys: sorted.map(({ key }) => key),
    links: sorted.map(({ linkId }) => linkId),
    slugs: sorted.map(({ slug }) => slug),
    areAliases: sorted.map(({ isAlias }) => isAlias),
  }
}

type Named = Pick<LinkRow, 'slug' | 'slugKey' | 'aliases' | 'isCaseSensitive'>

export function checkAliases(
  { aliases, keepAlias }: UpdateLink,
  before: Named | null,
  slug: { slug?: string; slugKey?: string },
  rule: SlugRule,
): string[] | undefined {
  const keyOf = (alias: string) => slugKeyOf(alias, rule.isCaseSensitive)
  const present = before?.aliases ?? []
  const ownKey = slug.slugKey ?? before?.slugKey
  const isRenamed = before !== null && ownKey !== before.slugKey
  if (aliases === undefined && !isRenamed) return undefined
  const after = aliases === undefined ? [...present] : toChosen(aliases ?? [], present, rule)
  if (keepAlias === true && isRenamed) after.push(before.slug)
  const keys = new Set(after.map(keyOf))
  if (ownKey !== undefined) keys.delete(ownKey)
  if (keys.size > MAX_ALIASES)
    throw invalid(
      'keepAlias',
      `A link has at most ${MAX_ALIASES} aliases; it would have ${keys.size}.`,
    )
  const isSame = keys.size === present.length && present.every((alias) => keys.has(keyOf(alias)))
  return isSame ? undefined : after
}

/** Existing aliases keep their spelling and are not checked again. */
function toChosen(input: readonly string[], present: readonly string[], rule: SlugRule): string[] {
  const keyOf = (alias: string) => slugKeyOf(alias, rule.isCaseSensitive)
  const known = new Map(present.map((alias) => [keyOf(alias), alias]))
  return input.map((alias, i) => {
    return known.get(keyOf(alias)) ?? toSlug(alias, rule, `aliases.${i}`).slug
  })
}

export type SlugRule = { host: 'shared' | 'branded'; isCaseSensitive: boolean }

export function toSlug(input: string, { host, isCaseSensitive }: SlugRule, path: string) {
  const checked = checkSlug(input, host, isCaseSensitive)
  if ('problem' in checked) throw invalid(path, checked.problem, 'invalid_slug')
  return { slug: checked.slug, slugKey: checked.key }
}

/** The slug wins over an alias with the same key. */
function addressesOf(link: Named): Map<string, string> {
  const { slug, slugKey: key, aliases = [], isCaseSensitive } = link
  const keys = aliases.map((alias) => [slugKeyOf(alias, isCaseSensitive), alias] as const)
  return new Map([...keys, [key, slug]])
}

export function keyTaken(key: string, link: Named): ApiError {
  const path = pathOfKey(key, link)
  const message = `This ${path === 'slug' ? 'slug' : 'alias'} is taken.`
  return new ApiError('CONFLICT', message, [{ path, message, code: 'taken' }])
}

export function pathOfKey(key: string, link: Named): string {
  const { slugKey: own, aliases = [], isCaseSensitive } = link
  if (key === own) return 'slug'
  return `aliases.${aliases.findIndex((alias) => slugKeyOf(alias, isCaseSensitive) === key)}`
}

/** Wakes edges at once; each also reads the rows of `link_changes` every second (redirect/links/link-changes.ts). */
export const LINKS_CHANNEL = 'signpost_links'

export async function announceLinks(tx: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys) notifyAfterCommit(tx, LINKS_CHANNEL, key)
  await tx`insert into link_changes (key) select unnest(${[...keys]}::text[])`
}

export async function announceLinksOf(tx: Tx, workspaceId: string): Promise<void> {
  await announceLinks(tx, [`*${workspaceId}`])
}

export async function announceDomain(tx: Tx, domainId: string): Promise<void> {
  await announceLinks(tx, [`@${domainId}`])
}

/** The keys that are taken or reserved; the caller then rolls back. */
export async function takePageAddresses(
  tx: Tx,
  principal: Principal,
  addresses: readonly Address[],
  now: Date,
): Promise<string[]> {
  // Looked up first, so that a taken address locks none of the others.
  const taken = await readTakenKeys(tx, principal, addresses, now)
  const known = addresses.filter((address) => taken.has(toAddressKey(address)))
  if (known.length > 0) return known.map(({ key }) => key)
  const rows = await toAddressRows(tx, principal, addresses, now)
  const own = new Set(rows.map(({ slugKey }) => slugKey))
  return addresses.flatMap(({ key }) => (own.has(key) ? [] : [key]))
}

/** The domain key of a host: '' for shared hosts, null for a host without short links. */
export type ToDomain = (host: string) => Promise<{ key: string; isCaseSensitive: boolean } | null>

export type FoundLink = { linkId: string; workspaceId: string }

export async function findShortLink(
  { systemSql, toDomain }: { systemSql: SystemSql; toDomain: ToDomain },
  { host, pathname }: URL,
): Promise<FoundLink | null> {
  const domain = await toDomain(host)
  if (domain === null) return null
  const slug = slugFromPath(pathname.replace(/\+$/, ''), domain.isCaseSensitive)
  if (slug === null || slug === 'malformed') return null
  const [found] = await systemSql<FoundLink[]>`
    select link_id, workspace_id from link_addresses
    where domain_id = ${domain.key} and slug_key = ${slug.key} and link_id is not null`
  return found ?? null
}

export function toShortUrl(text: string): URL | null {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return null
  return url.username === '' && url.password === '' ? url : null
}
