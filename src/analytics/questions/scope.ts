import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { foreignId, readForeign } from '../../platform/resources/ownership.ts'
import type { Group } from './dimensions.ts'
import { parseFilter, type LabelConditions } from './filters.ts'
import type { LinkQuery } from './query.ts'

/**
 * The clicks that a question is about. The filters decide what they are read from: `workspace`: the projections of
 * the workspace; `links`: the projections by link; `clicks`: single clicks, because labels are filtered.
 */
export type Scope = {
  level: 'workspace' | 'links' | 'clicks'
  /** The condition on `clicks`, with the workspace first. */
  where: string
  params: Record<string, unknown>
  /** A link must be in all of these; none: the whole workspace. */
  linkSets: readonly LinkSet[]
  /** The groups of the labels that are filtered. */
  filtered: readonly Group[]
  /** Links that exist today; deleted links have clicks as well. */
  links: number
  /** True when no click can match. */
  isEmpty: boolean
  /** Views of a page are counted instead of clicks. */
  isOfViews: boolean
}

/** Links by id: these alone, or all others. */
export type LinkSet = { ids: readonly string[]; isExcluded: boolean }

/** One statement names at most this many links: 3.5 MB. */
const MAX_LINKS = 100_000

/** @param allLinks the number of links of the workspace */
export function toScope(
  workspaceId: string,
  links: readonly LinkSet[],
  allLinks = 0,
  labels: LabelConditions = NO_LABELS,
): Scope {
  const conditions = [
    'workspace_id = {workspaceId:String}',
    ...links.map(({ ids, isExcluded }) => inLinks(ids, isExcluded)),
    ...labels.sql,
  ]
  return {
    links: countLinks(links, allLinks),
    linkSets: links,
    isEmpty: countLinks(links, Infinity) === 0,
    isOfViews: false,
    level: labels.sql.length > 0 ? 'clicks' : links.length > 0 ? 'links' : 'workspace',
    where: conditions.join(' and '),
    params: { workspaceId, ...labels.params },
    filtered: labels.groups,
  }
}

const NO_LABELS: LabelConditions = { sql: [], params: {}, groups: [] }

/** The scope of links by their ids. */
export function toLinksScope(
  workspaceId: string,
  ids: readonly string[],
  labels?: LabelConditions,
): Scope {
  return toScope(workspaceId, [{ ids, isExcluded: false }], ids.length, labels)
}

/** The views of one bio page. Its id is in the column that has the id of the link for clicks. */
export function toViewsScope(workspaceId: string, id: string, labels?: LabelConditions): Scope {
  return { ...toLinksScope(workspaceId, [id], labels), isOfViews: true }
}

/**
 * The scope of a query's filters, by the campaign, folder and tags that a link has today.
 * @throws ApiError FORBIDDEN for an id of another workspace; VALIDATION_ERROR for a wrong value
 */
export async function readScope(
  tx: Tx,
  principal: Principal,
  query: LinkQuery,
  labels: LabelConditions,
): Promise<Scope> {
  const { workspaceId } = principal
  const sets: LinkSet[] = []
  for (const { path, owner, links } of FILTERS) {
    const text = query[path]
    if (text === undefined) continue
    const { values, isExcluded } = parseFilter(text, path)
    if (owner !== null) await refuseForeignIds(tx, principal, owner, path, values)
    if (links === null) continue
    // Archived links are included: their clicks were counted.
    const rows = await tx<{ id: string }[]>`
      select distinct ${tx(links.id)} as id from ${tx(links.table)}
      where workspace_id = ${workspaceId} and ${tx(links.column)} = any(${[...values]}::text[])
      limit ${MAX_LINKS + 1}`
    if (rows.length > MAX_LINKS)
      throw invalid(path, `${path} names more than ${MAX_LINKS} links. Name fewer, or omit it.`)
    sets.push({ ids: rows.map(({ id }) => id), isExcluded })
  }
  const [all] = await tx<[{ links: number }]>`
    select coalesce(sum(links), 0)::bigint as links from link_counts
    where workspace_id = ${workspaceId}`
  return toScope(workspaceId, sets, all.links, labels)
}

/** Filters by what a row belongs to: the table of the ids, and where to find the links that have one. */
const FILTERS = [
  { path: 'linkId', owner: 'links', links: { table: 'links', id: 'id', column: 'id' } },
  {
    path: 'campaignId',
    owner: 'campaigns',
    links: { table: 'links', id: 'id', column: 'campaign_id' },
  },
  { path: 'folderId', owner: 'folders', links: { table: 'links', id: 'id', column: 'folder_id' } },
  { path: 'tag', owner: null, links: { table: 'link_tags', id: 'link_id', column: 'tag' } },
  // Clicks have the id of their domain themselves.
  { path: 'domainId', owner: 'domains', links: null },
] as const

/** @throws ApiError FORBIDDEN for a domain of another workspace */
export async function refuseForeignDomain(
  tx: Tx,
  principal: Principal,
  { domainId }: LinkQuery,
): Promise<void> {
  if (domainId === undefined) return
  const { values } = parseFilter(domainId, 'domainId')
  await refuseForeignIds(tx, principal, 'domains', 'domainId', values)
}

/** @throws ApiError FORBIDDEN for an id of another workspace; an unknown one matches nothing */
export async function refuseForeignIds(
  tx: Tx,
  principal: Principal,
  table: string,
  path: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const own = await tx<{ id: string }[]>`
    select id from ${tx(table)}
    where workspace_id = ${principal.workspaceId} and id = any(${[...ids]}::text[])`
  const known = new Set(own.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if ((await readForeign(tx, [table], unknown)).size > 0) throw foreignId(path)
}

function countLinks(sets: readonly LinkSet[], allLinks: number): number {
  const excluded = new Set(sets.flatMap(({ ids, isExcluded }) => (isExcluded ? ids : [])))
  const included = sets.filter(({ isExcluded }) => !isExcluded).map(({ ids }) => new Set(ids))
  const [first, ...others] = included
  if (!first) return allLinks - excluded.size
  return others.reduce((known, ids) => known.intersection(ids), first).difference(excluded).size
}

/** The condition on links. The ids are part of the statement: thousands of them do not fit into a URL as parameters do. */
export function inLinks(ids: readonly string[], isExcluded = false): string {
  for (const id of ids) requireLinkId(id)
  if (ids.length === 0) return isExcluded ? '1' : '0'
  if (ids.length === 1) return `link_id ${isExcluded ? '!=' : '='} '${ids[0]}'`
  return `link_id ${isExcluded ? 'not ' : ''}in ('${ids.join("', '")}')`
}

/** @throws Error for a text that cannot stand in a statement */
export function requireLinkId(id: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new Error('this is not the id of a link')
}
