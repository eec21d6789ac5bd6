import type { Config } from '../platform/config/config.ts'
import type { Countries } from '../platform/facts/country.ts'
import { createSignClick, SP_ID_PURPOSE } from '../platform/facts/click-identity.ts'
import type { RateLimits } from '../platform/limits/rate-limits.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import type { ClickReader } from '../analytics/questions/reader.ts'
import type { ShortHost } from '../links/link/dependencies.ts'
import type { ToDomain } from '../links/link/addresses.ts'
import { ClickLookup } from './conversions/clicks.ts'
import { createConversions } from './conversions/conversions.ts'
import { conversionRoutes } from './conversions/routes.ts'
import { deferredRoutes } from './deferred/resolve.ts'
import { geoipRoutes } from './geoip/geoip.ts'

type Neighbors = {
  config: Config
  rateLimits: Pick<RateLimits, 'limiter'>
  shortHost: () => ShortHost
  reader: ClickReader
  countries: Pick<Countries, 'describe'>
  toDomain: ToDomain
}

export function openConversions(
  deps: Dependencies,
  { config, rateLimits, shortHost, reader, countries, toDomain }: Neighbors,
) {
  const { clickhouse, log, secrets } = deps
  const sign = createSignClick(secrets.keyFor(SP_ID_PURPOSE))
  const conversions = createConversions({
    ...deps,
    sign,
    lookup: new ClickLookup({ clickhouse, log }),
    sharedHost: () => shortHost().domain,
  })
  const matches = rateLimits.limiter('deferred-matches', { points: config.deferredMatchesPerDay })
  return {
    conversions: conversionRoutes(conversions),
    deferred: deferredRoutes({ ...deps, reader, toDomain, shortHost, matches, sign }),
    geoip: geoipRoutes(countries),
  } satisfies Record<string, Route[]>
}
