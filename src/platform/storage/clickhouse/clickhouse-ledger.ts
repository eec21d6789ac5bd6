import { clusterOf, type ClickHouseClient } from './clickhouse.ts'
import { toClusterSettings, toClusterStatement } from './clickhouse-cluster.ts'
import { readTableNames, type Migration } from '../migrations/migration-files.ts'

const LEDGER = 'signpost_migrations'

export type ClickHouseState = {
  readonly tables: ReadonlySet<string>
  readonly hasLedger: boolean
  readonly applied: ReadonlyMap<string, string>
  readonly installationId: string | null
}

export type LedgerRow = { name: string; checksum: string; appliedAt: Date }

export async function readClickHouseState(
  clickhouse: ClickHouseClient,
  migrations: readonly Migration[],
): Promise<ClickHouseState> {
  const found = await clickhouse.query({
    query: `select name from system.tables
      where database = currentDatabase() and name in {names:Array(String)}`,
    query_params: { names: [LEDGER, ...migrations.flatMap(readTableNames)] },
    format: 'JSONEachRow',
  })
  const tables = new Set((await found.json<{ name: string }>()).map(({ name }) => name))
  const hasLedger = tables.delete(LEDGER)
  const answer =
    hasLedger &&
    (await clickhouse.query({
      query: `select name, checksum, installation_id from ${LEDGER}`,
      format: 'JSONEachRow',
    }))
  const rows = answer
    ? await answer.json<{ name: string; checksum: string; installation_id: string }>()
    : []
  return {
    tables,
    hasLedger,
    applied: new Map(rows.map(({ name, checksum }) => [name, checksum])),
    installationId: rows[0]?.installation_id ?? null,
  }
}

export async function makeClickHouseLedger(
  clickhouse: ClickHouseClient,
  engine: string,
): Promise<void> {
  // Needs none of the click table's settings: a row lost in a power cut is written again.
  const cluster = clusterOf(clickhouse)
  await clickhouse.command({
    query: toClusterStatement(
      cluster,
      `create table if not exists ${LEDGER} (
        name String,
        checksum String,
        applied_at DateTime64(3, 'UTC'),
        installation_id String
      ) engine = ${engineOf(engine, 'migrations')} order by name`,
    ),
    clickhouse_settings: toClusterSettings(cluster),
  })
}

export async function recordApplied(
  clickhouse: ClickHouseClient,
  installationId: string,
  rows: readonly LedgerRow[],
): Promise<void> {
  await clickhouse.insert({
    table: LEDGER,
    format: 'JSONEachRow',
    values: rows.map(({ name, checksum, appliedAt }) => ({
      name,
      checksum,
      applied_at: appliedAt.toISOString(),
      installation_id: installationId,
    })),
    clickhouse_settings: {
      async_insert: 0,
      wait_end_of_query: 1,
      date_time_input_format: 'best_effort',
    },
  })
}

/** Truncates, because the path of a dropped replicated table is free only minutes later. */
export async function clearClickHouseLedger(clickhouse: ClickHouseClient): Promise<void> {
  await clickhouse.command({ query: `truncate table if exists ${LEDGER}` })
}

/** A Keeper path without a macro for the table is the click table's own. */
export function engineOf(engine: string, table: string): string {
  return engine.replace(/^(\w+\(\s*')([^']+)'/, (clause, start: string, path: string) =>
    /\{(table|uuid)\}/.test(path) ? clause : `${start}${path}_${table}'`,
  )
}
