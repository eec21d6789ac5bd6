import { basename, join } from 'node:path'
import type { Registry } from 'prom-client'
import { HOUR_MS, type Clock } from '../platform/core/clock.ts'
import { DASHBOARD_PATH } from '../platform/http/html.ts'
import type { Log } from '../platform/core/log.ts'
import { createReadMetrics } from '../platform/processes/metrics.ts'
import { toRequestId } from '../platform/http/request.ts'
import type { ResponseHead } from '../platform/http/plain-connection.ts'
import type { RequestHead } from '../platform/http/plain-request.ts'
import { JournalReports } from '../clicks/shipping/reports.ts'
import type { Config } from '../platform/config/config.ts'
import { Edge, type EdgeDeps } from './edge.ts'
import { PublicMedia } from './public-media.ts'
import { Quotas } from './links/quotas.ts'
import type { Hosts } from './hosts/hosts.ts'
import { createHttpsTest } from './hosts/https.ts'
import { Resolver } from './links/resolve.ts'
import { Snapshot, type SnapshotDeps } from './links/snapshot.ts'
import { WellKnown } from './hosts/well-known.ts'
import { createProxyTrust } from '../platform/facts/client-address.ts'
import { createNamedCountry, type NamedCountry } from '../platform/facts/country.ts'
import { createSignClick, SP_ID_PURPOSE } from '../platform/facts/click-identity.ts'
import { toJournalDir } from '../clicks/journal/format.ts'
import { configuredOrigins, createToShortUrl } from '../platform/facts/short-url.ts'
import { openJournal, type Journal } from '../clicks/journal/writer.ts'
import type { Stores } from '../platform/storage/stores.ts'

type Surroundings = { log: Log; clock: Clock }

type EdgeParts = Pick<EdgeDeps, 'clientAddress' | 'registry' | 'locate' | 'unlock'> & {
  hosts: Hosts
  snapshot: Snapshot | null
  sharedOrigin: () => string
  onSealed: () => void
}

const FIRST_PROCESS = 1

/** Shorter than a request waits, so that a locked row does not count as a lost connection. */
const QUOTA_PARAMETERS = { statement_timeout: '900' }

/**
 * The redirect with its resolver and its journal.
 * @param number of this process among EDGE_PROCESSES
 */
export async function openEdgeRoom(
  config: Config,
  { log, clock }: Surroundings,
  stores: Stores,
  { hosts, snapshot, sharedOrigin, onSealed, ...facts }: EdgeParts,
  number: number,
) {
  const journal = openJournalOf(config, log, onSealed)
  const journalDir = toJournalDir(config)
  const reports = new JournalReports({ sql: stores.systemSql, clock, log, journalDir })
  const begin = async () => {
    // Before the first click, so that no answer is later than it; without PostgreSQL there are no answers.
    if (config.databaseUrl !== null) await reports.report(basename(journal.folder))
    await hosts.load(stores.redirectSql)
  }
  if (stores.preparation.isReady) await begin()
  else hosts.restore()
  const resolver = new Resolver({
    sql: stores.redirectSql,
    hosts,
    sharedOrigin,
    snapshot,
    openChangesSql: () => stores.openPostgres('signpost-link-changes', 1),
    clock,
    log,
  })
  const quotas = new Quotas({
    openSql: () => stores.openPostgres('signpost-quotas', 2, QUOTA_PARAMETERS),
    log,
  })
  const edge = new Edge({
    ...facts,
    resolver,
    journal,
    quotas,
    hosts,
    wellKnown: new WellKnown({ sql: stores.redirectSql, log }),
    publicMedia: new PublicMedia({ sql: stores.redirectSql, log }),
    toShortUrl: createToShortUrl(config),
    sharedOrigin,
    namedCountry: openNamedCountry(config, log),
    isHttps: createHttpsTest(configuredOrigins(config), createProxyTrust(config.trustedProxies)),
    signClick: createSignClick(stores.secrets.keyFor(SP_ID_PURPOSE)),
    clock,
    log,
    onRoot: (req, res) => redirectToDashboard(req, res, config, clock),
  })
  registerEdge(facts.registry, edge, number)
  return {
    edge,
    journal,
    begin,
    change: (key: string) => resolver.change(key),
    parts: [resolver.service],
    [Symbol.asyncDispose]: async () => {
      await quotas.close()
      await journal.close()
    },
  }
}

function openJournalOf(config: Config, log: Log, onSealed: () => void): Journal {
  return openJournal({
    root: toJournalDir(config),
    durability: config.clickDurability,
    onFailure: config.clickJournalFailure,
    maxBytes: config.clickJournalMaxBytes,
    sealEveryMs: config.clickSealMs,
    writers: config.edgeProcesses,
    onSealed,
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

/**
 * In DATA_DIR; not needed with embedded databases, which are never unavailable for long. Processes also
 * read the first one's snapshot for what their own lacks.
 */
export function openSnapshot(
  config: Config,
  { log, clock }: Surroundings,
  opening: AsyncDisposableStack,
  number: number,
): Snapshot | null {
  if (config.databaseUrl === null) return null
  const open = (owner: number, options: Partial<SnapshotDeps> = {}) => {
    const suffix = owner === FIRST_PROCESS ? '' : `-${owner}`
    const file = join(config.dataDir, `edge-snapshot${suffix}.sqlite`)
    const maxAgeMs = config.edgeSnapshotHours * HOUR_MS
    const snapshot = new Snapshot({ file, maxAgeMs, log, clock, ...options })
    opening.defer(() => snapshot.close())
    return snapshot
  }
  if (number === FIRST_PROCESS) return open(number)
  return open(number, { fallback: open(FIRST_PROCESS, { isReadOnly: true }) })
}

function openNamedCountry({ countryHeader, trustedProxies }: Config, log: Log): NamedCountry {
  if (countryHeader !== null && (trustedProxies.length === 0 || trustedProxies[0] === '0'))
    log.warn(
      { countryHeader },
      'COUNTRY_HEADER is ignored, because no proxy is trusted: set TRUSTED_PROXIES',
    )
  return createNamedCountry(countryHeader, createProxyTrust(trustedProxies))
}

/**
 * Redirects the root of the default host to the dashboard. On the host of SHORT_URL that is the one at
 * PUBLIC_URL, where users sign in.
 */
function redirectToDashboard(
  req: RequestHead,
  res: ResponseHead,
  { role, publicUrl, shortUrl }: Config,
  clock: Clock,
): void {
  const isShortHost =
    shortUrl !== null && new URL(shortUrl).host === req.headers.host?.toLowerCase()
  const base = role !== 'all' || isShortHost ? (publicUrl ?? '') : ''
  res.writeHead(302, {
    Location: `${base}${DASHBOARD_PATH}`,
    'X-Request-Id': toRequestId(req.headers['x-request-id'], clock()),
    'Content-Length': '0',
  })
  res.end()
}
