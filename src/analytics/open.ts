import type { Config } from '../platform/config/config.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { createToShortUrl, shortUrlOf } from '../platform/facts/short-url.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import type { ShortHost } from '../links/link/dependencies.ts'
import { createAlerts } from './alerts/alerts.ts'
import { alertRoutes } from './alerts/routes.ts'
import { createAnalytics } from './answers/analytics.ts'
import { createLinkClicks } from './answers/link-clicks.ts'
import { analyticsRoutes } from './answers/routes.ts'
import { eventRoutes } from './clicks/events-routes.ts'
import { createDashboards } from './dashboards/dashboards.ts'
import { dashboardRoutes, publicDashboardRoutes } from './dashboards/routes.ts'
import { createVisitedDashboards } from './dashboards/visited.ts'
import { createDashboardVisits } from './dashboards/visits.ts'
import { liveRoutes } from './live/live-routes.ts'
import { LiveClicks } from './live/live.ts'
import { KeptRows } from './questions/kept-rows.ts'
import { ClickReader } from './questions/reader.ts'
import { openReports } from './reports/open.ts'

type Neighbors = {
  config: Config
  stores: Stores
  jobs: Jobs
  shortHost: () => ShortHost
  /** A time before which all clicks of all edges are stored. */
  shippedThroughMs: () => Promise<number>
}

/** Numbers of clicks and conversions: questions, the live feed, shared dashboards, reports. */
export function openAnalytics(
  deps: Dependencies,
  { config, stores, jobs, shortHost, shippedThroughMs }: Neighbors,
) {
  const toClickUrl = createToShortUrl(config)
  const reading = {
    ...deps,
    shippedThroughMs,
    reader: new ClickReader(deps.clickhouse, undefined, new KeptRows(deps.systemSql)),
  }
  const analytics = createAnalytics({
    ...reading,
    toShortUrl: (hostname, slug) => shortUrlOf(shortHost(), hostname, slug),
  })
  const live = new LiveClicks({ ...deps, toShortUrl: toClickUrl })
  const visited = createVisitedDashboards(deps)
  const dashboards = createDashboards({ ...deps, forget: visited.forget })
  const visits = createDashboardVisits({ ...deps, visited, countShared: analytics.shared })
  const reports = openReports({ ...deps, jobs, shortHost, stores }, config)
  const routes = {
    analytics: [
      ...analyticsRoutes(analytics),
      ...eventRoutes({ ...reading, toClickUrl }),
      ...liveRoutes(live),
    ],
    dashboards: [...dashboardRoutes(dashboards), ...publicDashboardRoutes(visits)],
    reports: reports.routes,
    alerts: alertRoutes(createAlerts(deps)),
  } satisfies Record<string, Route[]>
  return {
    routes,
    live,
    reader: reading.reader,
    linkClicks: createLinkClicks(reading),
    findSharedPage: visits.preview,
    reportWorker: reports.worker,
  }
}
