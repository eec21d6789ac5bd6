import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { createSecrets, type Secrets } from '../core/secrets.ts'
import type { Service } from '../core/service.ts'
import { requireReplicated } from './clickhouse/clickhouse-cluster.ts'
import {
  openClickHouse,
  type ClickHouseClient,
  type ClickHouseOptions,
} from './clickhouse/clickhouse.ts'
import type { DataDir } from './installation/data-dir.ts'
import { MAX_READS, READ_PARAMETERS } from './postgres/heavy-reads.ts'
import { openMissingEngines } from './embedded/engines.ts'
import { openSecrets, type SecretKeys, ReplaceableSecrets } from './installation/former-keys.ts'
import type { Acceptance, StartCheck } from './installation/installation.ts'
import { createListener } from './postgres/listen.ts'
import { Notices } from './postgres/notices.ts'
import {
  notify,
  openPostgres,
  type PostgresOptions,
  type SystemSql,
  type TenantSql,
  closePostgres,
} from './postgres/postgres.ts'
import { Preparation } from './installation/preparation.ts'
import { UnavailableError, toPublicAddress } from './installation/reachable.ts'
import { readCanary } from './installation/secret-key.ts'
import { REQUEST_ROLE, WORKER_ROLE } from './postgres/roles.ts'

export type StoreSettings = Pick<
  Config,
  'databaseUrl' | 'clickhouseUrl' | 'clickhouseEngine' | 'secretKey'
> &
  Partial<Pick<Config, OptionalSetting>>
type OptionalSetting =
  | 'databasePoolUrl'
  | 'clickhouseCluster'
  | 'databaseConnections'
  | 'clickhouseConnections'
  | 'secretKeyAlso'

/** PostgreSQL's address is for the owner of the tables. */
export type Addresses = { databaseUrl: string; clickhouseUrl: string }

/** A database that was unavailable can be used once `preparation` is complete. */
export type Stores = {
  readonly sql: TenantSql
  readonly systemSql: SystemSql
  /** Only for redirects, so that they never wait for the API's connections. */
  readonly redirectSql: SystemSql
  readonly readSql: TenantSql
  readonly systemReadSql: SystemSql
  readonly clickhouse: ClickHouseClient
  readonly addresses: Addresses
  readonly secrets: Secrets
  readonly notices: Notices
  readonly listener: Service
  readonly preparation: Preparation
  openPostgres(
    applicationName: string,
    maxConnections: number,
    parameters?: PostgresOptions['parameters'],
  ): SystemSql
  [Symbol.asyncDispose](): Promise<void>
}

type OpenOptions = {
  signal?: AbortSignal | undefined
  accept?: Acceptance | null
  beforeMigrations?: ((addresses: Addresses) => Promise<void>) | null
  waits?: boolean
  usesClickHouse?: boolean
  /** Addresses of running databases; without them the embedded engines belong to this process. */
  addresses?: Addresses | null
}

/** A server process takes at most 23 connections to the embedded PostgreSQL in all, and a redirect process 7. */
const CONNECTIONS = { requests: 8, system: 4, redirects: 3, reads: MAX_READS, systemReads: 1 }

/**
 * Checks that the databases are usable and belong together, and migrates them. Closes in reverse, also when opening
 * fails.
 */
export async function openStores(
  settings: StoreSettings,
  dataDir: DataDir,
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
  const own = { dataDir: dataDir.path, log, ...(signal && { signal }) }
  const addresses = running ?? opening.use(await openMissingEngines(settings, own)).addresses
  const { databaseUrl: postgresUrl, clickhouseUrl } = addresses
  // Embedded databases have a single publishing process.
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
  const secrets = new ReplaceableSecrets(createSecrets(keys.secretKey, keys))
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
    if (!waits || !(error instanceof UnavailableError)) throw error
    preparation.note(error)
  })

  // LISTEN does not work through a pooler.
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

function toKeys(settings: StoreSettings, dataDir: DataDir): SecretKeys {
  const { secretKey, secretKeyAlso = null } = settings
  if (secretKey !== null) return { secretKey, also: secretKeyAlso }
  return { secretKey: dataDir.secretKey(), also: secretKeyAlso ?? dataDir.secretKeyAlso() }
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

function toNames(settings: StoreSettings, { path }: DataDir): StartCheck['names'] {
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

const ROLE_PLACEHOLDER = '{role}'

type OpenPool<Pool> = (applicationName: string, options?: PostgresOptions) => Pool
type Shared = { postgresUrl: string; poolUrl: string | null; notices: Notices }

/** Pools with their own parameters go past the pooler, which does not pass them on. */
function createPools({ postgresUrl, poolUrl, notices }: Shared, pools: AsyncDisposableStack) {
  const openAs =
    (role: string) =>
    (applicationName: string, options: PostgresOptions = {}) => {
      const isPooled = poolUrl !== null && options.parameters === undefined
      const url = isPooled ? poolUrl.replaceAll(ROLE_PLACEHOLDER, role) : postgresUrl
      const own: PostgresOptions = { applicationName, notices, ...options, role, isPooled }
      const pool = openPostgres(url, own)
      pools.defer(() => closePostgres(pool))
      return pool
    }
  return {
    openTenant: openAs(REQUEST_ROLE) as OpenPool<TenantSql>,
    openSystem: openAs(WORKER_ROLE) as OpenPool<SystemSql>,
  }
}
