import type { Who } from '../../base/who.ts'
import type { LinkPages } from '../links/pages.ts'
import type { ReportNumbers } from '../analytics/report-numbers.ts'
import type { Cell, Page, Table } from './formats/table.ts'
import { toPeriodQuery, type PeriodQuery } from './input.ts'
import type { ReportRow } from './row.ts'
import type { ReportFilters, ReportType } from './schema.ts'

export type SourceDeps = { linkPages: LinkPages; numbers: ReportNumbers }

type Asked = { who: Who; filters: ReportFilters; period: PeriodQuery }
type Source = (deps: SourceDeps, asked: Asked) => Table | Promise<Table>

const SOURCES: Record<ReportType, Source> = { links }

/** The rows of a report. They are read while they are taken. */
export function openTable(deps: SourceDeps, who: Who, { type, filters }: ReportRow) {
  return SOURCES[type](deps, { who, filters, period: toPeriodQuery(filters, 'UTC') })
}

const LINK_COLUMNS = [
  ...(['id', 'shortUrl', 'name', 'destinationUrl', 'status', 'tags', 'clicks'] as const),
  ...(['uniqueVisitors', 'totalClicks', 'createdAt'] as const),
] as const

function links({ linkPages, numbers }: SourceDeps, { who, filters, period }: Asked): Table {
  async function* read(): AsyncGenerator<Page> {
    const visits = await numbers.openLinkVisits(who, { ...period, ...toClickFilters(filters) })
    for await (const { links: page, done } of linkPages.read(who, filters)) {
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

/** Clicks on a domain are those that were made there, wherever the link is today. */
function toClickFilters({ domainId }: ReportFilters) {
  return domainId === undefined ? {} : { domainId }
}
