import type * as driver from 'postgres'
import { OperatorError } from '../base/errors.ts'
import { ARRAY_TYPES } from './arrays.ts'
import { postgres, type Proof } from './driver.ts'
import { Notices, type Notice } from './notices.ts'
import { repeatWithNewPlans } from './stale-plans.ts'

/** `bigint` columns arrive as numbers: every one of ours stays far below 2^53. */
type Types = { bigint: number }

/** A pool of any role. Rules name {@link TenantSql} or {@link SystemSql}, so that a wrong one does not compile. */
export type Sql = driver.Sql<Types>
declare const PRIVILEGE: unique symbol
/** A pool of the request role: row-level security shows it the rows of one workspace, inside {@link inWorkspace}. */
export type TenantSql = Sql & { readonly [PRIVILEGE]: 'tenant' }
/** A pool of the worker role: it sees the rows of every workspace. */
export type SystemSql = Sql & { readonly [PRIVILEGE]: 'system' }
export type Tx = driver.TransactionSql<Types>
/** Part of a statement, with its parameters. */
export type Fragment = driver.Fragment

const CONNECT_TIMEOUT_SECONDS = 10
const STATEMENT_TIMEOUT_MS = 30_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
const CLOSE_TIMEOUT_SECONDS = 5
const LONGEST_RECONNECT_SECONDS = 1
/** The schema of Signpost's tables; replaces the search path of the login role and the database. */
const SCHEMA = 'public'
const DIVISION_BY_ZERO = '22012'

export type PostgresOptions = {
  /** Connections are opened when they are first needed. */
  maxConnections?: number
  /** Shown in `pg_stat_activity`. */
  applicationName?: string
  /** The role to act as instead of the one that connects; see `roles.ts`. */
  role?: string
  /** Run-time parameters of every session, by their names in PostgreSQL. */
  parameters?: Readonly<Record<string, string>>
  /**
   * True for the address of a pooler in transaction mode, which shares sessions: it takes no start-up parameters
   * and no prepared statements, and sets role and search path itself.
   */
  isPooled?: boolean
  /** Receives the notices of committed transactions; by default the pool sends each through NOTIFY. */
  notices?: Notices
}

/** The notices of the transactions of each pool, and those of each open transaction. */
const noticesOfPool = new WeakMap<object, Notices>()
const roleOfPool = new WeakMap<object, string>()
const noticesOfTransaction = new WeakMap<object, Notice[]>()

/**
 * Opens a pool. Nothing is connected until the first query, and a lost connection is replaced by
 * the next one. Each connection proves that it runs under the role and the search path of the pool
 * before it is used; a pooler that drops start-up parameters makes every query of the pool fail with
 * an OperatorError. Columns are snake_case in the database and camelCase in the program; keys inside
 * JSON values are left alone. A URL may name a socket directory as libpq does:
 * `postgres://user@localhost/database?host=/run/postgresql`.
 */
export function openPostgres(
  url: string,
  options: PostgresOptions & { role: 'signpost_request' },
): TenantSql
export function openPostgres(
  url: string,
  options: PostgresOptions & { role: 'signpost_worker' },
): SystemSql
export function openPostgres(url: string, options?: PostgresOptions): Sql
export function openPostgres(url: string, options: PostgresOptions = {}): Sql {
  const { address, path } = readAddress(url)
  const sql: Sql = postgres(address, {
    ...(path !== null && { path }),
    max: options.maxConnections ?? 10,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    // The driver's backoff grows to 20 s, far longer than a restart of the engine takes.
    backoff: (attempt) => Math.min(0.025 * 2 ** attempt, LONGEST_RECONNECT_SECONDS),
    connection: {
      application_name: options.applicationName ?? 'signpost',
      ...(!options.isPooled && toSessionParameters(options)),
    },
    // A pooler may give the next statement another session.
    ...(options.isPooled && { prepare: false, max_pipeline: 1 }),
    fetch_types: false,
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      ...ARRAY_TYPES,
    } as never,
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    onnotice: () => {},
  })
  // The pool that `sql.listen` opens inherits it with the other options.
  Object.assign(sql.options, { proof: createProof(options) })
  if (options.role !== undefined) roleOfPool.set(sql, options.role)
  noticesOfPool.set(sql, options.notices ?? new Notices((notices) => notify(sql, notices)))
  return sql
}

function toSessionParameters({ role, parameters }: PostgresOptions) {
  return {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    search_path: SCHEMA,
    ...(role !== undefined && { role }),
    ...parameters,
  }
}

/** Without a role the pool runs as the role that connects. */
function createProof({ role, isPooled }: PostgresOptions): Proof {
  return {
    text: `select current_user::text as role, current_setting('search_path') as path`,
    holds: (row) => row?.['path'] === SCHEMA && (role === undefined || row['role'] === role),
    error: isPooled ? poolerUnset() : parametersDropped(),
  }
}

function poolerUnset(): OperatorError {
  return new OperatorError(
    'The pooler that DATABASE_POOL_URL names does not set the role and the search path of its sessions, without which row-level security is off; give its databases the connect_query of docs/operations.md.',
  )
}

function parametersDropped(): OperatorError {
  return new OperatorError(
    'The PostgreSQL that DATABASE_URL names drops the start-up parameter role or search_path of its sessions, as a pooler such as PgBouncer does with ignore_startup_parameters, which would switch row-level security off; set DATABASE_URL to the address of PostgreSQL itself.',
  )
}

/**
 * Closes a pool once its queries are done, or after five seconds: without a limit the driver waits
 * forever for a connection that was cut while it was being closed.
 */
export async function closePostgres(sql: Sql): Promise<void> {
  // Without a server there is nothing to close.
  await sql.end({ timeout: CLOSE_TIMEOUT_SECONDS }).catch(() => {})
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Then come
 * the notices of {@link notifyAfterCommit}. After a change of the schema `work` may run again.
 */
export async function inTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  let notices: Notice[] = []
  const result = await repeatWithNewPlans(() =>
    sql.begin(async (tx) => {
      const worked = await work(tx)
      notices = noticesOfTransaction.get(tx) ?? []
      return worked
    }),
  )
  if (notices.length > 0) noticesOfPool.get(sql)?.publish(notices)
  return result as T
}

/**
 * Notifies other parts of the program, in this process and the others, once the transaction is
 * committed. A process that dies in between notifies none, so every receiver also polls.
 */
export function notifyAfterCommit(tx: Tx, channel: string, payload: string): void {
  const notices = noticesOfTransaction.get(tx)
  if (notices) notices.push({ channel, payload })
  else noticesOfTransaction.set(tx, [{ channel, payload }])
}

/**
 * Runs `work` as a part of a transaction: when it rejects, what it did is undone, its locks are released,
 * and the transaction can go on.
 */
export async function inSavepoint<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  let notices: readonly Notice[] = []
  const result = await tx.savepoint(async (part) => {
    const worked = await work(part)
    notices = noticesOfTransaction.get(part) ?? []
    return worked
  })
  for (const { channel, payload } of notices) notifyAfterCommit(tx, channel, payload)
  return result as T
}

/** Sends notices in one statement. */
export function notify(sql: Sql, notices: readonly Notice[]): Promise<unknown> {
  const channels = notices.map(({ channel }) => channel)
  const payloads = notices.map(({ payload }) => payload)
  return sql`
    select pg_notify(channel, payload)
    from unnest(${channels}::text[], ${payloads}::text[]) as notice (channel, payload)`.execute()
}

/**
 * Waits until all statements of a transaction that were sent together have ended.
 * @throws the error of the first one, in the order given
 */
export async function allOf<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  for (const { status, reason } of (await Promise.allSettled(work)) as Settled[])
    if (status === 'rejected') throw reason
  return Promise.all(work) as Promise<{ [K in keyof T]: Awaited<T[K]> }>
}
type Settled = { status: 'fulfilled' | 'rejected'; reason?: unknown }

/**
 * Runs `work` in one transaction that sees and changes the rows of one workspace alone: row-level
 * security applies even if a statement lacks its `where`.
 * @throws OperatorError when the transaction does not run under the role and search path of the pool
 */
export function inWorkspace<T>(
  sql: TenantSql,
  workspaceId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(sql, (tx) => inNamedWorkspace(sql, tx, workspaceId, work))
}

/**
 * Runs one statement in a transaction of its own, as {@link inWorkspace} does. `begin`, the naming of the
 * workspace, the statement and `commit` are sent together: the transaction takes one round trip, and its
 * locks wait for no client. A statement that must not be committed raises an error; see `refuse` in
 * statement-parts.ts.
 * @param settle receives the rows before the notices of the transaction are sent
 */
export async function writeInWorkspace<Row extends object, T>(
  sql: TenantSql,
  workspaceId: string,
  write: (tx: Tx) => driver.PendingQuery<Row[]>,
  settle: (tx: Tx, rows: readonly Row[]) => T,
): Promise<T> {
  let notices: Notice[] = []
  const result = await sql.begin('pipelined', async (tx) => {
    const sent = [nameWorkspace(sql, tx, workspaceId), write(tx), tx`commit`] as const
    for (const statement of sent) void statement.execute()
    // The driver must send neither a commit nor a rollback of its own.
    Object.assign(tx, { isEnded: true })
    const [named, written, committed] = await Promise.allSettled(sent)
    if (named.status === 'rejected') throw toNamingError(named.reason)
    if (written.status === 'rejected') throw written.reason
    if (committed.status === 'rejected') throw committed.reason
    const settled = settle(tx, written.value)
    notices = noticesOfTransaction.get(tx) ?? []
    return settled
  })
  if (notices.length > 0) noticesOfPool.get(sql)?.publish(notices)
  return result as T
}

/** As {@link inWorkspace}, reading only: every statement sees the same moment. */
export function inSnapshot<T>(
  sql: TenantSql,
  workspaceId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const mode = 'isolation level repeatable read read only'
  const read = () => sql.begin(mode, (tx) => inNamedWorkspace(sql, tx, workspaceId, work))
  return repeatWithNewPlans(read) as Promise<T>
}

async function inNamedWorkspace<T>(
  sql: Sql,
  tx: Tx,
  workspaceId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  // Sent together with the first statement of the work; the server runs them in order.
  const naming = nameWorkspace(sql, tx, workspaceId).execute()
  // Both are awaited: a rollback while `work` goes on would let it continue outside the transaction.
  const [result, named] = await Promise.allSettled([work(tx), naming])
  if (named.status === 'rejected') throw toNamingError(named.reason)
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/**
 * Names the workspace and proves the role, since a pooler in transaction mode may give each
 * transaction another session. The division by zero aborts the transaction in the server: no later
 * statement runs under another role.
 */
function nameWorkspace(sql: Sql, tx: Tx, workspaceId: string): driver.PendingQuery<driver.Row[]> {
  const role = roleOfPool.get(sql)
  const isProved = tx`current_setting('search_path') = ${SCHEMA}
    and current_user = coalesce(${role ?? null}, current_user)`
  return tx`
    select set_config('signpost.workspace_id', ${workspaceId}, true), 1 / (${isProved})::int`
}

function toNamingError(reason: unknown): unknown {
  return (reason as { code?: string }).code === DIVISION_BY_ZERO ? parametersDropped() : reason
}

/** The `host` parameter goes to the socket; left in the URL, the driver would send it as a setting. */
function readAddress(url: string): { address: string; path: string | null } {
  const parsed = new URL(url)
  const host = parsed.searchParams.get('host')
  if (!host?.startsWith('/')) return { address: url, path: null }
  const port = parsed.searchParams.get('port') ?? (parsed.port || '5432')
  parsed.searchParams.delete('host')
  parsed.searchParams.delete('port')
  return { address: parsed.href, path: `${host}/.s.PGSQL.${port}` }
}
