import {
  inWorkspace,
  type SystemSql,
  type TenantSql,
} from '../../platform/storage/postgres/postgres.ts'

const WORKSPACES_AT_ONCE = 100
const ROWS_AT_ONCE = 1_000

/**
 * Chains audit rows after their transactions, so that no write waits for the head of the chain:
 *
 *   insert: audit_log, audit_pending ──commit──▶ chain_audit_rows: audit_chain, audit_heads
 *
 * Any number of processes may chain at once: the lock of a head lets one of them write its workspace.
 */
export async function chainAuditRows(sql: SystemSql, signal: AbortSignal): Promise<void> {
  while ((await chainPendingRows(sql)) === ROWS_AT_ONCE && !signal.aborted);
}

/** @returns the number of rows; 0 when none is pending, or other processes chain them now */
export async function chainPendingRows(sql: SystemSql): Promise<number> {
  const [row] = await sql<[{ rows: number }]>`
    select chain_pending_audit_rows(${WORKSPACES_AT_ONCE}, ${ROWS_AT_ONCE}) as rows`
  return row.rows
}

/** Chains the rows of one workspace, so that a list of them has every hash. */
export async function chainOwnRows(sql: TenantSql, workspaceId: string): Promise<void> {
  await inWorkspace(sql, workspaceId, (tx) => tx`select chain_own_audit_rows(${ROWS_AT_ONCE})`)
}
