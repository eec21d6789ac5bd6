import { text } from '../text/figures.ts'
import { BarRows } from './bar-rows.tsx'
import { nameOf } from './labels.ts'
import { toFilterValue, type Dimension, type FigureSearch } from './search.ts'

export type BreakdownRow = {
  label: string
  /** Views, where a page shows those. */
  clicks: number
  percent: number
  conversions: number
  /** In the period that is compared with; null: unknown. */
  comparedClicks: number | null
}
export type Breakdowns = { readonly [D in Dimension]?: readonly BreakdownRow[] }

/** Rows of a breakdown. One filters the page by its label, with Alt it leaves the label out. */
export function BreakdownRows({
  dimension,
  rows,
  onFilter,
  shown,
  pointed = null,
  onPoint,
}: {
  dimension: Dimension
  rows: readonly BreakdownRow[]
  onFilter: (change: Partial<FigureSearch>) => void
  /** Rows before the rest is asked for. */
  shown?: number
  /** The label that a map beside the rows points at. */
  pointed?: string | null
  onPoint?: (label: string | null) => void
}) {
  const hasConversions = rows.some(({ conversions }) => conversions > 0)
  return (
    <BarRows
      rows={rows.map((row) => ({ ...row, key: row.label, name: nameOf(dimension, row.label) }))}
      {...(shown !== undefined && { shown })}
      extra={hasConversions ? ({ conversions }) => text.figures.converted(conversions) : undefined}
      button={({ label }) => ({
        title: text.figures.filterHint,
        className: label === pointed ? 'bg-sunk' : '',
        onPointerEnter: () => onPoint?.(label),
        onPointerLeave: () => onPoint?.(null),
        onFocus: () => onPoint?.(label),
        onBlur: () => onPoint?.(null),
        onClick: ({ altKey }) => {
          const value = toFilterValue(label)
          onFilter({ [dimension]: altKey ? `-${value}` : value })
        },
      })}
    />
  )
}
