import type { Principal } from '../../platform/routes/principal.ts'
import { slugKey, slugKeyOf } from '../../platform/facts/slug.ts'
import { COUNTED_ROWS } from '../../platform/resources/lists.ts'
import { refuseForeign } from '../../platform/resources/ownership.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ListDeps } from '../link/dependencies.ts'
import type { ListLinks } from '../link/schema.ts'
import { isUsedUpSql as isUsedUp, readUsedUp, statusOf } from '../link/rows.ts'
import { refuseForeignGroups, toName } from '../write/references.ts'
import { invalid } from '../../platform/core/errors.ts'
import {
  MAX_MATCHING,
  type CountLinks,
  type GroupBy,
  type LinkFilter,
} from '../write/bulk-schema.ts'

export type Filter = (tx: Tx) => Fragment

/** The links with a term in name, slug or destination; null for more than {@link COUNTED_ROWS}. */
type Found = { term: string; ids: string[] | null }

type Known = {
  now: Date
  found: Found | null
  usedUp: readonly string[] | null
  sharedDomain: string
}

export async function readFilter(
  { clock, shortHost }: ListDeps,
  tx: Tx,
  principal: Principal,
  query: ListLinks,
): Promise<Filter> {
  await refuseForeignGroups(tx, principal, query)
  await refuseForeign(tx, principal, 'ids', ...(query.ids?.split(',') ?? []))
  const dependsOnUse = query.status === 'active' || query.status === 'expired'
  const now = new Date(clock())
  const [found, usedUp] = await Promise.all([
    query.search ? findLinks(tx, query.search) : null,
    dependsOnUse ? readUsedUp(tx, principal, COUNTED_ROWS) : null,
  ])
  return toFilter(principal, query, { now, found, usedUp, sharedDomain: shortHost().domain })
}

export function toFilter(principal: Principal, query: ListLinks, known: Known): Filter {
  return (tx) => toConditions(tx, principal, query, known)
}

export async function findLinks(tx: Tx, term: string): Promise<Found> {
  const rows = await tx<{ id: string }[]>`
    select id from matching_links(${term}, ${COUNTED_ROWS + 1}) as found (id)`
  return { term, ids: rows.length > COUNTED_ROWS ? null : rows.map(({ id }) => id) }
}

export function isFiltered(query: ListLinks): boolean {
  const { search, status, createdFrom, createdTo, domainId, domain } = query
  const { campaignId, folderId, externalId, tag, tags, slug, destinationUrl, ids } = query
  const groups = [campaignId, folderId, externalId, tag, tags, domainId, domain]
  const names = [slug, destinationUrl, ids]
  return [search, status, createdFrom, createdTo, ...groups, ...names].some(Boolean)
}

export function showsArchived(query: ListLinks): boolean {
  return query.includeArchived || query.status === 'archived'
}

/** A tag that every link of the filter has, for which the index of tags has the order of creation; else null. */
export function sharedTag(query: ListLinks): string | null {
  const tags = tagsOf(query)
  return tags.length === 1 || query.tagsMode === 'all' ? (tags[0] ?? null) : null
}

function toConditions(tx: Tx, principal: Principal, query: ListLinks, known: Known) {
  const { status, createdFrom, createdTo } = query
  return tx`
    l.workspace_id = ${principal.workspaceId}
    ${query.domainId ? tx`and l.domain_id = ${query.domainId}` : tx``}
    ${query.domain ? tx`and ${isOnDomain(tx, principal, query.domain, known)}` : tx``}
    ${toGroupConditions(tx, principal, query)}
    ${toNameConditions(tx, principal, query)}
    ${showsArchived(query) ? tx`` : tx`and l.status <> 'archived'`}
    ${status ? tx`and ${hasStatus(tx, status, known)}` : tx``}
    ${createdFrom ? tx`and l.created_at >= ${toDate(createdFrom, 'createdFrom')}` : tx``}
    ${createdTo ? tx`and l.created_at < ${toDate(createdTo, 'createdTo')}` : tx``}
    ${known.found ? tx`and ${isFound(tx, known.found)}` : tx``}`
}

function isOnDomain(tx: Tx, { workspaceId }: Principal, domain: string, { sharedDomain }: Known) {
  const hostname = toName(domain)
  if (hostname === sharedDomain) return tx`l.domain_id is null`
  return tx`
    l.domain_id = (
      select d.id from domains d where d.workspace_id = ${workspaceId} and d.hostname = ${hostname})`
}

/** An expired link has the stored status `active`. */
function hasStatus(tx: Tx, status: string, { now, usedUp }: Known) {
  const isUsed = usedUp === null ? isUsedUp(tx) : isOneOf(tx, usedUp)
  if (status === 'expired')
    return tx`l.status = 'active' and (l.expires_at <= ${now} ${isUsed ? tx`or ${isUsed}` : tx``})`
  if (status === 'active')
    return tx`
      l.status = 'active' and (l.expires_at is null or l.expires_at > ${now})
      ${isUsed ? tx`and not ${isUsed}` : tx``}`
  return tx`l.status = ${status}`
}

function isOneOf(tx: Tx, ids: readonly string[]): Fragment | null {
  return ids.length === 0 ? null : tx`l.id = any(${[...ids]}::text[])`
}

function toGroupConditions(tx: Tx, { workspaceId }: Principal, query: ListLinks) {
  const { campaignId, folderId, externalId } = query
  const tags = tagsOf(query)
  const isAll = query.tagsMode === 'all'
  // A link may still name a folder or campaign that was deleted.
  return tx`
    ${folderId ? tx`and l.folder_id = ${folderId} and exists (select from folders where id = ${folderId} and workspace_id = ${workspaceId})` : tx``}
    ${campaignId ? tx`and l.campaign_id = ${campaignId} and exists (select from campaigns where id = ${campaignId} and workspace_id = ${workspaceId})` : tx``}
    ${externalId ? tx`and l.external_id = ${externalId}` : tx``}
    ${
      query.tag || query.tags
        ? tx`
          and exists (
            select from link_tags t
            where t.workspace_id = ${workspaceId} and t.tag = any(${isAll ? tags.slice(0, 1) : tags}::text[])
              and t.created_at = l.created_at and t.link_id = l.id)
          ${isAll ? tx`and l.tags @> ${tags}::text[]` : tx``}`
        : tx``
    }`
}

function toNameConditions(tx: Tx, { workspaceId }: Principal, query: ListLinks) {
  const { slug, destinationUrl, ids } = query
  return tx`
    ${ids ? tx`and l.id = any(${ids.split(',')}::text[])` : tx``}
    ${slug ? tx`and ${hasAddress(tx, workspaceId, slug)}` : tx``}
    ${
      destinationUrl
        ? tx`
          and l.destination_hash = (select hashtextextended(${destinationUrl}, 0))
          and l.destination_url = ${destinationUrl}`
        : tx``
    }`
}

/** On a case-sensitive domain only the exact spelling is the slug. */
function hasAddress(tx: Tx, workspaceId: string, slug: string) {
  const exact = slugKeyOf(slug, true)
  const keys = [...new Set([exact, slugKey(slug)])]
  const isIt = tx`
    workspace_id = ${workspaceId} and slug_key = any(${keys}::text[]) and (
      slug_key = ${exact}
      or not exists (select from domains d where d.id = domain_id and d.case_sensitive))`
  return tx`
    l.id = any(array(
      select id from links where ${isIt}
      union all
      select link_id from link_addresses where is_alias and ${isIt}))`
}

function tagsOf({ tag, tags = '' }: ListLinks): string[] {
  const several = tags
    .split(',')
    .map((each) => each.trim().normalize('NFC'))
    .filter((each) => each !== '')
  return [...new Set([...(tag ? [tag.normalize('NFC')] : []), ...several])]
}

/** A term with more than 10,000 matches is compared row by row in the order of the list, which soon fills a page. */
function isFound(tx: Tx, { term, ids }: Found) {
  return ids === null
    ? tx`l.search_text ~ ('***=' || search_form(${term}))`
    : tx`l.id = any(${ids})`
}

export async function countShown(tx: Tx, { workspaceId }: Principal, query: ListLinks) {
  const [row] = await tx<{ counted: number }[]>`
    select coalesce(sum(links), 0)::bigint as counted from link_counts
    where workspace_id = ${workspaceId} ${showsArchived(query) ? tx`` : tx`and not is_archived`}`
  return row!.counted
}

const UNSORTED = { limit: 1, offset: 0, sortBy: 'createdAt', sortOrder: 'asc' }
const MAX_GROUPS = 1_000

export async function countLinks(
  deps: ListDeps,
  principal: Principal,
  query: CountLinks,
  signal?: AbortSignal,
) {
  const { groupBy } = query
  const filters: ListLinks = { ...query, ...UNSORTED }
  return deps.reads.read(principal, signal, async (tx) => {
    const where = (await readFilter(deps, tx, principal, filters))(tx)
    const now = new Date(deps.clock())
    const [[counted], groups] = await Promise.all([
      tx<[{ total: number }]>`select count(*) as total from links l where ${where}`,
      groupBy === undefined
        ? []
        : tx<{ key: string | null; count: number }[]>`
            select ${toKey(tx, groupBy, now)} as key, count(*) as count
            from links l ${toJoin(tx, groupBy)} where ${where}
            group by 1 order by 2 desc, 1 limit ${MAX_GROUPS}`,
    ])
    return { total: counted.total, groups: Array.from(groups) }
  })
}

export async function findMatching(
  deps: ListDeps,
  principal: Principal,
  filter: LinkFilter,
  signal?: AbortSignal,
): Promise<string[]> {
  const filters: ListLinks = { includeArchived: false, ...filter, ...UNSORTED }
  const rows = await deps.reads.read(principal, signal, async (tx) => {
    const where = (await readFilter(deps, tx, principal, filters))(tx)
    return tx<{ id: string }[]>`
      select l.id from links l where ${where} limit ${MAX_MATCHING + 1}`
  })
  if (rows.length > MAX_MATCHING)
    throw invalid(
      'filter',
      `filter matches more than ${MAX_MATCHING} links; narrow it, for example by createdFrom and createdTo.`,
      'too_many',
    )
  return rows.map(({ id }) => id).toSorted()
}

function toKey(tx: Tx, groupBy: GroupBy, now: Date): Fragment {
  const keys: Record<GroupBy, Fragment> = {
    status: statusOf(tx, now),
    tag: tx`t.tag`,
    folderId: tx`f.id`,
    campaignId: tx`p.id`,
    domainId: tx`l.domain_id`,
    createdBy: tx`l.created_by`,
  }
  return keys[groupBy]
}

/** A link may still name a deleted folder or campaign, so these are joined. */
function toJoin(tx: Tx, groupBy: GroupBy) {
  if (groupBy === 'tag') return tx`left join unnest(l.tags) as t (tag) on true`
  if (groupBy === 'folderId')
    return tx`left join folders f on f.id = l.folder_id and f.workspace_id = l.workspace_id`
  if (groupBy === 'campaignId')
    return tx`left join campaigns p on p.id = l.campaign_id and p.workspace_id = l.workspace_id`
  return tx``
}
