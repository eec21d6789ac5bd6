import type { Route } from '../base/route.ts'
import type { Config } from '../config/config.ts'
import { createSignClick, SP_ID_PURPOSE } from '../facts/sp-id.ts'
import { createDeferred, type DeferredDeps } from '../services/deferred/resolve.ts'
import { deferredRoutes } from '../services/deferred/routes.ts'
import type { Dependencies } from '../services/dependencies.ts'
import type { RateLimits } from '../storage/rate-limits.ts'

type Input = Pick<DeferredDeps, 'shortHost'> & {
  config: Config
  rateLimits: Pick<RateLimits, 'limiter'>
}

/** Deferred deep links. */
export function createDeferredRoutes(
  deps: Dependencies & Pick<DeferredDeps, 'reader' | 'toDomain'>,
  { config, shortHost, rateLimits }: Input,
): Route[] {
  const matches = rateLimits.limiter('deferred-matches', { points: config.deferredMatchesPerDay })
  const sign = createSignClick(deps.secrets.keyFor(SP_ID_PURPOSE))
  return deferredRoutes(createDeferred({ ...deps, shortHost, matches, sign }))
}
