import { inTransaction, type Sql, type Tx } from './postgres.ts'

const LOCK_KEY = 7_305_117_206

/** The lock of migrations, for ClickHouse as well. Waits without a limit, since another process may be migrating. */
export function underMigrationLock<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`
    return work(tx)
  })
}

const LOCK = [730_511_720, 1] as const

/** Meanwhile no process deletes from ClickHouse. The open transaction has no snapshot, so it keeps no dead rows. */
export function holdingDeletions<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  return inTransaction(sql, async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock_shared(${LOCK[0]}::int, ${LOCK[1]}::int)`
    return work()
  })
}

/** Call it after committing the reason to delete rows: the snapshot of a later backup includes that reason. */
export async function areDeletionsHeld(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ isHeld: boolean }]>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and classid = ${LOCK[0]} and objid = ${LOCK[1]} and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())) as is_held`
  return row.isHeld
}
