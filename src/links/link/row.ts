import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Statement, Tx } from '../../platform/storage/postgres/postgres.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import { PASSWORD_MASK } from '../write/password.ts'
import type { Link } from './schema.ts'
import type { ShortHost } from './short-host.ts'

export type LinkRow = {
  id: string
  workspaceId: string
  name: string
  slug: string
  slugKey: string
  /** Null: the shared host. */
  domainId: string | null
  /** Columns of `domains`. */
  hostname: string | null
  isCaseSensitive: boolean
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
  /** Null if all options have their defaults. */
  options: LinkOptions | null
  passwordHash: string | null
  folderId: string | null
  campaignId: string | null
  externalId: string | null
  /** Null for none. */
  tags: string[] | null
  createdBy: string
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
  clicks: number
  lastClickedAt: Date | null
  /** Redirects counted against `maxClicks`; null or absent without the option. */
  served?: number | null
  /** As the author wrote them, ordered by their keys; absent for none. */
  aliases?: string[]
  /** The operator's reason for blocking the link. */
  blockedReason?: string | null
}

export function toLink(
  row: LinkRow,
  host: Pick<ShortHost, 'origin' | 'domain'>,
  nowMs: number,
): Link {
  const options = row.options ?? {}
  const isOver = row.expiresAt !== null && row.expiresAt.getTime() <= nowMs
  const isExpired = row.status === 'active' && (isOver || isUsedUp(row))
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    slug: row.slug,
    domainId: row.domainId,
    destinationUrl: row.destinationUrl,
    iosDeepLink: options.iosDeepLink ?? null,
    androidDeepLink: options.androidDeepLink ?? null,
    expiresAt: isoOrNull(row.expiresAt),
    password: row.passwordHash === null ? null : PASSWORD_MASK,
    redirectType: row.redirectType,
    status: isExpired ? 'expired' : row.status,
    campaignId: row.campaignId,
    utmSource: row.utmSource,
    utmMedium: row.utmMedium,
    utmCampaign: row.utmCampaign,
    utmTerm: row.utmTerm,
    utmContent: row.utmContent,
    metadata: row.metadata,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    shortUrl: shortUrlOf(host, row.hostname, row.slug),
    domain: row.hostname ?? host.domain,
    tags: row.tags ?? [],
    folderId: row.folderId,
    externalId: row.externalId,
    expiredUrl: options.expiredUrl ?? null,
    maxClicks: options.maxClicks ?? null,
    startsAt: options.startsAt ?? null,
    clicks: row.clicks,
    lastClickedAt: isoOrNull(row.lastClickedAt),
    archivedAt: isoOrNull(row.archivedAt),
    createdBy: row.createdBy,
    trackConversions: options.trackConversions ?? false,
    rules: options.rules ?? [],
    forwardQuery: options.forwardQuery ?? true,
    noindex: options.noindex ?? false,
    card: options.card ?? null,
    qrLogoMediaId: options.qrLogoMediaId ?? null,
    variants: options.variants ?? [],
    variantsUntil: options.variantsUntil ?? null,
    aliases: row.aliases ?? [],
    blockedReason: row.blockedReason ?? null,
  }
}

/** Whether the link has served `maxClicks` redirects. */
export function isUsedUp({ options, served }: LinkRow): boolean {
  return options?.maxClicks !== undefined && (served ?? 0) >= options.maxClicks
}

/**
 * The columns of `links l`, without the search text, which repeats up to 8 KB of them. Folder and campaign
 * are null once their rows are deleted, even while a job has yet to clear the columns.
 */
export function columnsOf(tx: Tx) {
  return tx`l.id, l.workspace_id, l.name, l.slug, l.slug_key, l.domain_id, l.destination_url,
    l.redirect_type, l.status, l.expires_at, l.utm_source, l.utm_medium, l.utm_campaign, l.utm_term,
    l.utm_content, l.metadata, l.options, l.password_hash, l.external_id, l.tags, l.created_by,
    l.archived_at, l.created_at, l.updated_at,
    case when l.folder_id is not null then (
      select f.id from folders f where f.id = l.folder_id and f.workspace_id = l.workspace_id
    ) end as folder_id,
    case when l.campaign_id is not null then (
      select c.id from campaigns c where c.id = l.campaign_id and c.workspace_id = l.workspace_id
    ) end as campaign_id,
    case when l.domain_id is not null then (
      select d.hostname from domains d where d.id = l.domain_id and d.workspace_id = l.workspace_id
    ) end as hostname,
    l.domain_id is not null and (
      select d.case_sensitive from domains d
      where d.id = l.domain_id and d.workspace_id = l.workspace_id
    ) as is_case_sensitive,
    case when l.status = 'blocked' then (
      select b.reason from link_blocks b where b.link_id = l.id and b.workspace_id = l.workspace_id
    ) end as blocked_reason`
}

export function countersOf(tx: Tx) {
  return tx`coalesce(c.clicks, 0) as clicks, c.last_clicked_at, q.served`
}

export function withCounters(tx: Tx) {
  return tx`left join link_clicks c on c.link_id = l.id left join link_quotas q on q.link_id = l.id`
}

type Stored = Exclude<
  keyof LinkRow,
  | 'workspaceId'
  | 'hostname'
  | 'isCaseSensitive'
  | 'clicks'
  | 'lastClickedAt'
  | 'served'
  | 'aliases'
  | 'blockedReason'
>

const TYPES: Record<Stored, string> = {
  id: 'text',
  name: 'text',
  slug: 'text',
  slugKey: 'text',
  domainId: 'text',
  destinationUrl: 'text',
  redirectType: 'smallint',
  status: 'text',
  expiresAt: 'timestamptz',
  utmSource: 'text',
  utmMedium: 'text',
  utmCampaign: 'text',
  utmTerm: 'text',
  utmContent: 'text',
  metadata: 'json',
  options: 'json',
  passwordHash: 'text',
  folderId: 'text',
  campaignId: 'text',
  externalId: 'text',
  tags: 'text[]',
  createdBy: 'text',
  archivedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
}
const FIXED: ReadonlySet<string> = new Set(['id', 'createdBy', 'createdAt'])

const names = Object.keys(TYPES)
const toColumn = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const DEFINITIONS = Object.entries(TYPES)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')
const COLUMNS = names.map(toColumn).join(', ')
const VALUES = names.map((name) => `r."${name}"`).join(', ')
const ASSIGNMENTS = names
  .filter((name) => !FIXED.has(name))
  .map((name) => `${toColumn(name)} = r."${name}"`)
  .join(', ')

/** Inserts links by one parameter, so that the statement is the same for any number of them. */
export function insertRows(
  tx: Tx,
  { workspaceId }: Principal,
  rows: readonly LinkRow[],
): Statement {
  return tx`
    insert into links (workspace_id, ${tx.unsafe(COLUMNS)})
    select ${workspaceId}, ${tx.unsafe(VALUES)} from ${toTable(tx, rows)}`
}

export function updateRows(
  tx: Tx,
  { workspaceId }: Principal,
  rows: readonly LinkRow[],
): Statement {
  return tx`
    update links l set ${tx.unsafe(ASSIGNMENTS)} from ${toTable(tx, rows)}
    where l.id = r."id" and l.workspace_id = ${workspaceId}`
}

function toTable(tx: Tx, rows: readonly LinkRow[]): Fragment {
  return tx`json_to_recordset(${JSON.stringify(rows)}::text::json) as r (${tx.unsafe(DEFINITIONS)})`
}
