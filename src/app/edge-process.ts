import type { Registry } from 'prom-client'
import { systemClock } from '../base/clock.ts'
import { openForwarding } from '../base/forwarded-requests.ts'
import type { Log } from '../base/log.ts'
import { createHosts } from '../edge/hosts.ts'
import { createClientAddress } from '../facts/client-address.ts'
import { openCountries } from '../facts/country.ts'
import { openDataDir } from '../storage/data-dir.ts'
import { openRateLimits } from '../storage/rate-limits.ts'
import { openStores } from '../storage/stores.ts'
import { createEdgeDispatch } from './dispatch.ts'
import { openEdgeRoom, openSnapshot } from './edge.ts'
import type { EdgeStart } from './edge-messages.ts'
import { runUntil, whenReady } from './run.ts'
import { openServers, type ServerAddress } from './servers.ts'
import { configuredOrigins } from './short-urls.ts'

export type RunningEdge = {
  /** Runs until the signal, then closes from the outside in. */
  run(signal: AbortSignal): Promise<void>
  endWithAnswers(): void
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A process of EDGE_PROCESSES other than the first one: redirects on the sockets of that one, with a cache, a snapshot
 * and a journal of its own.
 */
export async function openEdgeProcess(
  { number, config, addresses, sockets, requestSocket }: EdgeStart,
  { log, registry }: { log: Log; registry: Registry },
): Promise<RunningEdge> {
  const clock = systemClock
  await using opening = new AsyncDisposableStack()
  const embedded = config.databaseUrl === null
  // The first process holds the data directory.
  const dataDir = { ...openDataDir(config.dataDir), [Symbol.dispose]: () => {} }
  const settings = {
    ...config,
    ...addresses,
    databasePoolUrl: embedded ? null : config.databasePoolUrl,
  }
  const stores = opening.use(await openStores(settings, dataDir, log, { waits: true }))
  const address = { origin: config.publicUrl ?? '' } as ServerAddress
  const countries = opening.use(await openCountries(config.geoipDb, { log, clock }))
  // Requests that count are forwarded.
  const rateLimits = opening.use(await openRateLimits({ redisUrl: null, log }))
  const snapshot = openSnapshot(config, { log, clock }, opening, number)
  const hosts = createHosts(configuredOrigins(config), clock, snapshot)
  const clientAddress = createClientAddress(config.trustedProxies, log)
  const edgeParts = { countries, hosts, snapshot, rateLimits, clientAddress, registry, address }
  const edge = opening.use(await openEdgeRoom(config, { log, clock }, stores, edgeParts, number))
  const { forward } = opening.use(openForwarding(requestSocket, clock))
  const listener = createEdgeDispatch(config, forward, edge.edge, hosts)
  // The first process orders the certificates, so the parts of these servers do not run.
  const servers = opening.use(
    await openServers({ config, stores, hosts, snapshot, listener, clock, log, sockets, address }),
  )
  const closeFeeds = async () => {
    await servers[Symbol.asyncDispose]()
    await edge.journal.close()
  }
  const opened = opening.move()
  return {
    run: (signal) => {
      const parts = whenReady(stores.preparation, edge.begin, [...edge.parts, stores.listener])
      return runUntil(signal, parts, closeFeeds)
    },
    endWithAnswers: () => servers.endWithAnswers(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
