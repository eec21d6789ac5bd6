import type { Log } from '../base/log.ts'
import { openClickHouse } from './clickhouse.ts'
import type { ClickHouseClient } from './clickhouse.ts'
import type { HeldDataDir } from './data-dir.ts'
import { openEngines } from './embedded/engines.ts'
import { migrate } from './migrate.ts'
import { closePostgres, openPostgres } from './postgres.ts'
import type { PostgresOptions, Sql } from './postgres.ts'
import { requireClickHouse, requirePostgres } from './reachable.ts'
import { REQUEST_ROLE, WORKER_ROLE } from './roles.ts'

export type StoreSettings = {
  databaseUrl: string | null
  clickhouseUrl: string | null
  clickhouseEngine: string
  secretKey: string | null
}

/** Both databases, migrated. */
export type Stores = {
  /** For requests: sees the rows of one workspace, in `inWorkspace`, and none outside of it. */
  readonly sql: Sql
  /** For what serves all workspaces: the redirect, the shipper, deliveries, sign-in. */
  readonly systemSql: Sql
  readonly clickhouse: ClickHouseClient
  readonly secretKey: string
  /** A pool of its own, for what keeps a connection busy. */
  openPostgres(applicationName: string, parameters?: PostgresOptions['parameters']): Sql
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the embedded engines that no setting replaces, and brings both databases to this program's
 * tables. Closes in reverse, also when opening fails half-way.
 * @param signal gives up the start of the engines
 * @throws OperatorError in one sentence for whatever the operator can mend
 */
export async function openStores(
  settings: StoreSettings,
  dataDir: HeldDataDir,
  log: Log,
  signal?: AbortSignal,
): Promise<Stores> {
  await using opening = new AsyncDisposableStack()
  const engines = opening.use(
    await openEngines({
      dataDir: dataDir.path,
      log,
      postgres: settings.databaseUrl === null,
      clickhouse: settings.clickhouseUrl === null,
      ...(signal && { signal }),
    }),
  )
  const postgresUrl = settings.databaseUrl ?? engines.postgresUrl!
  const open = (applicationName: string, role: string) => {
    const sql = openPostgres(postgresUrl, { applicationName, role })
    opening.defer(() => closePostgres(sql))
    return sql
  }
  const clickhouseUrl = settings.clickhouseUrl ?? engines.clickhouseUrl!
  const clickhouse = openClickHouse(clickhouseUrl)
  opening.defer(() => clickhouse.close())
  await requireClickHouse(clickhouse, clickhouseUrl)
  await prepareTables(postgresUrl, clickhouse, settings.clickhouseEngine, log)
  const sql = open('signpost', REQUEST_ROLE)
  const systemSql = open('signpost-system', WORKER_ROLE)

  const opened = opening.move()
  return {
    sql,
    systemSql,
    clickhouse,
    secretKey: settings.secretKey ?? dataDir.secretKey(),
    openPostgres: (applicationName, parameters = {}) =>
      openPostgres(postgresUrl, { applicationName, role: WORKER_ROLE, parameters }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** As the role that connects, which owns the tables; it is done with after this. */
async function prepareTables(
  postgresUrl: string,
  clickhouse: ClickHouseClient,
  clickhouseEngine: string,
  log: Log,
): Promise<void> {
  const sql = openPostgres(postgresUrl, { applicationName: 'signpost-migrate', maxConnections: 2 })
  try {
    await requirePostgres(sql, postgresUrl)
    await migrate({ sql, clickhouse, clickhouseEngine, log })
  } finally {
    await closePostgres(sql)
  }
}
