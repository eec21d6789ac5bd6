import type { Log } from '../../core/log.ts'
import { clusterOf, type ClickHouseClient } from '../clickhouse/clickhouse.ts'
import { toClusterSettings, toClusterStatement } from '../clickhouse/clickhouse-cluster.ts'
import { isReplicated } from '../clickhouse/replicated.ts'
import {
  engineOf,
  makeClickHouseLedger,
  readClickHouseState,
  recordApplied,
  type LedgerRow,
} from '../clickhouse/clickhouse-ledger.ts'
import { ensureInstallation, type InstallationKey } from '../installation/installation.ts'
import { refuseUnknown, type Migration } from './migration-files.ts'
import { underMigrationLock } from './migration-lock.ts'
import type { Sql } from '../postgres/postgres.ts'

export type MigrateOptions = {
  sql: Sql
  clickhouse: ClickHouseClient
  /** The engine clause of ClickHouse tables: `MergeTree`, `ReplicatedMergeTree('…', '{replica}')`. */
  clickhouseEngine: string
  log: Log
  /** Seals a canary with the key; without it the first start does. */
  key?: InstallationKey
}

/**
 * Applies the files of ClickHouse that its ledger lacks, and writes the id of the installation there.
 *
 * ClickHouse has no transactions and no locks, so PostgreSQL's lock is held, and each step may be
 * repeated after a crash: the id is committed in PostgreSQL before ClickHouse has it, a file must be
 * safe to run again (`if not exists`), and `clickhouse_ready_at` is set when all is done.
 * @throws OperatorError as `requireInstallation`, for changes of another process in between
 */
export async function migrateClickHouse(
  options: MigrateOptions,
  files: readonly Migration[],
): Promise<void> {
  const { sql, clickhouse, key } = options
  const installation = await underMigrationLock(sql, async (tx) =>
    ensureInstallation(tx, await readClickHouseState(clickhouse, files), key ?? null),
  )
  await underMigrationLock(sql, async (tx) => {
    const { hasLedger, applied } = await readClickHouseState(clickhouse, files)
    refuseUnknown(files, applied)
    const rows: LedgerRow[] = []
    const startedAtMs = performance.now()
    for (const file of files.filter(({ name }) => !applied.has(name)))
      rows.push(await apply(options, file))
    logApplied(options.log, 'ClickHouse', rows.length, startedAtMs)
    if (!hasLedger) await makeClickHouseLedger(clickhouse, options.clickhouseEngine)
    if (rows.length > 0) await recordApplied(clickhouse, installation.id, rows)
    if (installation.clickhouseReadyAt === null)
      await tx`
        update installation set clickhouse_ready_at = now() where clickhouse_ready_at is null`
  })
}

async function apply(
  { clickhouse, clickhouseEngine }: MigrateOptions,
  { name, text, checksum }: Migration,
): Promise<LedgerRow> {
  const cluster = clusterOf(clickhouse)
  for (const query of renderStatements(text, clickhouseEngine, cluster))
    await clickhouse.command({ query, clickhouse_settings: toClusterSettings(cluster) })
  return { name, checksum, appliedAt: new Date() }
}

/** One line for all migrations of an engine; none without any. */
export function logApplied(
  log: Log,
  engine: 'PostgreSQL' | 'ClickHouse',
  count: number,
  startedAtMs: number,
): void {
  if (count === 0) return
  const durationMs = Math.round(performance.now() - startedAtMs)
  log.info({ engine, count, durationMs }, 'migrations applied')
}

/** The statements of a file for an engine, and for a cluster if there is one. */
export function renderStatements(text: string, engine: string, cluster: string | null): string[] {
  const filled = text
    .replaceAll(/\{engine(?::(\w+))?\}/g, (_, table?: string) =>
      table === undefined ? engine : engineOf(engine, table),
    )
    .replaceAll('{settings}', () => tableSettings(engine))
  return splitStatements(filled).map((statement) => toClusterStatement(cluster, statement))
}

/**
 * A statement of a migration ends with a semicolon at the end of a line. Comments do too, and a server refuses a statement
 * of comments alone.
 */
function splitStatements(text: string): string[] {
  return text.split(/;\s*$/m).filter((part) => part.replaceAll(/^\s*--.*$/gm, '').trim() !== '')
}

/**
 * Guarantees of an insert into a click table: acknowledged is on the disk, and a retry with the
 * same deduplication token is dropped. A plain MergeTree keeps no tokens unless told to; the
 * replicated and shared ones keep theirs for an hour, which an outage can outlast.
 */
export function tableSettings(engine: string): string {
  const tokens = isReplicated(engine)
    ? 'replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800'
    : 'non_replicated_deduplication_window = 10000'
  return `${tokens}, fsync_after_insert = 1, fsync_part_directory = 1`
}
