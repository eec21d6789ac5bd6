import { pipeline } from 'node:stream/promises'
import { copyIn } from '../../platform/storage/postgres/copy.ts'
import { inTransaction, type Sql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { readRows } from './files.ts'
import { damaged, type PostgresPart } from './manifest.ts'
import { listTables, quoted, toList } from './postgres-tables.ts'

/**
 * Puts the rows of a backup into migrated tables, which hold no data yet, in one transaction: what an
 * earlier attempt or the migrations wrote is replaced. Triggers do not run, since the backup has what they
 * wrote; foreign keys are checked at the end.
 * @param beforeCommit runs when all rows are there
 */
export async function loadPostgres(
  sql: Sql,
  directory: string,
  part: PostgresPart,
  beforeCommit: () => Promise<void>,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    if (part.days) {
      const { first, last } = part.days
      await tx`select make_day_partitions(${first}::text::date, ${last}::text::date)`
    }
    const tables = await listTables(tx)
    const keys = await dropForeignKeys(tx)
    for (const { name } of tables)
      await tx.unsafe(`
        alter table ${quoted(name)} disable trigger user;
        alter table ${quoted(name)} no force row level security`)
    await tx.unsafe(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
    for (const table of part.tables) await loadTable(tx, directory, table)
    for (const { table, name, definition } of keys)
      await tx.unsafe(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    for (const { name, isWalled } of tables)
      await tx.unsafe(`
        alter table ${quoted(name)} enable trigger user;
        alter table ${quoted(name)} ${isWalled ? 'force' : 'no force'} row level security`)
    for (const { name, value } of part.sequences)
      await tx`select setval(${`public.${quoted(name)}`}::regclass, ${value})`
    await beforeCommit()
  })
  await sql`analyze`
}

async function loadTable(
  tx: Tx,
  directory: string,
  { table, columns, ...file }: PostgresPart['tables'][number],
): Promise<void> {
  const copy = `copy ${quoted(table)} (${toList(columns)}) from stdin`
  await pipeline(readRows(directory, file), copyIn(tx, copy))
  const [found] = await tx.unsafe<[{ rows: number }]>(
    `select count(*) as rows from ${quoted(table)}`,
  )
  if (found.rows !== file.rows) throw damaged(directory, file.path)
}

type ForeignKey = { table: string; name: string; definition: string }

async function dropForeignKeys(tx: Tx): Promise<ForeignKey[]> {
  const keys = await tx<ForeignKey[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`
  for (const { table, name } of keys)
    await tx.unsafe(`alter table ${table} drop constraint ${quoted(name)}`)
  return keys
}
