import { ApiError } from '../../platform/core/errors.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { BYTE_ORDER_MARK, toCsvRecord } from '../../platform/resources/csv.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { route, type Sent } from '../../platform/routes/route.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import type { ListDeps, ShortHost } from '../link/dependencies.ts'
import { aliasesOf, columnsOf, toLink, withCounters, type LinkRow } from '../link/rows.ts'
import { ExportLinks, type Link } from '../link/schema.ts'
import { findLinks, toFilter, type Filter } from '../list/filter.ts'
import { isAfter, type Position } from '../list/pages.ts'
import { UTM_FIELDS } from '../labels.ts'
import { refuseForeignGroups } from '../write/references.ts'
import { TIMES } from '../../platform/limits/times.ts'

type Deps = ListDeps & { sql: TenantSql }

export type LinkExports = ReturnType<typeof createLinkExports>

/** Links that one transaction reads, matching or not, so that a filter with few matches costs no more. */
const PAGE_LINKS = 500
const UNPAGED = { limit: PAGE_LINKS, offset: 0, sortBy: 'createdAt', sortOrder: 'desc' } as const

type ExportRow = LinkRow & {
  folderName: string | null
  campaignName: string | null
  /** UTM values that a new link of the campaign gets, in the order of `UTM_FIELDS`; null without a campaign. */
  campaignUtm: readonly (string | null)[] | null
}
type Page = { rows: ExportRow[]; end: Position | null }

export const EXPORT_COLUMNS = [
  ...(['id', 'shortUrl', 'name', 'destinationUrl', 'slug', 'domain', 'externalId'] as const),
  ...(['status', 'redirectType', 'tags', 'folderId', 'folder', 'campaignId', 'campaign'] as const),
  ...(['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] as const),
  ...(['startsAt', 'expiresAt', 'expiredUrl', 'maxClicks', 'password'] as const),
  ...(['iosDeepLink', 'androidDeepLink', 'forwardQuery', 'noindex', 'trackConversions'] as const),
  ...(['aliases', 'metadata', 'rules', 'variants', 'variantsUntil', 'card'] as const),
  ...(['clicks', 'createdAt', 'updatedAt'] as const),
] as const

export function createLinkExports(deps: Deps) {
  const running = new Set<string>()
  const pages = new FairQueue(PLACES.linkExportPages)

  async function start(
    principal: Principal,
    query: ExportLinks,
    signal?: AbortSignal,
  ): Promise<Sent> {
    const { workspaceId } = principal
    const now = new Date(deps.clock())
    await deps.reads.read(principal, signal, (tx) => refuseForeignGroups(tx, principal, query))
    if (running.has(workspaceId))
      throw new ApiError(
        'RATE_LIMITED',
        'Another export of this workspace is running. Start the next one when it has ended.',
        { retryAfter: 1, limit: 1, window: 1 },
      )
    running.add(workspaceId)
    const end = () => void running.delete(workspaceId)
    signal?.addEventListener('abort', end, { once: true })
    const owners = [`user:${principal.userId}`, `workspace:${workspaceId}`]
    try {
      const found = await deps.reads.read(principal, signal, async (tx) =>
        query.search ? findLinks(tx, query.search) : null,
      )
      const known = { now, found, usedUp: null, sharedDomain: deps.shortHost().domain }
      const filter = toFilter(principal, { ...query, ...UNPAGED }, known)
      const read = (after: Position | null) =>
        pages.run(owners, signal, () => readPage(deps, principal, filter, now, after))
      return {
        contentType: 'text/csv; charset=utf-8',
        filename: `links-${now.toISOString().slice(0, 10)}.csv`,
        // The first page is read before anything is sent, so that its failure is an error of the request.
        body: write(now, await read(null), read, end),
      }
    } catch (error) {
      end()
      throw error
    }
  }

  async function* write(
    now: Date,
    first: Page,
    read: (after: Position) => Promise<Page>,
    end: () => void,
  ) {
    try {
      yield BYTE_ORDER_MARK + toCsvRecord(EXPORT_COLUMNS)
      let page = first
      for (;;) {
        const host = deps.shortHost()
        const records = page.rows.map((row) => toCsvRecord(toTexts(row, host, now.getTime())))
        // Empties the page, because promises of an export live long and keep earlier pages in memory until a full
        // garbage collection.
        page.rows.length = 0
        if (records.length > 0) yield records.join('')
        if (page.end === null) return
        page = await read(page.end)
      }
    } finally {
      end()
    }
  }

  return { start }
}

/** Matches among the next {@link PAGE_LINKS}. Each page is a transaction, so that no export holds a connection. */
function readPage(
  { sql }: Deps,
  principal: Principal,
  filter: Filter,
  now: Date,
  after: Position | null,
): Promise<Page> {
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const end = await findEnd(tx, principal, now, after)
    const isWithin = tx`
      ${isAfter(tx, now, after)}
      ${end ? tx`and (l.created_at, l.id) >= (${end.createdAt}::text::timestamptz, ${end.id})` : tx``}`
    const where = filter(tx)
    const rows = await tx<ExportRow[]>`
      select ${columnsOf(tx)}, ${aliasesOf(tx)},
        (select f.name from folders f
          where f.id = l.folder_id and f.workspace_id = l.workspace_id) as folder_name,
        (select p.name from campaigns p
          where p.id = l.campaign_id and p.workspace_id = l.workspace_id) as campaign_name,
        (select array[p.utm_source, p.utm_medium, p.utm_campaign, p.utm_term, p.utm_content]
          from campaigns p
          where p.id = l.campaign_id and p.workspace_id = l.workspace_id) as campaign_utm
      from links l ${withCounters(tx)}
      where ${where} ${isWithin}
      order by l.created_at desc, l.id desc`
    return { rows, end }
  })
}

async function findEnd(tx: Tx, { workspaceId }: Principal, now: Date, after: Position | null) {
  const [row] = await tx<Position[]>`
    select l.created_at::text as created_at, l.id from links l
    where l.workspace_id = ${workspaceId} ${isAfter(tx, now, after)}
    order by l.created_at desc, l.id desc offset ${PAGE_LINKS - 1} limit 1`
  return row ?? null
}

/**
 * The cells of a row. Lists and objects are JSON, except tags, which have no commas. The status is the stored one,
 * since `expired` cannot be written. A missing UTM field is null if the campaign would set it on a new link, else empty.
 */
function toTexts(row: ExportRow, host: ShortHost, nowMs: number): (string | null)[] {
  const link = toLink(row, host, nowMs)
  const own: Record<string, string | null> = {
    folder: row.folderName,
    campaign: row.campaignName,
    tags: link.tags.join(','),
    status: row.status,
  }
  const withheld = new Set<string>(
    UTM_FIELDS.filter((name, at) => link[name] === null && row.campaignUtm?.[at]),
  )
  return EXPORT_COLUMNS.map((column) =>
    withheld.has(column) ? null : toText(column in own ? own[column] : link[column as keyof Link]),
  )
}

function toText(value: string | number | boolean | object | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.length === 0) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const linkExportRoutes = (exports: LinkExports) => [
  route('GET /links/export.csv', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    skipConcurrencyLimit: true,
    isLongLived: true,
    name: 'exportLinks',
    summary: 'Export links as CSV',
    description:
      'Sends the links of the workspace, newest first, as a CSV file that can be imported again. The file is streamed. A workspace has one export at a time.',
    tag: 'Links',
    // A part of the file may wait for a connection while the server is busy.
    limits: { timeoutMs: TIMES.stream.ms },
    sends: ['text/csv'],
    shapes: { query: ExportLinks },
    handle: (principal, { query }, signal) => exports.start(principal, query, signal),
  }),
]
