import type { RoutedName } from '../resources.ts'
import type { Config } from '../platform/config/config.ts'
import type { Countries } from '../platform/facts/country.ts'
import { createAudit } from '../platform/audit/audit.ts'
import { createSecurityRecorder } from '../platform/audit/security.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { JobWorker } from '../platform/jobs/worker.ts'
import type { RateLimits } from '../platform/limits/rate-limits.ts'
import { createCapabilities, createLimit } from '../platform/plans/limits.ts'
import { readPlans } from '../platform/plans/plans.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import { createIdempotentResponses } from '../platform/resources/idempotent-responses.ts'
import type { Route } from '../platform/routes/route.ts'
import { createHeavyReads } from '../platform/storage/postgres/heavy-reads.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { openAccounts } from '../accounts/open.ts'
import { openAnalytics } from '../analytics/open.ts'
import { openConversions } from '../conversions/open.ts'
import { createConversionPages } from '../conversions/conversions/pages.ts'
import { openDomains } from '../domains/open.ts'
import type { DomainLookups } from '../domains/domains/check.ts'
import type { ShortHost } from '../links/link/short-host.ts'
import { openLinks } from '../links/open.ts'
import type { createLinkPreviews } from '../links/preview/preview.ts'
import { createHashLinkPassword } from '../links/write/password.ts'
import { openOperator } from '../operator/open.ts'
import { Purge } from '../operator/purge.ts'
import { openPages } from '../pages/open.ts'
import { createOutbox } from '../webhooks/delivery/outbox.ts'
import { webhookEvents } from '../webhooks/endpoints/event-shapes.ts'
import { openWebhookRoutes } from '../webhooks/open.ts'

export type ServicesDeps = Pick<Dependencies, 'clock' | 'log' | 'mails' | 'origin'> & {
  stores: Stores
  config: Config
  rateLimits: Pick<RateLimits, 'limiter'>
  /** Host of short links; set once the server has its port. */
  shortHost: () => ShortHost
  /** Time before which every click that any edge answered is stored. */
  shippedThroughMs: () => Promise<number>
  countries: Pick<Countries, 'describe'>
  /** @throws Error whose message says why the server never connects to this URL */
  checkUrl: (url: string) => Promise<void>
  previews: Parameters<typeof createLinkPreviews>[0]
  domainLookups: DomainLookups
}

export type Services = Awaited<ReturnType<typeof createServices>>

/**
 * Opens the features, each after those that it uses.
 * @throws OperatorError for settings that contradict each other
 */
export async function createServices(input: ServicesDeps) {
  const { config, shortHost, previews } = input
  const opened = new AsyncDisposableStack()
  const idempotentResponses = openIdempotentResponses(input)
  const deps = shareDependencies(input, idempotentResponses.keep)
  const jobs = createJobs(deps)
  const purge = new Purge({ ...deps, sql: deps.systemSql })
  const accounts = openAccounts(deps, { config, shortHost, purge })
  const conversionPages = createConversionPages(deps)
  const analytics = openAnalytics(deps, { ...input, jobs, conversionPages })
  const linkDeps = {
    ...{ ...deps, shortHost, linkClicks: analytics.linkClicks },
    hashLinkPassword: createHashLinkPassword(deps.secrets),
  }
  const pages = opened.use(openPages(linkDeps))
  const links = opened.use(openLinks(linkDeps, { jobs, previews, logos: pages.logos }))
  const domains = openDomains(linkDeps, {
    config,
    lookups: input.domainLookups,
    movePagesToSharedHost: pages.moveToSharedHost,
  })
  const operator = await openOperator(linkDeps, { config, accounts, purge })
  const { toDomain } = operator.abuse
  const conversions = openConversions(deps, { ...input, reader: analytics.reader, toDomain })
  // A resource without its routes does not compile.
  const routes: Record<RoutedName, Route[]> = {
    ...links.routes,
    ...pages.routes,
    ...domains.routes,
    ...analytics.routes,
    ...conversions,
    ...accounts.routes,
    ...operator.routes,
    webhooks: openWebhookRoutes(deps, input),
  }
  return {
    routes: [...Object.values(routes).flat(), ...accounts.userRoutes],
    events: webhookEvents(),
    ...{ deps, idempotentResponses, purge, jobs, accounts, analytics, domains, operator },
    jobWorkers: [new JobWorker({ ...deps, kinds: links.jobKinds }), analytics.reportWorker],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function openIdempotentResponses({ stores, config, clock, rateLimits }: ServicesDeps) {
  return createIdempotentResponses({
    sql: stores.sql,
    systemSql: stores.systemSql,
    secrets: stores.secrets,
    clock,
    keys: rateLimits.limiter('idempotency-keys', { points: config.idempotencyKeysPerDay }),
  })
}

function shareDependencies(
  input: ServicesDeps,
  saveIdempotentResponse: Dependencies['saveIdempotentResponse'],
): Dependencies {
  const { stores, config, clock, log, mails, origin } = input
  const plans = readPlans(config.plansFile, config.defaultPlan)
  return {
    sql: stores.sql,
    systemSql: stores.systemSql,
    clickhouse: stores.clickhouse,
    clock,
    log,
    mails,
    origin,
    plans,
    secrets: stores.secrets,
    reads: createHeavyReads(stores),
    audit: createAudit(clock),
    limit: createLimit(clock, plans),
    requireCapability: createCapabilities(plans),
    publish: createOutbox(clock),
    saveIdempotentResponse,
    recordSecurity: createSecurityRecorder(
      clock,
      (ip) => input.countries.describe(ip).location.country,
    ),
    limiter: (name) => input.rateLimits.limiter(name),
    signup: config.signup,
    requireEmailVerification: config.requireEmailVerification,
  }
}
