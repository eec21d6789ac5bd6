import type { Who } from '../../base/who.ts'
import type { Sql } from '../../storage/postgres.ts'
import { toDate } from '../shapes.ts'
import type { ListLinks } from './schema.ts'

const SORT_COLUMNS: Record<string, string> = {
  createdAt: 'l.created_at',
  updatedAt: 'l.updated_at',
  name: 'l.name',
  slug: 'l.slug_key',
  clicks: 'c.clicks',
  lastClickedAt: 'c.last_clicked_at',
  expiresAt: 'l.expires_at',
}

/** The order of a list; the id makes it total, so that pages neither repeat nor skip a link. */
export function orderOf(sql: Sql, query: ListLinks) {
  const column = sql(SORT_COLUMNS[query.sortBy]!)
  return query.sortOrder === 'asc'
    ? sql`${column} asc nulls first, l.id asc`
    : sql`${column} desc nulls last, l.id desc`
}

/** The conditions of a list over `links l`, the workspace first. */
export function conditionsOf(sql: Sql, who: Who, query: ListLinks, now: Date) {
  const pattern = query.search ? `%${query.search.replace(/[\\%_]/g, '\\$&')}%` : null
  const showsArchived = query.includeArchived || query.status === 'archived'
  const search =
    pattern === null
      ? sql``
      : sql`and (l.name ilike ${pattern} or l.slug ilike ${pattern} or l.destination_url ilike ${pattern})`
  return sql`
    l.workspace_id = ${who.workspaceId}
    ${namesNothing(query) ? sql`and false` : sql``}
    ${showsArchived ? sql`` : sql`and l.status <> 'archived'`}
    ${query.status ? sql`and ${hasStatus(sql, query.status, now)}` : sql``}
    ${query.createdFrom ? sql`and l.created_at >= ${toDate(query.createdFrom, 'createdFrom')}` : sql``}
    ${query.createdTo ? sql`and l.created_at < ${toDate(query.createdTo, 'createdTo')}` : sql``}
    ${search}`
}

/** `expired` is derived from the time, so `active` means active and not expired. */
function hasStatus(sql: Sql, status: string, now: Date) {
  if (status === 'expired') return sql`l.status = 'active' and l.expires_at <= ${now}`
  if (status === 'active')
    return sql`l.status = 'active' and (l.expires_at is null or l.expires_at > ${now})`
  return sql`l.status = ${status}`
}

/** Filters by things that no link here has match nothing, rather than being ignored. */
function namesNothing(query: ListLinks): boolean {
  const { domainId, campaignId, folderId, externalId, tag, tags } = query
  return [domainId, campaignId, folderId, externalId, tag, tags].some(Boolean)
}
