import { WORKER_ROLE } from '../../platform/storage/postgres/roles.ts'
import { copyOut } from '../../platform/storage/postgres/copy.ts'
import { inTransaction, type Sql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { SegmentRanges } from '../../platform/storage/clickhouse/segment-ranges.ts'
import { writeRows } from './files.ts'
import type { PostgresPart } from './manifest.ts'
import { listTables, toList, quoted } from './postgres-tables.ts'

/** Facts of the snapshot that say which rows of ClickHouse belong to it. */
export type Snapshot = {
  installationId: string
  keyCanary: Buffer | null
  migrations: Record<string, string>
  /** Segments that are committed, by journal. */
  committed: SegmentRanges
  /** Attempts whose rows of `click_days` count. */
  folds: string[]
  /** Batches of conversions that are copied: up to `last`, without `open`. */
  batches: { last: number; open: number[] }
}

/** Reads the facts of one snapshot of PostgreSQL and writes all of its tables. */
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
