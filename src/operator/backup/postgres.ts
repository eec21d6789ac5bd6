import { readMigrations } from '../../platform/storage/migrations/migration-files.ts'
import { WORKER_ROLE } from '../../platform/storage/postgres/roles.ts'
import { type Sql, type Tx, inTransaction } from '../../platform/storage/postgres/postgres.ts'
import { copyOut, copyIn } from '../../platform/storage/postgres/copy.ts'
import type { SegmentRanges } from '../../platform/storage/clickhouse/segment-ranges.ts'
import { writeRows, readRows } from './files.ts'
import { type PostgresPart, damaged } from './manifest.ts'
import { pipeline } from 'node:stream/promises'

type Table = {
  name: string
  columns: string[]
  /** Row-level security binds the owner as well; the worker sees every row. */
  isWalled: boolean
}

const LEDGER = 'migrations'

/** Names of the tables of the program; other ones are neither backed up nor changed. */
export function ownTableNames(): Set<string> {
  const created = /create (?:unlogged )?table (?:if not exists )?(\w+)/gi
  const { postgres } = readMigrations()
  return new Set(
    postgres.flatMap(({ text }) => [...text.matchAll(created)].map(([, name]) => name!)),
  )
}

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
async function listTables(tx: Tx): Promise<Table[]> {
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

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function toList(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

export type Snapshot = {
  installationId: string
  keyCanary: Buffer | null
  migrations: Record<string, string>
  committed: SegmentRanges
  folds: string[]
  /** Batches of conversions that are copied: up to `last`, without `open`. */
  batches: { last: number; open: number[] }
}

export function dumpPostgres(
  sql: Sql,
  directory: string,
): Promise<{ snapshot: Snapshot; part: PostgresPart }> {
  return inTransaction(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`
    const snapshot = await readSnapshot(tx)
    return { snapshot, part: await dumpTables(tx, directory) }
  })
}

async function dumpTables(tx: Tx, directory: string): Promise<PostgresPart> {
  const tables: PostgresPart['tables'] = []
  for (const { name, columns, isWalled } of await listTables(tx)) {
    await tx.unsafe(isWalled ? `set local role ${WORKER_ROLE}` : 'reset role')
    const copy = `copy (select ${toList(columns)} from ${quoted(name)}) to stdout`
    const file = await writeRows(directory, `postgres/${name}.copy.gz`, copyOut(tx, copy))
    tables.push({ table: name, columns, ...file })
  }
  await tx`reset role`
  // Numbers that were given since the snapshot are left out, as after a crash.
  const sequences = await tx<{ name: string; value: number }[]>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`
  const [days] = await tx<[{ first: string | null; last: string | null }]>`
    select min(substring(relname from '_(\\d{8})$')) as first,
      max(substring(relname from '_(\\d{8})$')) as last
    from pg_class where relnamespace = 'public'::regnamespace and relispartition and relkind = 'r'`
  const { first, last } = days
  return { tables, sequences: [...sequences], days: first && last ? { first, last } : null }
}

async function readSnapshot(tx: Tx): Promise<Snapshot> {
  const migrations = await tx<{ name: string; checksum: string }[]>`
    select name, checksum from migrations order by name`
  const [installation] = await tx<{ id: string; keyCanary: Buffer | null }[]>`
    select id, key_canary from installation`
  await tx.unsafe(`set local role ${WORKER_ROLE}`)
  const cursors = await tx<{ journalId: string; sequence: number }[]>`
    select journal_id, sequence from journal_cursors`
  const folds = await tx<{ id: string }[]>`
    select id from click_folds where state in ('folded', 'deleting', 'done')`
  const [batches] = await tx<[{ last: number; open: number[] }]>`
    select coalesce(max(batch), 0) as last,
      coalesce(array_agg(batch::int8) filter (where copied_at is null), '{}') as open
    from conversion_batches`
  await tx`reset role`
  return {
    installationId: installation?.id ?? '',
    keyCanary: installation?.keyCanary ?? null,
    migrations: Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum])),
    committed: Object.fromEntries(
      cursors.map(({ journalId, sequence }) => [journalId, [0, sequence] as const]),
    ),
    folds: folds.map(({ id }) => id),
    batches: { last: batches.last, open: batches.open.map(Number) },
  }
}

/**
 * In one transaction, so that what an earlier attempt or the migrations wrote is replaced. Triggers do not run,
 * since the backup has what they wrote; foreign keys are checked at the end.
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
