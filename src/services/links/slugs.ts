import { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import { randomSlug, slugKey } from '../../facts/slug.ts'
import type { Tx } from '../../storage/postgres.ts'
import { LINKS_CHANNEL } from '../link-changes.ts'
import { columnsOf, type LinkRow } from './row.ts'

/** Attempts to find a free random slug. With 31^7 slugs even the second is rare. */
const RANDOM_ATTEMPTS = 8
const FREED_DAYS = 30
const UNIQUE_VIOLATION = '23505'
const DEADLOCK = '40P01'

/** The unique key of a short URL; a null `domainId` is the shared default host. */
type Address = Pick<LinkRow, 'domainId' | 'slugKey'>

/**
 * Inserts a link with its chosen slug or a free random one. The unique index decides races.
 * @throws ApiError CONFLICT when the slug is taken, or reserved for another workspace
 */
export async function insertLink(
  tx: Tx,
  who: Who,
  columns: Record<string, unknown>,
  now: Date,
): Promise<LinkRow> {
  const isChosen = columns['slug'] !== undefined
  for (let attempt = 0; attempt < (isChosen ? 1 : RANDOM_ATTEMPTS); attempt++) {
    const slug = randomSlug()
    const values = isChosen ? columns : { ...columns, slug, slugKey: slugKey(slug) }
    const [row] = await tx<LinkRow[]>`
      with l as (
        insert into links ${tx(values)}
        on conflict (coalesce(domain_id, ''), slug_key) do nothing returning *
      )
      select ${columnsOf(tx)}, 0 as clicks, null::timestamptz as last_clicked_at from l`
    if (!row) continue
    if (!(await isReservedForOthers(tx, who, row, now))) return row
    if (isChosen) break
    await tx`delete from links where id = ${row.id} and workspace_id = ${who.workspaceId}`
  }
  throw slugTaken()
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

/** Makes every edge forget the cached link; sent when the transaction commits. */
export async function announce(tx: Tx, address: Address): Promise<void> {
  await tx`select pg_notify(${LINKS_CHANNEL}, ${`${address.domainId ?? ''}\n${address.slugKey}`})`
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

function slugTaken(): ApiError {
  return new ApiError('CONFLICT', 'This slug is taken.', [
    { path: 'slug', message: 'This slug is taken.', code: 'taken' },
  ])
}
