import { formatCompact, formatMinorUnits, formatNumber, formatPercent } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import type { SharedDashboard } from '../api/visit.ts'
import { shareText as text } from '../text/en-share.ts'

/** The numbers of the period, with their change against as many days before. */
export function Totals({ metrics }: { metrics: SharedDashboard['metrics'] }) {
  const { conversions, value, currency = '' } = metrics
  return (
    <section
      aria-label={text.totals}
      className="grid auto-cols-fr grid-flow-col overflow-hidden rounded border border-line bg-card max-md:grid-flow-row max-md:grid-cols-2"
    >
      <Total
        isFirst
        label={text.clicks}
        value={metrics.periodClicks}
        changePercent={metrics.periodChangePercent}
        hasEarlier={metrics.hasEarlierPeriod}
      />
      <Total
        label={metrics.approximate ? text.visitorsAbout : text.visitors}
        value={metrics.uniqueVisitors}
        changePercent={metrics.uniqueVisitorsChangePercent}
        hasEarlier={metrics.hasEarlierPeriod}
      />
      {conversions !== undefined && <Total label={text.conversions} value={conversions} />}
      {value !== undefined && (
        <Total
          label={text.value}
          value={value}
          format={(amount) => formatMinorUnits(amount, currency)}
        />
      )}
      <Total label={text.allClicks} value={metrics.totalClicks} />
    </section>
  )
}

function Total({
  label,
  value,
  changePercent = 0,
  hasEarlier = true,
  isFirst = false,
  format,
}: {
  label: string
  value: number
  changePercent?: number
  /** False: nothing was counted in as many days before. */
  hasEarlier?: boolean
  isFirst?: boolean
  /** Of a value that is no plain number. */
  format?: (value: number) => string
}) {
  const isUp = changePercent > 0
  return (
    <div
      className={`border-line px-4 py-3 not-last:border-r max-md:nth-2:border-r-0 max-md:nth-4:border-r-0 max-md:nth-[n+3]:border-t max-md:odd:last:col-span-2 max-md:odd:last:flex max-md:odd:last:items-baseline max-md:odd:last:gap-2 ${isFirst ? 'here' : ''}`}
    >
      <div className="text-2xl font-bold" title={format ? undefined : formatNumber(value)}>
        {(format ?? formatCompact)(value)}
      </div>
      <div className="flex flex-wrap items-center gap-x-1 text-sm text-soft">
        <span>{label}</span>
        {!hasEarlier && <span>{text.noneBefore}</span>}
        {hasEarlier && changePercent !== 0 && (
          <span
            title={text.againstBefore}
            className={`inline-flex items-center font-semibold ${isUp ? 'text-ok' : 'text-stop'}`}
          >
            <Icon
              name={isUp ? 'arrow-up' : 'arrow-down'}
              size={12}
              label={isUp ? text.up : text.down}
            />
            {formatPercent(Math.abs(changePercent))}
          </span>
        )}
      </div>
    </div>
  )
}
