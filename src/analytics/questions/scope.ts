import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { foreignId, readForeign } from '../../platform/resources/foreign.ts'
import type { Group } from './dimensions.ts'
import { parseFilter, toLabelConditions, type Filter, type LabelConditions } from './filters.ts'
import type { LabelQuery, LinkQuery } from './query.ts'

/**
 * The clicks that a question is about. What limits them decides what they can be read from:
 * `workspace`: the workspace's own projections; `links`: those by link; `clicks`: click by click,
 * because they have a label that is filtered.
 */
export type Scope = {
  level: 'workspace' | 'links' | 'clicks'
  /** The condition on `clicks`, with the workspace first. */
  where: string
  params: Record<string, unknown>
  /** Sets that a link must be in; none: the whole workspace. */
  linkSets: readonly LinkSet[]
  /** The groups of the labels that are filtered. */
  filtered: readonly Group[]
  /** Links that are there today; those that were deleted have clicks as well. */
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
const LINK_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * @param links sets that a link must be in; none: the whole workspace
 * @param allLinks of the workspace
 */
function toScope(
  workspaceId: string,
  links: readonly LinkSet[],
  allLinks: number,
  labels: LabelConditions = NO_LABELS,
): Scope {
  const conditions = [
    'workspace_id = {workspaceId:String}',
    ...links.map(isOneOfLinks),
    ...labels.sql,
  ]
  const isByLink = links.length > 0
  return {
    links: countLinks(links, allLinks),
    linkSets: links,
    isEmpty: countLinks(links, Infinity) === 0,
    isOfViews: false,
    level: labels.sql.length > 0 ? 'clicks' : isByLink ? 'links' : 'workspace',
    where: conditions.join(' and '),
    params: { workspaceId, ...labels.params },
    filtered: labels.groups,
  }
}

const NO_LABELS: LabelConditions = { sql: [], params: {}, groups: [] }

/** The scope of one link, whose id the path names. */
export function toLinkScope(workspaceId: string, linkId: string, labels?: LabelConditions): Scope {
  return toLinksScope(workspaceId, [linkId], labels)
}

/** The scope of links of a workspace by their ids. */
export function toLinksScope(
  workspaceId: string,
  ids: readonly string[],
  labels?: LabelConditions,
): Scope {
  return toScope(workspaceId, [{ ids, isExcluded: false }], ids.length, labels)
}

/** The views of one bio page, whose id stands in the rows where clicks have that of their link. */
export function toViewsScope(workspaceId: string, id: string, labels?: LabelConditions): Scope {
  return { ...toLinksScope(workspaceId, [id], labels), isOfViews: true }
}

/** The links of the workspace, archived ones too. */
async function countAllLinks(tx: Tx, { workspaceId }: Principal): Promise<number> {
  const [row] = await tx<{ links: number }[]>`
    select coalesce(sum(links), 0)::bigint as links from link_counts
    where workspace_id = ${workspaceId}`
  return row!.links
}

/**
 * The scope of a query's filters. Campaigns, folders and tags are those that a link has today.
 * @throws ApiError FORBIDDEN for an id of another workspace; VALIDATION_ERROR for a wrong value
 */
export async function readScope(
  tx: Tx,
  principal: Principal,
  query: LabelQuery & LinkQuery,
): Promise<Scope> {
  const links: LinkSet[] = []
  for (const { path, table, column } of REFERENCES) {
    const text = query[path]
    if (text === undefined) continue
    const filter = parseFilter(text, path)
    await refuseForeignIds(tx, principal, table, path, filter)
    if (column !== null) links.push(await readLinks(tx, principal, column, path, filter))
  }
  if (query.tag !== undefined)
    links.push(await readTagged(tx, principal, parseFilter(query.tag, 'tag')))
  return toScope(
    principal.workspaceId,
    links,
    await countAllLinks(tx, principal),
    toLabelConditions(query),
  )
}

/** @throws ApiError FORBIDDEN for a domain of another workspace */
export async function refuseForeignDomain(
  tx: Tx,
  principal: Principal,
  { domainId }: LinkQuery,
): Promise<void> {
  if (domainId === undefined) return
  await refuseForeignIds(tx, principal, 'domains', 'domainId', parseFilter(domainId, 'domainId'))
}

/** Parameters that name rows; `column`: of the links that have one; null for that of the click itself. */
const REFERENCES = [
  { path: 'linkId', table: 'links', column: 'id' },
  { path: 'campaignId', table: 'campaigns', column: 'campaign_id' },
  { path: 'folderId', table: 'folders', column: 'folder_id' },
  { path: 'domainId', table: 'domains', column: null },
] as const
type Column = NonNullable<(typeof REFERENCES)[number]['column']>

async function refuseForeignIds(
  tx: Tx,
  principal: Principal,
  table: string,
  path: string,
  { values }: Filter,
): Promise<void> {
  const own = await tx<{ id: string }[]>`
    select id from ${tx(table)} where workspace_id = ${principal.workspaceId} and id = any(${[...values]}::text[])`
  const known = new Set(own.map(({ id }) => id))
  const unknown = values.filter((id) => !known.has(id))
  const foreign = await readForeign(tx, [table], unknown)
  if (foreign.size > 0) throw foreignId(path)
}

/** Archived links are among them, since their clicks were counted. */
async function readLinks(
  tx: Tx,
  { workspaceId }: Principal,
  column: Column,
  path: string,
  { values, isExcluded }: Filter,
): Promise<LinkSet> {
  const rows = await tx<{ id: string }[]>`
    select id from links
    where workspace_id = ${workspaceId} and ${tx(column)} = any(${[...values]}::text[])
    limit ${MAX_LINKS + 1}`
  return { ids: toIds(rows, path), isExcluded }
}

async function readTagged(
  tx: Tx,
  { workspaceId }: Principal,
  { values, isExcluded }: Filter,
): Promise<LinkSet> {
  const rows = await tx<{ id: string }[]>`
    select distinct link_id as id from link_tags
    where workspace_id = ${workspaceId} and tag = any(${[...values]}::text[])
    limit ${MAX_LINKS + 1}`
  return { ids: toIds(rows, 'tag'), isExcluded }
}

function toIds(rows: readonly { id: string }[], path: string): string[] {
  if (rows.length > MAX_LINKS)
    throw invalid(path, `${path} names more than ${MAX_LINKS} links. Name fewer, or leave it out.`)
  return rows.map(({ id }) => id)
}

function countLinks(sets: readonly LinkSet[], allLinks: number): number {
  const excluded = new Set(sets.flatMap(({ ids, isExcluded }) => (isExcluded ? ids : [])))
  const included = sets.filter(({ isExcluded }) => !isExcluded).map(({ ids }) => new Set(ids))
  const [first, ...others] = included
  if (!first) return allLinks - excluded.size
  return others.reduce((known, ids) => known.intersection(ids), first).difference(excluded).size
}

/**
 * Ids stand in the statement itself, because thousands of them do not fit into the URL, in which
 * parameters travel.
 */
function isOneOfLinks({ ids, isExcluded }: LinkSet): string {
  for (const id of ids) if (!LINK_ID.test(id)) throw new Error('this is not the id of a link')
  if (ids.length === 0) return isExcluded ? '1' : '0'
  if (ids.length === 1) return `link_id ${isExcluded ? '!=' : '='} '${ids[0]}'`
  return `link_id ${isExcluded ? 'not ' : ''}in ('${ids.join("', '")}')`
}
