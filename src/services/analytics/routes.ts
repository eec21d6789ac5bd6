import { route } from '../../base/route.ts'
import { IdParams } from '../shapes.ts'
import type { Analytics } from './analytics.ts'
import { AnalyticsMeta, AnalyticsQuery, LinkAnalytics } from './schema.ts'

export const analyticsRoutes = (analytics: Analytics) => [
  route({
    method: 'GET',
    path: '/analytics/links/:id',
    access: 'viewer',
    scope: 'analytics:read',
    status: 200,
    boundsOwnWork: true,
    summary: 'Clicks, visitors and breakdowns of a link',
    tag: 'Analytics',
    shapes: {
      params: IdParams,
      query: AnalyticsQuery,
      reply: LinkAnalytics,
      meta: AnalyticsMeta,
    },
    find: analytics.find,
    handle: (who, { params, query }, signal) => analytics.link(who, params.id, query, signal),
  }),
]
