import type { ReactNode } from 'react'
import { formatClock, formatMinorUnits } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/figures.ts'
import type { Summary } from './queries.ts'
import { Total, TotalsGrid } from './total.tsx'

/** The numbers of the period with their change against the compared period. The page of conversions has the values of all currencies. */
export function Totals({ summary: { data, meta, currency } }: { summary: Summary }) {
  const { totals, comparison } = data
  return (
    <TotalsGrid>
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
    </TotalsGrid>
  )
}

/** Until when every click is in the figures. */
export function CountedUpTo({ asOf, children }: { asOf: string; children?: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
      <span>
        {text.actions.countedUpTo} <b className="font-semibold text-ink">{formatClock(asOf)}</b>
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
