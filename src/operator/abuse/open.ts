import type { Config } from '../../platform/config/config.ts'
import { createHosts } from '../../redirect/hosts/hosts.ts'
import { reportedPage, reportForm } from './form.ts'
import { createBlocks, type BlocksDeps } from './blocks.ts'
import { createOperatorReports } from './operator-reports.ts'
import type { PassDeps } from './passes.ts'
import { createAbuseReports } from './reports.ts'
import { abuseReportRoutes } from './routes.ts'
import { ReportAbuse } from './schema.ts'
import { createDomainBlocking } from '../../domains/domains/blocking.ts'
import { createLinkBlocking } from '../../links/write/blocking.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { ToDomain } from '../../links/short-link.ts'
import { configuredOrigins, toHostname } from '../../platform/facts/short-urls.ts'

export type Abuse = ReturnType<typeof openAbuse>

type Neighbors = Pick<BlocksDeps, 'workspaces'> & { linkDeps: LinkDeps }

/**
 * Reports of abuse and blocks: the routes of the API, what the gateway needs to take reports, the commands of the
 * operator, and what the sweep needs that applies blocks to links.
 */
export function openAbuse(deps: Dependencies, config: Config, { linkDeps, workspaces }: Neighbors) {
  const linkBlocking = createLinkBlocking(linkDeps)
  const toDomainOf = createToDomainOf(deps, config)
  const reports = createAbuseReports({ ...deps, toDomainOf })
  return {
    routes: abuseReportRoutes(reports),
    operator: {
      blocks: createBlocks({ ...deps, linkBlocking, workspaces, toDomain: toDomainOf(null) }),
      reports: createOperatorReports(deps),
    },
    /** Any host of short links of this installation. */
    toDomain: toDomainOf(null),
    passDeps: {
      ...deps,
      linkBlocking,
      domainBlocking: createDomainBlocking(deps),
    } satisfies PassDeps,
    reporting: {
      shape: ReportAbuse,
      form: reportForm,
      reported: reportedPage,
      report: reports.report,
    },
  }
}

/**
 * The look-up of a host in a reported URL: a branded one that a workspace holds, or a shared one. A server without
 * PUBLIC_URL and SHORT_URL answers every host; for a request the shared one is then its own, for the operator any.
 */
function createToDomainOf({ systemSql, clock }: Dependencies, config: Config) {
  const origins = configuredOrigins(config)
  // Without the domains, which only an edge has in memory.
  const hosts = createHosts(origins, clock)
  const isShared = (host: string, askedHost: string | null) =>
    hosts.find(host) !== null && (origins.length > 0 || askedHost === null || host === askedHost)
  return (askedHost: string | null): ToDomain =>
    async (host) => {
      const [domain] = await systemSql<{ key: string; isCaseSensitive: boolean }[]>`
        select id as key, case_sensitive as is_case_sensitive from domains
        where hostname = ${toHostname(host)} and status in ('verified', 'misconfigured')`
      if (domain) return domain
      return isShared(host, askedHost) ? { key: '', isCaseSensitive: false } : null
    }
}
