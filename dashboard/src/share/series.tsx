import { useMemo } from 'react'
import type { SharedDashboard } from '../api/visit.ts'
import { LineChart } from '../charts/line-chart.tsx'
import { toPoints } from '../figures/points.ts'
import { formatCompact, formatNumber } from '../kit/format.ts'
import { Card } from '../kit/layout.tsx'
import { shareText as text } from '../text/en-share.ts'

function toBuckets(series: SharedDashboard['timeseries']) {
  return series.map(({ start, clicks }) => ({ start, value: clicks }))
}

/** Clicks over the period, as a line and as a table. */
export function Series({ data: { timeseries, period } }: { data: SharedDashboard }) {
  const { timezone, granularity } = period
  const points = useMemo(
    () => toPoints(toBuckets(timeseries), null, timezone, granularity),
    [timeseries, timezone, granularity],
  )
  return (
    <Card title={text.series[granularity]} note={timezone}>
      <div className="py-2">
        <LineChart
          points={points}
          text={{
            now: text.now,
            before: '',
            describe: text.seriesDescribe,
            format: formatCompact,
          }}
        />
        {granularity === 'day' && <p className="px-4 text-sm text-soft">{text.weekends}</p>}
      </div>
      <details className="px-4 pb-3 text-sm">
        <summary className="min-h-8 text-soft max-md:min-h-11">{text.asTable}</summary>
        <table className="w-full text-left">
          <thead className="text-soft">
            <tr>
              <th scope="col">{text.bucket}</th>
              <th scope="col" className="text-right">
                {text.clicks}
              </th>
              <th scope="col" className="text-right">
                {text.visitors}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ longLabel, value }, at) => (
              <tr key={timeseries[at]!.start}>
                <td>{longLabel}</td>
                <td className="text-right">{formatNumber(value)}</td>
                <td className="text-right">{formatNumber(timeseries[at]!.uniqueVisitors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Card>
  )
}
