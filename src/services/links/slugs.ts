import { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import { requires, type Part } from '../../storage/statement-parts.ts'
import { announceLinks, announceLinksPart } from '../link-changes.ts'
import { addressesOf, keyTaken } from './aliases.ts'
import type { LinkRow } from './row.ts'

const FREED_DAYS = 30
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

/** Reason of `refusalOf` for a slug or alias that is taken, or reserved for another workspace. */
export const SLUG_TAKEN = 'slug_taken'

/** The address of a link on its host; a null `domainId` is the shared default host. */
type Address = Pick<LinkRow, 'domainId' | 'slug' | 'slugKey'>

/** Inserts a link with its addresses, as a part of a statement that fails with {@link SLUG_TAKEN}. */
export function insertLinkPart(tx: Tx, who: Who, row: LinkRow): Part {
  const { clicks: _clicks, lastClickedAt: _lastClickedAt, aliases: _aliases, ...columns } = row
  const addresses = addressesOf(row)
  const rows = toAddressRows(tx, who, row, [...addresses], row.createdAt)
  const link = tx`insert into links ${tx({ ...columns, workspaceId: who.workspaceId } as never)}`
  const isComplete =
    addresses.size === 1
      ? tx`exists (select from address)`
      : tx`(select count(*) from address) = ${addresses.size}::integer`
  return {
    ctes: tx`address as (${rows}), inserted as (${link})`,
    columns: requires(tx, isComplete, SLUG_TAKEN),
  }
}

/** The error for a new link whose slug or alias was taken: which of them is looked up afterwards. */
export async function explainTaken(tx: Tx, who: Who, row: LinkRow): Promise<ApiError> {
  const keys = [...addressesOf(row).keys()]
  const taken = await tx<{ slugKey: string }[]>`
    select slug_key from link_addresses
    where domain_id = ${row.domainId ?? ''} and slug_key = any(${keys}::text[])
      and not (link_id is null and (workspace_id = ${who.workspaceId} or free_at <= ${row.createdAt}))`
  const found = new Set(taken.map(({ slugKey }) => slugKey))
  return keyTaken(keys.find((key) => found.has(key)) ?? row.slugKey, row)
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
  { aliases = before.aliases ?? [], ...columns }: Partial<LinkRow>,
  now: Date,
): Promise<void> {
  await tx`
    update links set ${tx({ ...columns, updatedAt: now } as never)}
    where id = ${before.id} and workspace_id = ${who.workspaceId}`
  const after = { ...before, ...columns, aliases }
  const [old, wanted] = [addressesOf(before), addressesOf(after)]
  const isMoved = (key: string) => key === before.slugKey || key === after.slugKey
  const changed = [...wanted].filter(
    ([key, slug]) => old.get(key) !== slug || (isMoved(key) && before.slugKey !== after.slugKey),
  )
  if (changed.length > 0) await takeAddresses(tx, who, after, changed, now)
  const left = [...old.keys()].filter((key) => !wanted.has(key))
  if (left.length > 0) await freeAddresses(tx, who, before, left, now)
}

/** @throws ApiError CONFLICT when one is taken, or reserved for another workspace */
async function takeAddresses(
  tx: Tx,
  who: Who,
  after: LinkRow,
  addresses: readonly (readonly [key: string, slug: string])[],
  now: Date,
): Promise<void> {
  // In one order, so that changes of several links rarely wait for each other.
  const sorted = addresses.toSorted(([a], [b]) => (a < b ? -1 : 1))
  try {
    const rows = await toAddressRows(tx, who, after, sorted, now)
    const taken = new Set(rows.map(({ slugKey }) => slugKey))
    const missing = sorted.find(([key]) => !taken.has(key))
    if (missing) throw keyTaken(missing[0], after)
  } catch (error) {
    // Two links that swap slugs at the same time wait for each other.
    if ((error as { code?: string }).code === DEADLOCK) throw keyTaken(sorted[0]![0], after)
    throw error
  }
}

/** Frees addresses, which stay reserved so that no other workspace gets their visitors at once. */
export async function freeAddresses(
  tx: Tx,
  who: Who,
  { id, domainId }: Pick<LinkRow, 'id' | 'domainId'>,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  const freeAt = new Date(now.getTime() + FREED_DAYS * 86_400_000)
  await tx`
    update link_addresses set link_id = null, is_alias = false, free_at = ${freeAt}
    where domain_id = ${domainId ?? ''} and slug_key = any(${[...keys]}::text[])
      and link_id = ${id} and workspace_id = ${who.workspaceId}`
}

/** Makes every edge forget the cached link under all slugs and aliases that it has or had. */
export function announce(tx: Tx, ...links: LinkRow[]): Promise<void> {
  return announceLinks(tx, toKeys(links))
}

/** {@link announce} as a part of a statement. */
export function announcePart(tx: Tx, row: LinkRow): Part {
  return announceLinksPart(tx, toKeys([row]))
}

/** True for the error of a statement that gives a link the `externalId` of another link of the workspace. */
export function isExternalIdTaken(error: unknown): boolean {
  const { code, constraint_name: constraint } = error as { code?: string; constraint_name?: string }
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
 * Inserts rows of addresses, or takes over those of freed slugs and of the link itself; returns no row
 * for one that is taken or reserved. The primary key decides races, and a row that another
 * transaction is freeing is waited for.
 */
function toAddressRows(
  tx: Tx,
  { workspaceId }: Who,
  { id, domainId, slugKey: ownKey }: Address & { id: string },
  addresses: readonly (readonly [key: string, slug: string])[],
  now: Date,
) {
  const [[key, slug] = ['', '']] = addresses
  const values =
    addresses.length === 1
      ? tx`values (${domainId ?? ''}, ${key}, ${workspaceId}, ${id}, ${slug}, ${key !== ownKey}::boolean)`
      : tx`
        select ${domainId ?? ''}, key, ${workspaceId}, ${id}, slug, key <> ${ownKey}
        from unnest(${addresses.map(([each]) => each)}::text[],
          ${addresses.map(([, each]) => each)}::text[]) as address (key, slug)`
  return tx<{ slugKey: string }[]>`
    insert into link_addresses as a (domain_id, slug_key, workspace_id, link_id, slug, is_alias)
    ${values}
    on conflict (domain_id, slug_key) do update
      set workspace_id = excluded.workspace_id, link_id = excluded.link_id, slug = excluded.slug,
        is_alias = excluded.is_alias, free_at = null
      where a.link_id = excluded.link_id
        or (a.link_id is null and (a.workspace_id = excluded.workspace_id or a.free_at <= ${now}))
    returning slug_key`
}

function toKeys(links: readonly LinkRow[]): string[] {
  const keys = links.flatMap((link) =>
    [...addressesOf(link).keys()].map((key) => `${link.domainId ?? ''}\n${key}`),
  )
  return [...new Set(keys)]
}
