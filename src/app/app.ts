import { accessSync, constants, rmSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { openDeliveryRoom } from './deliveries.ts'
import { openEdgeRoom, configuredOrigins } from './edge.ts'
import { openGatewayRoom } from './gateway.ts'
import { createServices, openMails } from './services.ts'
import { systemClock, type Clock } from '../base/clock.ts'
import { createEgressGuard } from '../egress/guard.ts'
import { OperatorError } from '../base/errors.ts'
import { openHttpServer, refuseRequest, requireFreePort } from '../base/http-server.ts'
import type { Log } from '../base/log.ts'
import type { Route } from '../base/route.ts'
import { aborted, type Service } from '../base/service.ts'
import { shipFolder } from '../clicks/shipper.ts'
import type { Config } from '../config/config.ts'
import type { Edge } from '../edge/edge.ts'
import { createHosts, type DomainKeyOf } from '../edge/hosts.ts'
import { hasTwoHosts } from '../edge/request.ts'
import { createClientAddress } from '../facts/client-address.ts'
import { openCountries } from '../facts/country.ts'
import { Forwarder } from '../gateway/forward.ts'
import { openOperatorSocket } from '../gateway/operator.ts'
import { createTrustBoundary } from '../gateway/trust-boundary.ts'
import { createOperations } from './operator.ts'
import { ownerOf, partsOf, requireForRole } from './roles.ts'
import { bootstrapFromConfig, type Bootstrap } from '../services/accounts/bootstrap.ts'
import { createShortHost, type ShortHost } from '../services/links/short-host.ts'
import { warnOfUnknownPlans } from '../services/plans.ts'
import { holdDataDir } from '../storage/data-dir.ts'
import {
  findRuntimeDir,
  openRuntimeDir,
  openSocketFolder,
} from '../storage/embedded/runtime-dir.ts'
import { openRateLimits } from '../storage/rate-limits.ts'
import { openStores } from '../storage/stores.ts'

/** In the runtime directory; the folder is closed to every other user. */
const OPERATOR_SOCKET = { folder: 'operator', file: 'operator.sock' }

export type App = {
  /** Where people reach this server: PUBLIC_URL, or loopback at the port it listens on. */
  readonly origin: string
  readonly bootstrap: Bootstrap
  /** Every row of the route tables, for what goes through all of them. */
  readonly routes: readonly Route[]
  /** Runs until the signal, then closes from the outside in: requests, journal, shipper. */
  run(signal: AbortSignal): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens every room, and listens last; what can be refused without the databases is refused first.
 * Closes in reverse, also when opening fails half-way.
 * @param surroundings `stop` gives up the start
 * @throws OperatorError in one sentence for whatever the operator can mend
 * @throws the signal's reason when it is aborted before the databases are open
 */
export async function openApp(
  config: Config,
  { log, clock = systemClock, stop }: { log: Log; clock?: Clock; stop?: AbortSignal },
): Promise<App> {
  requireForRole(config)
  const parts = partsOf(config.role)
  await using opening = new AsyncDisposableStack()
  const clientAddress = createClientAddress(config.trustedProxies, log)
  requireReadable('GEOIP_DB', config.geoipDb)
  const dataDir = opening.use(holdDataDir(config.dataDir, clock))
  await requireFreePort(config.host, config.port)
  const runtimeDir = await openRuntimeDir(config.dataDir)
  opening.defer(() => rmSync(runtimeDir, { recursive: true, force: true }))
  const stores = opening.use(await openStores(config, dataDir, log, { signal: stop }))
  stop?.throwIfAborted()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  let origin = config.publicUrl ?? ''
  // Known with the port, and before the first request.
  let shortHost: ShortHost
  const journalDir = join(config.dataDir, 'journal')
  const countries = opening.use(await openCountries(config.geoipDb, { log, clock }))
  const mails = opening.use(openMails(config, () => origin, { clock, log }))
  const rateLimits = opening.use(openRateLimits({ redisUrl: config.redisUrl, log }))
  const guard = createEgressGuard({
    allowedCidrs: config.egressAllowedCidrs,
    dnsServers: config.dnsServers,
  })
  const services = await createServices({
    stores,
    config,
    clock,
    log,
    mails,
    rateLimits,
    origin: () => origin,
    shortHost: () => shortHost,
    journalDir,
    countryOf: (ip) => knownCountry(countries.locate(ip).country),
    checkUrl: (url) => guard.checkUrl(url, { allowHttp: config.webhookAllowHttp }),
  })
  const { internalToken, servicesUrl } = config
  const boundary =
    parts.api === 'behind' ? createTrustBoundary({ internalToken: internalToken!, clock }) : null
  const forwarder =
    parts.api === 'forwards'
      ? new Forwarder({ servicesUrl: servicesUrl!, internalToken: internalToken!, clock, log })
      : null
  if (forwarder) opening.use(forwarder)
  const room = { config, log, clock, stores, services, registry }
  const gateway = opening.use(
    await openGatewayRoom({ ...room, clientAddress, rateLimits, boundary, forwarder }),
  )
  const deliveries = parts.worker ? opening.use(openDeliveryRoom({ ...room, guard, mails })) : null

  const domainKeyOf = createHosts(configuredOrigins(config))
  const { locate } = countries
  const edgeRoom = parts.edge
    ? opening.use(
        await openEdgeRoom(config, { log, clock }, stores, {
          journalDir,
          locate,
          domainKeyOf,
          clientAddress,
          registry,
        }),
      )
    : null
  const handle = boundary ? boundary.guard(gateway.handle) : gateway.handle
  const dispatch = createDispatch(config, handle, edgeRoom?.edge ?? null, domainKeyOf, clock)
  const server = opening.use(
    await openHttpServer(
      (bound) => {
        const here = `http://${loopbackName(config.host)}:${bound}`
        // Behind a gateway PUBLIC_URL leads somewhere else.
        origin = boundary ? here : origin || here
        shortHost = createShortHost({ ...config, origin, port: bound })
        return dispatch
      },
      { host: config.host, port: config.port, clock },
    ),
  )
  if (parts.operatorDoor) await bootstrapFromConfig(config, services.bootstrap)
  const ship = edgeRoom && {
    ship: ({ dir }: { dir: string }) =>
      shipFolder(dir, edgeRoom.shipping, AbortSignal.timeout(600_000)),
  }
  const operations = { ...(parts.operatorDoor && createOperations(services.operator)), ...ship }
  const socketFolder = openSocketFolder(
    await openRuntimeDir(config.dataDir),
    OPERATOR_SOCKET.folder,
  )
  const operatorPath = join(socketFolder, OPERATOR_SOCKET.file)
  const door = opening.use(await openOperatorSocket(operatorPath, operations, log))

  const running = [...(edgeRoom?.parts ?? []), ...gateway.parts, ...(deliveries?.parts ?? [])]
  if (parts.worker) running.push(services.purge.service, services.subscriptionEnds.service)
  // Requests and deliveries are counted until they have ended.
  const counting = parts.api !== null || parts.worker ? [services.usage.service] : []
  await warnOfUnknownPlans(stores.systemSql, services.plans, log)
  const opened = opening.move()
  return {
    origin,
    bootstrap: services.bootstrap,
    routes: services.routes,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    run: (signal) =>
      runUntil(
        signal,
        running,
        async () => {
          await Promise.all([server[Symbol.asyncDispose](), door[Symbol.asyncDispose]()])
          await edgeRoom?.journal.close()
        },
        counting,
      ),
  }
}

/**
 * Runs the parts until the signal, or until one of them ends by itself. Either way what feeds them
 * is closed first, then they finish what they have begun, and then those of `last`, which hear from
 * the others until their end.
 * @throws what a part rejected with, after all of that
 */
export async function runUntil(
  signal: AbortSignal,
  parts: readonly Service[],
  closeFeeds: () => Promise<void>,
  last: readonly Service[] = [],
): Promise<void> {
  const [stop, stopLast] = [new AbortController(), new AbortController()]
  const running = parts.map((part) => part.run(stop.signal))
  const runningLast = last.map((part) => part.run(stopLast.signal))
  try {
    await Promise.race([aborted(signal), ...running, ...runningLast])
  } finally {
    try {
      await closeFeeds()
    } finally {
      stop.abort()
      await Promise.allSettled(running)
      stopLast.abort()
      await Promise.allSettled(runningLast)
    }
  }
  await Promise.all([...running, ...runningLast])
}

/** One server for the rooms of this process: each request goes to the API or to the edge, by path and host. */
function createDispatch(
  { role }: Config,
  handle: RequestListener,
  edge: Edge | null,
  domainKeyOf: DomainKeyOf,
  clock: Clock,
): RequestListener {
  // Services are called by an address of their own, and only by the gateway.
  if (partsOf(role).api === 'behind') return handle
  return (req, res) => {
    const owner = ownerOf(role, req.url ?? '')
    const isOurs = owner === 'api' ? isOurHost(req, domainKeyOf) : owner === 'probes'
    if (!isOurs && edge) return edge.handle(req, res)
    if (!isOurs && owner === 'api') return refuseRequest(req, res, clock(), 'NOT_FOUND')
    // The edge has a page for this.
    if (hasTwoHosts(req))
      return refuseRequest(req, res, clock(), 'VALIDATION_ERROR', 'There are two Host headers.')
    return handle(req, res)
  }
}

/** Where the running server of a data directory listens for the command line; null: none ever ran. */
export function operatorSocket(dataDir: string): string | null {
  const runtimeDir = findRuntimeDir(dataDir)
  return runtimeDir && join(runtimeDir, OPERATOR_SOCKET.folder, OPERATOR_SOCKET.file)
}

function isOurHost(req: IncomingMessage, domainKeyOf: DomainKeyOf): boolean {
  return domainKeyOf(req.headers.host?.toLowerCase() ?? '') !== null
}

/** Clicks are counted under 'unknown'; a log says nothing instead. */
function knownCountry(country: string): string | null {
  return country === '' || country === 'unknown' ? null : country
}

/** @throws OperatorError for a file that the operator names and that cannot be read */
function requireReadable(name: string, path: string | null): void {
  if (path === null) return
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new OperatorError(`${name} (${path}) cannot be read.`)
  }
}

/** A wildcard address is no address to go to. */
function loopbackName(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
