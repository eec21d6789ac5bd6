import { useState, type ReactNode } from 'react'
import { formatNumber, formatPercent } from '../kit/format.ts'
import { shareText as text } from '../text/en-share.ts'

const SHOWN = 6

export type Row = { key: string; name: ReactNode; clicks: number; percent: number | null }

/** Rows with their clicks, as bars of the most clicked one. */
export function Rows({ rows }: { rows: readonly Row[] }) {
  const [isAll, setAll] = useState(false)
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
  return (
    <>
      <ul className="py-2">
        {rows.length === 0 && <li className="px-4 py-3 text-sm text-soft">{text.noClicks}</li>}
        {rows.slice(0, isAll ? rows.length : SHOWN).map(({ key, name, clicks, percent }) => (
          <li key={key} className="relative flex min-h-9 items-center gap-3 px-4 py-1 text-sm">
            <svg
              aria-hidden="true"
              className="absolute inset-y-1 left-1 h-[calc(100%-8px)] w-[calc(100%-148px)]"
            >
              <rect
                width={`${(100 * clicks) / most}%`}
                height="100%"
                rx="3"
                className="fill-lake-fill"
              />
            </svg>
            <span className="relative min-w-0 flex-1">{name}</span>
            <span className="relative font-semibold">{formatNumber(clicks)}</span>
            <span className="relative w-14 text-right text-soft">
              {percent === null ? '' : formatPercent(percent)}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && (
        <button
          type="button"
          aria-expanded={isAll}
          className="min-h-9 px-4 pb-3 text-sm text-lake underline max-md:min-h-11"
          onClick={() => setAll(!isAll)}
        >
          {text.show(formatNumber(isAll ? SHOWN : rows.length))}
        </button>
      )}
    </>
  )
}
