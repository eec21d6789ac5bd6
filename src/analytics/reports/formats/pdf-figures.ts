import type { Metric } from '../../answers/report-numbers.ts'
import { toAmount, toDay, toPercent } from './pdf-cells.ts'
import { COLORS, MARGIN, PAGE, type Page } from './pdf-page.ts'
import { NO_EARLIER_DATA } from './table.ts'

const WIDTH = PAGE.width - 2 * MARGIN
const METRICS = {
  clicks: 'Clicks',
  uniqueVisitors: 'Visitors',
  conversions: 'Conversions',
  value: 'Value',
}
const CHART_HEIGHT = 130
const CHART_TITLE = { width: WIDTH, isBold: false, isRight: false, color: COLORS.muted }
const AXIS_WIDTH = 44
/** The bar's part of the width; the rest is the gap behind it. */
const BAR_PART = 0.72
/** Round numbers for the top of the axis; from 10 on, half of each is whole too. */
const STEPS = [10, 12, 16, 20, 30, 40, 50, 60, 80, 100]
const SMALL_TOPS = [1, 2, 4, 6, 8]

/** Four numbers beside each other, each with its change against the period before. */
export function drawMetrics(page: Page, metrics: readonly Metric[], currency: string): void {
  const names = Object.entries(METRICS)
  const width = WIDTH / names.length
  const style = { width: width - 8, isBold: false, isRight: false }
  names.forEach(([name, label], at) => {
    const { value, changePercent, hasEarlierPeriod } = metrics.find(
      ({ metric }) => metric === name,
    )!
    const x = MARGIN + at * width
    page.cell(label, { ...style, x, color: COLORS.muted }, 9)
    page.y += 13
    const text = name === 'value' ? toAmount(value, currency) : value.toLocaleString('en')
    page.cell(text, { ...style, x, isBold: true, color: COLORS.text }, 15)
    page.y += 19
    page.cell(
      hasEarlierPeriod ? `${toPercent(changePercent)} on the period before` : NO_EARLIER_DATA,
      { ...style, x, color: COLORS.muted },
      8,
    )
    page.y -= 32
  })
  page.y += 58
}

/** Clicks as a bar for each bucket of the period. */
export function drawChart(
  page: Page,
  series: readonly { start: string; clicks: number }[],
  timezone: string,
): void {
  page.cell('Clicks', { x: MARGIN, ...CHART_TITLE }, 9)
  page.y += 26
  const top = toTop(Math.max(1, ...series.map(({ clicks }) => clicks)))
  const width = (WIDTH - AXIS_WIDTH) / series.length
  const [left, bottom] = [MARGIN + AXIS_WIDTH, page.y + CHART_HEIGHT]
  const label = { width: AXIS_WIDTH - 6, isBold: false, isRight: true, color: COLORS.muted }
  for (const part of [1, 0.5, 0]) {
    const y = bottom - part * CHART_HEIGHT
    page.line(y)
    page.y = y - 9
    if (part !== 0.5 || top > 1)
      page.cell((top * part).toLocaleString('en'), { ...label, x: MARGIN }, 8)
  }
  series.forEach(({ clicks }, at) => {
    const height = (clicks / top) * CHART_HEIGHT
    if (height > 0) page.bar(left + at * width, bottom - height, width * BAR_PART, height)
  })
  page.y = bottom + 6
  const [first, last] = [series[0], series.at(-1)].map((row) => toDay(row!.start, timezone))
  const day = { width: WIDTH / 3, isBold: false, color: COLORS.muted }
  page.cell(first!, { ...day, x: left, isRight: false }, 8)
  if (series.length > 1) page.cell(last!, { ...day, x: MARGIN + (WIDTH * 2) / 3, isRight: true }, 8)
  page.y += 26
}

/** The lowest top of an axis whose half is a whole number too. */
function toTop(most: number): number {
  const small = SMALL_TOPS.find((top) => top >= most)
  if (small !== undefined) return small
  const unit = Math.max(1, 10 ** (Math.floor(Math.log10(most)) - 1))
  return unit * STEPS.find((step) => step * unit >= most)!
}
