import type { Call } from '../call.ts'

const PERIODS = {
  lastDay: { interval: '24h', granularity: 'hour', views: 24 },
  lastWeek: { interval: '7d', granularity: 'day', views: 7 },
  lastMonth: { interval: '30d', granularity: 'day', views: 30 },
  lastYear: { interval: '1y', granularity: 'month', views: 12 },
} as const

type Labels = { label: string; clicks: number }[]
type Summary = {
  totals: { clicks: number }
  series: { clicks: number }[]
  breakdowns: Record<'browser' | 'os' | 'country' | 'referrer', Labels>
}

export async function readStats(call: Call, linkId: string) {
  const periods: [string, unknown][] = []
  for (const [name, { interval, granularity, views }] of Object.entries(PERIODS)) {
    const query = { linkId, interval, granularity }
    const { data } = await call<Summary>('GET', '/analytics/summary', { query })
    periods.push([name, toPeriod(data, views)])
  }
  return { ...Object.fromEntries(periods), updatedAt: new Date().toISOString() }
}

/** The present hour, day or month comes last; a period may begin within one more. */
function toPeriod({ totals, series, breakdowns }: Summary, count: number) {
  const { browser, os, country, referrer } = breakdowns
  const latest = series.slice(-count).map(({ clicks }) => clicks)
  return {
    stats: {
      browser: toValues(browser),
      os: toValues(os),
      country: toValues(country),
      referrer: toValues(referrer),
    },
    views: [...Array.from({ length: count - latest.length }, () => 0), ...latest],
    total: totals.clicks,
  }
}

/** Kutt has labels in small letters. */
function toValues(rows: Labels) {
  return rows.map(({ label, clicks }) => ({ name: label.toLowerCase(), value: clicks }))
}
