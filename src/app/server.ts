import type { RequestListener } from 'node:http'
import { accessSync, constants, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { openDomainLookups } from '../domains/domains/lookups.ts'
import type { ServerAddress } from './address.ts'
import { openRenewals } from '../domains/tls/open.ts'
import { openDashboard } from '../api/site/open-dashboard.ts'
import { openDeliveries } from '../webhooks/open.ts'
import { createDispatch } from '../redirect/server-dispatch.ts'
import { openGatewayRoom } from './gateway.ts'
import { openJobs } from './jobs.ts'
import { toJournalDir } from '../clicks/journal/journal-dir.ts'
import { opensProbe } from '../operator/key-probe.ts'
import { openLinkAnnouncements } from '../redirect/links/link-announcements.ts'
import { answerLinkPasswords } from '../redirect/links/link-passwords.ts'
import { openMails } from '../platform/mail/mails.ts'
import { createServices, type Services } from './services.ts'
import type { Clock } from '../platform/core/clock.ts'
import { restoreSender } from '../platform/http/forwarded-requests.ts'
import { createEgressGuard } from '../platform/egress/guard.ts'
import { OperatorError } from '../platform/core/errors.ts'
import { openHttpServer } from '../platform/http/http-server.ts'
import type { Log } from '../platform/core/log.ts'
import type { PassedSockets } from '../platform/http/passed-sockets.ts'
import type { Route } from '../platform/routes/route.ts'
import type { Service } from '../platform/core/service.ts'
import { CLICKS_CHANNEL } from '../clicks/shipping/arrivals.ts'
import { createShippedThrough } from '../clicks/shipping/shipped-through.ts'
import type { Config } from '../platform/config/config.ts'
import { createHosts } from '../redirect/hosts/hosts.ts'
import { PasswordAttempts } from '../redirect/links/unlock.ts'
import { createClientAddress } from '../platform/facts/client-address.ts'
import { openCountries } from '../platform/facts/country.ts'
import { openOperatorSocket } from '../operator/socket.ts'
import { createTrustBoundary } from '../api/border/trust-boundary.ts'
import { OPERATOR_SOCKET } from '../operator/socket-path.ts'
import { createOperations } from '../operator/operations.ts'
import { addBuildMetrics, mergeMetrics, registerChecks } from '../platform/processes/metrics.ts'
import { openPreviews } from '../links/preview/open.ts'
import type { Metrics } from '../platform/processes/process-messages.ts'
import { Readiness } from '../platform/processes/readiness.ts'
import { runUntil, whenReady } from './run.ts'
import { createUpgradeBackup } from '../operator/backup/upgrade.ts'
import { partsOf } from '../platform/config/roles.ts'
import type { ServerSockets } from '../platform/processes/server-sockets.ts'
import { openShipping } from '../clicks/shipping/open.ts'
import { openSweeps } from './sweeps.ts'
import { configuredOrigins } from '../platform/facts/short-urls.ts'
import { bootstrapFromConfig, type Bootstrap } from '../operator/workspaces/bootstrap.ts'
import { LINKS_CHANNEL } from '../links/link-changes.ts'
import { warnOfUnknownPlans } from '../platform/plans/plans.ts'
import { openDataDir } from '../platform/storage/installation/data-dir.ts'
import { openRuntimeDir, openSocketFolder } from '../platform/storage/embedded/runtime-dir.ts'
import { openRateLimits, type RateLimits } from '../platform/limits/rate-limits.ts'
import { openStores, type Addresses, type Stores } from '../platform/storage/stores.ts'

export type Server = {
  readonly bootstrap: Bootstrap
  /** Every row of the route tables. */
  readonly routes: readonly Route[]
  /** Whether PostgreSQL was away so far: the parts wait for it. */
  isWaiting(): boolean
  /** Each further answer ends its connection, and `/ready` is a 503. */
  drain(): void
  /** Ends event streams, which redirect processes would wait for. */
  endStreams(): void
  /** Runs until the signal, then closes from the outside in. */
  run(signal: AbortSignal): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Context = {
  log: Log
  clock?: Clock
  registry: Registry
  /** Aborts the start. */
  stop?: AbortSignal
  /** The folder whose dashboard is served; without it none is. */
  checkout?: string
  /** Addresses of the databases. */
  addresses: Addresses
  /** Where clients reach this installation. */
  address: ServerAddress
  /** For a role without redirect processes: sockets that listen already; without any, it opens PORT. */
  sockets: PassedSockets
  /** For a role with redirect processes: the sockets on which it serves them. */
  server: ServerSockets
  readMetricsOfOthers: () => Promise<Metrics[]>
  /** Told the port before the first request of a role without redirect processes. */
  onPort?: (port: number) => void
}

/**
 * The server process: API, dashboard, deliveries, jobs, and the shipping of all journals of this data directory. Its
 * role decides which of them it has. Closes in reverse, also when opening fails half-way.
 * @throws OperatorError in one sentence for an error that the operator can fix
 * @throws the signal's reason when it is aborted before the databases are open
 */
export async function openServer(config: Config, context: Context): Promise<Server> {
  const { log, clock = Date.now, registry } = context
  const parts = partsOf(config.role)
  await using opening = new AsyncDisposableStack()
  const facts = await openFacts(config, { ...context, clock }, opening)
  const { stores, services, guard, mails, countries, rateLimits } = facts
  const sides = await openTrustBoundary(config, { log, clock }, opening)
  const room = { config, log, clock, stores, services, registry }
  const shipping = parts.edge ? openShipping({ ...room, countries }) : null
  const [readiness, { preparation }] = [new Readiness(config.role), stores]
  const metrics = mergeMetrics(registry, context.readMetricsOfOthers)
  const api = { ...sides, ...facts, readiness, metrics }
  const gateway = opening.use(await openGatewayRoom({ ...room, ...api }))
  registerChecks(registry, readiness.readStates)
  const countRetry = (id: string) => services.operator.usage.count(id, 1)
  const deliveries = parts.worker
    ? opening.use(openDeliveries({ ...room, guard, mails, countRetry }))
    : null
  const handle = sides.boundary?.guard(gateway.handle) ?? gateway.handle
  const hosts = createHosts(configuredOrigins(config), clock)
  const listener = createDispatch(config, handle, { hosts, clock, preparation })
  // A command that follows the first answer finds the server.
  const operator = opening.use(await listenForOperator(room, shipping))
  const input = opening.use(
    shipping
      ? await listenForRedirects({ ...room, rateLimits, shipping }, context.server, listener)
      : await listenForClients(config, context, listener, clock),
  )
  const begin = () => beginWork(config, services, stores, log)
  if (preparation.isReady) await begin()
  const endStreams = () => {
    services.analytics.live.close()
    sides.forwarder?.endEvents()
  }
  const closeFeeds = async () => {
    // Streams would last until the server cuts them.
    endStreams()
    await Promise.all([input, operator].map((feed) => feed[Symbol.asyncDispose]()))
  }
  const renewals = parts.edge && config.httpsPort !== null ? await openRenewals(config, room) : null
  const ofRooms = [...(shipping?.parts ?? []), ...(deliveries?.parts ?? [])]
  const running = [...ofRooms, ...openWork(room), ...openSweeps({ ...room, deliveries, renewals })]
  // Requests and deliveries are counted until they have ended.
  const counting = parts.api !== null || parts.worker ? [services.operator.usage.service] : []
  const opened = opening.move()
  return {
    bootstrap: services.operator.rules.bootstrap,
    routes: services.routes,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    isWaiting: () => !preparation.isReady,
    drain: () => {
      readiness.stop()
      input.endWithAnswers()
    },
    endStreams,
    run: (signal) => runUntil(signal, whenReady(preparation, begin, running), closeFeeds, counting),
  }
}

/** The databases, the rules of the services, and what both sides of the API need. */
async function openFacts(
  config: Config,
  context: Context & { clock: Clock },
  opening: AsyncDisposableStack,
) {
  const { log, clock, stop, checkout, registry, address } = context
  const clientAddress = createClientAddress(config.trustedProxies, log)
  requireReadable('GEOIP_DB', config.geoipDb)
  const stores = opening.use(await openStorage(config, context))
  const dashboard = opening.use(await openDashboardOf(config, checkout, { log, stop }))
  addBuildMetrics(registry, config)
  const countries = opening.use(await openCountries(config.geoipDb, { log, clock }))
  const mails = opening.use(openMails(config, () => address.origin, { clock, log }))
  const rateLimits = opening.use(await openRateLimits({ redisUrl: config.redisUrl, log }))
  const guard = openGuard(config)
  const outside = openOutside(config, guard, opening)
  const { systemSql: sql } = stores
  const journalDir = partsOf(config.role).edge ? toJournalDir(config) : null
  const services = opening.use(
    await createServices({
      ...{ stores, config, clock, log, mails, rateLimits, countries, ...outside },
      origin: () => address.origin,
      shortHost: () => address.shortHost,
      shippedThroughMs: createShippedThrough({ sql, journalDir, clock, log, registry }),
    }),
  )
  return { stores, services, guard, mails, countries, rateLimits, clientAddress, dashboard }
}

type RedirectInput = Omit<Room, 'services'> & {
  rateLimits: RateLimits
  shipping: Pick<ReturnType<typeof openShipping>, 'noteSealed'>
}

/** The sockets for redirect processes: their requests, and the changes of links for them. */
async function listenForRedirects(
  { clock, log, stores, rateLimits, shipping }: RedirectInput,
  sockets: ServerSockets,
  listener: RequestListener,
) {
  await using opening = new AsyncDisposableStack()
  const announcements = opening.use(
    await openLinkAnnouncements(sockets.announcements, shipping.noteSealed),
  )
  stores.notices.subscribe(LINKS_CHANNEL, { onNotice: announcements.announce })
  const path = sockets.requests
  // That of a killed process.
  rmSync(path, { force: true })
  const attempts = new PasswordAttempts({ secrets: stores.secrets, rateLimits, log })
  const answering = answerLinkPasswords(attempts, listener)
  const options = { host: '', port: 0, path, clock, onArrival: restoreSender }
  opening.use(await openHttpServer(() => answering, options))
  const opened = opening.move()
  return {
    // Redirect processes end first, and with them the connections.
    endWithAnswers: () => {},
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function listenForClients(
  { host, port }: Config,
  { sockets, onPort }: Pick<Context, 'sockets' | 'onPort'>,
  listener: RequestListener,
  clock: Clock,
) {
  const handlerAt = (bound: number) => {
    onPort?.(bound)
    return listener
  }
  return openHttpServer(handlerAt, { host, port, clock, sockets: sockets.http })
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
  if (partsOf(config.role).hasOperatorSocket)
    await bootstrapFromConfig(config, services.operator.rules.bootstrap)
  await warnOfUnknownPlans(systemSql, services.deps.plans, log)
}

type Room = { config: Config; log: Log; clock: Clock; stores: Stores; services: Services }

/** Work of the services and of the worker, beside deliveries and sweeps. */
function openWork(room: Room): Service[] {
  const { stores, services } = room
  const { api, worker } = partsOf(room.config.role)
  const hasServices = api === 'whole' || api === 'behind'
  const wake = () => services.analytics.live.wake()
  if (hasServices) stores.notices.subscribe(CLICKS_CHANNEL, { onNotice: wake, onConnected: wake })
  return [
    ...(hasServices ? services.analytics.live.services : []),
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

type Surroundings = { log: Log; clock: Clock }

/** The databases, migrated. The supervisor holds the data directory. */
async function openStorage(
  config: Config,
  { log, stop, addresses }: Pick<Context, 'log' | 'stop' | 'addresses'>,
): Promise<Stores> {
  const dataDir = { ...openDataDir(config.dataDir), [Symbol.dispose]: () => {} }
  const stores = await openStores(config, dataDir, log, {
    addresses,
    signal: stop,
    beforeMigrations: createUpgradeBackup(config, log),
    // Embedded engines are started before this process: one that does not answer is no outage.
    waits: config.databaseUrl !== null || config.clickhouseUrl !== null,
    usesClickHouse: partsOf(config.role).clickhouse,
  })
  if (!stop?.aborted) return stores
  await stores[Symbol.asyncDispose]()
  throw stop.reason
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
  { log, clock }: Surroundings,
  opening: AsyncDisposableStack,
) {
  const { api } = partsOf(config.role)
  const { internalToken, servicesUrl } = config
  const boundary =
    api === 'behind' ? createTrustBoundary({ internalToken: internalToken!, clock }) : null
  if (api !== 'forwards') return { boundary, forwarder: null }
  // No other role loads its HTTP client.
  const { Forwarder } = await import('../api/border/forward.ts')
  const forwarder = opening.use(
    new Forwarder({ servicesUrl: servicesUrl!, internalToken: internalToken!, clock, log }),
  )
  return { boundary, forwarder }
}

async function listenForOperator(
  { config, stores, services, log }: Room,
  shipping: ReturnType<typeof openShipping> | null,
) {
  const ship = shipping && { ship: ({ dir }: { dir: string }) => shipping.shipFolder(dir) }
  const hasOperations = partsOf(config.role).hasOperatorSocket
  const operations = {
    ...(hasOperations && createOperations(services.operator.rules)),
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
