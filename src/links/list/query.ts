import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { toName } from '../write/domains.ts'
import { isUsedUp } from '../options/quotas.ts'
import type { ListLinks } from '../link/schema.ts'
import { isFound, type Found } from './search.ts'
import { splitTags } from '../link/tags.ts'

/** Facts that the conditions of a list need. */
export type Known = {
  now: Date
  found: Found | null
  /** Links whose redirects are used up; null if they were not read, or are too many. */
  usedUp: readonly string[] | null
  /** Name of the shared host. */
  sharedDomain: string
}

/** True when the list may leave out links of the workspace other than archived ones. */
export function isFiltered(query: ListLinks): boolean {
  const { search, status, createdFrom, createdTo, domainId, domain } = query
  const { campaignId, folderId, externalId, tag, tags } = query
  const groups = [campaignId, folderId, externalId, tag, tags, domainId, domain]
  return [search, status, createdFrom, createdTo, ...groups].some(Boolean)
}

export function showsArchived(query: ListLinks): boolean {
  return query.includeArchived || query.status === 'archived'
}

/** The one tag of a filter that an index of tags answers in the order of creation; null for none or several. */
export function soleTag(query: ListLinks): string | null {
  const tags = tagsOf(query)
  return tags.length === 1 ? tags[0]! : null
}

/** The conditions of a list over `links l`, the workspace first. */
export function toConditions(tx: Tx, principal: Principal, query: ListLinks, known: Known) {
  const { status, createdFrom, createdTo } = query
  return tx`
    l.workspace_id = ${principal.workspaceId}
    ${query.domainId ? tx`and l.domain_id = ${query.domainId}` : tx``}
    ${query.domain ? tx`and ${isOnDomain(tx, principal, query.domain, known)}` : tx``}
    ${toGroupConditions(tx, principal, query)}
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

/** The stored status of an expired link is `active`. */
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

/** Null for no ids, so that the condition is left out. */
function isOneOf(tx: Tx, ids: readonly string[]): Fragment | null {
  return ids.length === 0 ? null : tx`l.id = any(${[...ids]}::text[])`
}

function toGroupConditions(tx: Tx, { workspaceId }: Principal, query: ListLinks) {
  const { campaignId, folderId, externalId } = query
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
            where t.workspace_id = ${workspaceId} and t.tag = any(${tagsOf(query)}::text[])
              and t.created_at = l.created_at and t.link_id = l.id)`
        : tx``
    }`
}

function tagsOf({ tag, tags }: ListLinks): string[] {
  return [...new Set([...(tag ? [tag.normalize('NFC')] : []), ...splitTags(tags ?? '')])]
}
