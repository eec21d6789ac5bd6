import { encodeSlug } from '../../facts/slug.ts'
import { isoOrNull } from '../shapes.ts'
import type { Changes } from '../audit.ts'
import type { Link } from './schema.ts'
import type { ShortHost } from './short-host.ts'

/**
 * The columns of {@link LinkRow} in `links`: all but the text of the search, which repeats up to 8 KB
 * of them.
 */
export const LINK_COLUMNS = [
  'id',
  'workspace_id',
  'name',
  'slug',
  'slug_key',
  'domain_id',
  'destination_url',
  'redirect_type',
  'status',
  'expires_at',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'metadata',
  'created_by',
  'archived_at',
  'created_at',
  'updated_at',
]

/** A row of `links` with its counters beside it. */
export type LinkRow = {
  id: string
  workspaceId: string
  name: string
  slug: string
  slugKey: string
  domainId: string | null
  destinationUrl: string
  redirectType: number
  status: string
  expiresAt: Date | null
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  utmTerm: string | null
  utmContent: string | null
  metadata: Record<string, unknown> | null
  createdBy: string
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
  clicks: number
  lastClickedAt: Date | null
}

export function toLink(row: LinkRow, host: ShortHost, nowMs: number): Link {
  const isExpired =
    row.status === 'active' && row.expiresAt !== null && row.expiresAt.getTime() <= nowMs
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    slug: row.slug,
    domainId: row.domainId,
    destinationUrl: row.destinationUrl,
    iosDeepLink: null,
    androidDeepLink: null,
    expiresAt: isoOrNull(row.expiresAt),
    password: null,
    redirectType: row.redirectType,
    status: isExpired ? 'expired' : row.status,
    campaignId: null,
    utmSource: row.utmSource,
    utmMedium: row.utmMedium,
    utmCampaign: row.utmCampaign,
    utmTerm: row.utmTerm,
    utmContent: row.utmContent,
    metadata: row.metadata,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    shortUrl: `${host.origin}/${encodeSlug(row.slug)}`,
    domain: host.domain,
    tags: [],
    folderId: null,
    externalId: null,
    expiredUrl: null,
    maxClicks: null,
    startsAt: null,
    clicks: row.clicks,
    lastClickedAt: isoOrNull(row.lastClickedAt),
    archivedAt: isoOrNull(row.archivedAt),
    createdBy: row.createdBy,
    trackConversions: false,
    rules: [],
  }
}

/** Old and new value of every field that differs; times and counters of the program itself are no change. */
export function changedFields(before: Link, after: Link): Changes {
  const ignored = new Set(['updatedAt', 'clicks', 'lastClickedAt'])
  const names = (Object.keys(after) as (keyof Link)[]).filter(
    (name) => !ignored.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(names.map((name) => [name, { old: before[name], new: after[name] }]))
}
