import { OperatorError } from '../../core/errors.ts'
import { logApplied, migrateClickHouse, type MigrateOptions } from './clickhouse-migrate.ts'
import { readMigrations, refuseUnknown, type Migration } from './migration-files.ts'
import { underMigrationLock } from '../postgres/advisory-locks.ts'
import type { Sql } from '../postgres/postgres.ts'
import { grantTables, makeRoles } from '../postgres/roles.ts'
import { sleep } from '../../core/service.ts'

/**
 * Applies each file once, even when several processes start together. PostgreSQL files run in a transaction that
 * holds a lock.
 * @param options `only` names the files to apply, for data of an earlier version
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

export async function isBehind(sql: Sql): Promise<boolean> {
  const [found] = await sql`select to_regclass('migrations') as name`
  if (!found?.name) return false
  const applied = await readApplied(sql)
  return applied.size > 0 && readMigrations().postgres.some(({ name }) => !applied.has(name))
}

/** unique_violation, duplicate_table, duplicate_object: another process creates it at the same moment. */
const COLLISIONS = new Set(['23505', '42P07', '42710'])

/** Checks first, because a role that cannot create tables may still run on existing ones. */
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
    if (code && COLLISIONS.has(code)) return
    if (code === '42501' || code === '25006')
      throw new OperatorError(`Signpost cannot create its tables in PostgreSQL (${message}).`)
    throw error
  }
}

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

/** For the search of links. Every role with the right to create in the database may create them. */
const EXTENSIONS = ['pg_trgm', 'btree_gin'] as const

const EXTENSION_ATTEMPTS = 5
const EXTENSION_RETRY_MS = 100
const INSUFFICIENT_PRIVILEGE = '42501'
const NOT_INSTALLED = new Set(['0A000', '58P01'])

export async function makeExtensions(sql: Sql): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    const missing = await missingExtensions(sql)
    if (missing.length === 0) return
    try {
      for (const name of missing) await sql.unsafe(`create extension if not exists ${name}`)
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (code === INSUFFICIENT_PRIVILEGE) throw await refusal(sql, missing)
      if (NOT_INSTALLED.has(code))
        throw new OperatorError(
          `PostgreSQL lacks the extensions ${EXTENSIONS.join(' and ')}; install the contrib modules of its version (${message}).`,
        )
      if (!COLLISIONS.has(code) || attempts === EXTENSION_ATTEMPTS) throw error
      await sleep(EXTENSION_RETRY_MS)
    }
  }
}

async function missingExtensions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ extname: string }[]>`select extname from pg_extension`
  const present = new Set(rows.map((row) => row.extname))
  return EXTENSIONS.filter((name) => !present.has(name))
}

async function refusal(sql: Sql, missing: readonly string[]): Promise<OperatorError> {
  const [row] = await sql<{ name: string; database: string }[]>`
    select current_user as name, current_database() as database`
  const statements = missing.map((name) => `create extension ${name};`).join(' ')
  return new OperatorError(
    `The PostgreSQL role ${row!.name} of DATABASE_URL may not create extensions; let an administrator run "${statements}" in the database ${row!.database} once.`,
  )
}
