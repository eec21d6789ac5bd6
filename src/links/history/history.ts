import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import type { LinkRow } from '../link/row.ts'
import type { HistoryEntry } from '../link/schema.ts'
import { FIRST_VERSION } from './versions.ts'

type VersionRow = {
  id: string
  changes: Changes
  actorType: string
  actorId: string
  actorName: string | null
  changedAt: Date
}

type Kept = { stored: number; oldest: number | null }

export async function readHistory(
  tx: Tx,
  { workspaceId }: Principal,
  link: LinkRow,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: HistoryEntry[]; total: number }> {
  const { stored, oldest } = await readKept(tx, workspaceId, link.id)
  const rows = await tx<VersionRow[]>`
    select id, changes, actor_type, actor_id, actor_name, changed_at from link_versions
    where workspace_id = ${workspaceId} and link_id = ${link.id} and kind = 'updated'
    order by version desc limit ${limit} offset ${offset}`
  const entries = rows.map(toEntry)
  if (!isFirstKept(oldest)) return { entries, total: stored }
  if (offset + rows.length === stored && rows.length < limit)
    entries.push(await toCreation(tx, link))
  return { entries, total: stored + 1 }
}

/**
 * The versions of a link after an entry of its history, newest first.
 * @throws ApiError VALIDATION_ERROR for an entry that the link does not have, FORBIDDEN for one of another workspace
 */
export async function readLater(
  tx: Tx,
  principal: Principal,
  link: LinkRow,
  historyId: string,
): Promise<{ changes: Changes }[]> {
  const { workspaceId } = principal
  const version = await findVersion(tx, principal, link.id, historyId)
  if (version === null) {
    await refuseForeign(tx, principal, historyId)
    throw invalid('historyId', 'historyId must be the id of an entry in the history of this link.')
  }
  return tx<{ changes: Changes }[]>`
    select changes from link_versions
    where workspace_id = ${workspaceId} and link_id = ${link.id} and version > ${version}
    order by version desc`
}

async function findVersion(
  tx: Tx,
  { workspaceId }: Principal,
  linkId: string,
  historyId: string,
): Promise<number | null> {
  if (historyId === toCreationId(linkId))
    return isFirstKept((await readKept(tx, workspaceId, linkId)).oldest) ? FIRST_VERSION : null
  const [row] = await tx<{ version: number }[]>`
    select version from link_versions
    where workspace_id = ${workspaceId} and link_id = ${linkId} and id = ${historyId}
      and kind = 'updated'`
  return row?.version ?? null
}

async function readKept(tx: Tx, workspaceId: string, linkId: string): Promise<Kept> {
  const [kept] = await tx<[Kept]>`
    select count(*) as stored, min(version) as oldest from link_versions
    where workspace_id = ${workspaceId} and link_id = ${linkId} and kind = 'updated'`
  return kept
}

/** The first version is known only if all later ones are kept. */
function isFirstKept(oldest: number | null): boolean {
  return oldest === null || oldest === FIRST_VERSION + 1
}

function toCreationId(linkId: string): string {
  return linkId.replace(/^lnk_/, 'hst_')
}

async function toCreation(tx: Tx, { id, createdBy, createdAt }: LinkRow): Promise<HistoryEntry> {
  const [user] = await tx<{ name: string }[]>`select name from users where id = ${createdBy}`
  return {
    id: toCreationId(id),
    changedAt: createdAt.toISOString(),
    actor: { type: 'user', id: createdBy, name: user?.name ?? null },
    changes: {},
  }
}

function toEntry(row: VersionRow): HistoryEntry {
  return {
    id: row.id,
    changedAt: row.changedAt.toISOString(),
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    changes: row.changes,
  }
}

async function refuseForeign(tx: Tx, { workspaceId }: Principal, historyId: string): Promise<void> {
  const [row] = await tx<{ owner: string | null }[]>`
    select coalesce(
      workspace_of('link_versions'::regclass, ${historyId}),
      workspace_of('links'::regclass, ${historyId.replace(/^hst_/, 'lnk_')})) as owner`
  const owner = row?.owner ?? workspaceId
  if (owner !== workspaceId)
    throw new ApiError('FORBIDDEN', 'historyId belongs to another workspace.')
}
