import type { Log } from '../../core/log.ts'
import { clusterOf, type ClickHouseClient, isReplicated } from '../clickhouse/clickhouse.ts'
import { toClusterSettings, toClusterStatement } from '../clickhouse/clickhouse-cluster.ts'
import {
  engineOf,
  makeClickHouseLedger,
  readClickHouseState,
  recordApplied,
  type LedgerRow,
} from '../clickhouse/clickhouse-ledger.ts'
import { ensureInstallation, type InstallationKey } from '../installation/installation.ts'
import { refuseUnknown, type Migration } from './migration-files.ts'
import { underMigrationLock } from '../postgres/advisory-locks.ts'
import type { Sql } from '../postgres/postgres.ts'

export type MigrateOptions = {
  sql: Sql
  clickhouse: ClickHouseClient
  clickhouseEngine: string
  log: Log
  /** Seals a canary with the key; if absent, the first start does. */
  key?: InstallationKey
}

/**
 * ClickHouse has no transactions and no locks, so this holds PostgreSQL's lock, and each step may be repeated after a
 * crash: the id is committed in PostgreSQL first, files can be run again (`if not exists`), and `clickhouse_ready_at`
 * is set last.
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

export function renderStatements(text: string, engine: string, cluster: string | null): string[] {
  const filled = text
    .replaceAll(/\{engine(?::(\w+))?\}/g, (_, table?: string) =>
      table === undefined ? engine : engineOf(engine, table),
    )
    .replaceAll('{settings}', () => tableSettings(engine))
  return splitStatements(filled).map((statement) => toClusterStatement(cluster, statement))
}

/** A semicolon at the end of a line. A server refuses a statement of comments alone. */
function splitStatements(text: string): string[] {
  return text.split(/;\s*$/m).filter((part) => part.replaceAll(/^\s*--.*$/gm, '').trim() !== '')
}

/**
 * An acknowledged insert is on the disk, and a retry with its token is dropped. A plain MergeTree keeps no tokens
 * unless told to; others keep theirs for an hour, which an outage can outlast.
 */
export function tableSettings(engine: string): string {
  const tokens = isReplicated(engine)
    ? 'replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800'
    : 'non_replicated_deduplication_window = 10000'
  return `${tokens}, fsync_after_insert = 1, fsync_part_directory = 1`
}
