import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from '../../platform/config/config.ts'
import { localOrigin, partsOf } from '../../platform/config/roles.ts'
import type { ClientAddress } from '../../platform/facts/client-address.ts'
import type { Route } from '../../platform/routes/route.ts'
import { addSkill } from '../openapi/agents.ts'
import { addDocuments } from '../openapi/documents.ts'
import { openApiDocuments, type DocumentedEvent } from '../openapi/openapi.ts'
import { addDashboard, type Dashboard } from './dashboard.ts'
import { addAbuseReporting, type AbuseReporting } from './report-abuse.ts'
import { addSharedPages, type FindSharedPage } from './shared-pages.ts'
import { addSiteFiles } from './static-file.ts'
import { SIZES } from '../../platform/limits/sizes.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { addReady, type Readiness, type ReadyDeps } from '../../platform/processes/readiness.ts'
import { hasToken, isFromThisMachine, isLoopbackUrl } from '../../platform/http/request.ts'

export type SiteDeps = {
  config: Config
  version: string
  routes: readonly Route[]
  events: readonly DocumentedEvent[]
  dashboard: Dashboard | null
  findSharedPage: FindSharedPage
  abuse: AbuseReporting
  billingEvents: HandleBillingEvent | null
  readiness: Readiness
  metrics: Pick<Registry, 'contentType' | 'metrics'>
  clientAddress: ClientAddress
}

export function addSite(app: FastifyInstance, deps: SiteDeps): void {
  const { version, dashboard, billingEvents, metrics, readiness, clientAddress } = deps
  const { role, port, publicUrl, metricsToken } = deps.config
  const { api, edge } = partsOf(role)
  const hasGateway = api === 'whole' || api === 'forwards'
  if (hasGateway) {
    const documents = openApiDocuments(version, deps.routes, deps.events)
    const ofExamples = publicUrl ?? localOrigin(deps.config, port)
    addDocuments(
      app,
      [
        { base: '/v1', write: documents.api, credential: 'apiKey' },
        { base: '/v1/auth', write: documents.auth, credential: 'session' },
      ],
      { publicUrl, ofExamples },
    )
    addSkill(app, deps.routes, ofExamples)
    addAbuseReporting(app, deps.abuse, clientAddress)
  }
  if (dashboard) {
    addDashboard(app, dashboard)
    addSharedPages(app, dashboard, deps.findSharedPage, clientAddress)
  }
  if (edge || api === 'forwards') addSiteFiles(app)
  if (billingEvents && api !== 'behind') addBillingEvents(app, billingEvents)
  addProbes(app, {
    registry: metrics,
    version,
    metricsToken,
    publicUrl,
    readiness,
  })
}

const PATH = '/billing/events/stripe'
const BODY_LIMIT_BYTES = SIZES.billingEvent.bytes

export type HandleBillingEvent = (
  rawBody: Buffer,
  signature: string,
) => Promise<{ status: number; message: string }>

/** The signature of the raw body replaces a credential. */
function addBillingEvents(app: FastifyInstance, handle: HandleBillingEvent): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
      (_request, body: Buffer, done) => done(null, body),
    )
    scope.post(PATH, async (request, reply) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body))
        throw new ApiError('VALIDATION_ERROR', 'The webhook signature is missing.')
      const { status, message } = await handle(request.body, signature)
      return reply.code(status).send({ data: { message }, meta: { requestId: request.id } })
    })
  })
}

type Deps = {
  registry: Pick<Registry, 'contentType' | 'metrics'>
  version: string
  metricsToken: string | null
  publicUrl: string | null
  readiness: ReadyDeps
}

/** `/metrics` is for the operator. */
export function addProbes(app: FastifyInstance, deps: Deps): void {
  app.get('/health', async (request) => ({
    data: { status: 'ok', version: deps.version },
    meta: { requestId: request.id },
  }))

  addReady(app, deps.readiness)

  // Behind a proxy on this machine every visitor is a loopback peer, so a public server requires the token.
  const isPublic = deps.publicUrl !== null && !isLoopbackUrl(deps.publicUrl)
  app.get('/metrics', async (request, reply) => {
    if ((isPublic || !isFromThisMachine(request.raw)) && !hasToken(request.raw, deps.metricsToken))
      throw new ApiError(
        'FORBIDDEN',
        'Metrics need the header "Authorization: Bearer METRICS_TOKEN" here; the operator sets METRICS_TOKEN.',
      )
    return reply.type(deps.registry.contentType).send(await deps.registry.metrics())
  })
}
