import { WORKER_ROLE } from '../storage/roles.ts'
import type { Tx } from '../storage/postgres.ts'

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

/** @throws Error for a table whose rows the worker cannot read: a backup would lack them silently */
export async function listTables(tx: Tx): Promise<Table[]> {
  const tables = await tx<(Table & { isReadable: boolean })[]>`
    select c.relname as name, c.relforcerowsecurity as is_walled,
      has_table_privilege(${WORKER_ROLE}, c.oid, 'select') as is_readable,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> ${LEDGER}
    order by 1`
  const hidden = tables.find(({ isWalled, isReadable }) => isWalled && !isReadable)
  if (hidden) throw new Error(`the rows of ${hidden.name} cannot be read by ${WORKER_ROLE}`)
  return tables.map(({ name, columns, isWalled }) => ({ name, columns, isWalled }))
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function toList(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}
