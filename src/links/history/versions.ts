import { newId } from '../../platform/core/ids.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { TenantSql, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import { undoableSince } from './undo-expiry.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import type { LinkRow } from '../link/row.ts'

/**
 * - created: the first version, of a link that an operation created. Other links have no row for it, so that a new link
 *   costs nothing more.
 * - updated: one of the history.
 * - deleted: of a link that does not exist any more. To every other part of the program it never did.
 *
 * `undo_data` is what an undo or a restoration needs beside the changes. After the hour in which they are possible,
 * `undo-expiry.ts` keeps the history and nothing else.
 */
export type Kind = 'created' | 'updated' | 'deleted'

type Deps = Pick<LinkDeps, 'clock'>

type NewVersion = {
  linkId: string
  /** With the mask of a password, as in the audit log. */
  changes?: Changes
  /** Null for a single update. */
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

/** Older updates are dropped. */
const MAX_VERSIONS = 500
const MAX_BYTES = 4 * 1024 * 1024
export const FIRST_VERSION = 1

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

/**
 * Takes an operation, so that no other request finds it.
 * @returns the versions of each link, newest first; the links in the order of ids, in which they are locked
 */
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
