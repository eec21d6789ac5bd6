import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import {
  allOf,
  type Fragment,
  type Statement,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import { PASSWORD_MASK } from '../write/password.ts'
import type { Link } from './schema.ts'
import type { LinkDeps, ShortHost } from './dependencies.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { randomSlug, slugKey } from '../../platform/facts/slug.ts'

import { NO_UTM } from '../labels.ts'

export type LinkRow = {
  id: string
  workspaceId: string
  name: string
  slug: string
  slugKey: string
  domainId: string | null
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

export function isUsedUp({ options, served }: LinkRow): boolean {
  return options?.maxClicks !== undefined && (served ?? 0) >= options.maxClicks
}

/** Columns of `links l` {@link withCounters}. A deleted folder or campaign is null, even before its job clears it. */
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
    ) end as blocked_reason, coalesce(c.clicks, 0) as clicks, c.last_clicked_at, q.served`
}

export function withCounters(tx: Tx) {
  return tx`left join link_clicks c on c.link_id = l.id left join link_quotas q on q.link_id = l.id`
}

export function aliasesOf(tx: Tx) {
  return tx`array(
    select a.slug from link_addresses a
    where a.link_id = l.id and a.is_alias and a.workspace_id = l.workspace_id
    order by a.slug_key) as aliases`
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

export function show(
  { shortHost, clock }: Pick<LinkDeps, 'shortHost' | 'clock'>,
  row: LinkRow,
): Link {
  return toLink(row, shortHost(), clock())
}

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
    select ${columnsOf(tx)}, ${aliasesOf(tx)} from links l ${withCounters(tx)}
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
      select ${columnsOf(tx)} from links l ${withCounters(tx)}
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

type Options = LinkOptions | null

/** A new `maxClicks` keeps the count of redirects; without the option the row is deleted. */
export async function saveQuotas(
  tx: Tx,
  { workspaceId }: Principal,
  changes: readonly { linkId: string; before: Options; after: Options }[],
): Promise<void> {
  const changed = changes.filter(({ before, after }) => before?.maxClicks !== after?.maxClicks)
  const quotas = changed.flatMap(({ linkId, after }) =>
    after?.maxClicks === undefined ? [] : [{ linkId, maxClicks: after.maxClicks }],
  )
  const removed = changed.filter(({ after }) => after?.maxClicks === undefined)
  await allOf([
    quotas.length > 0 && insertQuotas(tx, workspaceId, quotas),
    removed.length > 0 &&
      tx`
        delete from link_quotas
        where link_id = any(${removed.map(({ linkId }) => linkId)}::text[])
          and workspace_id = ${workspaceId}`,
  ])
}

function insertQuotas(
  tx: Tx,
  workspaceId: string,
  quotas: readonly { linkId: string; maxClicks: number }[],
) {
  return tx`
    insert into link_quotas (link_id, workspace_id, max_clicks)
    select link_id, ${workspaceId}, max_clicks
    from unnest(${quotas.map(({ linkId }) => linkId)}::text[],
      ${quotas.map(({ maxClicks }) => maxClicks)}::integer[]) as quota (link_id, max_clicks)
    order by link_id
    on conflict (link_id) do update set max_clicks = excluded.max_clicks`
}

export function statusOf(tx: Tx, now: Date) {
  return tx`
    case when l.status = 'active' and (l.expires_at <= ${now} or ${isUsedUpSql(tx)})
      then 'expired' else l.status end`
}

export function isUsedUpSql(tx: Tx) {
  return tx`exists (
    select from link_quotas q
    where q.link_id = l.id and q.workspace_id = l.workspace_id and q.served >= q.max_clicks)`
}

export async function readUsedUp(
  tx: Tx,
  { workspaceId }: Principal,
  atMost: number,
): Promise<string[] | null> {
  const rows = await tx<{ linkId: string }[]>`
    select link_id from link_quotas
    where workspace_id = ${workspaceId} and served >= max_clicks limit ${atMost + 1}`
  return rows.length > atMost ? null : rows.map(({ linkId }) => linkId)
}
