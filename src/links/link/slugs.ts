import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { announceLinks } from '../link-changes.ts'
import { addressesOf } from './aliases.ts'
import type { LinkRow } from './row.ts'

/** How long a freed address stays reserved. */
export const FREED_DAYS = 30

export type Address = {
  linkId: string
  domainId: string
  key: string
  slug: string
  isAlias: boolean
}

/** The addresses that other links have or that are reserved for other workspaces, as {@link toAddressKey}. */
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

/** The addresses that a change takes or rewrites, and those that it leaves. */
export function compareAddresses(
  before: LinkRow,
  after: LinkRow,
): { taken: Address[]; left: Address[] } {
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

/**
 * Frees addresses, which stay reserved so that no other workspace gets their visitors at once. Those of a blocked
 * link are held for it, so that its owner cannot give them to another link.
 */
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

/** Makes every edge forget these links under all their slugs and aliases. */
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
