import { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { Fragment, Tx } from '../../storage/postgres.ts'
import { requires, type Part } from '../../storage/statement-parts.ts'
import { announceLink, announceLinkPart } from '../link-changes.ts'
import type { LinkRow } from './row.ts'

const FREED_DAYS = 30
const DEADLOCK = '40P01'

/** Reason of `refusalOf` for a slug that is taken, or reserved for another workspace. */
export const SLUG_TAKEN = 'slug_taken'

/** The address of a link on its host; a null `domainId` is the shared default host. */
type Address = Pick<LinkRow, 'domainId' | 'slug' | 'slugKey'>

/** Inserts a link with its address, as a part of a statement that fails with {@link SLUG_TAKEN}. */
export function insertLinkPart(tx: Tx, who: Who, row: LinkRow): Part {
  const { clicks: _clicks, lastClickedAt: _lastClickedAt, ...columns } = row
  const address = toAddressRow(tx, who, row, { linkId: row.id, now: row.createdAt })
  const link = tx`insert into links ${tx({ ...columns, workspaceId: who.workspaceId } as never)}`
  return {
    ctes: tx`address as (${address}), inserted as (${link})`,
    columns: requires(tx, tx`exists (select from address)`, SLUG_TAKEN),
  }
}

/**
 * Changes the columns of a link, and its address with the slug. The old slug is reserved for the
 * workspace.
 * @throws ApiError CONFLICT when the new slug is taken, or reserved for another workspace
 */
export async function updateLink(
  tx: Tx,
  who: Who,
  before: LinkRow,
  columns: Partial<LinkRow>,
  now: Date,
): Promise<void> {
  await tx`
    update links set ${tx({ ...columns, updatedAt: now } as never)}
    where id = ${before.id} and workspace_id = ${who.workspaceId}`
  const after = { ...before, ...columns }
  if (after.slug === before.slug) return
  if (after.slugKey === before.slugKey) return spellAddress(tx, who, after)
  await takeAddress(tx, who, after, now)
  await freeAddress(tx, who, before, now)
}

/** @throws ApiError CONFLICT when the slug is taken, or reserved for another workspace */
async function takeAddress(tx: Tx, who: Who, after: LinkRow, now: Date): Promise<void> {
  try {
    const taken = await toAddressRow(tx, who, after, { linkId: after.id, now })
    if (taken.length === 0) throw slugTaken()
  } catch (error) {
    // Two links that swap slugs at the same time wait for each other.
    if ((error as { code?: string }).code === DEADLOCK) throw slugTaken()
    throw error
  }
}

/** Frees an address, which stays reserved so that no other workspace gets its visitors at once. */
export async function freeAddress(tx: Tx, who: Who, address: Address, now: Date): Promise<void> {
  const freeAt = new Date(now.getTime() + FREED_DAYS * 86_400_000)
  await tx`
    update link_addresses set link_id = null, free_at = ${freeAt}
    where ${isAt(tx, address)} and workspace_id = ${who.workspaceId}`
}

/** Makes every edge forget the cached link. */
export function announce(tx: Tx, address: Address): Promise<void> {
  return announceLink(tx, toKey(address))
}

/** {@link announce} as a part of a statement. */
export function announcePart(tx: Tx, address: Address): Part {
  return announceLinkPart(tx, toKey(address))
}

export function isSlugTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CONFLICT'
}

export function slugTaken(): ApiError {
  return new ApiError('CONFLICT', 'This slug is taken.', [
    { path: 'slug', message: 'This slug is taken.', code: 'taken' },
  ])
}

/**
 * Inserts the row of an address, or takes over that of a freed slug; returns no row if it is taken or
 * reserved. The primary key decides races, and a row that another transaction is freeing is waited for.
 */
function toAddressRow(
  tx: Tx,
  who: Who,
  { domainId, slug, slugKey }: Address,
  { linkId, now }: { linkId: string; now: Date },
) {
  return tx`
    insert into link_addresses as a (domain_id, slug_key, workspace_id, link_id, slug)
    values (${domainId ?? ''}, ${slugKey}, ${who.workspaceId}, ${linkId}, ${slug})
    on conflict (domain_id, slug_key) do update
      set workspace_id = excluded.workspace_id, link_id = excluded.link_id, slug = excluded.slug,
        is_alias = false, free_at = null
      where a.link_id is null and (a.workspace_id = ${who.workspaceId} or a.free_at <= ${now})
    returning 1`
}

/** A slug that differs in its spelling alone keeps its address. */
async function spellAddress(tx: Tx, who: Who, address: Address): Promise<void> {
  await tx`
    update link_addresses set slug = ${address.slug}
    where ${isAt(tx, address)} and workspace_id = ${who.workspaceId}`
}

function isAt(tx: Tx, { domainId, slugKey }: Address): Fragment {
  return tx`domain_id = ${domainId ?? ''} and slug_key = ${slugKey}`
}

function toKey({ domainId, slugKey }: Address): string {
  return `${domainId ?? ''}\n${slugKey}`
}
