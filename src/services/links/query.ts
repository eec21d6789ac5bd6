import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import { toDate } from '../shapes.ts'
import { isUsedUp } from './quotas.ts'
import type { ListLinks } from './schema.ts'
import { isFound, type Found } from './search.ts'
import { splitTags } from './tags.ts'

/** Sort expressions over `links l` and `link_clicks c`. */
const SORT_KEYS: Record<string, { key: string; isNullable?: true; needsClicks?: true }> = {
  createdAt: { key: 'l.created_at' },
  updatedAt: { key: 'l.updated_at' },
  name: { key: 'l.name collate human_order' },
  slug: { key: 'l.slug_key' },
  clicks: { key: 'coalesce(c.clicks, 0)', needsClicks: true },
  lastClickedAt: { key: 'c.last_clicked_at', isNullable: true, needsClicks: true },
  expiresAt: { key: 'l.expires_at', isNullable: true },
}

/**
 * The order of a list. The id makes it total, so that pages neither repeat nor skip a link. Links
 * without the value come last in descending order. Keys that are never null have no `nulls` clause,
 * because it would keep PostgreSQL from using the index.
 */
export function toOrder(tx: Tx, query: ListLinks) {
  const { key, isNullable } = SORT_KEYS[query.sortBy]!
  const [direction, nulls] = query.sortOrder === 'asc' ? ['asc', 'first'] : ['desc', 'last']
  return tx.unsafe(`${key} ${direction} ${isNullable ? `nulls ${nulls}` : ''}, l.id ${direction}`)
}

/** The tables of a list. The click counters are joined only if the order needs them. */
export function toTables(tx: Tx, query: ListLinks) {
  return SORT_KEYS[query.sortBy]!.needsClicks
    ? tx`links l left join link_clicks c on c.link_id = l.id`
    : tx`links l`
}

/** True when the list may leave out links of the workspace other than archived ones. */
export function isFiltered(query: ListLinks): boolean {
  const { search, status, createdFrom, createdTo, domainId } = query
  const { campaignId, folderId, externalId, tag, tags } = query
  const groups = [campaignId, folderId, externalId, tag, tags, domainId]
  return [search, status, createdFrom, createdTo, ...groups].some(Boolean)
}

/** The conditions of a list over `links l`, the workspace first. */
export function toConditions(tx: Tx, who: Who, query: ListLinks, now: Date, found: Found | null) {
  const showsArchived = query.includeArchived || query.status === 'archived'
  return tx`
    l.workspace_id = ${who.workspaceId}
    ${query.domainId ? tx`and false` : tx``}
    ${toGroupConditions(tx, who, query)}
    ${showsArchived ? tx`` : tx`and l.status <> 'archived'`}
    ${query.status ? tx`and ${hasStatus(tx, query.status, now)}` : tx``}
    ${query.createdFrom ? tx`and l.created_at >= ${toDate(query.createdFrom, 'createdFrom')}` : tx``}
    ${query.createdTo ? tx`and l.created_at < ${toDate(query.createdTo, 'createdTo')}` : tx``}
    ${found ? tx`and ${isFound(tx, found)}` : tx``}`
}

/** The stored status of an expired link is `active`. */
function hasStatus(tx: Tx, status: string, now: Date) {
  if (status === 'expired')
    return tx`l.status = 'active' and (l.expires_at <= ${now} or ${isUsedUp(tx)})`
  if (status === 'active')
    return tx`
      l.status = 'active' and (l.expires_at is null or l.expires_at > ${now})
      and not ${isUsedUp(tx)}`
  return tx`l.status = ${status}`
}

function toGroupConditions(tx: Tx, { workspaceId }: Who, query: ListLinks) {
  const { campaignId, folderId, externalId, tag } = query
  const tags = [...(tag ? [tag.normalize('NFC')] : []), ...splitTags(query.tags ?? '')]
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
            where t.workspace_id = ${workspaceId} and t.tag = any(${tags}::text[])
              and t.created_at = l.created_at and t.link_id = l.id)`
        : tx``
    }`
}
