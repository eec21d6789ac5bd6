import type { SharedStatistics } from '../answers/shared.ts'
import { toScope } from './targets.ts'
import type { PublicDashboard } from './visit-schema.ts'
import type { Visited } from './visited.ts'

/** Clicks with what they led to. */
type Counts = { clicks: number; uniqueVisitors: number; conversions: number; value: number }

/** Answer to visitors of a dashboard: names, short URLs and numbers, of what it shares alone. */
export function toPublicDashboard(shown: Visited, counted: SharedStatistics): PublicDashboard {
  const { totals, period } = counted
  const withoutHidden = ({ conversions, value }: Pick<Counts, 'conversions' | 'value'>) =>
    shown.showConversions ? { conversions, value } : {}
  const toVisits = (counts: Counts) => ({
    clicks: counts.clicks,
    uniqueVisitors: counts.uniqueVisitors,
    ...withoutHidden(counts),
  })
  return {
    title: shown.title,
    scope: toScope(shown),
    period: {
      start: period.start,
      end: period.end,
      days: shown.days,
      timezone: counted.timezone,
      granularity: counted.granularity,
    },
    metrics: {
      totalClicks: counted.totalClicks,
      periodClicks: totals.clicks,
      periodChangePercent: counted.clicksChangePercent,
      totalImportedClicks: counted.totalImportedClicks,
      uniqueVisitors: totals.uniqueVisitors,
      uniqueVisitorsChangePercent: counted.visitorsChangePercent,
      hasEarlierPeriod: counted.hasEarlierPeriod,
      ...withoutHidden(totals),
      ...(shown.showConversions && { currency: shown.currency }),
      approximate: counted.approximate,
    },
    timeseries: counted.series.map(({ start, ...counts }) => ({ start, ...toVisits(counts) })),
    breakdowns: counted.breakdowns,
    topLinks: counted.topLinks.flatMap(({ link: { name, shortUrl }, ...counts }) =>
      // A link that was deleted has neither.
      name === null || shortUrl === null ? [] : [{ name, shortUrl, ...toVisits(counts) }],
    ),
    updatedAt: counted.asOf,
  }
}
