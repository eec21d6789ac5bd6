import { formatHour } from '../kit/format.ts'
import { text } from '../text/webhooks.ts'
import type { EndpointStats } from './queries.ts'

const WIDTH = 100

/** The attempts of each hour, the failed ones on top. */
export function HourBars({
  stats: { hours, delivered, failed },
  height,
}: {
  stats: EndpointStats
  height: number
}) {
  const most = Math.max(1, ...hours.map((hour) => hour.delivered + hour.failed))
  const step = WIDTH / hours.length
  const toY = (count: number) => (count / most) * (height - 1)
  return (
    <svg
      role="img"
      aria-label={text.webhooks.perHourOf(delivered, failed)}
      width="100%"
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      className="block"
    >
      <rect y={height - 1} width={WIDTH} height="1" className="fill-line" />
      {hours.map((hour, index) => {
        const [x, width] = [index * step + step * 0.1, step * 0.8]
        const [good, bad] = [toY(hour.delivered), toY(hour.failed)]
        return (
          <g key={hour.start}>
            <title>{text.webhooks.hour(formatHour(hour.start), hour.delivered, hour.failed)}</title>
            <rect x={x} width={width} y={0} height={height} className="fill-transparent" />
            <rect x={x} width={width} y={height - good} height={good} className="fill-lake" />
            <rect x={x} width={width} y={height - good - bad} height={bad} className="fill-stop" />
          </g>
        )
      })}
    </svg>
  )
}

/** The share of attempts that succeeded, in percent; null without attempts. */
export function successRateOf({ delivered, failed }: EndpointStats): number | null {
  return delivered + failed === 0 ? null : (100 * delivered) / (delivered + failed)
}
