import { OperatorError } from '../../core/errors.ts'
import { logApplied, migrateClickHouse, type MigrateOptions } from './clickhouse-migrate.ts'
import { makeExtensions } from '../installation/extensions.ts'
import { readMigrations, refuseUnknown, type Migration } from './migration-files.ts'
import { underMigrationLock } from './migration-lock.ts'
import type { Sql } from '../postgres/postgres.ts'
import { grantTables, makeRoles } from '../postgres/roles.ts'

/**
 * Migrates both databases: applies the files of `migrations/`, PostgreSQL's first,
 * each in the order of its name and once, also when several processes start together.
 *
 * Each file of PostgreSQL runs in a transaction that holds one advisory lock and writes the row
 * that says the file was applied. ClickHouse's have a ledger in ClickHouse (`clickhouse-migrate.ts`).
 * @param options `folder` replaces the program's own files; `only` names those that are applied, for data of an
 *   earlier version
 * @throws OperatorError when the databases belong to a newer program or a file was changed afterwards
 */
export async function migrate(
  options: MigrateOptions & { folder?: string; only?: ReadonlySet<string> },
): Promise<void> {
  const { only } = options
  const all = readMigrations(options.folder)
  const isWanted = ({ name }: Migration) => only?.has(name) ?? true
  const files = {
    postgres: all.postgres.filter(isWanted),
    clickhouse: all.clickhouse.filter(isWanted),
  }
  await makeRoles(options.sql)
  await makeExtensions(options.sql)
  await makeLedger(options.sql)
  const applied = await readApplied(options.sql)
  refuseUnknown([...files.postgres, ...files.clickhouse], applied)
  const startedAtMs = performance.now()
  let migrations = 0
  for (const migration of files.postgres)
    if (!applied.has(migration.name) && (await applyOnce(options.sql, migration))) migrations++
  logApplied(options.log, 'PostgreSQL', migrations, startedAtMs)
  if (files.clickhouse.length > 0) await migrateClickHouse(options, files.clickhouse)
}

/** True for a PostgreSQL that was migrated and lacks files of this program; false for a new one. */
export async function isBehind(sql: Sql): Promise<boolean> {
  const [found] = await sql`select to_regclass('migrations') as name`
  if (!found?.name) return false
  const applied = await readApplied(sql)
  return applied.size > 0 && readMigrations().postgres.some(({ name }) => !applied.has(name))
}

/** unique_violation, duplicate_table, duplicate_object: the table, or the type of its rows. */
const COLLISIONS = new Set(['23505', '42P07', '42710'])

/** Checks first, because a role that may not create tables can still run on existing ones. */
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
    // Two processes that create it at the same time collide in the catalog despite `if not exists`.
    if (code && COLLISIONS.has(code)) return
    if (code === '42501' || code === '25006')
      throw new OperatorError(`Signpost cannot create its tables in PostgreSQL (${message}).`)
    throw error
  }
}

/** @returns false when another process has applied it */
function applyOnce(sql: Sql, migration: Migration): Promise<boolean> {
  return underMigrationLock(sql, async (tx) => {
    const [row] = await tx`select 1 from migrations where name = ${migration.name}`
    if (row) return false
    await tx.unsafe(migration.text)
    await grantTables(tx)
    await tx`
      insert into migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
    return true
  })
}

async function readApplied(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from migrations`
  return new Map(rows.map((row) => [row.name, row.checksum]))
}
