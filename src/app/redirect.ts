import type { RequestListener } from 'node:http'
import type { Registry } from 'prom-client'
import type { Checks } from '../platform/processes/readiness.ts'
import type { Clock } from '../platform/core/clock.ts'
import { openForwarding } from '../platform/http/forwarded-requests.ts'
import { openHttpServer } from '../platform/http/http-server.ts'
import type { Log } from '../platform/core/log.ts'
import type { PassedSockets } from '../platform/http/listening.ts'
import type { Config } from '../platform/config/config.ts'
import { Hosts } from '../redirect/hosts/hosts.ts'
import { createUnlockCookies } from '../redirect/links/unlock.ts'
import { createClientAddress } from '../platform/facts/client-address.ts'
import { openCountries } from '../platform/facts/country.ts'
import { openDataDir } from '../platform/storage/installation/data-dir.ts'
import { openStores, type Addresses } from '../platform/storage/stores.ts'
import { openHttps, type HttpsDeps } from '../domains/tls/open.ts'
import { createPlainDispatch, createRedirectDispatch } from '../redirect/dispatch.ts'
import { openEdgeRoom, openSnapshot } from '../redirect/open.ts'
import { createPasswordRequests } from '../redirect/links/link-passwords.ts'
import { LinkChangeReceiver } from '../redirect/links/link-announcements.ts'
import { localOrigin } from '../platform/config/roles.ts'
import { createRedirectProbes } from '../redirect/probes.ts'
import { runUntil, whenReady } from './run.ts'
import { configuredOrigins } from '../platform/facts/short-url.ts'
import type { ServerSockets } from '../platform/processes/process-messages.ts'

type Context = {
  log: Log
  clock: Clock
  registry: Registry
  /** From 1 to EDGE_PROCESSES. */
  number: number
  addresses: Addresses
  /** Sockets that listen already; without any, this process opens PORT and HTTPS_PORT. */
  sockets: PassedSockets
  server: ServerSockets
  checks?: Checks
  /** Before the first request. */
  onPort?: (port: number) => void
}

/**
 * Reads links, hosts, certificates and quotas from PostgreSQL itself, and loads no code of the services. Passes other
 * requests on to the server process.
 */
export async function openRedirect(config: Config, context: Context) {
  const { log, clock, registry, number, server } = context
  await using opening = new AsyncDisposableStack()
  // The supervisor holds the data directory.
  const dataDir = openDataDir(config.dataDir)
  const options = { addresses: context.addresses, waits: true, usesClickHouse: false }
  const stores = opening.use(await openStores(config, dataDir, log, options))
  const countries = opening.use(await openCountries(config.geoipDb, { log, clock }))
  const snapshot = openSnapshot(config, { log, clock }, opening, number)
  const hosts = new Hosts(configuredOrigins(config), clock, snapshot)
  const forwarding = opening.use(openForwarding(server.requests, clock))
  const changes = opening.use(
    new LinkChangeReceiver(server.announcements, (key) => room.change(key)),
  )
  // Set with the port, before the first request.
  let sharedOrigin = ''
  const facts = {
    ...{ hosts, snapshot, registry, locate: countries.locate },
    clientAddress: createClientAddress(config.trustedProxies, log),
    unlock: {
      ...createUnlockCookies(stores.secrets, clock),
      ...createPasswordRequests(forwarding),
    },
    sharedOrigin: () => sharedOrigin,
    onSealed: () => changes.noteSealed(),
  }
  const room = opening.use(await openEdgeRoom(config, { log, clock }, stores, facts, number))
  const { edge, journal } = room
  const probed = { config, registry, hosts, clock, snapshot, stores, forwarding, journal }
  const probes = createRedirectProbes({ ...probed, checks: context.checks ?? {} })
  const routed = { hosts, clock, forwarding, changes, probes, edge }
  const listener = createRedirectDispatch(config, routed)
  const onPort = (port: number) => {
    sharedOrigin = new URL(config.shortUrl ?? config.publicUrl ?? localOrigin(config, port)).origin
    context.onPort?.(port)
    return listener
  }
  const handlePlain = config.edgeFast ? createPlainDispatch(config, routed) : undefined
  const https = { config, stores, hosts, snapshot, listener, handlePlain, clock, log }
  const inputs = await openInputs(onPort, https, context.sockets, opening)
  const closeFeeds = async () => {
    await Promise.all(inputs.map((input) => input[Symbol.asyncDispose]()))
    await journal.close()
  }
  const opened = opening.move()
  return {
    isWaiting: () => !stores.preparation.isReady,
    drain: () => {
      probes.stop()
      for (const input of inputs) input.endWithAnswers()
    },
    run: (signal: AbortSignal) =>
      runUntil(signal, whenReady(stores.preparation, room.begin, room.parts), closeFeeds),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function openInputs(
  onPort: (port: number) => RequestListener,
  deps: HttpsDeps,
  sockets: PassedSockets,
  opening: AsyncDisposableStack,
) {
  const { clock, handlePlain } = deps
  const { host, port, httpsPort } = deps.config
  const http = opening.use(
    await openHttpServer(onPort, { host, port, clock, sockets: sockets.http, handlePlain }),
  )
  if (httpsPort === null) return [http]
  return [http, opening.use(await openHttps(deps, sockets.https))]
}
