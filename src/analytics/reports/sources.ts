import { createAuditPages } from '../../accounts/logs/audit-pages.ts'
import { createLinkPages } from '../../links/list/pages.ts'
import type { ShortHost } from '../../links/link/dependencies.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import type { ReportNumbers } from '../answers/report-numbers.ts'
import type { ClickExports } from '../clicks/export.ts'
import { toPeriods } from '../questions/period.ts'
import { openConversionTable } from './conversion-pages.ts'
import type { Cell, Facts, Page, Table } from './formats/table.ts'
import { escapeFilter, toClickQuery, toPeriodQuery, type ClickQuery } from './input.ts'
import { NAMES, type ReportFilters, type ReportType } from './schema.ts'

export type SourceDeps = Pick<Dependencies, 'sql' | 'clock'> & {
  clickRows: ClickExports
  numbers: ReportNumbers
  shortHost: () => ShortHost
}

/** What a run writes. */
export type Request = { type: ReportType; filters: ReportFilters; timezone: string }
type Reading = { principal: Principal; filters: ReportFilters; query: ClickQuery }
type Source = (deps: SourceDeps, reading: Reading) => Table | Promise<Table>

/** Groups that are counted before the next page is written. */
const PAGE_GROUPS = 20

const SOURCES: Record<ReportType, Source> = {
  links,
  clicks: ({ clickRows }, { principal, filters, query }) =>
    clickRows.openRows(principal, { ...query, kind: 'human' }, filters.dimensions),
  conversions: async ({ sql, numbers }, { principal, filters, query }) =>
    openConversionTable(sql, principal, await numbers.readPeriod(principal, query), filters),
  campaign: async (deps, reading) =>
    toGroupTable(deps, reading, await readCampaigns(deps.sql, reading.principal, reading.filters)),
  domains: async (deps, reading) =>
    toGroupTable(
      deps,
      reading,
      await readDomains(deps.sql, reading.principal, reading.filters, deps.shortHost().domain),
    ),
  summary,
  // The plan limits how far back clicks go, not the audit log.
  audit_log: ({ sql, clock }, { principal, query }) =>
    createAuditPages({ sql }).open(principal, toPeriods(clock(), query).current),
}

/** The rows of a report, which are read while they are written. */
export function openTable(
  deps: SourceDeps,
  principal: Principal,
  request: Request,
): Table | Promise<Table> {
  return SOURCES[request.type](deps, {
    principal,
    filters: request.filters,
    query: toQuery(request),
  })
}

/** What a page shows beside the rows. The audit log has no numbers. */
export function toFacts(
  deps: SourceDeps,
  principal: Principal,
  request: Request & { name: string },
): Facts {
  const { name, type, filters } = request
  const query = toQuery(request)
  const { timezone } = query
  const { startMs, endMs } = toPeriods(deps.clock(), query).current
  const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: timezone })
  return {
    name,
    description: `${NAMES[type]}, ${days.format(startMs)} to ${days.format(endMs - 1)} (${timezone})`,
    timezone,
    currency: filters.currency ?? 'usd',
    readOverview: async () =>
      type === 'audit_log' ? null : deps.numbers.readOverview(principal, query),
  }
}

function toQuery({ filters, timezone }: Request): ClickQuery {
  return toClickQuery(filters, toPeriodQuery(filters, timezone))
}

const LINK_COLUMNS = [
  ...(['id', 'shortUrl', 'name', 'destinationUrl', 'status', 'tags', 'clicks'] as const),
  ...(['uniqueVisitors', 'totalClicks', 'createdAt'] as const),
] as const

function links(deps: SourceDeps, { principal, filters, query }: Reading): Table {
  // The pages name the links, and each has all of its clicks of the period.
  const { linkId: _linkId, campaignId: _campaignId, ...counted } = query
  async function* read(): AsyncGenerator<Page> {
    const visits = await deps.numbers.openLinkVisits(principal, counted)
    for await (const { links: page, done } of createLinkPages(deps).read(principal, filters)) {
      const numbersOf = await visits(page.map(({ id }) => id))
      const rows = page.map((link): Cell[] => {
        const { clicks, visitors } = numbersOf(link.id)
        const own = { ...link, clicks, uniqueVisitors: visitors, totalClicks: link.clicks }
        return LINK_COLUMNS.map((column) => own[column])
      })
      yield { rows, done }
    }
  }
  return { columns: LINK_COLUMNS, pages: read() }
}

const GROUP_COLUMNS = [
  ...(['id', 'name', 'links', 'clicks', 'uniqueVisitors', 'conversions', 'value'] as const),
] as const

function toGroupTable(
  { numbers }: SourceDeps,
  { principal, query }: Reading,
  groups: readonly Group[],
): Table {
  async function* read(): AsyncGenerator<Page> {
    for (let from = 0; from < groups.length; from += PAGE_GROUPS) {
      const rows: Cell[][] = []
      for (const { id, name, links: count, query: own } of groups.slice(from, from + PAGE_GROUPS)) {
        const counted = await numbers.countGroup(principal, { ...query, ...own })
        const { clicks, visitors, conversions, value } = counted
        rows.push([id, name, count, clicks, visitors, conversions, value])
      }
      yield { rows, done: Math.min(1, (from + PAGE_GROUPS) / groups.length) }
    }
  }
  return { columns: GROUP_COLUMNS, pages: read() }
}

const SUMMARY_COLUMNS = [
  ...(['metric', 'value', 'previous', 'changePercent', 'hasEarlierPeriod'] as const),
] as const

function summary({ numbers }: SourceDeps, { principal, filters, query }: Reading): Table {
  async function* read(): AsyncGenerator<Page> {
    const { metrics } = await numbers.readOverview(principal, query, filters.dimensions)
    yield { rows: metrics.map((row) => SUMMARY_COLUMNS.map((column) => row[column])), done: 1 }
  }
  return { columns: SUMMARY_COLUMNS, pages: read() }
}

/** Links or clicks that a row of a report counts. */
type Group = { id: string | null; name: string; links: number; query: Partial<ClickQuery> }

type GroupRow = { id: string; name: string; links: number }

/** The campaigns of a workspace, the newest first, with their links of today. */
async function readCampaigns(
  sql: TenantSql,
  { workspaceId }: Principal,
  { campaignId }: ReportFilters,
): Promise<Group[]> {
  const rows = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<GroupRow[]>`
      select c.id, c.name, (
        select count(*) from links l
        where l.workspace_id = ${workspaceId} and l.campaign_id = c.id) as links
      from campaigns c
      where c.workspace_id = ${workspaceId}
        ${campaignId === undefined ? tx`` : tx`and c.id = ${campaignId}`}
      order by c.created_at desc, c.id desc`,
  )
  return rows.map((row) => ({ ...row, query: { campaignId: escapeFilter(row.id) } }))
}

/** The shared host and the domains of a workspace by name, with their links of today. */
async function readDomains(
  sql: TenantSql,
  { workspaceId }: Principal,
  { domainId }: ReportFilters,
  sharedHost: string,
): Promise<Group[]> {
  const { rows, shared } = await inWorkspace(sql, workspaceId, async (tx) => {
    const own = await tx<GroupRow[]>`
      select d.id, d.hostname as name, (
        select count(*) from links l
        where l.workspace_id = ${workspaceId} and l.domain_id = d.id) as links
      from domains d
      where d.workspace_id = ${workspaceId}
        ${domainId === undefined ? tx`` : tx`and d.id = ${domainId}`}
      order by d.hostname`
    const [counted] = await tx<[{ links: number }]>`
      select count(*) as links from links
      where workspace_id = ${workspaceId} and domain_id is null`
    return { rows: own, shared: counted.links }
  })
  const first = { id: null, name: sharedHost, links: shared, query: { domain: 'default' } }
  return [
    ...(domainId === undefined ? [first] : []),
    ...rows.map((row) => ({ ...row, query: { domainId: escapeFilter(row.id) } })),
  ]
}
