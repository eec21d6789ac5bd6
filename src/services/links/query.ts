import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
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
export function orderOf(tx: Tx, query: ListLinks) {
  const column = tx(SORT_COLUMNS[query.sortBy]!)
  return query.sortOrder === 'asc'
    ? tx`${column} asc nulls first, l.id asc`
    : tx`${column} desc nulls last, l.id desc`
}

/** The conditions of a list over `links l`, the workspace first. */
export function conditionsOf(tx: Tx, who: Who, query: ListLinks, now: Date) {
  const pattern = query.search ? `%${query.search.replace(/[\\%_]/g, '\\$&')}%` : null
  const showsArchived = query.includeArchived || query.status === 'archived'
  const search =
    pattern === null
      ? tx``
      : tx`and (l.name ilike ${pattern} or l.slug ilike ${pattern} or l.destination_url ilike ${pattern})`
  return tx`
    l.workspace_id = ${who.workspaceId}
    ${namesNothing(query) ? tx`and false` : tx``}
    ${showsArchived ? tx`` : tx`and l.status <> 'archived'`}
    ${query.status ? tx`and ${hasStatus(tx, query.status, now)}` : tx``}
    ${query.createdFrom ? tx`and l.created_at >= ${toDate(query.createdFrom, 'createdFrom')}` : tx``}
    ${query.createdTo ? tx`and l.created_at < ${toDate(query.createdTo, 'createdTo')}` : tx``}
    ${search}`
}

/** `expired` is derived from the time, so `active` means active and not expired. */
function hasStatus(tx: Tx, status: string, now: Date) {
  if (status === 'expired') return tx`l.status = 'active' and l.expires_at <= ${now}`
  if (status === 'active')
    return tx`l.status = 'active' and (l.expires_at is null or l.expires_at > ${now})`
  return tx`l.status = ${status}`
}

/** Filters by things that no link here has match nothing, rather than being ignored. */
function namesNothing(query: ListLinks): boolean {
  const { domainId, campaignId, folderId, externalId, tag, tags } = query
  return [domainId, campaignId, folderId, externalId, tag, tags].some(Boolean)
}
