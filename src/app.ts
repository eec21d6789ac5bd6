import { accessSync, constants } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { systemClock } from './base/clock.ts'
import type { Clock } from './base/clock.ts'
import { OperatorError } from './base/errors.ts'
import { openHttpServer, refuseRequest, requireFreePort } from './base/http-server.ts'
import type { Log } from './base/log.ts'
import type { AccountRoute } from './base/route.ts'
import { requestIdOf } from './base/request-id.ts'
import { createSecrets } from './base/secrets.ts'
import type { Service } from './base/service.ts'
import { createShipper, shipFolder } from './clicks/shipper.ts'
import type { ShipperDeps } from './clicks/shipper.ts'
import type { Config } from './config.ts'
import { createOutbox } from './delivery/outbox.ts'
import { createEdge } from './edge/edge.ts'
import type { Edge, EdgeDeps } from './edge/edge.ts'
import { createHosts } from './edge/hosts.ts'
import type { DomainKeyOf } from './edge/hosts.ts'
import { openJournal } from './edge/journal.ts'
import { hasTwoHosts } from './edge/request.ts'
import { createResolver } from './edge/resolve.ts'
import { classifyAgent } from './facts/bots.ts'
import { createClientAddress, createProxyTrust } from './facts/client-address.ts'
import { openCountries } from './facts/country.ts'
import { createDevices } from './facts/device.ts'
import { languageLabel } from './facts/language.ts'
import { referrerLabel } from './facts/referrer.ts'
import { admitCrossing, createAdmission, crossingBy } from './gateway/admission.ts'
import { addDocuments, readVersion } from './gateway/documents.ts'
import { addForwarding, createForwarder } from './gateway/forward.ts'
import type { Forwarder } from './gateway/forward.ts'
import { openGateway } from './gateway/gateway.ts'
import { createBorder } from './gateway/identity.ts'
import type { Border } from './gateway/identity.ts'
import { openApiDocuments } from './gateway/openapi.ts'
import { openOperatorDoor } from './gateway/operator.ts'
import { createPatience, patient } from './gateway/patience.ts'
import { addProbes } from './gateway/probes.ts'
import { ownerOf, partsOf, requireForRole } from './roles.ts'
import { createBootstrap } from './services/accounts/bootstrap.ts'
import type { Bootstrap } from './services/accounts/bootstrap.ts'
import { createAnalytics } from './services/analytics/analytics.ts'
import { analyticsRoutes } from './services/analytics/routes.ts'
import { createApiKeys } from './services/api-keys/api-keys.ts'
import { createAudit } from './services/audit.ts'
import { createLimit } from './services/limits.ts'
import { createLinks } from './services/links/links.ts'
import { linkRoutes } from './services/links/routes.ts'
import { createShortHost } from './services/links/short-host.ts'
import type { ShortHost } from './services/links/short-host.ts'
import { holdDataDir } from './storage/data-dir.ts'
import { openRuntimeDir } from './storage/embedded/runtime-dir.ts'
import { unshippedSinceMs } from './storage/journal-age.ts'
import { openRateLimits } from './storage/rate-limits.ts'
import { openStores } from './storage/stores.ts'
import type { Stores } from './storage/stores.ts'

export type App = {
  /** Where people reach this server: PUBLIC_URL, or loopback at the port it listens on. */
  readonly origin: string
  readonly bootstrap: Bootstrap
  /** Runs until the signal, then closes from the outside in: requests, journal, shipper. */
  run(signal: AbortSignal): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Surroundings = { log: Log; clock: Clock }

/**
 * Opens every room, and listens last; what can be refused without the databases is refused first.
 * Closes in reverse, also when opening fails half-way.
 * @throws OperatorError in one sentence for whatever the operator can mend
 */
export async function openApp(
  config: Config,
  { log, clock = systemClock }: { log: Log; clock?: Clock },
): Promise<App> {
  requireForRole(config)
  const parts = partsOf(config.role)
  await using opening = new AsyncDisposableStack()
  const clientAddress = createClientAddress(config.trustedProxies)
  requireReadable('GEOIP_DB', config.geoipDb)
  const dataDir = opening.use(holdDataDir(config.dataDir, clock))
  await requireFreePort(config.host, config.port)
  const stores = opening.use(await openStores(config, dataDir, log))
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'signpost_process_' })

  let origin = config.publicUrl ?? ''
  // Known with the port, and before the first request.
  let shortHost: ShortHost
  const journalDir = join(config.dataDir, 'journal')
  const services = createServices(stores, { log, clock }, () => shortHost, journalDir)
  const { internalToken, servicesUrl } = config
  const border =
    parts.api === 'behind' ? createBorder({ internalToken: internalToken!, clock }) : null
  const forwarder =
    parts.api === 'forwards'
      ? createForwarder({ servicesUrl: servicesUrl!, internalToken: internalToken!, clock, log })
      : null
  if (forwarder) opening.use(forwarder)
  const gateway = opening.use(
    await openGatewayRoom(config, { log, clock }, stores, services, clientAddress, registry, {
      border,
      forwarder,
    }),
  )

  const domainKeyOf = createHosts(originsOf(config))
  const edgeRoom = parts.edge
    ? opening.use(
        await openEdgeRoom(config, { log, clock }, stores, {
          journalDir,
          domainKeyOf,
          clientAddress,
          registry,
        }),
      )
    : null
  const handle = border ? border.guard(gateway.handle) : gateway.handle
  const dispatch = createDispatch(config, handle, edgeRoom?.edge ?? null, domainKeyOf, clock)
  const server = opening.use(
    await openHttpServer(
      (bound) => {
        const here = `http://${loopbackName(config.host)}:${bound}`
        // Behind a gateway PUBLIC_URL leads somewhere else.
        origin = border ? here : origin || here
        shortHost = createShortHost({ ...config, origin, port: bound })
        return dispatch
      },
      { host: config.host, port: config.port, clock },
    ),
  )
  const operations = {
    ...(parts.operatorDoor && { bootstrap: services.bootstrap }),
    ...(edgeRoom && {
      ship: ({ dir }: { dir: string }) =>
        shipFolder(dir, edgeRoom.shipping, AbortSignal.timeout(600_000)),
    }),
  }
  const door = opening.use(await openOperatorDoor(operatorSocket(config.dataDir), operations, log))

  const opened = opening.move()
  return {
    origin,
    bootstrap: services.bootstrap,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    run: (signal) =>
      runUntil(signal, edgeRoom?.parts ?? [], async () => {
        await Promise.all([server[Symbol.asyncDispose](), door[Symbol.asyncDispose]()])
        await edgeRoom?.journal.close()
      }),
  }
}

/**
 * Runs the parts until the signal, or until one of them ends by itself. Either way what feeds them
 * is closed first, and then they finish what they have begun.
 * @throws what a part rejected with, after all of that
 */
export async function runUntil(
  signal: AbortSignal,
  parts: readonly Service[],
  closeFeeds: () => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const running = parts.map((part) => part.run(stop.signal))
  try {
    await Promise.race([aborted(signal), ...running])
  } finally {
    await closeFeeds().finally(() => stop.abort())
    await Promise.allSettled(running)
  }
  await Promise.all(running)
}

type EdgeParts = Pick<EdgeDeps, 'domainKeyOf' | 'clientAddress' | 'registry'> & {
  journalDir: string
}

/** The redirect with its look-ups and its journal, and the shipper of that journal. */
async function openEdgeRoom(
  config: Config,
  { log, clock }: Surroundings,
  stores: Stores,
  { journalDir, ...rest }: EdgeParts,
) {
  await using opening = new AsyncDisposableStack()
  const countries = opening.use(await openCountries(config.geoipDb, { log, clock }))
  const shipping = shippingDeps(config, stores, { log, clock }, countries.locate, rest.registry)
  const journal = opening.use(
    openJournal({
      root: journalDir,
      durability: config.clickDurability,
      onFailure: config.clickJournalFailure,
      log,
    }),
  )
  const shipper = createShipper({ ...shipping, journalDir, ownFolder: journal.folder })
  const { systemSql: sql, openPostgres } = stores
  const openListenerSql = () => openPostgres('signpost-listener')
  const resolver = createResolver({ sql, openListenerSql, clock, log })
  const reference = `${config.role === 'all' ? '' : (config.publicUrl ?? '')}/v1/reference`
  const onRoot: EdgeDeps['onRoot'] = (req, res) => sendToReference(req, res, reference, clock)
  const edge = createEdge({ resolver, clock, log, onRoot, journal, ...rest })
  const opened = opening.move()
  return {
    edge,
    journal,
    shipping,
    parts: [resolver.service, shipper],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
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

/** What a workspace may do; the command line builds it without a server around it. */
export function createServices(
  { sql, systemSql, clickhouse }: Stores,
  { log, clock }: Surroundings,
  shortHost: () => ShortHost,
  journalDir: string,
) {
  const shippedThroughMs = () => unshippedSinceMs(journalDir)
  const audit = createAudit(clock)
  const limit = createLimit(clock)
  const publish = createOutbox(clock)
  const apiKeys = createApiKeys({ sql: systemSql, clock, log, audit, limit })
  return {
    apiKeys,
    bootstrap: createBootstrap({ sql: systemSql, clock, audit, apiKeys }),
    links: createLinks({ sql, clock, audit, limit, publish, shortHost }),
    analytics: createAnalytics({ sql, clickhouse, clock, shippedThroughMs }),
  }
}

/** What turns journal segments into rows; the command line ships rescued folders with it. */
export function shippingDeps(
  config: Config,
  { systemSql: sql, clickhouse, secretKey }: Stores,
  { log, clock }: Surroundings,
  locate: ShipperDeps['facts']['locate'],
  registry: Registry,
): ShipperDeps {
  const ownHosts = originsOf(config).map((origin) => new URL(origin).host)
  return {
    sql,
    clickhouse,
    secrets: createSecrets(secretKey),
    facts: {
      classifyAgent,
      readDevice: createDevices(),
      locate,
      referrerLabel,
      languageLabel,
      ownHosts,
    },
    clock,
    log,
    registry,
    quarantineDir: join(config.dataDir, 'quarantine'),
  }
}

/** Where the running server of a data directory listens for the command line. */
export function operatorSocket(dataDir: string): string {
  return join(openRuntimeDir(dataDir), 'operator.sock')
}

async function openGatewayRoom(
  config: Config,
  { log, clock }: Surroundings,
  { sql, clickhouse }: Stores,
  { links, analytics, apiKeys }: ReturnType<typeof createServices>,
  clientAddress: ReturnType<typeof createClientAddress>,
  registry: Registry,
  { border, forwarder }: { border: Border | null; forwarder: Forwarder | null },
) {
  const within = createPatience()
  const routes = patient([...linkRoutes(links), ...analyticsRoutes(analytics)], within)
  const version = await readVersion()
  const { api, clickhouse: asksClickHouse } = partsOf(config.role)
  const checks = {
    postgres: () => sql`select 1`,
    ...(asksClickHouse && { clickhouse: () => ask(clickhouse) }),
    ...(forwarder && { services: () => forwarder.ping() }),
  }
  const accountRoutes: AccountRoute[] = []
  const openAdmission = () =>
    createAdmission({
      credentials: {
        key: (token) => within(() => apiKeys.authenticate(token)),
        session: async () => null,
        used: (holder, ip) => apiKeys.noteUse(holder.keyId, ip),
      },
      onIpDenied: async () => {},
      rateLimits: openRateLimits({ redisUrl: config.redisUrl, log }),
      rates: ratesOf(config),
      clientAddress,
      isTrustedProxy: createProxyTrust(config.trustedProxies),
      publicUrl: config.publicUrl,
      corsOrigins: config.corsOrigins,
      clock,
      log,
    })
  const admission = border ? admitCrossing(border.callerOf) : openAdmission()
  const isHere = api === 'whole' || api === 'behind'
  return openGateway({
    routes: isHere ? routes : [],
    accountRoutes: isHere ? accountRoutes : [],
    admission,
    corsOrigins: config.corsOrigins,
    version,
    clock,
    log,
    extend: (app) => {
      if (forwarder)
        addForwarding(app, [...routes, ...accountRoutes], crossingBy(admission), forwarder)
      if (api === 'whole' || api === 'forwards') {
        const documents = openApiDocuments(version, routes, accountRoutes)
        addDocuments(app, [
          { base: '/v1', document: documents.api },
          { base: '/v1/auth', document: documents.auth },
        ])
      }
      addProbes(app, { registry, version, metricsToken: config.metricsToken, checks })
    },
  })
}

function ratesOf(config: Config) {
  return {
    api: config.rateLimitApi,
    auth: config.rateLimitAuth,
    ingestion: config.rateLimitIngestion,
    preview: config.rateLimitPreview,
  }
}

/** The client's ping answers a failure instead of throwing it. */
async function ask(clickhouse: Stores['clickhouse']): Promise<void> {
  const answer = await clickhouse.ping({ select: true })
  if (!answer.success) throw answer.error
}

function originsOf({ publicUrl, shortUrl }: Config): string[] {
  return [publicUrl, shortUrl].filter((each) => each !== null)
}

function isOurHost(req: IncomingMessage, domainKeyOf: DomainKeyOf): boolean {
  return domainKeyOf(req.headers.host?.toLowerCase() ?? '') !== null
}

/** The root of the default host leads to the API's reference. */
function sendToReference(
  req: IncomingMessage,
  res: ServerResponse,
  location: string,
  clock: Clock,
): void {
  res
    .writeHead(302, {
      location,
      'x-request-id': requestIdOf(req.headers['x-request-id'], clock()),
    })
    .end()
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

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
