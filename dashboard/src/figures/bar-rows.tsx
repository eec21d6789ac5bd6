import { useState, type ComponentProps, type ReactNode } from 'react'
import { formatPercent } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/figures.ts'

const SHOWN = 6

export type BarRow = { key: string; name: ReactNode; clicks: number; percent: number | null }

const ROW = 'relative flex min-h-9 w-full items-center gap-3 px-4 text-start text-sm'

/** Rows with their clicks, as bars of the most clicked one. */
export function BarRows<Row extends BarRow>({
  rows,
  shown = SHOWN,
  extra,
  button,
}: {
  rows: readonly Row[]
  /** Rows before the rest is asked for. */
  shown?: number
  /** A column at the end. */
  extra?: ((row: Row) => ReactNode) | undefined
  /** Of a row that filters the page. */
  button?: (row: Row) => ComponentProps<'button'>
}) {
  const [isAll, setAll] = useState(false)
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
  return (
    <>
      <ul className="py-2">
        {rows.length === 0 && (
          <li className="px-4 py-3 text-sm text-soft">{text.figures.noRows}</li>
        )}
        {rows.slice(0, isAll ? rows.length : shown).map((row) => {
          const { className = '', ...act } = button?.(row) ?? {}
          const content = (
            <>
              <Bar share={row.clicks / most} isNarrow={extra !== undefined} />
              <span
                className={`relative min-w-0 flex-1 ${typeof row.name === 'string' ? 'truncate' : ''}`}
              >
                {row.name}
              </span>
              {button && (
                <Icon
                  name="filter"
                  size={14}
                  className="relative invisible text-soft group-hover:visible group-focus-visible:visible"
                />
              )}
              <span className="relative font-semibold">{formatNumber(row.clicks)}</span>
              <span className="relative w-14 text-end text-soft">
                {row.percent !== null && formatPercent(row.percent)}
              </span>
              {extra && <span className="relative w-16 text-end">{extra(row)}</span>}
            </>
          )
          return (
            <li key={row.key}>
              {button ? (
                <button
                  type="button"
                  className={`group ${ROW} hover:bg-sunk max-md:min-h-11 ${className}`}
                  {...act}
                >
                  {content}
                </button>
              ) : (
                <div className={`${ROW} py-1`}>{content}</div>
              )}
            </li>
          )
        })}
      </ul>
      {rows.length > shown && (
        <button
          type="button"
          aria-expanded={isAll}
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
      className={`absolute inset-y-1 start-1 h-[calc(100%-8px)] ${isNarrow ? 'w-[calc(100%-224px)]' : 'w-[calc(100%-148px)]'}`}
    >
      <rect width={`${100 * share}%`} height="100%" rx="3" className="fill-lake-fill" />
    </svg>
  )
}
