import { route } from '../../base/route.ts'
import { idParams } from '../shapes.ts'
import type { Analytics } from './analytics.ts'
import { AnalyticsMeta, AnalyticsQuery, LinkAnalytics } from './schema.ts'

const Params = idParams('lnk', 'link')

export const analyticsRoutes = (analytics: Analytics) => [
  route('GET /analytics/links/:id', {
    requires: { credential: 'any', role: 'viewer', scope: 'analytics:read' },
    boundsOwnWork: true,
    name: 'getLinkAnalytics',
    summary: 'Clicks, visitors and breakdowns of a link',
    description:
      'Counts the clicks of the last `days` calendar days, today included, and compares them with as many days before.',
    tag: 'Analytics',
    shapes: {
      params: Params,
      query: AnalyticsQuery,
      reply: LinkAnalytics,
      meta: AnalyticsMeta,
    },
    find: analytics.find,
    handle: (who, { params, query }, signal) => analytics.link(who, params.id, query, signal),
  }),
]
