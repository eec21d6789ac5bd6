import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Changes } from '../audit.ts'
import { UTM_FIELDS } from '../utm.ts'
import type { LinkRow } from './row.ts'
import { RESTORED_FIELDS, type HistoryEntry, type UpdateLink } from './schema.ts'

/** Versions of a link that are kept, and the size of their changes; older ones are dropped. */
const MAX_VERSIONS = 500
const MAX_BYTES = 4 * 1024 * 1024
/** The version that the creation made. It has no row, so that a new link costs nothing more. */
const FIRST = 1

type VersionRow = {
  id: string
  changes: Changes
  actorType: string
  actorId: string
  actorName: string | null
  changedAt: Date
}

/** The versions of a link: how many have a row, and the oldest of them. */
type Kept = { stored: number; oldest: number | null }

/**
 * Adds a version to each of these links, whose rows the transaction has locked, and drops those beyond
 * the limits.
 * @param versions each with its changes as in the audit log, with the mask of a password
 */
export async function saveVersions(
  tx: Tx,
  { workspaceId, actor }: Who,
  versions: readonly { linkId: string; changes: Changes }[],
  now: Date,
): Promise<void> {
  const linkIds = versions.map(({ linkId }) => linkId)
  const texts = versions.map(({ changes }) => JSON.stringify(changes))
  await tx`
    with changed as (
      select * from unnest(${versions.map(() => newId('hst', now.getTime()))}::text[],
        ${linkIds}::text[], ${texts}::text[], ${texts.map((text) => Buffer.byteLength(text))}::integer[])
        as changed (id, link_id, changes, bytes)
    ), own as (
      select link_id, id, version, row_number() over newest as n, sum(bytes) over newest as bytes
      from link_versions where workspace_id = ${workspaceId} and link_id = any(${linkIds}::text[])
      window newest as (partition by link_id order by version desc)
    ), dropped as (
      delete from link_versions where workspace_id = ${workspaceId} and id in (
        select own.id from own join changed using (link_id)
        where own.n >= ${MAX_VERSIONS} or own.bytes > ${MAX_BYTES} - changed.bytes)
    ), latest as (
      select link_id, max(version) as version from own group by link_id
    )
    insert into link_versions (id, workspace_id, link_id, version, changes, bytes, actor_type,
      actor_id, actor_name, changed_at)
    select changed.id, ${workspaceId}, link_id, coalesce(latest.version, ${FIRST}::integer) + 1,
      changed.changes::json, changed.bytes, ${actor.type}, ${actor.id},
      case ${actor.type}::text
        when 'user' then (select name from users where id = ${actor.id})
        when 'api_key' then (
          select name from api_keys where id = ${actor.id} and workspace_id = ${workspaceId})
      end, ${now}
    from changed left join latest using (link_id)`
}

/** A page of the versions of a link, newest first, and how many there are. */
export async function readHistory(
  tx: Tx,
  { workspaceId }: Who,
  link: LinkRow,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ entries: HistoryEntry[]; total: number }> {
  const { stored, oldest } = await readKept(tx, workspaceId, link.id)
  const rows = await tx<VersionRow[]>`
    select id, changes, actor_type, actor_id, actor_name, changed_at from link_versions
    where workspace_id = ${workspaceId} and link_id = ${link.id}
    order by version desc limit ${limit} offset ${offset}`
  const entries = rows.map(toEntry)
  if (!isFirstKept(oldest)) return { entries, total: stored }
  if (offset + rows.length === stored && rows.length < limit)
    entries.push(await toCreation(tx, link))
  return { entries, total: stored + 1 }
}

/**
 * The fields of a link as they were right after an entry of its history: those that changed later.
 * The password is not among them.
 * @throws ApiError VALIDATION_ERROR for an entry that the link does not have or no longer has,
 *   FORBIDDEN for one of another workspace
 */
export async function readEarlier(
  tx: Tx,
  who: Who,
  link: LinkRow,
  historyId: string,
): Promise<UpdateLink> {
  const { workspaceId } = who
  const version = await findVersion(tx, who, link.id, historyId)
  if (version === null) {
    await refuseForeign(tx, who, historyId)
    throw invalid('historyId', 'historyId must be the id of an entry in the history of this link.')
  }
  const later = await tx<{ changes: Changes }[]>`
    select changes from link_versions
    where workspace_id = ${workspaceId} and link_id = ${link.id} and version > ${version}
    order by version desc`
  const fields = Object.fromEntries(
    later
      .flatMap(({ changes }) => Object.entries(changes))
      .filter(([name]) => RESTORED_FIELDS.has(name))
      .map(([name, change]) => [name, change.old]),
  )
  // Otherwise the campaign would set those that the link did not have.
  if ('campaignId' in fields) for (const name of UTM_FIELDS) fields[name] ??= link[name]
  return withStoredStatus(fields, link)
}

async function findVersion(
  tx: Tx,
  { workspaceId }: Who,
  linkId: string,
  historyId: string,
): Promise<number | null> {
  if (historyId === creationId(linkId))
    return isFirstKept((await readKept(tx, workspaceId, linkId)).oldest) ? FIRST : null
  const [row] = await tx<{ version: number }[]>`
    select version from link_versions
    where workspace_id = ${workspaceId} and link_id = ${linkId} and id = ${historyId}`
  return row?.version ?? null
}

/** `expired` follows from other fields, and only the operator sets and removes `blocked`. */
function withStoredStatus(fields: Record<string, unknown>, link: LinkRow): UpdateLink {
  const { status, ...others } = fields
  if (status === undefined || status === 'blocked' || link.status === 'blocked') return others
  return { ...others, status: status === 'expired' ? 'active' : (status as string) }
}

async function readKept(tx: Tx, workspaceId: string, linkId: string): Promise<Kept> {
  const [kept] = await tx<[Kept]>`
    select count(*) as stored, min(version) as oldest from link_versions
    where workspace_id = ${workspaceId} and link_id = ${linkId}`
  return kept
}

/** Without every later version, the first one is unknown. */
function isFirstKept(oldest: number | null): boolean {
  return oldest === null || oldest === FIRST + 1
}

function creationId(linkId: string): string {
  return linkId.replace(/^lnk_/, 'hst_')
}

async function toCreation(tx: Tx, { id, createdBy, createdAt }: LinkRow): Promise<HistoryEntry> {
  const [user] = await tx<{ name: string }[]>`select name from users where id = ${createdBy}`
  return {
    id: creationId(id),
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

/** @throws ApiError FORBIDDEN when a link of another workspace has the entry */
async function refuseForeign(tx: Tx, { workspaceId }: Who, historyId: string): Promise<void> {
  const [row] = await tx<{ owner: string | null }[]>`
    select coalesce(
      workspace_of('link_versions'::regclass, ${historyId}),
      workspace_of('links'::regclass, ${historyId.replace(/^hst_/, 'lnk_')})) as owner`
  const owner = row?.owner ?? workspaceId
  if (owner !== workspaceId)
    throw new ApiError('FORBIDDEN', 'historyId belongs to another workspace.')
}
