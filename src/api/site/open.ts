import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from '../../platform/config/config.ts'
import { partsOf } from '../../platform/config/roles.ts'
import type { ClientAddress } from '../../platform/facts/client-address.ts'
import type { Readiness } from '../../platform/processes/readiness.ts'
import type { Route } from '../../platform/routes/route.ts'
import { addDocuments } from '../openapi/documents.ts'
import { openApiDocuments } from '../openapi/openapi.ts'
import type { DocumentedEvent } from '../openapi/openapi-webhooks.ts'
import { addBillingEvents, type HandleBillingEvent } from './billing-events.ts'
import { addDashboard, type Dashboard } from './dashboard.ts'
import { addProbes } from './probes.ts'
import { addAbuseReporting, type AbuseReporting } from './report-abuse.ts'
import { addSharedPages, type FindSharedPage } from './shared-pages.ts'
import { addSiteFiles } from './site-files.ts'

export type SiteDeps = {
  config: Config
  version: string
  routes: readonly Route[]
  events: readonly DocumentedEvent[]
  /** Null where this process does not serve it. */
  dashboard: Dashboard | null
  findSharedPage: FindSharedPage
  abuse: AbuseReporting
  /** Null without a billing provider. */
  billingEvents: HandleBillingEvent | null
  readiness: Readiness
  /** What `/metrics` shows. */
  metrics: Pick<Registry, 'contentType' | 'metrics'>
  clientAddress: ClientAddress
}

/** Adds what is served beside the API: its documents, the dashboard, forms, the billing provider's events, probes. */
export function addSite(app: FastifyInstance, deps: SiteDeps): void {
  const { version, dashboard, billingEvents, metrics, readiness, clientAddress } = deps
  const { role, publicUrl, metricsToken } = deps.config
  const { api, edge } = partsOf(role)
  const hasGateway = api === 'whole' || api === 'forwards'
  if (hasGateway) {
    const documents = openApiDocuments(version, deps.routes, deps.events)
    addDocuments(
      app,
      [
        { base: '/v1', write: documents.api, credential: 'apiKey' },
        { base: '/v1/auth', write: documents.auth, credential: 'session' },
      ],
      publicUrl,
    )
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
    readiness: readiness.toDeps(),
  })
}
