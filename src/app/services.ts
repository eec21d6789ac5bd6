import type { RoutedName } from '../resources.ts'
import { openAccounts } from '../accounts/open.ts'
import { openClientDocuments } from '../accounts/oauth/clients.ts'
import { openAnalytics } from '../analytics/open.ts'
import { openConversions } from '../conversions/open.ts'
import { openDomainLookups } from '../domains/domains/check.ts'
import { openDomains } from '../domains/open.ts'
import { createShortHost, type ShortHost } from '../links/link/dependencies.ts'
import { openLinks } from '../links/open.ts'
import { openPreviews } from '../links/preview/preview.ts'
import { createHashLinkPassword } from '../links/write/password.ts'
import { openOperator } from '../operator/open.ts'
import { Purge } from '../operator/purge.ts'
import { openPages } from '../pages/open.ts'
import type { Config } from '../platform/config/config.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { JobWorker } from '../platform/jobs/worker.ts'
import { openDependencies } from '../platform/open.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { CheckStates } from '../platform/processes/readiness.ts'
import type { Route } from '../platform/routes/route.ts'
import { createOutbox } from '../webhooks/delivery/outbox.ts'
import { webhookEvents } from '../webhooks/events.ts'
import { openWebhookRoutes } from '../webhooks/open.ts'
import type { Platform } from './platform.ts'
import { localOrigin, ownOrigin } from '../platform/config/roles.ts'

type Input = Pick<Dependencies, 'clock' | 'log' | 'origin'> &
  Pick<Platform, 'stores' | 'mails' | 'guard' | 'rateLimits'> & {
    config: Config
    countries: Pick<Platform['countries'], 'describe'>
    shortHost: () => ShortHost
    readStates: () => Promise<CheckStates>
    /** All clicks before this time are stored, whichever process answered them. */
    shippedThroughMs: () => Promise<number>
  }

export type Services = Awaited<ReturnType<typeof openServices>>

/** Each feature is opened after those that it uses. @throws OperatorError for settings that contradict each other */
export async function openServices(input: Input) {
  const { config, shortHost, guard, clock } = input
  await using opening = new AsyncDisposableStack()
  const { deps, idempotentResponses } = openDependencies({ ...input, publish: createOutbox(clock) })
  const jobs = createJobs(deps)
  const purge = new Purge({ ...deps, sql: deps.systemSql })
  const accounts = openAccounts(deps, {
    ...{ config, shortHost, purge },
    documents: opening.use(openClientDocuments(guard)),
  })
  const analytics = openAnalytics(deps, { ...input, jobs })
  const linkDeps = {
    ...deps,
    shortHost,
    linkClicks: analytics.linkClicks,
    hashLinkPassword: createHashLinkPassword(deps.secrets),
  }
  const previews = opening.use(openPreviews(guard))
  const pages = opening.use(openPages(linkDeps))
  const links = opening.use(openLinks(linkDeps, { jobs, previews, logos: pages.logos }))
  const domains = openDomains(linkDeps, {
    config,
    lookups: opening.use(openDomainLookups(config, guard)),
    movePagesToSharedHost: pages.moveToSharedHost,
  })
  const operator = await openOperator(linkDeps, { ...input, accounts, purge })
  const { toDomain } = operator.abuse
  const conversions = openConversions(deps, { ...input, reader: analytics.reader, toDomain })
  const checkUrl = (url: string) => guard.checkUrl(url, { allowHttp: config.webhookAllowHttp })
  // A resource without its routes does not compile.
  const routes: Record<RoutedName, Route[]> = {
    ...links.routes,
    ...pages.routes,
    ...domains.routes,
    ...analytics.routes,
    ...conversions,
    ...accounts.routes,
    ...operator.routes,
    webhooks: openWebhookRoutes(deps, { ...input, checkUrl }),
  }
  const opened = opening.move()
  return {
    routes: [...Object.values(routes).flat(), ...accounts.userRoutes],
    events: webhookEvents(),
    ...{ deps, idempotentResponses, purge, jobs, accounts, analytics, domains, operator, previews },
    jobWorkers: [
      new JobWorker({ ...deps, kinds: links.jobKinds }),
      links.importWorker,
      analytics.reportWorker,
    ],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export type ServerAddress = {
  /** PUBLIC_URL, or loopback. */
  origin: string
  ownOrigin: string
  shortHost: ShortHost
}

export function createAddress(config: Config, port: number): ServerAddress {
  const origin = config.publicUrl ?? localOrigin(config, port)
  return {
    origin,
    ownOrigin: ownOrigin(config, port),
    shortHost: createShortHost({ ...config, origin, port }),
  }
}
