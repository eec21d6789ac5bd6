import type { Principal } from '../../platform/routes/principal.ts'
import type { TenantSql } from '../../platform/storage/postgres/postgres.ts'
import type { ClickExports } from '../clicks/export.ts'
import type { ReportNumbers } from '../answers/report-numbers.ts'
import type { AuditPages } from '../../accounts/audit-log/pages.ts'
import type { LinkPages } from '../../links/list/pages.ts'
import type { Cell, Facts, Page, Table } from './formats/table.ts'
import { readCampaigns, readDomains, type Group } from './groups.ts'
import { toClickQuery, toPeriodQuery, type ClickQuery, type PeriodQuery } from './input.ts'
import { NAMES, type ReportFilters, type ReportType } from './schema.ts'

type Period = { startMs: number; endMs: number }

export type SourceDeps = {
  sql: TenantSql
  linkPages: LinkPages
  clickRows: Pick<ClickExports, 'openRows'>
  conversionPages: { open(principal: Principal, period: Period, filters: ReportFilters): Table }
  auditPages: AuditPages
  numbers: ReportNumbers
  /** Name of the host of links without a domain. */
  sharedHost: () => string
  /** The period without the bounds of the plan, which concern clicks. */
  toPeriod: (query: PeriodQuery) => Period
}

/** Query of a run. */
export type Asked = { type: ReportType; filters: ReportFilters; timezone: string }
type Asking = { principal: Principal; filters: ReportFilters; query: ClickQuery }
type Source = (deps: SourceDeps, asking: Asking) => Table | Promise<Table>

/** Groups that are counted before the next page is written. */
const PAGE_GROUPS = 20

const SOURCES: Record<ReportType, Source> = {
  links,
  clicks: ({ clickRows }, { principal, filters, query }) =>
    clickRows.openRows(principal, { ...query, kind: 'human' }, filters.dimensions),
  conversions: async ({ conversionPages, numbers }, { principal, filters, query }) =>
    conversionPages.open(principal, await numbers.readPeriod(principal, query), filters),
  campaign: async (deps, asking) =>
    toGroupTable(deps, asking, await readCampaigns(deps.sql, asking.principal, asking.filters)),
  domains: async (deps, asking) =>
    toGroupTable(
      deps,
      asking,
      await readDomains(deps.sql, asking.principal, asking.filters, deps.sharedHost()),
    ),
  summary,
  audit_log: ({ auditPages, toPeriod }, { principal, query }) =>
    auditPages.open(principal, toPeriod(query)),
}

/** The rows of a report, which are read while they are taken. */
export function openTable(
  deps: SourceDeps,
  principal: Principal,
  asked: Asked,
): Table | Promise<Table> {
  return SOURCES[asked.type](deps, { principal, filters: asked.filters, query: toQuery(asked) })
}

/** Texts and figures of a page, beside the rows. The audit log has no numbers. */
export function toFacts(
  deps: SourceDeps,
  principal: Principal,
  asked: Asked & { name: string },
): Facts {
  const { name, type, filters } = asked
  const query = toQuery(asked)
  const { timezone } = query
  const { startMs, endMs } = deps.toPeriod(query)
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

function toQuery({ filters, timezone }: Asked): ClickQuery {
  return toClickQuery(filters, toPeriodQuery(filters, timezone))
}

const LINK_COLUMNS = [
  ...(['id', 'shortUrl', 'name', 'destinationUrl', 'status', 'tags', 'clicks'] as const),
  ...(['uniqueVisitors', 'totalClicks', 'createdAt'] as const),
] as const

function links({ linkPages, numbers }: SourceDeps, { principal, filters, query }: Asking): Table {
  // The pages name the links, and each has all of its clicks of the period.
  const { linkId: _linkId, campaignId: _campaignId, ...counted } = query
  async function* read(): AsyncGenerator<Page> {
    const visits = await numbers.openLinkVisits(principal, counted)
    for await (const { links: page, done } of linkPages.read(principal, filters)) {
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
  { principal, query }: Asking,
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

function summary({ numbers }: SourceDeps, { principal, filters, query }: Asking): Table {
  async function* read(): AsyncGenerator<Page> {
    const { metrics } = await numbers.readOverview(principal, query, filters.dimensions)
    yield { rows: metrics.map((row) => SUMMARY_COLUMNS.map((column) => row[column])), done: 1 }
  }
  return { columns: SUMMARY_COLUMNS, pages: read() }
}
