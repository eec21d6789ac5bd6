import type { Call } from '../call.ts'

const PERIODS = [
  ['lastDay', '24h', 'hour', 24],
  ['lastWeek', '7d', 'day', 7],
  ['lastMonth', '30d', 'day', 30],
  ['lastYear', '1y', 'month', 12],
] as const
const KINDS = ['browser', 'os', 'country', 'referrer'] as const

type Summary = {
  totals: { clicks: number }
  series: { clicks: number }[]
  breakdowns: Record<(typeof KINDS)[number], { label: string; clicks: number }[]>
}

export async function readStats(call: Call, linkId: string) {
  const periods: [string, unknown][] = []
  for (const [name, interval, granularity, count] of PERIODS) {
    const query = { linkId, interval, granularity }
    const { data } = await call<Summary>('GET', '/analytics/summary', { query })
    periods.push([name, toPeriod(data, count)])
  }
  return { ...Object.fromEntries(periods), updatedAt: new Date().toISOString() }
}

/** The present hour, day or month comes last; a period may begin within one more. */
function toPeriod({ totals, series, breakdowns }: Summary, count: number) {
  const latest = series.slice(-count).map(({ clicks }) => clicks)
  // Kutt has labels in small letters.
  const stats = KINDS.map((kind) => [
    kind,
    breakdowns[kind].map(({ label, clicks }) => ({ name: label.toLowerCase(), value: clicks })),
  ])
  return {
    stats: Object.fromEntries(stats),
    views: [...Array.from({ length: count - latest.length }, () => 0), ...latest],
    total: totals.clicks,
  }
}
