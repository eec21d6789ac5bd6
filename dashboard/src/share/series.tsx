import { useMemo } from 'react'
import type { SharedDashboard } from '../api/visit.ts'
import { LineChart } from '../charts/line-chart.tsx'
import { toPoints } from '../figures/points.ts'
import { SeriesTable } from '../figures/series-table.tsx'
import { formatCompact } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/share.ts'

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
    <Card title={text.figures.seriesTitle[granularity]} note={timezone}>
      <div className="py-2">
        <LineChart
          points={points}
          text={{
            now: text.share.now,
            before: '',
            describe: text.figures.seriesDescribe,
            format: formatCompact,
          }}
        />
        {granularity === 'day' && <p className="px-4 text-sm text-soft">{text.figures.weekends}</p>}
      </div>
      <SeriesTable
        points={points}
        columns={[
          { name: text.figures.clicks, show: ({ value }) => formatNumber(value) },
          {
            name: text.figures.visitors,
            show: (_, at) => formatNumber(timeseries[at]!.uniqueVisitors),
          },
        ]}
      />
    </Card>
  )
}
