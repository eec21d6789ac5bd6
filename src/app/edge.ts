import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import { DASHBOARD_PATH } from '../base/dashboard-path.ts'
import type { Log } from '../base/log.ts'
import { createReadMetrics } from '../base/read-metrics.ts'
import type { Service } from '../base/service.ts'
import { toRequestId } from '../base/request-id.ts'
import { JournalReports } from '../clicks/reports.ts'
import { createShippedThrough } from '../clicks/shipped-through.ts'
import { createShipper, type ShipperDeps } from '../clicks/shipper.ts'
import type { Config } from '../config/config.ts'
import { Edge, type EdgeDeps } from '../edge/edge.ts'
import { PublicMedia } from '../edge/public-media.ts'
import { Quotas } from '../edge/quotas.ts'
import { toHostname, type Hosts } from '../edge/hosts.ts'
import { createHttpsTest } from '../edge/https.ts'
import { createResolver } from '../edge/resolve.ts'
import { Snapshot } from '../edge/snapshot.ts'
import { Unlock } from '../edge/unlock.ts'
import { WellKnown } from '../edge/well-known.ts'
import { classifyAgent } from '../facts/bots.ts'
import type { ToShortUrl } from '../facts/click-data.ts'
import { createProxyTrust } from '../facts/client-address.ts'
import { createDevices } from '../facts/device.ts'
import { languageLabel } from '../facts/language.ts'
import { createNamedCountry, type NamedCountry } from '../facts/named-country.ts'
import { referrerLabel } from '../facts/referrer.ts'
import { shortUrlOf } from '../facts/short-url.ts'
import { createSignClick, SP_ID_PURPOSE } from '../facts/sp-id.ts'
import { partsOf } from './roles.ts'
import { registerUnshipped } from '../journal/unshipped.ts'
import { openJournal } from '../journal/writer.ts'
import { LINKS_CHANNEL } from '../services/link-changes.ts'
import type { ShortHost } from '../services/links/short-host.ts'
import { createListener } from '../storage/listen.ts'
import type { RateLimits } from '../storage/rate-limits.ts'
import type { Stores } from '../storage/stores.ts'

type Surroundings = { log: Log; clock: Clock }

const HOUR_MS = 3_600_000

type EdgeParts = Pick<EdgeDeps, 'clientAddress' | 'registry'> & {
  hosts: Hosts
  snapshot: Snapshot | null
  /** Set once the server has its port. */
  address: { shortHost: Pick<ShortHost, 'origin'> }
  rateLimits: Pick<RateLimits, 'limiter'>
  countries: { locate: ShipperDeps['facts']['locate'] }
}

/** Of EDGE_PROCESSES: it starts the others. */
export const FIRST_PROCESS = 1

/** Shorter than a request waits, so that a row that stays locked is no failed connection. */
const QUOTA_PARAMETERS = { statement_timeout: '900' }

/**
 * The redirect with its resolver and its journal, and the shipper of that journal.
 * @param number of this process among those of EDGE_PROCESSES
 */
export async function openEdgeRoom(
  config: Config,
  { log, clock }: Surroundings,
  stores: Stores,
  { rateLimits, countries, hosts, snapshot, address, clientAddress, registry }: EdgeParts,
  number: number,
) {
  const { locate } = countries
  const journalDir = toJournalDir(config)
  const shipping = shippingDeps(config, stores, { log, clock }, locate, registry)
  const journal = openJournalOf(config, log)
  const { folder: ownFolder } = journal
  const isFirst = number === FIRST_PROCESS
  // Processes of one data directory read the journals of each other.
  const isShared = config.databaseUrl !== null
  const begin = async () => {
    // Before the first click, so that no answer can be later than it; without PostgreSQL there are no answers.
    if (isShared) await shipping.reports.report(isFirst ? undefined : basename(ownFolder))
    await hosts.load(stores.redirectSql)
  }
  if (stores.preparation.isReady) await begin()
  else hosts.restore()
  const shipper = createShipper({ ...shipping, journalDir, ownFolder, adopts: isFirst })
  const resolver = createResolver({
    sql: stores.redirectSql,
    hosts,
    sharedOrigin: () => address.shortHost.origin,
    snapshot,
    openChangesSql: () => stores.openPostgres('signpost-link-changes'),
    clock,
    log,
  })
  const quotas = new Quotas({
    openSql: () => stores.openPostgres('signpost-quotas', QUOTA_PARAMETERS),
    log,
  })
  // Both only make it faster: the resolver reads every change within a second.
  const change = (key: string) => resolver.change(key)
  stores.notices.subscribe(LINKS_CHANNEL, change)
  const listener = openListener(stores, change, log)
  const edge = new Edge({
    resolver,
    journal,
    quotas,
    hosts,
    wellKnown: new WellKnown({ sql: stores.redirectSql, log }),
    publicMedia: new PublicMedia({ sql: stores.redirectSql, log }),
    clientAddress,
    locate,
    toShortUrl: shipping.toShortUrl,
    namedCountry: openNamedCountry(config, log),
    isHttps: createHttpsTest(configuredOrigins(config), createProxyTrust(config.trustedProxies)),
    signClick: createSignClick(shipping.secrets.keyFor(SP_ID_PURPOSE)),
    unlock: new Unlock({ secrets: shipping.secrets, rateLimits, clock, log }),
    clock,
    log,
    registry,
    onRoot: (req, res) => redirectToDashboard(req, res, config, clock),
  })
  registerEdge(registry, edge, number)
  if (isFirst) registerUnshipped(registry, journalDir, clock)
  return {
    edge,
    journal,
    shipping,
    begin,
    parts: [
      resolver.service,
      listener,
      onceComplete(stores.preparation, shipper),
      ...(isShared && isFirst ? [shipping.reports.service] : []),
    ],
    [Symbol.asyncDispose]: async () => {
      await quotas.close()
      await journal.close()
    },
  }
}

function openJournalOf(config: Config, log: Log) {
  return openJournal({
    root: toJournalDir(config),
    durability: config.clickDurability,
    onFailure: config.clickJournalFailure,
    maxBytes: config.clickJournalMaxBytes,
    sealEveryMs: config.clickSealMs,
    writers: config.edgeProcesses,
    log,
  })
}

function registerEdge(registry: Registry, edge: Edge, number: number): void {
  createReadMetrics(registry).counter(
    'signpost_edge_process_redirects_total',
    'Redirects and bio pages that each process of EDGE_PROCESSES has answered.',
    () => [[String(number), edge.stats().answered]],
    'process',
  )
}

function openListener(stores: Stores, onChange: (key: string) => void, log: Log): Service {
  return createListener({
    name: 'edge-listener',
    channel: LINKS_CHANNEL,
    openSql: () => stores.openPostgres('signpost-listener'),
    onChange,
    onConnected: () => {},
    onConfirmed: () => {},
    onDisconnected: () => {},
    log,
  })
}

/** In DATA_DIR; embedded databases are never away for long. */
export function openSnapshot(
  config: Config,
  { log, clock }: Surroundings,
  opening: AsyncDisposableStack,
  number = FIRST_PROCESS,
): Snapshot | null {
  if (config.databaseUrl === null || !partsOf(config.role).edge) return null
  const suffix = number === FIRST_PROCESS ? '' : `-${number}`
  const file = join(config.dataDir, `edge-snapshot${suffix}.sqlite`)
  const maxAgeMs = config.edgeSnapshotHours * HOUR_MS
  const snapshot = new Snapshot({ file, maxAgeMs, log, clock })
  opening.defer(() => snapshot.close())
  return snapshot
}

/** No click is sent to a ClickHouse that may be that of another installation. */
function onceComplete(preparation: Stores['preparation'], service: Service): Service {
  const run = async (signal: AbortSignal) => {
    await preparation.untilComplete(signal)
    if (!signal.aborted) await service.run(signal)
  }
  return { name: service.name, run }
}

function openNamedCountry({ countryHeader, trustedProxies }: Config, log: Log): NamedCountry {
  if (countryHeader !== null && (trustedProxies.length === 0 || trustedProxies[0] === '0'))
    log.warn(
      { countryHeader },
      'COUNTRY_HEADER is ignored, because no proxy is trusted: set TRUSTED_PROXIES',
    )
  return createNamedCountry(countryHeader, createProxyTrust(trustedProxies))
}

/** Dependencies of the shipper, which the command line also uses for rescued folders. */
export function shippingDeps(
  config: Config,
  { systemSql: sql, clickhouse, secrets }: Stores,
  { log, clock }: Surroundings,
  locate: ShipperDeps['facts']['locate'],
  registry: Registry,
) {
  const ownHosts = configuredOrigins(config).map((origin) => new URL(origin).host)
  return {
    sql,
    clickhouse,
    secrets,
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
    reports: new JournalReports({
      sql,
      clock,
      log,
      journalDir: toJournalDir(config),
    }),
    toShortUrl: createToShortUrl(config),
  }
}

/** The time for `asOf` of answers, in a process of any role. */
export function openShippedThrough(
  config: Config,
  { systemSql: sql }: Stores,
  { log, clock }: Surroundings,
  registry: Registry,
): () => Promise<number> {
  const journalDir = partsOf(config.role).edge ? toJournalDir(config) : null
  return createShippedThrough({ sql, journalDir, clock, log, registry })
}

/** Folder of the click journals of a data directory. */
function toJournalDir({ dataDir }: Config): string {
  return join(dataDir, 'journal')
}

/**
 * Without either setting, the Host header of the visitor is the only known address of the shared host.
 */
export function createToShortUrl({ shortUrl, publicUrl }: Config): ToShortUrl {
  const address = shortUrl ?? publicUrl
  const base = address === null ? null : new URL(address).origin
  return (host, slug, domainId) =>
    shortUrlOf(
      { origin: base ?? `http://${host}` },
      domainId === '' ? null : toHostname(host),
      slug,
    )
}

export function configuredOrigins({ publicUrl, shortUrl }: Config): string[] {
  return [publicUrl, shortUrl].filter((origin) => origin !== null)
}

/**
 * Redirects the root of the default host to the dashboard. On the host of SHORT_URL that is the one at
 * PUBLIC_URL, where users sign in.
 */
function redirectToDashboard(
  req: IncomingMessage,
  res: ServerResponse,
  { role, publicUrl, shortUrl }: Config,
  clock: Clock,
): void {
  const isShortHost =
    shortUrl !== null && new URL(shortUrl).host === req.headers.host?.toLowerCase()
  const base = role !== 'all' || isShortHost ? (publicUrl ?? '') : ''
  res
    .writeHead(302, {
      location: `${base}${DASHBOARD_PATH}`,
      'x-request-id': toRequestId(req.headers['x-request-id'], clock()),
    })
    .end()
}
