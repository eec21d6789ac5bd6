import type { ReactNode } from 'react'
import {
  formatClock,
  formatCompact,
  formatMinorUnits,
  formatNumber,
  formatPercent,
} from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/en.ts'
import type { Summary } from './queries.ts'

/** The numbers of the period with their change against the compared period. The page of conversions has the values of all currencies. */
export function Totals({ summary: { data, meta, currency } }: { summary: Summary }) {
  const { totals, comparison } = data
  return (
    <div className="grid auto-cols-fr grid-flow-col overflow-hidden rounded border border-line bg-card max-md:grid-flow-row max-md:grid-cols-2">
      <Total
        isFirst
        label={text.figures.clicks}
        value={totals.clicks}
        before={comparison?.clicks}
        hasEarlier={comparison?.hasEarlierPeriod}
        changePercent={comparison?.clicksChangePercent}
      />
      <Total
        label={meta.approximate ? text.figures.visitorsAbout : text.figures.visitors}
        hint={meta.approximate ? text.figures.approximate : undefined}
        value={totals.uniqueVisitors}
        before={comparison?.uniqueVisitors}
        hasEarlier={comparison?.hasEarlierPeriod}
        changePercent={comparison?.uniqueVisitorsChangePercent}
      />
      {totals.conversions > 0 && (
        <Total label={text.figures.conversions} value={totals.conversions} />
      )}
      {totals.value !== 0 && (
        <Total
          label={text.figures.valueIn(currency)}
          value={totals.value}
          format={(value) => formatMinorUnits(value, currency)}
        />
      )}
      <Total label={text.figures.bots} value={totals.botClicks} />
    </div>
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
      className={`border-line px-4 py-3 not-last:border-r max-md:nth-2:border-r-0 max-md:nth-[n+3]:border-t max-md:odd:last:col-span-2 max-md:odd:last:flex max-md:odd:last:items-baseline max-md:odd:last:gap-2 ${isFirst ? 'here' : ''}`}
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

/** Until when every click is in the figures. */
export function CountedUpTo({ asOf, children }: { asOf: string; children?: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
      <span>
        {text.figures.countedUpTo} <b className="font-semibold text-ink">{formatClock(asOf)}</b>
      </span>
      {children}
    </p>
  )
}

/** Notes on numbers that old months lack, that are estimated, or that are part of totals alone. */
export function Caveats({
  meta: { approximate, incomplete = [] },
  imported = 0,
}: {
  meta: Pick<Summary['meta'], 'approximate' | 'incomplete'>
  imported?: number
}) {
  const notes = [
    ...(imported > 0 ? [text.figures.imported(formatNumber(imported))] : []),
    ...(approximate ? [text.figures.approximate] : []),
    ...incomplete.map((kind) => text.figures.incomplete[kind]),
  ]
  if (notes.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-sm text-soft">
      {notes.map((note) => (
        <li key={note} className="flex items-start gap-1">
          <Icon name="info" className="mt-0.5" /> {note}
        </li>
      ))}
    </ul>
  )
}
