import { drawChart, drawMetrics } from './pdf-figures.ts'
import { COLORS, MARGIN, openPage, PAGE, type Page } from './pdf-page.ts'
import { toText, type Cell, type Facts, type Part, type Table } from './table.ts'

const ROW_HEIGHT = 15
const CELL_GAP = 6
/** Columns that have room beside each other; the first ones are shown. */
const MAX_COLUMNS = 7
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
  drawTable(page, table.columns.slice(0, MAX_COLUMNS), rows)
  page.y = bottom + 8
  page.text(toFooter(rows.length, hasMore, table.columns.length), { size: 8, color: COLORS.muted })
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

function toFooter(rows: number, hasMore: boolean, columns: number): string {
  if (rows === 0) return 'No rows.'
  const parts = [
    ...(hasMore ? [`the first ${rows} rows`] : []),
    ...(columns > MAX_COLUMNS ? [`the first ${MAX_COLUMNS} of ${columns} columns`] : []),
  ]
  return parts.length === 0
    ? `${rows} rows.`
    : `This page has ${parts.join(' and ')}. The formats csv, json and xlsx have all.`
}

function drawTable(page: Page, columns: readonly string[], rows: readonly (readonly Cell[])[]) {
  const width = (PAGE.width - 2 * MARGIN + CELL_GAP) / columns.length
  const drawRow = (cells: readonly Cell[], isHeader: boolean) => {
    cells.forEach((cell, at) => {
      page.cell(toText(cell), {
        x: MARGIN + at * width,
        width: width - CELL_GAP,
        isBold: isHeader,
        isRight: !isHeader && typeof cell === 'number',
        color: isHeader ? COLORS.muted : COLORS.text,
      })
    })
    page.line(page.y + ROW_HEIGHT - 4)
    page.y += ROW_HEIGHT
  }
  drawRow(columns, true)
  for (const row of rows) drawRow(row.slice(0, columns.length), false)
}
