import { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import { randomSlug, slugKey } from '../../facts/slug.ts'
import type { Tx } from '../../storage/postgres.ts'
import { LINKS_CHANNEL } from '../link-changes.ts'
import { LINK_COLUMNS, type LinkRow } from './row.ts'

/** Attempts at a free random slug; at 31^7 slugs even the second is rare. */
const RANDOM_ATTEMPTS = 8
const FREED_DAYS = 30
const UNIQUE_VIOLATION = '23505'
const DEADLOCK = '40P01'

/** The address of a link as the database keys it: null `domainId` is the shared default host. */
type Address = Pick<LinkRow, 'domainId' | 'slugKey'>

/** Inserts under the chosen slug, or under the first free random one; the unique index decides races. */
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
      insert into links ${tx(values)}
      on conflict (coalesce(domain_id, ''), slug_key) do nothing
      returning ${tx(LINK_COLUMNS)}, 0 as clicks, null::timestamptz as last_clicked_at`
    if (!row) continue
    if (!(await isKeptForOthers(tx, who, row, now))) return row
    if (isChosen) break
    await tx`delete from links where id = ${row.id} and workspace_id = ${who.workspaceId}`
  }
  throw slugTaken()
}

/** @throws ApiError CONFLICT when the new address is another link's, or kept for another workspace. */
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
    // Two links that take each other's slug at once wait for each other: each is taken by the other.
    const { code } = error as { code?: string }
    if (code === UNIQUE_VIOLATION || code === DEADLOCK) throw slugTaken()
    throw error
  }
  const newKey = columns['slugKey']
  if (typeof newKey !== 'string' || newKey === before.slugKey) return
  await keepFreed(tx, who, before, now)
  if (await isKeptForOthers(tx, who, { ...before, slugKey: newKey }, now)) throw slugTaken()
}

/** A freed slug stays with its workspace for 30 days, so that nobody inherits its visitors at once. */
export async function keepFreed(tx: Tx, who: Who, address: Address, now: Date): Promise<void> {
  const freeAt = new Date(now.getTime() + FREED_DAYS * 86_400_000)
  await tx`
    insert into freed_slugs (domain_id, slug_key, workspace_id, free_at)
    values (${address.domainId ?? ''}, ${address.slugKey}, ${who.workspaceId}, ${freeAt})
    on conflict (domain_id, slug_key) do update
      set workspace_id = excluded.workspace_id, free_at = excluded.free_at`
}

/** Tells every edge that what it knows of this address is old; sent when the transaction commits. */
export async function announce(tx: Tx, address: Address): Promise<void> {
  await tx`select pg_notify(${LINKS_CHANNEL}, ${`${address.domainId ?? ''}\n${address.slugKey}`})`
}

/**
 * Asked after the insert: the unique index has by then waited for the transaction that freed the
 * slug, so its row is seen.
 */
async function isKeptForOthers(tx: Tx, who: Who, address: Address, now: Date): Promise<boolean> {
  const [kept] = await tx`
    select 1 from freed_slugs
    where domain_id = ${address.domainId ?? ''} and slug_key = ${address.slugKey}
      and workspace_id <> ${who.workspaceId} and free_at > ${now}`
  return kept !== undefined
}

function slugTaken(): ApiError {
  return new ApiError('CONFLICT', 'This slug is taken.', [
    { path: 'slug', message: 'This slug is taken.', code: 'taken' },
  ])
}
