import { drawChart, drawMetrics } from './pdf-figures.ts'
import { COLORS, MARGIN, openPage, PAGE } from './pdf-page.ts'
import { drawTable, ROW_HEIGHT, toShown } from './pdf-table.ts'
import type { Cell, Facts, Part, Table } from './table.ts'

const FOOTER_HEIGHT = 24

/**
 * One page: the numbers of the period, its clicks as a chart of vectors, and the first rows as a table. Only as many
 * rows are read as the page has.
 */
export async function* writePdf(table: Table, facts: Facts): AsyncGenerator<Part> {
  const overview = await facts.readOverview()
  const page = await openPage(facts.name)
  page.text(facts.name, { size: 18, isBold: true, height: 26 })
  page.text(facts.description, { size: 9, color: COLORS.muted, height: 22 })
  if (overview) {
    drawMetrics(page, overview.metrics, facts.currency)
    drawChart(page, overview.series, facts.timezone)
  }
  const bottom = PAGE.height - MARGIN - FOOTER_HEIGHT
  const room = Math.floor((bottom - page.y) / ROW_HEIGHT) - 1
  const { rows, hasMore } = await readFirst(table, room)
  drawTable(page, table.columns, rows, facts)
  page.y = bottom + 8
  page.text(toFooter(table.columns, rows.length, hasMore), { size: 8, color: COLORS.muted })
  yield { content: await page.end(), rows: rows.length, done: 1 }
}

async function readFirst({ pages }: Table, count: number) {
  const rows: (readonly Cell[])[] = []
  for await (const page of pages) {
    rows.push(...page.rows.slice(0, count + 1 - rows.length))
    if (rows.length > count) break
  }
  return { rows: rows.slice(0, count), hasMore: rows.length > count }
}

function toFooter(columns: readonly string[], rows: number, hasMore: boolean): string {
  if (rows === 0) return 'No rows.'
  const shown = toShown(columns).length
  const parts = [
    ...(hasMore ? [`the first ${rows} rows`] : []),
    ...(shown < columns.length ? [`${shown} of ${columns.length} columns`] : []),
  ]
  return parts.length === 0
    ? `${rows} ${rows === 1 ? 'row' : 'rows'}.`
    : `This page has ${parts.join(' and ')}. The formats csv, json and xlsx have all.`
}
