import { LineChart } from '../charts/line-chart.tsx'
import { toPoints } from '../figures/points.ts'
import { formatCompact } from '../kit/format.ts'
import { Card } from '../kit/layout.tsx'
import { figuresText } from '../text/en-figures.ts'
import { text } from '../text/en-conversions.ts'
import type { Series } from './queries.ts'

const words = text.conversions

/** Attributed conversions by hour, day or month; buckets are those of the zone of the question. */
export function ConversionSeries({ series: { data, meta } }: { series: Series }) {
  const buckets = data.map(({ start, conversions }) => ({ start, value: conversions }))
  return (
    <Card title={words.series} note={meta.timezone}>
      <div className="py-2">
        <LineChart
          points={toPoints(buckets, null, meta.timezone, meta.granularity ?? 'day')}
          text={{
            now: figuresText.now,
            before: figuresText.before,
            describe: words.seriesDescribe,
            format: formatCompact,
          }}
        />
        <p className="px-4 text-sm text-soft">{words.seriesNote}</p>
      </div>
    </Card>
  )
}
