import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { FilteredMeta } from '../../platform/resources/shapes.ts'
import type { AbuseReports } from './reports.ts'
import { AbuseReport, ListAbuseReports } from './schema.ts'

export const abuseReportRoutes = (reports: AbuseReports) => [
  route('GET /abuse-reports', {
    requires: { credential: 'any', role: 'admin', scope: 'links:read' },
    skipConcurrencyLimit: true,
    name: 'listAbuseReports',
    summary: 'List abuse reports',
    description:
      'Pages through what visitors have reported about links of the workspace in the last 90 days, newest first. Who sent a report is not disclosed.',
    tag: 'Links',
    shapes: { query: ListAbuseReports, reply: Type.Array(AbuseReport), meta: FilteredMeta },
    handle: (principal, { query }, signal) => reports.list(principal, query, signal),
  }),
]
