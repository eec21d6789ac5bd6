import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatDuration, formatHour, formatPercent } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Card, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/webhooks.ts'
import { HourBars, successRateOf } from './hour-bars.tsx'
import { statsQuery, type EndpointStats } from './queries.ts'

/** The attempts of the last 24 hours: how many, how they ended, and how long they took. */
export function EndpointStatsCard({ endpointId }: { endpointId: string }) {
  const { id } = useWorkspace()
  const stats = useQuery(statsQuery(id, endpointId))
  return (
    <Card title={text.webhooks.statsTitle} note={text.webhooks.statsNote}>
      <div className="flex flex-col gap-3 px-4 pt-2 pb-4">
        <ErrorNote error={stats.error} onRetry={() => void stats.refetch()} />
        {stats.isPending && <Skeleton rows={2} height={56} />}
        {stats.data && <Numbers stats={stats.data} />}
      </div>
    </Card>
  )
}

function Numbers({ stats }: { stats: EndpointStats }) {
  const texts = text.webhooks
  const { delivered, failed, p50Ms, p99Ms, hours, from } = stats
  const rate = successRateOf(stats)
  if (rate === null) return <p className="text-sm text-soft">{texts.noAttempts}</p>
  const time = (ms: number | null) => (ms === null ? texts.noValue : formatDuration(ms))
  const numbers = [
    [texts.successRate, formatPercent(rate), rate < 100],
    [texts.delivered, formatNumber(delivered), false],
    [texts.failed, formatNumber(failed), failed > 0],
    [texts.p50, time(p50Ms), false],
    [texts.p99, time(p99Ms), false],
  ] as const
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-5">
        {numbers.map(([name, value, isBad]) => (
          <div key={name} className="flex flex-col justify-end">
            <dt className="text-xs text-soft">{name}</dt>
            <dd className={`text-lg font-bold ${isBad ? 'text-stop' : ''}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <HourBars stats={stats} height={72} />
      <p className="flex justify-between text-xs text-soft">
        <span>{formatHour(from)}</span>
        <span>{formatHour(hours.at(-1)?.start ?? from)}</span>
      </p>
    </>
  )
}
