import { useState } from 'react'
import { formatNumber, formatPercent } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/en.ts'
import { nameOf } from './labels.ts'
import { toFilterValue, type Dimension, type FigureSearch } from './search.ts'

const SHOWN = 6

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
  shown = SHOWN,
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
  const [isAll, setAll] = useState(false)
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
  const hasConversions = rows.some(({ conversions }) => conversions > 0)
  return (
    <>
      <ul className="py-2">
        {rows.length === 0 && (
          <li className="px-4 py-3 text-sm text-soft">{text.figures.noRows}</li>
        )}
        {rows
          .slice(0, isAll ? rows.length : shown)
          .map(({ label, clicks, percent, conversions }) => (
            <li key={label}>
              <button
                type="button"
                title={text.figures.filterHint}
                className={`group relative flex min-h-9 w-full items-center gap-3 px-4 text-left text-sm hover:bg-sunk max-md:min-h-11 ${label === pointed ? 'bg-sunk' : ''}`}
                onPointerEnter={() => onPoint?.(label)}
                onPointerLeave={() => onPoint?.(null)}
                onFocus={() => onPoint?.(label)}
                onBlur={() => onPoint?.(null)}
                onClick={(event) => {
                  const value = toFilterValue(label)
                  onFilter({ [dimension]: event.altKey ? `-${value}` : value })
                }}
              >
                <Bar share={clicks / most} isNarrow={hasConversions} />
                <span className="relative min-w-0 flex-1 truncate">{nameOf(dimension, label)}</span>
                <Icon
                  name="filter"
                  size={14}
                  className="relative invisible text-soft group-hover:visible group-focus-visible:visible"
                />
                <span className="relative font-semibold">{formatNumber(clicks)}</span>
                <span className="relative w-14 text-right text-soft">{formatPercent(percent)}</span>
                {hasConversions && (
                  <span className="relative w-16 text-right">
                    {text.figures.converted(conversions)}
                  </span>
                )}
              </button>
            </li>
          ))}
      </ul>
      {rows.length > shown && (
        <button
          type="button"
          className="min-h-9 px-4 pb-3 text-sm text-lake underline max-md:min-h-11"
          onClick={() => setAll(!isAll)}
        >
          {text.figures.show(isAll ? shown : rows.length)}
        </button>
      )}
    </>
  )
}

function Bar({ share, isNarrow }: { share: number; isNarrow: boolean }) {
  return (
    <svg
      aria-hidden="true"
      className={`absolute inset-y-1 left-1 h-[calc(100%-8px)] ${isNarrow ? 'w-[calc(100%-224px)]' : 'w-[calc(100%-148px)]'}`}
    >
      <rect width={`${100 * share}%`} height="100%" rx="3" className="fill-lake-fill" />
    </svg>
  )
}

/** Choice of the dimension that a card shows. */
export function DimensionTabs({
  label,
  dimensions,
  chosen,
  onChoose,
}: {
  label: string
  dimensions: readonly Dimension[]
  chosen: Dimension
  onChoose: (dimension: Dimension) => void
}) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap px-2 pt-1">
      {dimensions.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === chosen}
          className="min-h-8 px-2 text-sm text-soft aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline aria-pressed:decoration-way aria-pressed:decoration-3 aria-pressed:underline-offset-8 max-md:min-h-11"
          onClick={() => onChoose(each)}
        >
          {text.figures.dimensions[each]}
        </button>
      ))}
    </div>
  )
}
