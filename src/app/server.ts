import type { Registry } from 'prom-client'
import { openShipping } from '../clicks/shipping/open.ts'
import { toJournalDir } from '../clicks/journal/format.ts'
import { createShippedThrough } from '../clicks/shipping/reports.ts'
import { LINKS_CHANNEL } from '../links/link/addresses.ts'
import type { Config } from '../platform/config/config.ts'
import { partsOf } from '../platform/config/roles.ts'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { openHttpServer } from '../platform/http/http-server.ts'
import type { PassedSockets } from '../platform/http/listening.ts'
import { Readiness } from '../platform/processes/readiness.ts'
import type { Metrics, ServerSockets } from '../platform/processes/process-messages.ts'
import type { Addresses } from '../platform/storage/stores.ts'
import { createDispatch } from '../redirect/dispatch.ts'
import { listenForRedirects } from '../redirect/server-input.ts'
import { type ServerAddress, openServices } from './services.ts'
import { openServicesApi } from './gateway.ts'
import { openPlatform } from './platform.ts'
import { runUntil, whenReady } from './run.ts'
import { CLICKS_CHANNEL } from '../clicks/shipping/cursor.ts'
import type { Service } from '../platform/core/service.ts'
import { JOBS_CHANNEL } from '../platform/jobs/jobs.ts'
import { openDeliveries } from '../webhooks/open.ts'
import { openSweeps, type WorkDeps } from './sweeps.ts'

type Context = {
  log: Log
  clock?: Clock
  registry: Registry
  stop?: AbortSignal
  checkout?: string
  addresses: Addresses
  address: ServerAddress
  /** For a role without redirect processes. */
  sockets: PassedSockets
  /** For a role with redirect processes. */
  server: ServerSockets
  readMetricsOfOthers: () => Promise<Metrics[]>
  /** Before the first request of a role without redirect processes. */
  onPort?: (port: number) => void
}

/** Closes in reverse, also when opening fails half-way. @throws OperatorError, or the signal's reason */
export async function openServer(config: Config, context: Context) {
  const { log, clock = Date.now, registry, address } = context
  const { api, edge, worker } = partsOf(config.role)
  await using opening = new AsyncDisposableStack()
  const own = { ...context, config, clock }
  const platform = await openPlatform(config, own, opening)
  const { stores } = platform
  const { preparation, systemSql: sql } = stores
  const journalDir = edge ? toJournalDir(config) : null
  const readiness = new Readiness(config.role, stores, partsOf(config.role).clickhouse)
  const services = opening.use(
    await openServices({
      ...{ ...own, ...platform, readStates: readiness.readStates },
      origin: () => address.origin,
      shortHost: () => address.shortHost,
      shippedThroughMs: createShippedThrough({ sql, journalDir, clock, log, registry }),
    }),
  )
  const { analytics, operator } = services
  const shipping = edge ? openShipping({ ...own, ...platform }) : null
  const gateway = await openServicesApi({ ...own, ...platform, services, readiness }, opening)
  const work = await openWork({ ...own, ...platform, services }, opening)
  const listener = createDispatch(config, gateway.handle, { clock, preparation })
  // A command right after the first answer must find the server.
  const commands = opening.use(await operator.listen(stores, shipping?.shipFolder ?? null))
  const onPort = (port: number) => {
    context.onPort?.(port)
    return listener
  }
  const { host, port } = config
  const input = opening.use(
    shipping
      ? await listenForRedirects(
          { ...own, ...platform },
          context.server,
          listener,
          LINKS_CHANNEL,
          shipping.noteSealed,
        )
      : await openHttpServer(onPort, { host, port, clock, sockets: context.sockets.http }),
  )
  if (preparation.isReady) await operator.begin()
  const endStreams = () => {
    analytics.live.close()
    gateway.endEvents()
  }
  const closeFeeds = async () => {
    // Otherwise streams last until the server cuts them.
    endStreams()
    await Promise.all([input, commands].map((feed) => feed[Symbol.asyncDispose]()))
  }
  const parts = whenReady(preparation, operator.begin, [...(shipping?.parts ?? []), ...work])
  // Requests and deliveries are counted until they have ended.
  const counting = api !== null || worker ? [operator.usage.service] : []
  const opened = opening.move()
  return {
    bootstrap: operator.bootstrap,
    routes: services.routes,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    isWaiting: () => !preparation.isReady,
    drain: () => {
      readiness.stop()
      input.endWithAnswers()
    },
    /** Ends event streams, for which redirect processes would wait. */
    endStreams,
    run: (signal: AbortSignal) => runUntil(signal, parts, closeFeeds, counting),
  }
}

/** The live feed, deliveries, jobs and sweeps. */
async function openWork(deps: WorkDeps, opening: AsyncDisposableStack): Promise<Service[]> {
  const { config, stores, services } = deps
  const { api, worker } = partsOf(config.role)
  const { log, clock } = services.deps
  const { live } = services.analytics
  const hasServices = api === 'whole' || api === 'behind'
  if (hasServices) wakeBy(stores, CLICKS_CHANNEL, () => live.wake())
  const { jobWorkers } = services
  if (worker) wakeBy(stores, JOBS_CHANNEL, () => jobWorkers.forEach((jobs) => jobs.wake()))
  const countRetry = (id: string) => services.operator.usage.count(id, 1)
  const deliveries = worker
    ? opening.use(openDeliveries({ ...deps, log, clock, countRetry }))
    : null
  return [
    ...(deliveries?.parts ?? []),
    ...(hasServices ? live.services : []),
    ...(worker ? jobWorkers : []),
    stores.listener,
    ...(await openSweeps(deps, deliveries)),
  ]
}

function wakeBy({ notices }: WorkDeps['stores'], channel: string, wake: () => void): void {
  notices.subscribe(channel, { onNotice: wake, onConnected: wake })
}
