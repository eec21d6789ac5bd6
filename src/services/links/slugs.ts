import { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import { requires, type Part } from '../../storage/statement-parts.ts'
import { announceLinks, announceLinksPart } from '../link-changes.ts'
import { addressesOf, keyTaken } from './aliases.ts'
import type { LinkRow } from './row.ts'

/** Time for which an address stays reserved after it was freed. */
export const FREED_DAYS = 30
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

/** Reason of `refusalOf` for a slug or alias that is taken, or reserved for another workspace. */
export const SLUG_TAKEN = 'slug_taken'

/** An address of a link on its host. */
export type Address = {
  linkId: string
  domainId: string
  key: string
  slug: string
  isAlias: boolean
}

/** Inserts a link with its addresses, as a part of a statement that fails with {@link SLUG_TAKEN}. */
export function insertLinkPart(tx: Tx, who: Who, row: LinkRow): Part {
  const { clicks: _clicks, lastClickedAt: _lastClickedAt, aliases: _aliases, ...stored } = row
  const { hostname: _hostname, isCaseSensitive: _isCaseSensitive, ...columns } = stored
  const addresses = toAddresses(row)
  const rows = toAddressRows(tx, who, addresses, row.createdAt)
  const link = tx`insert into links ${tx({ ...columns, workspaceId: who.workspaceId } as never)}`
  const isComplete =
    addresses.length === 1
      ? tx`exists (select from address)`
      : tx`(select count(*) from address) = ${addresses.length}::integer`
  return {
    ctes: tx`address as (${rows}), inserted as (${link})`,
    columns: requires(tx, isComplete, SLUG_TAKEN),
  }
}

/** The error for a new link whose slug or alias was taken: which of them is looked up afterwards. */
export async function explainTaken(tx: Tx, who: Who, row: LinkRow): Promise<ApiError> {
  const addresses = toAddresses(row)
  const taken = await readTakenKeys(tx, who, addresses, row.createdAt)
  const own = addresses.find((address) => taken.has(toAddressKey(address)))
  return keyTaken(own?.key ?? row.slugKey, row)
}

/** The addresses, as {@link toAddressKey}, that other links have, or that are reserved for other workspaces. */
export async function readTakenKeys(
  tx: Tx,
  { workspaceId }: Who,
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

/**
 * Changes the columns of a link, and its addresses with slug and aliases. An address that the link
 * leaves is reserved for the workspace.
 * @throws ApiError CONFLICT when a new slug or alias is taken, or reserved for another workspace
 */
export async function updateLink(
  tx: Tx,
  who: Who,
  before: LinkRow,
  { aliases = before.aliases ?? [], ...changes }: Partial<LinkRow>,
  now: Date,
): Promise<void> {
  const { hostname: _hostname, isCaseSensitive: _isCaseSensitive, ...columns } = changes
  await tx`
    update links set ${tx({ ...columns, updatedAt: now } as never)}
    where id = ${before.id} and workspace_id = ${who.workspaceId}`
  const after = { ...before, ...changes, aliases }
  const { taken, left } = compareAddresses(before, after)
  if (taken.length > 0) await takeAddresses(tx, who, after, taken, now)
  if (left.length > 0) await freeAddresses(tx, who, left, now)
}

/** The addresses that a change of a link takes or rewrites, and those that the link leaves. */
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

/** The addresses of a link: slug and aliases. */
export function toAddresses(link: LinkRow): Address[] {
  return Array.from(addressesOf(link), ([key, slug]) => ({
    linkId: link.id,
    domainId: link.domainId ?? '',
    key,
    slug,
    isAlias: key !== link.slugKey,
  }))
}

/** @throws ApiError CONFLICT when one is taken, or reserved for another workspace */
async function takeAddresses(
  tx: Tx,
  who: Who,
  after: LinkRow,
  addresses: readonly Address[],
  now: Date,
): Promise<void> {
  try {
    const rows = await toAddressRows(tx, who, addresses, now)
    const taken = new Set(rows.map(({ slugKey }) => slugKey))
    const missing = addresses.find(({ key }) => !taken.has(key))
    if (missing) throw keyTaken(missing.key, after)
  } catch (error) {
    // Two links that swap slugs at the same time wait for each other.
    if ((error as { code?: string }).code === DEADLOCK) throw keyTaken(addresses[0]!.key, after)
    throw error
  }
}

/**
 * Frees addresses, which stay reserved so that no other workspace gets their visitors at once. Those of a blocked link
 * are held for it, so that its owner cannot give them to another one.
 */
export async function freeAddresses(
  tx: Tx,
  { workspaceId }: Who,
  addresses: readonly Address[],
  now: Date,
): Promise<void> {
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

/** Makes every edge forget the cached link under all slugs and aliases that it has or had. */
export function announce(tx: Tx, ...links: LinkRow[]): Promise<void> {
  return announceLinks(tx, toKeys(links))
}

/** {@link announce} as a part of a statement. */
export function announcePart(tx: Tx, ...links: LinkRow[]): Part {
  return announceLinksPart(tx, toKeys(links))
}

/** True for the error of a statement that gives a link the `externalId` of another link of the workspace. */
export function isExternalIdTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === UNIQUE_VIOLATION && constraint === 'links_by_external_id'
}

export function externalIdTaken(): ApiError {
  const message = 'Another link of this workspace has this externalId.'
  return new ApiError('CONFLICT', message, [{ path: 'externalId', message, code: 'taken' }])
}

export function isSlugTaken(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return false
  return Array.isArray(error.details) && error.details[0]?.path === 'slug'
}

/**
 * Inserts rows of addresses, or takes over those of freed slugs and of the links themselves; returns no
 * row for one that is taken or reserved. The primary key decides races, and a row that another
 * transaction is freeing is waited for: in one order, so that changes of several links rarely wait for
 * each other.
 */
export function toAddressRows(
  tx: Tx,
  { workspaceId }: Who,
  addresses: readonly Address[],
  now: Date,
) {
  const [first] = addresses
  const { domains, keys, links, slugs, areAliases } = toColumns(addresses)
  const values =
    first && addresses.length === 1
      ? tx`values (${first.domainId}, ${first.key}, ${workspaceId}, ${first.linkId}, ${first.slug}, ${first.isAlias}::boolean)`
      : tx`
        select domain_id, slug_key, ${workspaceId}, link_id, slug, is_alias
        from unnest(${domains}::text[], ${keys}::text[], ${links}::text[], ${slugs}::text[],
          ${areAliases}::bool[]) as address (domain_id, slug_key, link_id, slug, is_alias)`
  return tx<{ slugKey: string }[]>`
    insert into link_addresses as a (domain_id, slug_key, workspace_id, link_id, slug, is_alias)
    ${values}
    on conflict (domain_id, slug_key) do update
      set workspace_id = excluded.workspace_id, link_id = excluded.link_id, slug = excluded.slug,
        is_alias = excluded.is_alias, free_at = null, held_for = null
      where a.link_id = excluded.link_id
        or (a.link_id is null and coalesce(a.held_for, excluded.link_id) = excluded.link_id
          and (a.workspace_id = excluded.workspace_id or a.free_at <= ${now}))
    returning slug_key`
}

/** The columns of addresses, sorted by their keys byte by byte, as the database compares them. */
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

function toKeys(links: readonly LinkRow[]): string[] {
  return [...new Set(links.flatMap((link) => toAddresses(link).map(toAddressKey)))]
}
