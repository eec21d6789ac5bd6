import type { Config } from '../config/config.ts'
import { createHosts, toHostname } from '../edge/hosts.ts'
import { reportedPage, reportForm } from '../services/abuse/form.ts'
import { createAbuseReports } from '../services/abuse/reports.ts'
import { abuseReportRoutes } from '../services/abuse/routes.ts'
import { ReportAbuse } from '../services/abuse/schema.ts'
import type { ToDomain } from '../services/abuse/short-link.ts'
import type { Dependencies } from '../services/dependencies.ts'
import { configuredOrigins } from './edge.ts'

/** Reports of abuse: the routes of the API, and what the gateway needs to take reports. */
export function createAbuse(deps: Dependencies, config: Config) {
  const toDomainOf = createToDomainOf(deps, config)
  const reports = createAbuseReports({ ...deps, toDomainOf })
  return {
    routes: abuseReportRoutes(reports),
    reporting: {
      shape: ReportAbuse,
      form: reportForm,
      reported: reportedPage,
      report: reports.report,
    },
  }
}

/**
 * The look-up of a host in a reported URL: a shared one, or a branded one that a workspace holds. A server
 * without PUBLIC_URL and SHORT_URL answers every host, so there the shared one is that of the request.
 */
function createToDomainOf({ systemSql, clock }: Dependencies, config: Config) {
  const origins = configuredOrigins(config)
  // Without the domains, which only an edge has in memory.
  const hosts = createHosts(origins, clock)
  return (askedHost: string): ToDomain =>
    async (host) => {
      const isShared = origins.length > 0 ? hosts.find(host) !== null : host === askedHost
      if (isShared) return { key: '', isCaseSensitive: false }
      const [domain] = await systemSql<{ key: string; isCaseSensitive: boolean }[]>`
        select id as key, case_sensitive as is_case_sensitive from domains
        where hostname = ${toHostname(host)} and status in ('verified', 'misconfigured')`
      return domain ?? null
    }
}
