import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { ClickHouseClient } from './clickhouse.ts'
import { inTransaction } from './postgres.ts'
import type { Sql, Tx } from './postgres.ts'
import { grantTables, makeRoles } from './roles.ts'
import { splitStatements } from './sql-text.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')

/** Any constant will do, as long as every Signpost takes the same one. */
const LOCK_KEY = 7_305_117_206

export type MigrateOptions = {
  sql: Sql
  clickhouse: ClickHouseClient
  /** The engine clause of ClickHouse tables: `MergeTree`, `ReplicatedMergeTree('…', '{replica}')`. */
  clickhouseEngine: string
  log: Log
  /** Holds `postgres/*.sql` and `clickhouse/*.sql`; the program's own by default. */
  folder?: string
}

type Migration = {
  /** `postgres/0001_core.sql` */
  name: string
  text: string
  checksum: string
}

/**
 * Brings both databases to this program's tables: the files of `migrations/`, PostgreSQL's first,
 * each in the order of its name and once, however many processes start at the same time.
 *
 * Each file runs in a transaction of PostgreSQL that holds one advisory lock and writes the row
 * that says the file was applied. ClickHouse has no transactions, so its files must be safe to run
 * again (`if not exists`): a crash between its statements and the commit repeats them.
 * @throws OperatorError when the databases belong to a newer program or a file was changed afterwards
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const folder = options.folder ?? FOLDER
  const migrations = [
    ...readMigrations(folder, 'postgres'),
    ...readMigrations(folder, 'clickhouse'),
  ]
  await makeRoles(options.sql)
  await makeLedger(options.sql)
  const applied = await readApplied(options.sql)
  refuseStrangers(migrations, applied)
  for (const migration of migrations) {
    if (!applied.has(migration.name)) await applyOnce(options, migration)
  }
}

/** unique_violation, duplicate_table, duplicate_object: the table, or the type of its rows. */
const COLLISIONS = new Set(['23505', '42P07', '42710'])

/** Looks first: a program without the right to make tables may still run on finished ones. */
async function makeLedger(sql: Sql): Promise<void> {
  const [found] = await sql`select to_regclass('migrations') as name`
  if (found?.name) return
  try {
    await sql`
      create table if not exists migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // Two processes that make it at once collide in the catalogue, `if not exists` or not.
    if (code && COLLISIONS.has(code)) return
    if (code === '42501' || code === '25006')
      throw new OperatorError(`Signpost cannot make its tables in PostgreSQL (${message}).`)
    throw error
  }
}

async function applyOnce(options: MigrateOptions, migration: Migration): Promise<void> {
  const startedAt = performance.now()
  const isMine = await inTransaction(options.sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`
    const [row] = await tx`select 1 from migrations where name = ${migration.name}`
    if (row) return false
    await apply(options, tx, migration)
    await tx`
      insert into migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
    return true
  })
  if (!isMine) return
  const durationMs = Math.round(performance.now() - startedAt)
  options.log.info({ migration: migration.name, durationMs }, 'migration applied')
}

async function apply(options: MigrateOptions, tx: Tx, migration: Migration): Promise<void> {
  if (migration.name.startsWith('postgres/')) {
    await tx.unsafe(migration.text)
    await grantTables(tx)
    return
  }
  const text = migration.text
    .replaceAll('{engine}', () => options.clickhouseEngine)
    .replaceAll('{settings}', () => tableSettings(options.clickhouseEngine))
  for (const statement of splitStatements(text)) {
    await options.clickhouse.command({
      query: statement,
      clickhouse_settings: { wait_end_of_query: 1 },
    })
  }
}

/**
 * What an insert must mean for a click table: acknowledged is on the disk, and a retry with the
 * same deduplication token is dropped. A plain MergeTree keeps no tokens unless told to; the
 * replicated and shared ones keep theirs for an hour, which an outage can outlast.
 */
export function tableSettings(engine: string): string {
  const isReplicated = /^(Replicated|Shared)/.test(engine)
  const tokens = isReplicated
    ? 'replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800'
    : 'non_replicated_deduplication_window = 10000'
  return `${tokens}, fsync_after_insert = 1, fsync_part_directory = 1`
}

function readMigrations(folder: string, engine: 'postgres' | 'clickhouse'): Migration[] {
  return readdirSync(join(folder, engine))
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, engine, file), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { name: `${engine}/${file}`, text, checksum }
    })
}

async function readApplied(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from migrations`
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

function refuseStrangers(migrations: Migration[], applied: Map<string, string>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  for (const [name, checksum] of applied) {
    if (!known.has(name))
      throw new OperatorError(
        `The database was set up by a newer Signpost (it has ${name}); start that version or later.`,
      )
    if (known.get(name) !== checksum)
      throw new OperatorError(
        `The file migrations/${name} was changed after it was applied to this database; restore it.`,
      )
  }
}
