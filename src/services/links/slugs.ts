import { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import { allOf, type Tx } from '../../storage/postgres.ts'
import { announceLink } from '../link-changes.ts'
import type { LinkRow } from './row.ts'

const FREED_DAYS = 30
const UNIQUE_VIOLATION = '23505'
const DEADLOCK = '40P01'

/** The unique key of a short URL; a null `domainId` is the shared default host. */
type Address = Pick<LinkRow, 'domainId' | 'slugKey'>

/**
 * Inserts a link; the unique index decides races. Both statements are sent together.
 * @throws ApiError CONFLICT when the slug is taken, or reserved for another workspace
 */
export async function insertLink(
  tx: Tx,
  who: Who,
  { clicks: _clicks, lastClickedAt: _lastClickedAt, ...columns }: LinkRow,
  now: Date,
): Promise<void> {
  const [inserted, isReserved] = await allOf([
    tx`
      insert into links ${tx({ ...columns, workspaceId: who.workspaceId } as never)}
      on conflict (coalesce(domain_id, ''), slug_key) do nothing returning id`,
    isReservedForOthers(tx, who, columns, now),
  ])
  if (inserted.length === 0 || isReserved) throw slugTaken()
}

/** @throws ApiError CONFLICT when the new slug is taken, or reserved for another workspace */
export async function updateLink(
  tx: Tx,
  who: Who,
  before: LinkRow,
  columns: Record<string, unknown>,
  now: Date,
): Promise<void> {
  try {
    await tx`
      update links set ${tx({ ...columns, updatedAt: now })}
      where id = ${before.id} and workspace_id = ${who.workspaceId}`
  } catch (error) {
    // Two links that swap slugs at the same time wait for each other.
    const { code } = error as { code?: string }
    if (code === UNIQUE_VIOLATION || code === DEADLOCK) throw slugTaken()
    throw error
  }
  const newKey = columns['slugKey']
  if (typeof newKey !== 'string' || newKey === before.slugKey) return
  await reserveFreed(tx, who, before, now)
  if (await isReservedForOthers(tx, who, { ...before, slugKey: newKey }, now)) throw slugTaken()
}

/** Reserves a freed slug for its workspace, so that no other workspace gets its visitors at once. */
export async function reserveFreed(tx: Tx, who: Who, address: Address, now: Date): Promise<void> {
  const freeAt = new Date(now.getTime() + FREED_DAYS * 86_400_000)
  await tx`
    insert into freed_slugs (domain_id, slug_key, workspace_id, free_at)
    values (${address.domainId ?? ''}, ${address.slugKey}, ${who.workspaceId}, ${freeAt})
    on conflict (domain_id, slug_key) do update
      set workspace_id = excluded.workspace_id, free_at = excluded.free_at`
}

/** Makes every edge forget the cached link. */
export function announce(tx: Tx, address: Address): Promise<void> {
  return announceLink(tx, `${address.domainId ?? ''}\n${address.slugKey}`)
}

/**
 * Must run after the write: by waiting for the unique index, the write has waited for any transaction
 * that freed the slug, so its reservation is visible.
 */
async function isReservedForOthers(
  tx: Tx,
  who: Who,
  address: Address,
  now: Date,
): Promise<boolean> {
  const [reserved] = await tx`
    select 1 from freed_slugs
    where domain_id = ${address.domainId ?? ''} and slug_key = ${address.slugKey}
      and workspace_id <> ${who.workspaceId} and free_at > ${now}`
  return reserved !== undefined
}

export function isSlugTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'CONFLICT'
}

function slugTaken(): ApiError {
  return new ApiError('CONFLICT', 'This slug is taken.', [
    { path: 'slug', message: 'This slug is taken.', code: 'taken' },
  ])
}
