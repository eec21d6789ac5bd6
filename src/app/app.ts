import { accessSync, constants, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDomainLookups } from './domains.ts'
import { requireForHttps } from './certificates.ts'
import { openDashboard } from './dashboard.ts'
import { openDeliveryRoom } from './deliveries.ts'
import { createDispatch } from './dispatch.ts'
import { FIRST_PROCESS, openEdgeRoom, openShippedThrough, openSnapshot } from './edge.ts'
import { EdgeProcesses } from './edge-processes.ts'
import { openGatewayRoom } from './gateway.ts'
import { openJobs } from './jobs.ts'
import { opensProbe } from './key-probe.ts'
import { createServices, openMails, type Services } from './services.ts'
import { systemClock, type Clock } from '../base/clock.ts'
import { createEgressGuard } from '../egress/guard.ts'
import { OperatorError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { NO_SOCKETS, type PassedSockets } from '../base/passed-sockets.ts'
import type { Route } from '../base/route.ts'
import type { Service } from '../base/service.ts'
import { CLICKS_CHANNEL } from '../clicks/arrivals.ts'
import type { Config } from '../config/config.ts'
import { createHosts } from '../edge/hosts.ts'
import { createClientAddress } from '../facts/client-address.ts'
import { openCountries } from '../facts/country.ts'
import { openOperatorSocket } from '../services/operator/socket.ts'
import { createTrustBoundary } from '../gateway/trust-boundary.ts'
import { OPERATOR_SOCKET } from './operator-socket.ts'
import { createOperations } from './operator.ts'
import { mergeMetrics, openRegistry, registerChecks } from './metrics.ts'
import { openPreviews } from './previews.ts'
import { edgeChecks, Readiness } from './readiness.ts'
import { drained, runUntil, whenReady } from './run.ts'
import { createUpgradeBackup, ownFormats } from './upgrade.ts'
import { partsOf, requireForRole } from './roles.ts'
import { openServers, requirePorts, type ServerAddress } from './servers.ts'
import { openSweeps } from './sweeps.ts'
import { getThreadFailures } from './thread-failures.ts'
import { configuredOrigins } from './short-urls.ts'
import { bootstrapFromConfig, type Bootstrap } from '../services/operator/bootstrap.ts'
import { warnOfUnknownPlans } from '../services/plans.ts'
import { holdDataDir } from '../storage/data-dir.ts'
import { removeDeadRuntimeDirs } from '../storage/embedded/dead-runtime-dirs.ts'
import { openRuntimeDir, openSocketFolder } from '../storage/embedded/runtime-dir.ts'
import { requireFormats } from '../storage/formats.ts'
import { openRateLimits } from '../storage/rate-limits.ts'
import { openStores, type Stores } from '../storage/stores.ts'

const SHIP_TIMEOUT_MS = 600_000

export type App = {
  /** Address of this process: PUBLIC_URL, or loopback with the port it listens on. */
  readonly origin: string
  readonly bootstrap: Bootstrap
  /** Whether PostgreSQL was away so far: the edge redirects, and the other parts wait. */
  isWaiting(): boolean
  /** Every row of the route tables. */
  readonly routes: readonly Route[]
  /** Runs until the signal, then closes from the outside in: requests, journal, shipper. */
  run(signal: AbortSignal): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type AppContext = {
  log: Log
  clock?: Clock
  /** Aborts the start. */
  stop?: AbortSignal
  /** The folder whose dashboard is served; without it none is. */
  checkout?: string
  /** Sockets to listen on instead of opening PORT and HTTPS_PORT. */
  sockets?: PassedSockets
}

/**
 * Opens every part, and listens last; settings that can be refused without the databases are refused
 * first. Closes in reverse, also when opening fails half-way.
 * @throws OperatorError in one sentence for an error that the operator can fix
 * @throws the signal's reason when it is aborted before the databases are open
 */
export async function openApp(config: Config, context: AppContext): Promise<App> {
  const { log, clock = systemClock, stop, checkout, sockets = NO_SOCKETS } = context
  requireForRole(config)
  const parts = partsOf(config.role)
  await using opening = new AsyncDisposableStack()
  const clientAddress = createClientAddress(config.trustedProxies, log)
  requireReadable('GEOIP_DB', config.geoipDb)
  const stores = await openStorage(config, { log, clock, stop, sockets }, opening)
  const dashboard = opening.use(await openDashboardOf(config, checkout, { log, stop }))
  const registry = await openRegistry(config)
  // Both are set with the port, before the first request.
  const address = { origin: config.publicUrl ?? '' } as ServerAddress
  const countries = opening.use(await openCountries(config.geoipDb, { log, clock }))
  const mails = opening.use(openMails(config, () => address.origin, { clock, log }))
  const rateLimits = opening.use(await openRateLimits({ redisUrl: config.redisUrl, log }))
  const guard = openGuard(config)
  const outside = openOutside(config, guard, opening)
  const services = opening.use(
    await createServices({
      ...{ stores, config, clock, log, mails, rateLimits, countries, ...outside },
      origin: () => address.origin,
      shortHost: () => address.shortHost,
      shippedThroughMs: openShippedThrough(config, stores, { log, clock }, registry),
      threadFailures: getThreadFailures(registry),
    }),
  )
  const sides = await openTrustBoundary(config, { log, clock }, opening)
  const room = { config, log, clock, stores, services, registry }
  const snapshot = openSnapshot(config, { log, clock }, opening)
  const hosts = createHosts(configuredOrigins(config), clock, snapshot)
  const edgeParts = { countries, hosts, snapshot, rateLimits, clientAddress, registry, address }
  const edge = parts.edge
    ? opening.use(await openEdgeRoom(config, { log, clock }, stores, edgeParts, FIRST_PROCESS))
    : null
  const [readiness, { preparation }] = [new Readiness(config.role), stores]
  if (edge) readiness.add(edgeChecks(edge, preparation, snapshot))
  const processes = opening.use(new EdgeProcesses({ config, log, clock, registry }))
  readiness.add(processes.checks())
  const metrics = mergeMetrics(registry, processes)
  const api = { ...sides, clientAddress, rateLimits, dashboard, hosts, readiness, metrics }
  const gateway = opening.use(await openGatewayRoom({ ...room, ...api }))
  registerChecks(registry, readiness)
  const deliveries = parts.worker ? opening.use(openDeliveryRoom({ ...room, guard, mails })) : null
  const handle = sides.boundary?.guard(gateway.handle) ?? gateway.handle
  const listener = createDispatch(config, handle, edge?.edge ?? null, { hosts, clock, preparation })
  collectStartGarbage()
  const served = { config, stores, hosts, snapshot, listener, clock, log }
  // A command that follows the first answer finds the server.
  const operator = opening.use(await listenForOperator(room, edge))
  const servers = opening.use(await openServers({ ...served, sockets, address }))
  await processes.open({ listener, sockets: servers.sockets, addresses: stores.addresses })
  const begin = () => beginWork(config, services, stores, log)
  if (preparation.isReady) await begin()
  const closeFeeds = async () => {
    // Streams would last until the server cuts them.
    services.live.close()
    sides.forwarder?.endEvents()
    await Promise.all([servers, operator, processes].map((input) => input[Symbol.asyncDispose]()))
    await edge?.journal.close()
  }
  const rooms = [edge, deliveries]
  const sweeps = openSweeps({ ...room, deliveries, renewals: servers.renewals })
  const running = [...rooms.flatMap((opened) => opened?.parts ?? []), ...openWork(room), ...sweeps]
  // Requests and deliveries are counted until they have ended.
  const counting = parts.api !== null || parts.worker ? [services.usage.service] : []
  const opened = opening.move()
  return {
    origin: address.ownOrigin,
    bootstrap: services.bootstrap,
    routes: services.routes,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    isWaiting: () => !preparation.isReady,
    run: (signal) => {
      const beginAll = () => Promise.all([edge?.begin(), begin()])
      const stopping = drained(signal, config, readiness, [servers, processes])
      return runUntil(stopping, whenReady(preparation, beginAll, running), closeFeeds, counting)
    },
  }
}

function openGuard({ egressAllowedCidrs: allowedCidrs, dnsServers }: Config) {
  return createEgressGuard({ allowedCidrs, dnsServers })
}

/** The first use of the tables. */
async function beginWork(
  config: Config,
  services: Services,
  { systemSql }: Stores,
  log: Log,
): Promise<void> {
  if (partsOf(config.role).hasOperatorSocket) await bootstrapFromConfig(config, services.bootstrap)
  await warnOfUnknownPlans(systemSql, services.plans, log)
}

type Room = { config: Config; log: Log; clock: Clock; stores: Stores; services: Services }

/** Work of the services and of the worker, beside deliveries and sweeps. */
function openWork(room: Room): Service[] {
  const { stores, services } = room
  const { api, worker } = partsOf(room.config.role)
  const hasServices = api === 'whole' || api === 'behind'
  const wake = () => services.live.wake()
  if (hasServices) stores.notices.subscribe(CLICKS_CHANNEL, { onNotice: wake, onConnected: wake })
  return [
    ...(hasServices ? services.live.services : []),
    ...(worker ? openJobs(services, stores) : []),
    stores.listener,
  ]
}

/** Clients of the services for other servers. */
function openOutside(
  config: Config,
  guard: ReturnType<typeof openGuard>,
  opening: AsyncDisposableStack,
) {
  return {
    checkUrl: (url: string) => guard.checkUrl(url, { allowHttp: config.webhookAllowHttp }),
    previews: opening.use(openPreviews(guard)),
    domainLookups: opening.use(openDomainLookups(config, guard)),
  }
}

type Context = { log: Log; clock: Clock }

type StorageContext = Context & { stop: AbortSignal | undefined; sockets: PassedSockets }

/** The data directory, its runtime directory and the databases; the ports are checked before they start. */
async function openStorage(
  config: Config,
  { log, clock, stop, sockets }: StorageContext,
  opening: AsyncDisposableStack,
): Promise<Stores> {
  const dataDir = opening.use(holdDataDir(config.dataDir, clock))
  requireFormats(config.dataDir, ownFormats())
  requireForHttps(config)
  await requirePorts(config, sockets)
  const runtimeDir = await openRuntimeDir(config.dataDir)
  opening.defer(() => rmSync(runtimeDir, { recursive: true, force: true }))
  await removeDeadRuntimeDirs(runtimeDir, log)
  const { clickhouse: usesClickHouse } = partsOf(config.role)
  const beforeMigrations = createUpgradeBackup(config, log)
  // Embedded engines belong to this process: one that does not start is no outage.
  const waits = config.databaseUrl !== null || config.clickhouseUrl !== null
  const otherProcesses = partsOf(config.role).edge ? config.edgeProcesses - 1 : 0
  const options = { signal: stop, beforeMigrations, waits, usesClickHouse, otherProcesses }
  const stores = opening.use(await openStores(config, dataDir, log, options))
  stop?.throwIfAborted()
  return stores
}

/** The dashboard, in a process that has the gateway. */
async function openDashboardOf(
  { role }: Config,
  checkout: string | undefined,
  context: { log: Log; stop: AbortSignal | undefined },
) {
  const { api } = partsOf(role)
  const hasDashboard = checkout !== undefined && (api === 'whole' || api === 'forwards')
  return hasDashboard ? openDashboard({ checkout, ...context }) : null
}

/** This process's side of the trust boundary between `gateway` and `services`, if it has one. */
async function openTrustBoundary(
  config: Config,
  { log, clock }: Context,
  opening: AsyncDisposableStack,
) {
  const { api } = partsOf(config.role)
  const { internalToken, servicesUrl } = config
  const boundary =
    api === 'behind' ? createTrustBoundary({ internalToken: internalToken!, clock }) : null
  if (api !== 'forwards') return { boundary, forwarder: null }
  // No other role loads its HTTP client.
  const { Forwarder } = await import('../gateway/forward.ts')
  const forwarder = opening.use(
    new Forwarder({ servicesUrl: servicesUrl!, internalToken: internalToken!, clock, log }),
  )
  return { boundary, forwarder }
}

/**
 * Gives the memory that the start needed for loading modules back to the system, before the first request.
 * V8 would keep it while the process rests. `npm start` exposes the collector; without the option nothing happens.
 */
function collectStartGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function listenForOperator(
  { config, stores, services, log }: Room,
  edge: Awaited<ReturnType<typeof openEdgeRoom>> | null,
) {
  const ship = edge && {
    ship: ({ dir }: { dir: string }) => edge.shipping.shipFolder(dir, SHIP_TIMEOUT_MS),
  }
  const hasOperations = partsOf(config.role).hasOperatorSocket
  const operations = {
    ...(hasOperations && createOperations(services.operator)),
    ...ship,
    addresses: async () => stores.addresses,
    'opens-probe': async ({ probe }: { probe: string }) => opensProbe(stores.secrets, probe),
  }
  const folder = openSocketFolder(await openRuntimeDir(config.dataDir), OPERATOR_SOCKET.folder)
  return openOperatorSocket(join(folder, OPERATOR_SOCKET.file), operations, log)
}

/** @throws OperatorError for a file that a setting names and that cannot be read */
function requireReadable(name: string, path: string | null): void {
  if (path === null) return
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new OperatorError(`${name} (${path}) cannot be read.`)
  }
}
