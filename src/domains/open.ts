import type { Config } from '../platform/config/config.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import type { LinkDeps } from '../links/link/dependencies.ts'
import { checkDestination } from '../links/link/destination.ts'
import { moveToSharedHost } from '../links/write/move-to-shared.ts'
import { createDomains } from './domains/domains.ts'
import { routingByConfig, type DomainLookups } from './domains/lookups.ts'
import type { RemovalDeps } from './domains/removal.ts'
import { domainRoutes } from './domains/routes.ts'
import { createVerification } from './domains/verification.ts'

type Neighbors = {
  config: Config
  lookups: DomainLookups
  movePagesToSharedHost: RemovalDeps['movePagesToSharedHost']
}

/** Branded domains and their verification. */
export function openDomains(
  deps: Dependencies & LinkDeps,
  { config, lookups, movePagesToSharedHost }: Neighbors,
) {
  const own = [config.publicUrl, config.shortUrl].flatMap((url) =>
    url ? new URL(url).hostname : [],
  )
  const ownHosts = new Set([...own, ...(config.cnameTarget ? [config.cnameTarget] : [])])
  const routing = routingByConfig(config)
  const domains = createDomains({
    ...deps,
    checkDestination: (url, path) => checkDestination(url, deps.shortHost().isOwn, path),
    moveToSharedHost: (tx, principal, links) => moveToSharedHost(deps, tx, principal, links),
    movePagesToSharedHost,
    isOwnHost: (hostname) => ownHosts.has(hostname),
    readRouting: lookups.readRouting,
    routing,
  })
  const verification = createVerification({
    ...deps,
    lookups,
    routing,
    domainRate: deps.limiter('domain-check'),
    workspaceRate: deps.limiter('domain-checks'),
  })
  const routes: { domains: Route[] } = { domains: domainRoutes(domains, verification) }
  return { routes, verification }
}
