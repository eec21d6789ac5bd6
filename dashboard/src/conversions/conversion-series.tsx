import { LineChart } from '../charts/line-chart.tsx'
import { toPoints } from '../figures/points.ts'
import { formatCompact } from '../kit/format.ts'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/conversions.ts'
import type { Series } from './queries.ts'

/** Attributed conversions by hour, day or month; buckets are those of the zone of the question. */
export function ConversionSeries({ series: { data, meta } }: { series: Series }) {
  const buckets = data.map(({ start, conversions }) => ({ start, value: conversions }))
  return (
    <Card title={text.conversions.series} note={meta.timezone}>
      <div className="py-2">
        <LineChart
          points={toPoints(buckets, null, meta.timezone, meta.granularity ?? 'day')}
          text={{
            now: text.figures.now,
            before: text.figures.before,
            describe: text.conversions.seriesDescribe,
            format: formatCompact,
          }}
        />
        <p className="px-4 text-sm text-soft">{text.conversions.seriesNote}</p>
      </div>
    </Card>
  )
}
