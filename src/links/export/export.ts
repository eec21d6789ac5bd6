import { ApiError } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Sent } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { aliasesOf } from '../link/aliases.ts'
import { BYTE_ORDER_MARK, toCsvRecord } from '../../platform/resources/csv.ts'
import { EXPORT_COLUMNS, toExportTexts, type ExportRow } from './export-columns.ts'
import { refuseForeignGroups } from '../write/groups.ts'
import type { ListDeps } from '../list/list-reads.ts'
import { toConditions } from '../list/query.ts'
import { columnsOf, countersOf, withCounters } from '../link/row.ts'
import type { ExportLinks } from '../link/schema.ts'
import { findLinks, type Found } from '../list/search.ts'

type Deps = Pick<ListDeps, 'reads' | 'clock' | 'shortHost'> & { sql: TenantSql }

export type LinkExports = ReturnType<typeof createLinkExports>

/** Links that one transaction reads, matching or not: a filter that few links meet costs no more. */
const PAGE_LINKS = 500

/** The links of a workspace as a CSV file, one export of a workspace at a time. */
export function createLinkExports(deps: Deps) {
  const running = new Set<string>()
  const pages = new FairQueue(PLACES.linkExportPages)

  /**
   * @param signal ends the export, and makes room for the next one of the workspace
   * @throws ApiError FORBIDDEN for a filter by a row of another workspace, RATE_LIMITED while another export
   *   of the workspace runs
   */
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
      const asked = { principal, query, found, now }
      const read = (after: Position | null) =>
        pages.run(owners, signal, () => readPage(deps, asked, after))
      return {
        contentType: 'text/csv; charset=utf-8',
        filename: `links-${now.toISOString().slice(0, 10)}.csv`,
        // A page that cannot be read is an error of the request, while nothing is sent.
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
        const records = page.rows.map((row) => toCsvRecord(toExportTexts(row, host, now.getTime())))
        // Promises of an export outlive the young generation of the heap, and hold the pages before: with
        // their rows, those would take memory until a full collection.
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

type Asked = { principal: Principal; query: ExportLinks; found: Found | null; now: Date }
/** The place of a link in the order of the export; the time with its microseconds. */
type Position = { createdAt: string; id: string }
type Page = { rows: ExportRow[]; end: Position | null }

/**
 * The matching links among the next {@link PAGE_LINKS} of the workspace, newest first. `end` is the last of
 * those, null at the end of all. Each page is a transaction of its own, so that no export holds a connection.
 */
function readPage({ sql, shortHost }: Deps, asked: Asked, after: Position | null): Promise<Page> {
  const { principal, query, found, now } = asked
  const known = { now, found, usedUp: null, sharedDomain: shortHost().domain }
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const end = await findEnd(tx, principal, now, after)
    const isWithin = tx`
      ${isAfter(tx, now, after)}
      ${end ? tx`and (l.created_at, l.id) >= (${end.createdAt}::text::timestamptz, ${end.id})` : tx``}`
    const rows = await tx<ExportRow[]>`
      select ${columnsOf(tx)}, ${countersOf(tx)}, ${aliasesOf(tx)},
        (select f.name from folders f
          where f.id = l.folder_id and f.workspace_id = l.workspace_id) as folder_name,
        (select p.name from campaigns p
          where p.id = l.campaign_id and p.workspace_id = l.workspace_id) as campaign_name,
        (select array[p.utm_source, p.utm_medium, p.utm_campaign, p.utm_term, p.utm_content]
          from campaigns p
          where p.id = l.campaign_id and p.workspace_id = l.workspace_id) as campaign_utm
      from links l ${withCounters(tx)}
      where ${toConditions(tx, principal, { ...query, ...UNPAGED }, known)} ${isWithin}
      order by l.created_at desc, l.id desc`
    return { rows, end }
  })
}

/** Parts of a list that an export does not have. */
const UNPAGED = { limit: PAGE_LINKS, offset: 0, sortBy: 'createdAt', sortOrder: 'desc' } as const

/** The last link of the next page; null if fewer are left. */
async function findEnd(
  tx: Tx,
  { workspaceId }: Principal,
  now: Date,
  after: Position | null,
): Promise<Position | null> {
  const [row] = await tx<Position[]>`
    select l.created_at::text as created_at, l.id from links l
    where l.workspace_id = ${workspaceId} ${isAfter(tx, now, after)}
    order by l.created_at desc, l.id desc offset ${PAGE_LINKS - 1} limit 1`
  return row ?? null
}

/** Links that were created since the export began are left out of all pages. */
function isAfter(tx: Tx, now: Date, after: Position | null) {
  return after
    ? tx`and (l.created_at, l.id) < (${after.createdAt}::text::timestamptz, ${after.id})`
    : tx`and l.created_at <= ${now}`
}
