import { join } from 'node:path'
import type { Log } from '../core/log.ts'
import { createSecrets, type Secrets } from '../core/secrets.ts'
import type { Service } from '../core/service.ts'
import { requireReplicated } from './clickhouse/clickhouse-cluster.ts'
import {
  openClickHouse,
  type ClickHouseClient,
  type ClickHouseOptions,
} from './clickhouse/clickhouse.ts'
import type { HeldDataDir } from './installation/data-dir.ts'
import { MAX_READS, READ_PARAMETERS } from './postgres/heavy-reads.ts'
import { openMissingEngines } from './embedded/engines.ts'
import { openSecrets, type SecretKeys } from './installation/former-keys.ts'
import type { Acceptance, StartCheck } from './installation/installation.ts'
import { LateSecrets } from './installation/late-secrets.ts'
import { createListener } from './postgres/listen.ts'
import { Notices } from './postgres/notices.ts'
import {
  notify,
  openPostgres,
  type PostgresOptions,
  type SystemSql,
  type TenantSql,
} from './postgres/postgres.ts'
import { Preparation } from './installation/preparation.ts'
import { AwayError, toPublicAddress } from './installation/reachable.ts'
import { readCanary } from './installation/secret-key.ts'
import { createPools } from './postgres/pools.ts'

export type StoreSettings = {
  databaseUrl: string | null
  /** The address of a pooler before `databaseUrl`, with `{role}` for the role. */
  databasePoolUrl?: string | null
  clickhouseUrl: string | null
  clickhouseEngine: string
  /** CLICKHOUSE_CLUSTER; null for a single server. */
  clickhouseCluster?: string | null
  /** Sizes of the pools for databases that are not embedded. */
  databaseConnections?: number
  clickhouseConnections?: number
  secretKey: string | null
  /** A second key that opens sealed values, while SECRET_KEY is rotated. */
  secretKeyAlso?: string | null
}

/** Addresses of the databases, embedded or not. PostgreSQL's is that of the owner of the tables. */
export type Addresses = { databaseUrl: string; clickhouseUrl: string }

/** Both databases, migrated; those that were away are once `preparation` is complete. */
export type Stores = {
  /** For requests: sees the rows of one workspace inside `inWorkspace`, and no rows outside. */
  readonly sql: TenantSql
  /** For parts that serve all workspaces: shipper, sign-in, keys. */
  readonly systemSql: SystemSql
  /** For redirects alone, so that they never wait for a connection of the API. */
  readonly redirectSql: SystemSql
  /** As `sql`, for reads that may take long (`createHeavyReads`). */
  readonly readSql: TenantSql
  /** As `systemSql`, for reads that may take long. */
  readonly systemReadSql: SystemSql
  readonly clickhouse: ClickHouseClient
  /** For another process of the same operator: with the credentials of this start. */
  readonly addresses: Addresses
  readonly secrets: Secrets
  /** Of every pool here: notices of changes that this process has committed. */
  readonly notices: Notices
  /** Brings the notices of other processes. */
  readonly listener: Service
  readonly preparation: Preparation
  /** Opens a separate pool, for a part that keeps a connection busy. */
  openPostgres(
    applicationName: string,
    maxConnections: number,
    parameters?: PostgresOptions['parameters'],
  ): SystemSql
  [Symbol.asyncDispose](): Promise<void>
}

export type OpenOptions = {
  signal?: AbortSignal | undefined
  accept?: Acceptance | null
  /** Runs when the databases have data and lack migrations of this program. */
  beforeMigrations?: ((addresses: Addresses) => Promise<void>) | null
  /** Opens the stores although a database is away, and leaves it to `preparation` to wait for it. */
  waits?: boolean
  /** Whether this process sends queries to ClickHouse. */
  usesClickHouse?: boolean
  /** Of databases that run already, embedded or not; without it the embedded engines belong to this process. */
  addresses?: Addresses | null
}

/**
 * Connections of the pools that have no setting. With those that parts open for themselves, a server process takes at
 * most 23 connections to the embedded PostgreSQL, and a redirect process 7.
 */
const CONNECTIONS = { requests: 8, system: 4, redirects: 3, reads: MAX_READS, systemReads: 1 }

/**
 * Starts the embedded engines that no setting replaces, makes sure that the databases can be used and
 * belong together, and then migrates both. Closes in reverse, also when opening fails half-way.
 * @throws OperatorError in one sentence for every failure that the operator can fix
 */
export async function openStores(
  settings: StoreSettings,
  dataDir: HeldDataDir,
  log: Log,
  {
    signal,
    accept = null,
    beforeMigrations = null,
    waits = false,
    addresses: running = null,
    ...uses
  }: OpenOptions = {},
): Promise<Stores> {
  requireReplicated(settings)
  await using opening = new AsyncDisposableStack()
  const addresses =
    running ??
    (await openOwnEngines(settings, dataDir, { log, ...(signal && { signal }) }, opening))
  const { databaseUrl: postgresUrl, clickhouseUrl } = addresses
  // The only process that publishes to embedded databases needs no NOTIFY.
  const notices: Notices = new Notices(
    settings.databaseUrl === null
      ? null
      : (gathered): Promise<unknown> => notify(systemSql, gathered),
  )
  const poolUrl = settings.databaseUrl === null ? null : (settings.databasePoolUrl ?? null)
  const pools = opening.use(new AsyncDisposableStack())
  const { openTenant, openSystem } = createPools({ postgresUrl, poolUrl, notices }, pools)
  const clickhouse = openClickHouse(clickhouseUrl, toClickHouseOptions(settings))
  opening.defer(() => clickhouse.close())
  const keys = toKeys(settings, dataDir)
  const secrets = new LateSecrets(createSecrets(keys.secretKey, keys))
  const sql = openTenant('signpost', toPoolOptions(settings, CONNECTIONS.requests))
  const systemSql = openSystem('signpost-system', toPoolOptions(settings, CONNECTIONS.system))
  const redirectSql = openSystem('signpost-redirects', { maxConnections: CONNECTIONS.redirects })
  const reads = (maxConnections: number) => ({ maxConnections, parameters: READ_PARAMETERS })
  const readSql = openTenant('signpost-reads', reads(CONNECTIONS.reads))
  const systemReadSql = openSystem('signpost-system-reads', reads(CONNECTIONS.systemReads))
  const preparation = new Preparation({
    ...settings,
    openOwner: () =>
      openPostgres(postgresUrl, { applicationName: 'signpost-migrate', maxConnections: 2 }),
    pools: [sql, systemSql],
    addresses,
    clickhouse,
    usesClickHouse: uses.usesClickHouse ?? true,
    secrets: createSecrets(keys.secretKey, keys),
    names: toNames(settings, dataDir),
    accept,
    log,
    beforeMigrations: async () => beforeMigrations?.(addresses),
    onReady: async (owner) =>
      secrets.replace(await openSecrets(systemSql, keys, await readCanary(owner))),
  })
  await preparation.attempt().catch((error: unknown) => {
    if (!waits || !(error instanceof AwayError)) throw error
    preparation.note(error)
  })

  // LISTEN needs PostgreSQL itself, and not a pooler.
  const listening = openSystem('signpost-listener', { maxConnections: 1, parameters: {} })
  const opened = opening.move()
  return {
    sql,
    systemSql,
    redirectSql,
    readSql,
    systemReadSql,
    clickhouse,
    addresses,
    secrets,
    notices,
    preparation,
    openPostgres: (applicationName, maxConnections, parameters = {}) =>
      openSystem(applicationName, { maxConnections, parameters }),
    listener: createListener({ sql: listening, notices, log }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The settings, or the files of the data directory. */
function toKeys(settings: StoreSettings, dataDir: HeldDataDir): SecretKeys {
  const { secretKey, secretKeyAlso = null } = settings
  if (secretKey !== null) return { secretKey, also: secretKeyAlso }
  return { secretKey: dataDir.secretKey(), also: secretKeyAlso ?? dataDir.secretKeyAlso() }
}

async function openOwnEngines(
  settings: StoreSettings,
  { path: dataDir }: HeldDataDir,
  options: { log: Log; signal?: AbortSignal },
  opening: AsyncDisposableStack,
): Promise<Addresses> {
  return opening.use(await openMissingEngines(settings, { dataDir, ...options })).addresses
}

function toPoolOptions(
  { databaseUrl, databaseConnections }: StoreSettings,
  ofEmbedded: number,
): PostgresOptions {
  if (databaseUrl === null) return { maxConnections: ofEmbedded }
  return databaseConnections === undefined ? {} : { maxConnections: databaseConnections }
}

function toClickHouseOptions(settings: StoreSettings): ClickHouseOptions {
  const { clickhouseUrl, clickhouseConnections, clickhouseCluster: cluster = null } = settings
  return clickhouseUrl === null || clickhouseConnections === undefined
    ? { cluster }
    : { cluster, maxConnections: clickhouseConnections }
}

/** Names that an operator recognizes, each the beginning of a sentence. */
function toNames(settings: StoreSettings, { path }: HeldDataDir): StartCheck['names'] {
  const { clickhouseUrl, secretKey } = settings
  return {
    clickhouse: clickhouseUrl
      ? `The ClickHouse that CLICKHOUSE_URL names (${toPublicAddress(clickhouseUrl)})`
      : `The embedded ClickHouse (${join(path, 'clickhouse')})`,
    secretKey: secretKey
      ? 'SECRET_KEY'
      : `The secret key in DATA_DIR (${join(path, 'secret.key')})`,
  }
}
