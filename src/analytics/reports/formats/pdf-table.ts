import { isForReaders, toHeading, toReadable } from './pdf-cells.ts'
import { COLORS, MARGIN, PAGE, type Page } from './pdf-page.ts'
import type { Cell, Facts } from './table.ts'

export const ROW_HEIGHT = 15
const CELL_GAP = 10
/** Columns that have room beside each other; the first ones are shown. */
const MAX_COLUMNS = 7

/** The columns that a page shows. */
export function toShown(columns: readonly string[]): readonly string[] {
  return columns.filter(isForReaders).slice(0, MAX_COLUMNS)
}

/** Rows below the names of their columns; each column is as wide as its texts, if there is room. */
export function drawTable(
  page: Page,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  facts: Facts,
): void {
  const named = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]!])))
  const shown = toShown(columns).map((name) => ({
    heading: toHeading(name),
    texts: named.map((row) => toReadable(name, row, facts)),
    isRight: named.some((row) => typeof row[name] === 'number'),
  }))
  const wanted = shown.map(({ heading, texts }) =>
    Math.max(page.widthOf(heading, true), ...texts.map((text) => page.widthOf(text, false))),
  )
  const widths = toWidths(wanted, PAGE.width - 2 * MARGIN - CELL_GAP * (shown.length - 1))
  const drawRow = (texts: readonly string[], isBold: boolean, color: string) => {
    let x: number = MARGIN
    texts.forEach((text, at) => {
      const width = widths[at]!
      page.cell(text, { x, width, isBold, isRight: shown[at]!.isRight, color })
      x += width + CELL_GAP
    })
    page.line(page.y + ROW_HEIGHT - 4)
    page.y += ROW_HEIGHT
  }
  const headings = shown.map(({ heading }) => heading)
  drawRow(headings, true, COLORS.muted)
  for (const at of rows.keys())
    drawRow(
      shown.map(({ texts }) => texts[at]!),
      false,
      COLORS.text,
    )
}

/** Narrow columns get the width they want. Wide ones share the rest. What is left over is spread over all. */
function toWidths(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted]
  let left = room
  const ascending = [...wanted.entries()].toSorted(([, a], [, b]) => a - b)
  for (const [step, [at, width]] of ascending.entries()) {
    widths[at] = Math.min(width, left / (wanted.length - step))
    left -= widths[at]
  }
  return widths.map((width) => width + left / wanted.length)
}
