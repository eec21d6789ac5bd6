import { formatMinorUnits } from '../kit/format.ts'
import { text } from '../text/conversions.ts'
import type { CurrencyTotal } from './queries.ts'

/** The value of all conversions of the list in each of their currencies. */
export function CurrencyTotals({ totals }: { totals: readonly CurrencyTotal[] }) {
  return (
    <dl
      aria-label={text.conversions.totals}
      className="grid grid-cols-[repeat(auto-fit,minmax(160px,1fr))] gap-px overflow-hidden rounded border border-line bg-line"
    >
      {totals.map(({ currency, conversions, attributed, value }) => (
        <div key={currency} className="flex flex-col-reverse bg-card px-4 py-3">
          <dt className="text-sm text-soft">
            {text.conversions.attributedOf(attributed, conversions)}
          </dt>
          <dd className="text-xl font-bold">{formatMinorUnits(value, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
