import { readMigrations } from '../../platform/storage/migrations/migration-files.ts'
import { WORKER_ROLE } from '../../platform/storage/postgres/roles.ts'
import type { Sql, Tx } from '../../platform/storage/postgres/postgres.ts'

/** A table of the program, partitions counted to their table. */
export type Table = {
  name: string
  /** Those that can be written. */
  columns: string[]
  /** Row-level security binds the owner as well; the worker sees every row. */
  isWalled: boolean
}

/** The ledger is written by the migrations. */
const LEDGER = 'migrations'

/** Names of the tables of the program; other ones are neither backed up nor changed. */
export function ownTableNames(): Set<string> {
  const created = /create (?:unlogged )?table (?:if not exists )?(\w+)/gi
  const { postgres } = readMigrations()
  return new Set(
    postgres.flatMap(({ text }) => [...text.matchAll(created)].map(([, name]) => name!)),
  )
}

/** Names of all tables, those of other programs as well, partitions counted to their table. */
export async function listTableNames(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c where ${isTable(sql)} order by 1`
  return tables.map(({ name }) => name)
}

/** Tables of extensions belong to the database, as the extensions do. */
function isTable(sql: Sql | Tx) {
  return sql`c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relname <> ${LEDGER}
    and not exists (
      select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`
}

/** @throws Error for a table whose rows the worker cannot read: a backup would lack them silently */
export async function listTables(tx: Tx): Promise<Table[]> {
  const tables = await tx<(Table & { isReadable: boolean })[]>`
    select c.relname as name, c.relforcerowsecurity as is_walled,
      has_table_privilege(${WORKER_ROLE}, c.oid, 'select') as is_readable,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns
    from pg_class c where ${isTable(tx)} order by 1`
  const names = ownTableNames()
  const own = tables.filter(({ name }) => names.has(name))
  const hidden = own.find(({ isWalled, isReadable }) => isWalled && !isReadable)
  if (hidden) throw new Error(`the rows of ${hidden.name} cannot be read by ${WORKER_ROLE}`)
  return own.map(({ name, columns, isWalled }) => ({ name, columns, isWalled }))
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function toList(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}
