import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import type { Config } from '../platform/config/config.ts'
import { partsOf } from '../platform/config/roles.ts'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { readVersion } from '../platform/config/checkout.ts'
import { createProxyTrust } from '../platform/facts/client-address.ts'
import type { RateLimits } from '../platform/limits/rate-limits.ts'
import type { Route } from '../platform/routes/route.ts'
import type { Forwarder } from './border/forward.ts'
import { createTrustBoundary, type TrustBoundary } from './border/trust-boundary.ts'
import { openGateway } from './gateway.ts'
import { addMcp } from './mcp/open.ts'
import { createBrowser } from './requests/browser.ts'
import { createConcurrencyLimit, createRequestTimeout } from './requests/bounds.ts'
import type { IdempotentResponses } from './requests/idempotency.ts'
import type { Steps } from './requests/pipeline.ts'
import { createLimits } from './requests/rates.ts'
import { createRefusedKeys, type Refusals } from './requests/refused-keys.ts'
import {
  createBoundarySteps,
  createForwardSteps,
  createGatewaySteps,
  createServiceSteps,
  type GatewayDeps,
  type RequireOperator,
} from './requests/steps.ts'
import { addSite, type SiteDeps } from './site/open.ts'

type Deps = Pick<
  GatewayDeps,
  'credentials' | 'clientAddress' | 'quota' | 'planRequestsPerMinute'
> & {
  config: Config
  log: Log
  clock: Clock
  registry: Registry
  rateLimits: RateLimits
  routes: readonly Route[]
  idempotentResponses: IdempotentResponses
  requireOperator: RequireOperator
  recordRefusals: (refusals: Refusals) => Promise<unknown>
  extend: (app: FastifyInstance, steps: Omit<Steps, 'handle'>) => void
  site: Omit<SiteDeps, 'config' | 'version' | 'routes' | 'clientAddress'>
}

type Border = { boundary: TrustBoundary | null; forwarder: Forwarder | null }

/** All look-ups of credentials share one owner; only a database that hangs leaves so many unfinished. */
const MAX_ABANDONED_LOOKUPS = 1_000

export async function openApi(deps: Deps) {
  const { config, log, clock, registry } = deps
  const { api } = partsOf(config.role)
  await using opening = new AsyncDisposableStack()
  const border = await openBorder(deps, opening)
  const { boundary, forwarder } = border
  const version = readVersion()
  const refusedKeys = opening.use(createRefusedKeys({ write: deps.recordRefusals, log }))
  const { steps, gates } = createSteps(deps, border, refusedKeys.note)
  const gateway = opening.use(
    await openGateway({
      routes: api === null ? [] : deps.routes,
      steps,
      isForwarding: forwarder !== null,
      boundary: boundary ?? undefined,
      corsOrigins: config.corsOrigins,
      isHttpsOnly: config.publicUrl?.startsWith('https:') ?? false,
      version,
      clock,
      log,
      observe: openLatency(registry),
      extend: (app) => {
        addSite(app, { ...deps, ...deps.site, version })
        if (!gates || api === null) return
        addMcp(app, { ...deps, ...gates, version })
        deps.extend(app, gates.steps)
      },
    }),
  )
  if (forwarder) deps.site.readiness.add({ services: () => forwarder.ping() })
  const opened = opening.move()
  return {
    handle: boundary?.guard(gateway.handle) ?? gateway.handle,
    endEvents: () => forwarder?.endEvents(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function openBorder({ config, log, clock }: Deps, opening: AsyncDisposableStack) {
  const { api } = partsOf(config.role)
  const { internalToken, servicesUrl } = config
  const border: Border = { boundary: null, forwarder: null }
  if (api === 'behind')
    border.boundary = createTrustBoundary({ internalToken: internalToken!, clock })
  if (api !== 'forwards') return border
  // No other role loads its HTTP client.
  const { Forwarder } = await import('./border/forward.ts')
  border.forwarder = opening.use(
    new Forwarder({ servicesUrl: servicesUrl!, internalToken: internalToken!, clock, log }),
  )
  return border
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

function createSteps(
  deps: Deps,
  { boundary, forwarder }: Border,
  noteRefusedKey: GatewayDeps['noteRefusedKey'],
) {
  const { config, clock, idempotentResponses } = deps
  const serviceSteps = createServiceSteps({
    requireOperator: deps.requireOperator,
    timeout: createRequestTimeout(),
    concurrency: createConcurrencyLimit(),
    idempotentResponses,
  })
  if (boundary) return { steps: { ...createBoundarySteps(boundary), ...serviceSteps } }
  const browser = createBrowser({
    publicUrl: config.publicUrl,
    corsOrigins: new Set(config.corsOrigins),
    isTrustedProxy: createProxyTrust(config.trustedProxies),
  })
  const gatewaySteps = createGatewaySteps({
    ...deps,
    noteRefusedKey,
    timeout: createRequestTimeout({ maxAbandonedPerOwner: MAX_ABANDONED_LOOKUPS }),
    browser,
    limits: createLimits(
      deps.rateLimits,
      {
        api: config.rateLimitApi,
        auth: config.rateLimitAuth,
        ingestion: config.rateLimitIngestion,
        preview: config.rateLimitPreview,
      },
      clock,
    ),
  })
  const steps = { ...gatewaySteps, ...(forwarder ? createForwardSteps(forwarder) : serviceSteps) }
  return { steps, gates: { steps: gatewaySteps, browser } }
}
