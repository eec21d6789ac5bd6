import type { Registry } from 'prom-client'
import { createCredentials } from '../accounts/credentials/credentials.ts'
import { openApi } from '../api/open.ts'
import { addCompat } from '../compat/open.ts'
import { openDashboard } from '../api/site/open-dashboard.ts'
import type { Config } from '../platform/config/config.ts'
import { partsOf } from '../platform/config/roles.ts'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { mergeMetrics, registerChecks } from '../platform/processes/metrics.ts'
import type { Metrics } from '../platform/processes/process-messages.ts'
import type { Readiness } from '../platform/processes/readiness.ts'
import type { Platform } from './platform.ts'
import type { Services } from './services.ts'

type Deps = Pick<Platform, 'stores' | 'clientAddress' | 'rateLimits'> & {
  config: Config
  log: Log
  clock: Clock
  registry: Registry
  services: Services
  readiness: Readiness
  stop?: AbortSignal
  checkout?: string
  readMetricsOfOthers: () => Promise<Metrics[]>
}

export async function openServicesApi(deps: Deps, opening: AsyncDisposableStack) {
  const { config, log, clock, registry, services, stores, readiness, stop, checkout } = deps
  const { accounts, operator, analytics, events, idempotentResponses, routes } = services
  const { api } = partsOf(config.role)
  const hasDashboard = checkout !== undefined && (api === 'whole' || api === 'forwards')
  const dashboard = hasDashboard ? opening.use(await openDashboard({ checkout, log, stop })) : null
  const credentials = createCredentials({
    keys: accounts.keyAuthentication,
    sessions: accounts.signIn.sessions,
    noteActivity: accounts.noteActivity,
    notices: stores.notices,
    clock,
  })
  const opened = opening.use(
    await openApi({
      ...deps,
      ...{ credentials, routes, idempotentResponses },
      quota: operator.usage,
      requireOperator: accounts.requireOperator,
      extend: (app, steps) =>
        addCompat(app, {
          ...{ apis: config.compat, steps, clock },
          findSignature: accounts.keyAuthentication.findSignature,
        }),
      planRequestsPerMinute: (plan) => services.deps.plans.find(plan)?.apiRequestsPerMinute ?? null,
      recordRefusals: ({ holder: { keyId, userId, workspaceId }, source, ...details }) =>
        services.deps.recordSecurity(stores.systemSql, {
          ...source,
          type: 'api_key.ip_denied',
          outcome: 'failure',
          userId,
          workspaceId,
          actor: { type: 'api_key', id: keyId },
          details: { keyId, ...details },
        }),
      site: {
        ...{ events, dashboard, readiness },
        findSharedPage: analytics.findSharedPage,
        abuse: operator.abuse.reporting,
        billingEvents: operator.billingEvents,
        metrics: mergeMetrics(registry, deps.readMetricsOfOthers),
      },
    }),
  )
  registerChecks(registry, readiness.readStates)
  return opened
}
