import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { randomSlug, slugKey } from '../../platform/facts/slug.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { aliasesOf } from './aliases.ts'
import type { LinkDeps } from './dependencies.ts'
import { NO_UTM } from '../utm.ts'
import { columnsOf, countersOf, toLink, withCounters, type LinkRow } from './row.ts'
import type { Link } from './schema.ts'

/** The link as reads return it. */
export function show(
  { shortHost, clock }: Pick<LinkDeps, 'shortHost' | 'clock'>,
  row: LinkRow,
): Link {
  return toLink(row, shortHost(), clock())
}

/** A random slug is used if the columns have none. */
export function toNewRow(
  { clock }: Pick<LinkDeps, 'clock'>,
  principal: Principal,
  columns: Partial<LinkRow>,
): LinkRow {
  const nowMs = clock()
  const now = new Date(nowMs)
  const slug = randomSlug()
  return {
    slug,
    slugKey: slugKey(slug),
    domainId: null,
    hostname: null,
    isCaseSensitive: false,
    redirectType: 302,
    status: 'active',
    expiresAt: null,
    ...NO_UTM,
    metadata: null,
    options: null,
    passwordHash: null,
    folderId: null,
    campaignId: null,
    externalId: null,
    tags: null,
    ...columns,
    id: newId('lnk', nowMs),
    workspaceId: principal.workspaceId,
    createdBy: principal.userId,
    archivedAt: columns.status === 'archived' ? now : null,
    createdAt: now,
    updatedAt: now,
    clicks: 0,
    lastClickedAt: null,
  } as LinkRow
}

export async function load(tx: Tx, { workspaceId }: Principal, id: string): Promise<LinkRow> {
  const [row] = await tx<LinkRow[]>`
    select ${columnsOf(tx)}, ${countersOf(tx)}, ${aliasesOf(tx)} from links l ${withCounters(tx)}
    where l.id = ${id} and l.workspace_id = ${workspaceId}`
  if (!row) throw noSuchLink()
  return row
}

/** Locks the rows in the order of their ids, so that two such transactions never wait for each other. */
export async function lockMany(
  tx: Tx,
  { workspaceId }: Principal,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LinkRow>> {
  const [rows, aliases] = await allOf([
    tx<LinkRow[]>`
      select ${columnsOf(tx)}, ${countersOf(tx)} from links l ${withCounters(tx)}
      where l.id = any(${[...ids]}::text[]) and l.workspace_id = ${workspaceId}
      order by l.id for update of l`,
    // After the wait for the locks, so that none is outdated.
    tx<{ linkId: string; slugs: string[] }[]>`
      select link_id, array_agg(slug order by slug_key) as slugs from link_addresses
      where link_id = any(${[...ids]}::text[]) and is_alias and workspace_id = ${workspaceId}
      group by link_id`,
  ])
  const found = new Map(aliases.map(({ linkId, slugs }) => [linkId, slugs]))
  return new Map(rows.map((row) => [row.id, { ...row, aliases: found.get(row.id) ?? [] }]))
}

export function noSuchLink(): ApiError {
  return new ApiError('NOT_FOUND', 'This link does not exist.')
}
