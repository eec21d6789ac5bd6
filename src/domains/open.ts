import type { Config } from '../platform/config/config.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import type { LinkDeps } from '../links/link/dependencies.ts'
import { createDomains } from './domains/domains.ts'
import { routingByConfig, type DomainLookups } from './domains/check.ts'
import type { RemovalDeps } from './domains/domain-links.ts'
import { domainRoutes } from './domains/routes.ts'
import { createVerification } from './domains/verification.ts'

type Neighbors = {
  config: Config
  lookups: DomainLookups
  movePagesToSharedHost: RemovalDeps['movePagesToSharedHost']
}

export function openDomains(
  deps: Dependencies & LinkDeps,
  { config, lookups, movePagesToSharedHost }: Neighbors,
) {
  const { publicUrl, shortUrl, cnameTarget } = config
  const ownUrls = [publicUrl, shortUrl].filter((url) => url !== null)
  const ownHosts = new Set([...ownUrls.map((url) => new URL(url).hostname), cnameTarget])
  const shared = { ...deps, lookups, routing: routingByConfig(config) }
  const domains = createDomains({ ...shared, movePagesToSharedHost, ownHosts })
  const verification = createVerification({
    ...shared,
    domainRate: deps.limiter('domain-check'),
    workspaceRate: deps.limiter('domain-checks'),
  })
  const routes: { domains: Route[] } = { domains: domainRoutes(domains, verification) }
  return { routes, verification }
}
