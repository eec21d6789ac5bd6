import { createDomainBlocking } from '../../domains/domains/fields.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import type { ToDomain } from '../../links/link/addresses.ts'
import { createLinkBlocking } from '../../links/write/blocking.ts'
import type { Config } from '../../platform/config/config.ts'
import { configuredOrigins, toHostname } from '../../platform/facts/short-url.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { Hosts } from '../../redirect/hosts/hosts.ts'
import { createBlocks } from './blocks.ts'
import { reportedPage, reportForm, createAbuseReports } from './reports.ts'
import { applyBlocks } from './passes.ts'
import { abuseReportRoutes, serverAbuseRoutes } from './routes.ts'
import { ReportAbuse } from './schema.ts'

export type Abuse = ReturnType<typeof openAbuse>

export function openAbuse(deps: Dependencies & LinkDeps, config: Config) {
  const linkBlocking = createLinkBlocking(deps)
  const domainBlocking = createDomainBlocking(deps)
  const toDomainOf = createToDomainOf(deps, config)
  const toDomain = toDomainOf(null)
  const reports = createAbuseReports({ ...deps, toDomainOf })
  const blocks = createBlocks({ ...deps, linkBlocking, toDomain })
  return {
    routes: abuseReportRoutes(reports),
    serverRoutes: serverAbuseRoutes(reports, blocks),
    blocks,
    reports,
    toDomain,
    applyBlocks: (signal: AbortSignal) =>
      applyBlocks({ ...deps, linkBlocking, domainBlocking }, signal),
    reporting: {
      shape: ReportAbuse,
      form: reportForm,
      reported: reportedPage,
      report: reports.report,
    },
  }
}

/**
 * A branded domain that a workspace holds, or a shared one. A server without PUBLIC_URL and SHORT_URL answers
 * every host; then a request may name its own host as the shared one, and the operator any.
 */
function createToDomainOf({ systemSql, clock }: Dependencies, config: Config) {
  const origins = configuredOrigins(config)
  const hosts = new Hosts(origins, clock)
  const isShared = (host: string, requestHost: string | null) =>
    hosts.find(host) !== null &&
    (origins.length > 0 || requestHost === null || host === requestHost)
  return (requestHost: string | null): ToDomain =>
    async (host) => {
      const [domain] = await systemSql<{ key: string; isCaseSensitive: boolean }[]>`
        select id as key, case_sensitive as is_case_sensitive from domains
        where hostname = ${toHostname(host)} and status in ('verified', 'misconfigured')`
      if (domain) return domain
      return isShared(host, requestHost) ? { key: '', isCaseSensitive: false } : null
    }
}
