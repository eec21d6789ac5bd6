import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { Services } from './services.ts'
import { createProxyTrust, type createClientAddress } from '../facts/client-address.ts'
import { admitCrossing, createAdmission, crossingBy } from '../gateway/admission.ts'
import { addBillingEvents } from '../gateway/billing-events.ts'
import { createBrowser } from '../gateway/browser.ts'
import { addDocuments, readVersion } from '../gateway/documents.ts'
import { addForwarding, type Forwarder } from '../gateway/forward.ts'
import { openGateway } from '../gateway/gateway.ts'
import type { Border } from '../gateway/identity.ts'
import { openApiDocuments } from '../gateway/openapi.ts'
import { createPatience, type Patience } from '../gateway/patience.ts'
import { boundAccountRoutes, boundRoutes, createPlaces } from '../gateway/places.ts'
import { createRefusedKeys } from '../gateway/refused-keys.ts'
import { addProbes } from '../gateway/probes.ts'
import { partsOf } from './roles.ts'
import type { KeyHolder } from '../services/credentials.ts'
import { createCredentials } from '../services/credentials/remembered.ts'
import type { RateLimits } from '../storage/rate-limits.ts'
import type { Stores } from '../storage/stores.ts'

type Deps = {
  config: Config
  log: Log
  clock: Clock
  stores: Stores
  services: Services
  clientAddress: ReturnType<typeof createClientAddress>
  rateLimits: RateLimits
  registry: Registry
  border: Border | null
  forwarder: Forwarder | null
}

/**
 * Credentials that are looked up have no owner yet. A look-up is one row by its key on the pool of the
 * system, so only a database that hangs leaves them behind.
 */
const MAX_ABANDONED_CREDENTIALS = 1_000

/** The door of the API: whole in one process, or one side of the process border. */
export async function openGatewayRoom(deps: Deps) {
  const { config, log, clock, stores, services, registry, border, forwarder } = deps
  const within = createPatience()
  const places = createPlaces()
  const routes = boundRoutes(services.routes, within, places)
  const accountRoutes = boundAccountRoutes(services.accountRoutes, within, places)
  const version = await readVersion()
  const { api, clickhouse: asksClickHouse } = partsOf(config.role)
  const credentials = createCredentials({
    keys: services.apiKeys,
    sessions: services.sessions,
    openListenerSql: () => stores.openPostgres('signpost-credentials'),
    clock,
    log,
  })
  const refusedKeys = createRefusedKeys<KeyHolder>({
    write: ({ holder: { keyId, userId, workspaceId }, source, ...details }) =>
      services.recordSecurity(stores.systemSql, {
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
  const credentialWithin = createPatience({ maxAbandonedPerOwner: MAX_ABANDONED_CREDENTIALS })
  const admission = border
    ? admitCrossing(border.callerOf)
    : createAdmission<KeyHolder>({
        credentials: {
          key: (token) => soon(credentials.key(token), credentialWithin),
          session: (token, wanted) => soon(credentials.session(token, wanted), credentialWithin),
          used: credentials.used,
        },
        onIpDenied: refusedKeys.note,
        planRequestsPerMinute: (plan) => services.plans.find(plan)?.apiRequestsPerMinute ?? null,
        quota: services.usage,
        rateLimits: deps.rateLimits,
        rates: ratesOf(config),
        clientAddress: deps.clientAddress,
        isTrustedProxy: createProxyTrust(config.trustedProxies),
        publicUrl: config.publicUrl,
        corsOrigins: config.corsOrigins,
        clock,
        log,
      })
  const checks = {
    postgres: () => stores.sql`select 1`,
    ...(asksClickHouse && { clickhouse: () => ask(stores.clickhouse) }),
    ...(forwarder && { services: () => forwarder.ping() }),
  }
  const isHere = api === 'whole' || api === 'behind'
  const gateway = await openGateway({
    routes: isHere ? routes : [],
    accountRoutes: isHere ? accountRoutes : [],
    admission,
    checkBody: border?.checkBody,
    corsOrigins: config.corsOrigins,
    isHttpsOnly: config.publicUrl?.startsWith('https:') ?? false,
    version,
    clock,
    log,
    extend: (app) => {
      if (forwarder)
        addForwarding(
          app,
          [...routes, ...accountRoutes],
          crossingBy(admission),
          forwarder,
          admission.holdBackOf,
        )
      if (api === 'whole' || api === 'forwards') {
        const documents = openApiDocuments(version, routes, accountRoutes, services.events)
        const { originOf } = createBrowser({
          publicUrl: config.publicUrl,
          corsOrigins: new Set(config.corsOrigins),
          isTrustedProxy: createProxyTrust(config.trustedProxies),
        })
        addDocuments(
          app,
          [
            { base: '/v1', document: documents.api, credential: 'apiKey' },
            { base: '/v1/auth', document: documents.auth, credential: 'session' },
          ],
          originOf,
        )
      }
      if (services.billingEvents && api !== 'behind') addBillingEvents(app, services.billingEvents)
      const { metricsToken, publicUrl } = config
      addProbes(app, { registry, version, metricsToken, publicUrl, checks })
    },
  })
  const knowsCredentials = api === 'whole' || api === 'forwards'
  return {
    ...gateway,
    parts: knowsCredentials ? [credentials.service] : [],
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await refusedKeys[Symbol.asyncDispose]()
    },
  }
}

/** What is remembered is there at once; what must be asked for is not waited for without end. */
function soon<T>(answer: T | Promise<T>, within: Patience) {
  return answer instanceof Promise ? within('credentials', undefined, () => answer) : answer
}

function ratesOf(config: Config) {
  return {
    api: config.rateLimitApi,
    auth: config.rateLimitAuth,
    ingestion: config.rateLimitIngestion,
    preview: config.rateLimitPreview,
  }
}

async function ask(clickhouse: Stores['clickhouse']): Promise<void> {
  const answer = await clickhouse.query({ query: 'select 1', format: 'JSONEachRow' })
  await answer.text()
}
