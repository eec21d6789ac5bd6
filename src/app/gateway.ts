import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { readVersion } from '../platform/core/version.ts'
import type { Config } from '../platform/config/config.ts'
import type { Services } from './services.ts'
import { createProxyTrust, type createClientAddress } from '../platform/facts/client-address.ts'
import { addAbuseReporting } from '../api/site/report-abuse.ts'
import { addBillingEvents } from '../api/site/billing-events.ts'
import { createBrowser, type Browser } from '../api/requests/browser.ts'
import { createConcurrencyLimit } from '../api/requests/concurrency.ts'
import { addDashboard, type Dashboard } from '../api/site/dashboard.ts'
import { addDocuments } from '../api/openapi/documents.ts'
import type { Forwarder } from '../api/border/forward.ts'
import { openGateway } from '../api/gateway.ts'
import type { Credentials } from '../api/requests/identify.ts'
import { openApiDocuments } from '../api/openapi/openapi.ts'
import { addProbes } from '../api/site/probes.ts'
import { createLimits } from '../api/requests/rates.ts'
import { createRefusedKeys, type RefusedKeys } from '../api/requests/refused-keys.ts'
import { createRequestTimeout } from '../api/requests/request-timeout.ts'
import { addSharedPages } from '../api/site/shared-pages.ts'
import { addSiteFiles } from '../api/site/site-files.ts'
import {
  createBoundarySteps,
  createForwardSteps,
  createGatewaySteps,
  createServiceSteps,
} from '../api/requests/steps.ts'
import type { TrustBoundary } from '../api/border/trust-boundary.ts'
import type { Readiness } from '../platform/processes/readiness.ts'
import { partsOf } from '../platform/config/roles.ts'
import { createCredentials } from '../accounts/credentials/credentials.ts'
import type { RateLimits } from '../platform/limits/rate-limits.ts'
import type { Stores } from '../platform/storage/stores.ts'

type Deps = {
  config: Config
  log: Log
  clock: Clock
  stores: Stores
  services: Services
  clientAddress: ReturnType<typeof createClientAddress>
  rateLimits: RateLimits
  registry: Registry
  /** In the role `services`. */
  boundary: TrustBoundary | null
  /** In the role `gateway`. */
  forwarder: Forwarder | null
  /** Null where the gateway does not serve it. */
  dashboard: Dashboard | null
  readiness: Readiness
  /** Answer of `/metrics`. */
  metrics: Pick<Registry, 'contentType' | 'metrics'>
}

/**
 * Look-ups of credentials share one owner. Each is one row by its key on the pool of the system, so
 * only a database that hangs leaves so many unfinished.
 */
const MAX_ABANDONED_LOOKUPS = 1_000

/** The API: whole in one process, or one side of the trust boundary. */
export async function openGatewayRoom(deps: Deps) {
  const { config, log, clock, services, boundary, forwarder } = deps
  const version = readVersion()
  const browser = createBrowser({
    publicUrl: config.publicUrl,
    corsOrigins: new Set(config.corsOrigins),
    isTrustedProxy: createProxyTrust(config.trustedProxies),
  })
  const credentials = createCredentials({
    keys: services.accounts.keyAuthentication,
    sessions: services.accounts.signIn.sessions,
    noteActivity: services.accounts.noteActivity,
    notices: deps.stores.notices,
    clock,
  })
  const refusedKeys = openRefusedKeys(deps)
  const { api } = partsOf(config.role)
  const gateway = await openGateway({
    routes: api === null ? [] : services.routes,
    steps: createSteps(deps, browser, credentials, refusedKeys),
    isForwarding: forwarder !== null,
    boundary: boundary ?? undefined,
    corsOrigins: config.corsOrigins,
    isHttpsOnly: config.publicUrl?.startsWith('https:') ?? false,
    version,
    clock,
    log,
    observe: openLatency(deps.registry),
    extend: (app) => extend(app, deps, version),
  })
  return {
    handle: gateway.handle,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await refusedKeys[Symbol.asyncDispose]()
    },
  }
}

function openLatency(registry: Registry) {
  const seconds = new Histogram({
    name: 'signpost_api_seconds',
    help: 'Time of the answers of /v1, by the first digit of their status.',
    labelNames: ['status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return (status: number, taken: number) =>
    seconds.observe({ status: `${Math.floor(status / 100)}xx` }, taken)
}

/** The steps of this process: those of the gateway, those of the services, or both. */
function createSteps(
  deps: Deps,
  browser: Browser,
  credentials: Credentials,
  refusedKeys: RefusedKeys,
) {
  const { config, services, clock, boundary, forwarder } = deps
  const serviceSteps = createServiceSteps({
    timeout: createRequestTimeout(),
    concurrency: createConcurrencyLimit(),
    idempotentResponses: services.idempotentResponses,
  })
  if (boundary) return { ...createBoundarySteps(boundary), ...serviceSteps }
  const rates = {
    api: config.rateLimitApi,
    auth: config.rateLimitAuth,
    ingestion: config.rateLimitIngestion,
    preview: config.rateLimitPreview,
  }
  const gatewaySteps = createGatewaySteps({
    credentials,
    timeout: createRequestTimeout({ maxAbandonedPerOwner: MAX_ABANDONED_LOOKUPS }),
    noteRefusedKey: refusedKeys.note,
    clientAddress: deps.clientAddress,
    browser,
    limits: createLimits(deps.rateLimits, rates, clock),
    quota: services.operator.usage,
    planRequestsPerMinute: (plan) => services.deps.plans.find(plan)?.apiRequestsPerMinute ?? null,
  })
  return { ...gatewaySteps, ...(forwarder ? createForwardSteps(forwarder) : serviceSteps) }
}

function openRefusedKeys({ services, stores, log }: Deps): RefusedKeys {
  return createRefusedKeys({
    write: ({ holder: { keyId, userId, workspaceId }, source, ...details }) =>
      services.deps.recordSecurity(stores.systemSql, {
        ...source,
        type: 'api_key.ip_denied',
        outcome: 'failure',
        userId,
        workspaceId,
        actor: { type: 'api_key', id: keyId },
        details: { keyId, ...details },
      }),
    log,
  })
}

/** Routes beside the API: its documents, the billing provider's events, probes. */
function extend(app: FastifyInstance, deps: Deps, version: string): void {
  const { config, stores, services, metrics, forwarder, dashboard, readiness } = deps
  const { api, edge, clickhouse: needsClickHouse } = partsOf(config.role)
  if (api === 'whole' || api === 'forwards') {
    const documents = openApiDocuments(version, services.routes, services.events)
    addDocuments(
      app,
      [
        { base: '/v1', write: documents.api, credential: 'apiKey' },
        { base: '/v1/auth', write: documents.auth, credential: 'session' },
      ],
      config.publicUrl,
    )
  }
  if (dashboard) {
    addDashboard(app, dashboard)
    addSharedPages(app, dashboard, services.analytics.findSharedPage, deps.clientAddress)
  }
  if (edge || api === 'forwards') addSiteFiles(app)
  if (api === 'whole' || api === 'forwards')
    addAbuseReporting(app, services.operator.abuse.reporting, deps.clientAddress)
  const { billingEvents } = services.operator
  if (billingEvents && api !== 'behind') addBillingEvents(app, billingEvents)
  const { metricsToken, publicUrl } = config
  readiness.add({
    postgres: async () => {
      if (!stores.preparation.isReady) throw new Error('PostgreSQL is being waited for')
      await stores.sql`select 1`
    },
    ...(needsClickHouse && { clickhouse: () => pingClickHouse(stores.clickhouse) }),
    ...(forwarder && { services: () => forwarder.ping() }),
  })
  addProbes(app, {
    registry: metrics,
    version,
    metricsToken,
    publicUrl,
    readiness: readiness.toDeps(),
  })
}

async function pingClickHouse(clickhouse: Stores['clickhouse']): Promise<void> {
  const answer = await clickhouse.query({ query: 'select 1', format: 'JSONEachRow' })
  await answer.text()
}
