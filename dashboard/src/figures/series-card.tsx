import { LineChart, type Point } from '../charts/line-chart.tsx'
import { formatCompact, getLocale } from '../kit/format.ts'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import type { Summary } from './queries.ts'

type Granularity = 'hour' | 'day' | 'week' | 'month'

/** Clicks by hour, day, week or month. Names of buckets follow the zone of the question. */
export function SeriesCard({ summary: { data, meta } }: { summary: Summary }) {
  const granularity = meta.granularity ?? 'day'
  const points = toPoints(data, meta.timezone, granularity)
  return (
    <Card title={text.figures.seriesTitle[granularity]} note={meta.timezone}>
      <div className="py-2">
        <LineChart
          points={points}
          text={{
            now: text.figures.now,
            before: text.figures.before,
            describe: text.figures.seriesDescribe,
            format: formatCompact,
          }}
        />
      </div>
      <details className="px-4 pb-3 text-sm">
        <summary className="min-h-8 text-soft">{text.figures.asTable}</summary>
        <table className="w-full text-left">
          <thead className="text-soft">
            <tr>
              <th scope="col">{text.figures.bucket}</th>
              <th scope="col" className="text-right">
                {text.figures.clicks}
              </th>
              <th scope="col" className="text-right">
                {text.figures.before}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ longLabel, value, before }, index) => (
              <tr key={index}>
                <td>{longLabel}</td>
                <td className="text-right">{formatCompact(value)}</td>
                <td className="text-right">{before === null ? '' : formatCompact(before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Card>
  )
}

const SHORT: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
}
const LONG: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
}

function toPoints(
  { series, comparison }: Summary['data'],
  timeZone: string,
  granularity: Granularity,
): Point[] {
  const short = new Intl.DateTimeFormat(getLocale(), { ...SHORT[granularity], timeZone })
  const long = new Intl.DateTimeFormat(getLocale(), { ...LONG[granularity], timeZone })
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone })
  return series.map(({ start, clicks }, index) => {
    const at = new Date(start)
    const before = comparison?.series[index]
    return {
      label: short.format(at),
      longLabel: long.format(at),
      value: clicks,
      before: before?.clicks ?? null,
      beforeLabel: before ? short.format(new Date(before.start)) : null,
      isWeekend: granularity === 'day' && weekday.format(at).startsWith('S'),
      isOpen: index === series.length - 1,
    }
  })
}
