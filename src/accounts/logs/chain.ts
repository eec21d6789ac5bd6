import { createHash } from 'node:crypto'
import {
  inTransaction,
  readInPieces,
  inWorkspace,
  type Tx,
  type SystemSql,
  type TenantSql,
} from '../../platform/storage/postgres/postgres.ts'

const WORKSPACES_AT_ONCE = 100
const ROWS_AT_ONCE = 1_000
const VERIFIED_AT_ONCE = 500
const MAX_BROKEN = 1_000
const FIRST_PREV_HASH = '0'.repeat(64)

/**
 * Chained after their transactions, so that no write waits for the head of the chain. Any number of processes may
 * chain at once; the lock of a head serializes them for its workspace.
 */
export async function chainAuditRows(sql: SystemSql, signal: AbortSignal): Promise<void> {
  while ((await chainPendingRows(sql)) === ROWS_AT_ONCE && !signal.aborted);
}

/** @returns the number of rows; 0 if none is pending, or other processes are chaining them */
export async function chainPendingRows(sql: SystemSql): Promise<number> {
  const [row] = await sql<[{ rows: number }]>`
    select chain_pending_audit_rows(${WORKSPACES_AT_ONCE}, ${ROWS_AT_ONCE}) as rows`
  return row.rows
}

export async function chainOwnRows(sql: TenantSql, workspaceId: string): Promise<void> {
  await inWorkspace(sql, workspaceId, (tx) => tx`select chain_own_audit_rows(${ROWS_AT_ONCE})`)
}

/** `rowId` is null for a defect of the chain as a whole. */
type Break = { workspaceId: string; rowId: string | null; reason: string }

export type Verification = {
  workspaces: number
  rows: number
  broken: Break[]
}

type ChainRow = {
  position: number
  rowId: string
  prevHash: string
  hash: string
  /** In the order of the hash; null when the row is missing. */
  fields: (string | null)[] | null
}

/**
 * Recomputes every hash in this program instead of the database. Finds rows that were changed, removed, moved or
 * added by other means, and a truncated end.
 */
export async function verifyAuditChain(
  sql: SystemSql,
  workspaceId?: string,
): Promise<Verification> {
  while ((await chainPendingRows(sql)) > 0);
  return inTransaction(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`
    await tx`set local statement_timeout = 0`
    const result: Verification = { workspaces: 0, rows: 0, broken: [] }
    let after = ''
    for (;;) {
      const some = await tx<{ id: string }[]>`
        select id from workspaces
        where id > ${after} ${workspaceId === undefined ? tx`` : tx`and id = ${workspaceId}`}
        order by id limit ${VERIFIED_AT_ONCE}`
      for (const { id } of some) {
        await verifyWorkspace(tx, id, result)
        result.workspaces += 1
      }
      if (some.length < VERIFIED_AT_ONCE) return result
      after = some.at(-1)!.id
    }
  })
}

async function verifyWorkspace(tx: Tx, workspaceId: string, result: Verification): Promise<void> {
  const report = (rowId: string | null, reason: string) => {
    if (result.broken.length < MAX_BROKEN) result.broken.push({ workspaceId, rowId, reason })
  }
  let position = 0
  let last = FIRST_PREV_HASH
  for await (const rows of readInPieces(tx, readChain(tx, workspaceId), VERIFIED_AT_ONCE)) {
    for (const row of rows) {
      const reason = findDefect(row, position + 1, last)
      if (reason !== null) report(row.rowId, reason)
      if (row.fields !== null) result.rows += 1
      position = row.position
      last = row.hash
    }
  }
  const [head] = await tx<{ position: number; hash: string }[]>`
    select position, encode(hash, 'hex') as hash from audit_heads where workspace_id = ${workspaceId}`
  if (!head) report(null, 'the head of the chain is missing')
  else if (head.position !== position || head.hash !== last)
    report(null, `the chain ends at ${position}, but its head is ${head.position}`)

  const unchained = tx<{ id: string }[]>`
    select a.id from audit_log a
    where a.workspace_id = ${workspaceId} and not exists (
      select from audit_chain c where c.row_id = a.id and c.workspace_id = ${workspaceId})
      -- Rows that were committed just now.
      and not exists (
        select from audit_pending p where p.workspace_id = ${workspaceId} and p.row_id = a.id)`
  for await (const rows of readInPieces(tx, unchained, VERIFIED_AT_ONCE)) {
    result.rows += rows.length
    for (const { id } of rows) report(id, 'the row is not in the chain')
  }
}

function readChain(tx: Tx, workspaceId: string) {
  return tx<ChainRow[]>`
    select c.position, c.row_id, encode(c.prev_hash, 'hex') as prev_hash,
      encode(c.hash, 'hex') as hash,
      case when a.id is not null then array[
        a.id, a.workspace_id, a.action, a.actor_type, a.actor_id, a.actor_name, a.actor_email,
        a.target_type, a.target_id, a.target_name, a.changes::text,
        a.ip_address, a.user_agent, a.request_id,
        to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      ] end as fields
    from audit_chain c
    left join audit_log a on a.id = c.row_id and a.workspace_id = c.workspace_id
    where c.workspace_id = ${workspaceId} order by c.position`
}

function findDefect(row: ChainRow, position: number, last: string): string | null {
  if (row.position !== position) return `${row.position - position} rows before it are missing`
  if (row.fields === null) return 'the row is missing'
  if (row.prevHash !== last) return 'the row before it is a different one'
  if (computeHash(row, row.fields) !== row.hash) return 'the row was changed'
  return null
}

/** Must match `chain_audit_rows` in migrations/postgres/0004_logs.sql: previous hash, position, fields. */
function computeHash(row: ChainRow, fields: readonly (string | null)[]): string {
  const text = [String(row.position), ...fields].map(encodeField)
  return createHash('sha256')
    .update(Buffer.from(row.prevHash, 'hex'))
    .update(`${text[0]}v1${text.slice(1).join('')}`)
    .digest('hex')
}

function encodeField(value: string | null): string {
  return value === null ? '-' : `${Buffer.byteLength(value)}:${value}`
}
