import { inTransaction, type Sql, type Tx } from '../postgres/postgres.ts'

const LOCK_KEY = 7_305_117_206

/**
 * Runs `work` in a PostgreSQL transaction that holds the lock of migrations, for ClickHouse as well. Waits without a limit, since
 * another process may be migrating.
 */
export function underMigrationLock<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`
    return work(tx)
  })
}
