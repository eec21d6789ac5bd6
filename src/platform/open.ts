import { createAudit } from './audit/audit.ts'
import { createSecurityRecorder } from './audit/security.ts'
import type { Config } from './config/config.ts'
import type { Countries } from './facts/country.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { createCapabilities, createLimit } from './plans/limits.ts'
import { readPlans } from './plans/plans.ts'
import type { Dependencies } from './resources/dependencies.ts'
import { createIdempotentResponses } from './resources/idempotent-responses.ts'
import { createHeavyReads } from './storage/postgres/heavy-reads.ts'
import type { Stores } from './storage/stores.ts'

type Input = Pick<Dependencies, 'clock' | 'log' | 'mails' | 'origin' | 'publish'> & {
  config: Config
  stores: Stores
  rateLimits: Pick<RateLimits, 'limiter'>
  countries: Pick<Countries, 'describe'>
}

export function openDependencies({ config, stores, rateLimits, countries, ...given }: Input) {
  const { sql, systemSql, clickhouse, secrets } = stores
  const { clock, log, mails, origin, publish } = given
  const plans = readPlans(config.plansFile, config.defaultPlan)
  const keys = rateLimits.limiter('idempotency-keys', { points: config.idempotencyKeysPerDay })
  const idempotentResponses = createIdempotentResponses({ sql, systemSql, secrets, clock, keys })
  const deps: Dependencies = {
    ...{ sql, systemSql, clickhouse, secrets, clock, log, mails, origin, publish, plans },
    reads: createHeavyReads(stores),
    audit: createAudit(clock),
    limit: createLimit(clock, plans),
    requireCapability: createCapabilities(plans),
    saveIdempotentResponse: idempotentResponses.keep,
    recordSecurity: createSecurityRecorder(clock, (ip) => countries.describe(ip).location.country),
    limiter: (name) => rateLimits.limiter(name),
    signup: config.signup,
    requireEmailVerification: config.requireEmailVerification,
  }
  return { deps, idempotentResponses }
}
