import { newId } from '../../platform/core/ids.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { TenantSql, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import { undoableSince } from './expiry.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import type { LinkRow } from '../link/rows.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { HistoryEntry } from '../link/schema.ts'

/**
 * - created: the first version, of a link that an operation created. Other links have no row for it, so that a new link
 *   costs nothing more.
 * - updated: one of the history.
 * - deleted: of a link that does not exist any more. To every other part of the program it never did.
 *
 * `undo_data` is what an undo or a restoration needs beside the changes. After the hour in which they are possible,
 * `expiry.ts` keeps the history and nothing else.
 */
export type Kind = 'created' | 'updated' | 'deleted'

type Deps = Pick<LinkDeps, 'clock'>

type NewVersion = {
  linkId: string
  /** With the mask of a password, as in the audit log. */
  changes?: Changes
  undoData?: UndoData | LinkRow | null
}

/** The link's `updatedAt` after the operation, and the hash of its password before it. */
export type UndoData = { updatedAt: string; passwordHash?: string | null }

export type OperationVersion = {
  linkId: string
  kind: Kind
  changes: Changes
  undoData: UndoData | LinkRow
}

/** The link comes from JSON, so its times are texts. */
type Deletion = { link: LinkRow; deletedAt: Date }

const MAX_VERSIONS = 500
const MAX_BYTES = 4 * 1024 * 1024
const FIRST_VERSION = 1

/** A link has at most one deletion, which is found by this id. */
function toDeletionId(linkId: string): string {
  return `del_${linkId}`
}

/**
 * Adds a version to each of these locked links. An update drops versions beyond the limits; an undo would skip them
 * anyway, since other changes followed.
 * @param operationId by which the versions can be undone; null for none
 */
export async function saveVersions(
  tx: Tx,
  { workspaceId, actor }: Principal,
  kind: Kind,
  versions: readonly NewVersion[],
  now: Date,
  operationId: string | null = null,
): Promise<void> {
  const linkIds = versions.map(({ linkId }) => linkId)
  const toId = kind === 'deleted' ? toDeletionId : () => newId('hst', now.getTime())
  const texts = versions.map(({ changes = {} }) => JSON.stringify(changes))
  const first = kind === 'created' ? FIRST_VERSION : FIRST_VERSION + 1
  await tx`
    with changed as (
      select * from unnest(${linkIds.map(toId)}::text[],
        ${linkIds}::text[], ${texts}::text[], ${texts.map((text) => Buffer.byteLength(text))}::integer[],
        ${versions.map(({ undoData }) => (undoData ? JSON.stringify(undoData) : null))}::text[])
        as changed (id, link_id, changes, bytes, undo_data)
    ) ${kind === 'updated' ? dropOldest(tx, workspaceId, linkIds) : tx``}
    insert into link_versions (id, workspace_id, link_id, version, kind, changes, bytes, operation_id,
      undo_data, actor_type, actor_id, actor_name, changed_at)
    select id, ${workspaceId}, link_id,
      coalesce((
        select max(version) + 1 from link_versions v
        where v.workspace_id = ${workspaceId} and v.link_id = changed.link_id), ${first}::integer),
      ${kind}, changes::json, bytes, ${operationId}, undo_data::json, ${actor.type}, ${actor.id},
      case ${actor.type}::text
        when 'user' then (select name from users where id = ${actor.id})
        when 'api_key' then (
          select name from api_keys where id = ${actor.id} and workspace_id = ${workspaceId})
      end, ${now}
    from changed`
}

function dropOldest(tx: Tx, workspaceId: string, linkIds: readonly string[]) {
  return tx`, own as (
      select link_id, id, row_number() over newest as n, sum(bytes) over newest as bytes
      from link_versions where workspace_id = ${workspaceId} and link_id = any(${[...linkIds]}::text[])
      window newest as (partition by link_id order by version desc)
    ), dropped as (
      delete from link_versions where workspace_id = ${workspaceId} and id in (
        select own.id from own join changed using (link_id)
        where own.n >= ${MAX_VERSIONS} or own.bytes > ${MAX_BYTES} - changed.bytes)
    )`
}

/** Takes an operation, so that no other request finds it. Versions are newest first, links in the order of locking. */
export async function takeOperation(
  { clock }: Deps,
  tx: Tx,
  { workspaceId }: Principal,
  id: string,
) {
  const versions = await tx<OperationVersion[]>`
    with taken as (
      update link_versions set operation_id = null
      where operation_id = ${id} and workspace_id = ${workspaceId}
        and changed_at > ${undoableSince(clock)}
      returning link_id, version, kind, changes, undo_data
    )
    select link_id, kind, changes, undo_data from taken order by link_id, version desc`
  return [...Map.groupBy(versions, ({ linkId }) => linkId).values()]
}

/** The workspace of a link that exists or can be restored; null for others. */
export async function findOwner(sql: TenantSql | Tx, linkId: string): Promise<string | null> {
  const [row] = await sql<[{ owner: string | null }]>`
    select coalesce(workspace_of('links'::regclass, ${linkId}),
      workspace_of('link_versions'::regclass, ${toDeletionId(linkId)})) as owner`
  return row.owner
}

/** Locks in the order of ids. */
export function lockDeletions(tx: Tx, { workspaceId }: Principal, linkIds: readonly string[]) {
  return tx<Deletion[]>`
    select undo_data as link, changed_at as deleted_at from link_versions
    where id = any(${linkIds.map(toDeletionId)}::text[]) and workspace_id = ${workspaceId}
    order by id for update`
}

/** Skips links that are not deleted. */
export async function changeDeleted(
  tx: Tx,
  { workspaceId }: Principal,
  rows: readonly (Pick<LinkRow, 'id'> & Partial<LinkRow>)[],
): Promise<void> {
  await tx`
    update link_versions v set undo_data = (v.undo_data::jsonb || own.columns::jsonb)::json
    from unnest(${rows.map(({ id }) => toDeletionId(id))}::text[],
      ${rows.map((row) => JSON.stringify(row))}::text[]) as own (id, columns)
    where v.id = own.id and v.workspace_id = ${workspaceId}`
}

export function dropDeletions(tx: Tx, { workspaceId }: Principal, linkIds: readonly string[]) {
  return tx`
    delete from link_versions
    where id = any(${linkIds.map(toDeletionId)}::text[]) and workspace_id = ${workspaceId}`
}

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

/** The versions of a link after an entry of its history, newest first. */
export async function readLater(tx: Tx, principal: Principal, link: LinkRow, historyId: string) {
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

async function findVersion(tx: Tx, { workspaceId }: Principal, linkId: string, historyId: string) {
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
