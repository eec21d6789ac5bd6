import type { ReactNode } from 'react'
import { formatCompact, formatPercent } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/figures.ts'

/** The numbers of a period side by side. */
export function TotalsGrid({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label={text.figures.totals}
      className="grid auto-cols-fr grid-flow-col overflow-hidden rounded border border-line bg-card max-md:grid-flow-row max-md:grid-cols-2"
    >
      {children}
    </section>
  )
}

/** One number; its change is shown with what was before, where that is known. */
export function Total({
  label,
  hint,
  value,
  before,
  hasEarlier,
  changePercent,
  isFirst = false,
  format,
}: {
  label: string
  hint?: string | undefined
  value: number
  before?: number | undefined
  /** False: nothing was counted in the period that the change compares with. */
  hasEarlier?: boolean | undefined
  changePercent?: number | undefined
  isFirst?: boolean
  /** Of a value that is no plain number. */
  format?: (value: number) => string
}) {
  return (
    <div
      className={`border-line px-4 py-3 not-last:border-e max-md:even:border-e-0 max-md:nth-[n+3]:border-t max-md:odd:last:col-span-2 max-md:odd:last:flex max-md:odd:last:items-baseline max-md:odd:last:gap-2 ${isFirst ? 'here' : ''}`}
    >
      <div className="text-xl font-bold" title={format ? undefined : formatNumber(value)}>
        {(format ?? formatCompact)(value)}
      </div>
      <div className="flex flex-wrap items-center gap-x-1 text-sm text-soft">
        <span title={hint}>{label}</span>{' '}
        <Change percent={changePercent} before={before} hasEarlier={hasEarlier} />
      </div>
    </div>
  )
}

function Change({
  percent,
  before,
  hasEarlier,
}: {
  percent: number | undefined
  before: number | undefined
  hasEarlier: boolean | undefined
}) {
  if (percent === undefined) return null
  if (before === 0 || hasEarlier === false) return <span>{text.figures.noneBefore}</span>
  const isUp = percent >= 0
  return (
    <>
      <span className={`inline-flex items-center font-semibold ${isUp ? 'text-ok' : 'text-stop'}`}>
        <Icon
          name={isUp ? 'arrow-up' : 'arrow-down'}
          size={12}
          label={isUp ? text.figures.up : text.figures.down}
        />
        {formatPercent(Math.abs(percent))}
      </span>
      {before !== undefined && <span>{text.figures.from_(formatNumber(before))}</span>}
    </>
  )
}
