import type { Log } from '../base/log.ts'
import { openClickHouse } from './clickhouse.ts'
import type { ClickHouseClient } from './clickhouse.ts'
import type { HeldDataDir } from './data-dir.ts'
import { openEngines } from './embedded/engines.ts'
import { migrate } from './migrate.ts'
import { closePostgres, openPostgres } from './postgres.ts'
import type { Sql } from './postgres.ts'
import { requireClickHouse, requirePostgres } from './reachable.ts'

export type StoreSettings = {
  databaseUrl: string | null
  clickhouseUrl: string | null
  clickhouseEngine: string
  secretKey: string | null
}

/** Both databases, migrated. */
export type Stores = {
  readonly sql: Sql
  readonly clickhouse: ClickHouseClient
  readonly secretKey: string
  /** A pool of its own, for what keeps a connection busy. */
  openPostgres(applicationName: string): Sql
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the embedded engines that no setting replaces, and brings both databases to this program's
 * tables. Closes in reverse, also when opening fails half-way.
 * @throws OperatorError in one sentence for whatever the operator can mend
 */
export async function openStores(
  settings: StoreSettings,
  dataDir: HeldDataDir,
  log: Log,
): Promise<Stores> {
  await using opening = new AsyncDisposableStack()
  const engines = opening.use(
    await openEngines({
      dataDir: dataDir.path,
      log,
      postgres: settings.databaseUrl === null,
      clickhouse: settings.clickhouseUrl === null,
    }),
  )
  const postgresUrl = settings.databaseUrl ?? engines.postgresUrl!
  const open = (applicationName: string) => openPostgres(postgresUrl, { applicationName })
  const sql = open('signpost')
  opening.defer(() => closePostgres(sql))
  const clickhouseUrl = settings.clickhouseUrl ?? engines.clickhouseUrl!
  const clickhouse = openClickHouse(clickhouseUrl)
  opening.defer(() => clickhouse.close())
  await requirePostgres(sql, postgresUrl)
  await requireClickHouse(clickhouse, clickhouseUrl)
  await migrate({ sql, clickhouse, clickhouseEngine: settings.clickhouseEngine, log })

  const opened = opening.move()
  return {
    sql,
    clickhouse,
    secretKey: settings.secretKey ?? dataDir.secretKey(),
    openPostgres: open,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
