import { TIMES } from '../../limits/times.ts'
import { OperatorError } from '../../core/errors.ts'
import { sleep, withinMs } from '../../core/service.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { Notices, type Notice } from './notices.ts'
import { Pool } from './pool.ts'
import { createTemplate, type Rows, type Statement, type Template } from './statement.ts'

export type { Fragment, Statement } from './statement.ts'

/** Rules take a {@link TenantSql} or {@link SystemSql}, so that a wrong one does not compile. */
export type Sql = Template & { readonly [POOL]: OpenPool }
declare const PRIVILEGE: unique symbol
/** Row-level security shows it one workspace, inside {@link inWorkspace}. */
export type TenantSql = Sql & { readonly [PRIVILEGE]: 'tenant' }
export type SystemSql = Sql & { readonly [PRIVILEGE]: 'system' }
export type Tx = Template & { readonly [TRANSACTION]: Transaction }

const POOL = Symbol('pool')
const TRANSACTION = Symbol('transaction')

const MAX_CONNECTIONS = 10
const CHECK_TIMEOUT_MS = 10_000
const CLOSE_TIMEOUT_MS = 5_000
const CANCEL_ATTEMPTS = 5
const CANCEL_EVERY_MS = 20
const SCHEMA = 'public'
const DIVISION_BY_ZERO = '22012'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const ATTEMPTS = 8

export type PostgresOptions = {
  maxConnections?: number
  applicationName?: string
  role?: string
  parameters?: Readonly<Record<string, string>>
  /** A pooler takes no start-up parameters and no prepared statements, and sets role and search path itself. */
  isPooled?: boolean
  notices?: Notices
}

type OpenPool = {
  readonly pool: Pool
  readonly maxConnections: number
  readonly role: string | null
  readonly notices: Notices
  readonly open: () => Promise<Connection>
  readonly beside: Set<Connection>
}

type Transaction = {
  readonly connection: Connection
  readonly signal: AbortSignal | null
  readonly notices: Notice[]
  savepoints: number
  isOver: boolean
  /** The first failed statement; the server refuses later ones. */
  failure: { error: unknown } | null
}

/**
 * Each connection checks its role and search path before its first use; behind a pooler that drops them every query
 * fails with an OperatorError. A URL may name a socket directory as in libpq.
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
  const maxConnections = options.maxConnections ?? MAX_CONNECTIONS
  const open = () => openChecked(url, options)
  const pool = new Pool(open, maxConnections)
  const template = createTemplate(async (statement) => {
    for (let attempt = 0; ; attempt++) {
      const connection = await pool.acquire()
      try {
        return await connection.run(statement)
      } catch (error) {
        if (!hasOldPlan(error)) throw error
        connection.destroy()
        if (attempt === maxConnections) throw error
      } finally {
        pool.release(connection)
      }
    }
  })
  const notices: Notices = options.notices ?? new Notices((gathered) => notify(sql, gathered))
  const role = options.role ?? null
  const state: OpenPool = { pool, maxConnections, role, notices, open, beside: new Set() }
  const sql = Object.assign(template, { [POOL]: state }) as Sql
  return sql
}

async function openChecked(url: string, options: PostgresOptions): Promise<Connection> {
  const connection = await Connection.open(url, {
    applicationName: options.applicationName ?? 'signpost',
    parameters: options.isPooled ? {} : toSessionParameters(options),
    isPreparing: !options.isPooled,
  })
  try {
    const sql = createTemplate((statement) => connection.run(statement))
    const [session] = await withinMs(
      sql`select current_user::text as role, current_setting('search_path') as path`.execute(),
      CHECK_TIMEOUT_MS,
    )
    const { role } = options
    if (session!['path'] !== SCHEMA || (role !== undefined && session!['role'] !== role))
      throw options.isPooled ? poolerSetsNoRole() : parametersDropped()
    return connection
  } catch (error) {
    connection.destroy()
    throw error
  }
}

function toSessionParameters({
  role,
  parameters,
}: PostgresOptions): ConnectionOptions['parameters'] {
  return {
    statement_timeout: TIMES.statement.ms,
    idle_in_transaction_session_timeout: TIMES.idleTransaction.ms,
    search_path: SCHEMA,
    ...(role !== undefined && { role }),
    ...parameters,
  }
}

function poolerSetsNoRole(): OperatorError {
  return new OperatorError(
    'The pooler that DATABASE_POOL_URL names does not set the role and the search path of its sessions, without which row-level security is off; give its databases the connect_query of docs/operations.md.',
  )
}

function parametersDropped(): OperatorError {
  return new OperatorError(
    'The PostgreSQL that DATABASE_URL names drops the start-up parameter role or search_path of its sessions, as a pooler such as PgBouncer does with ignore_startup_parameters, which would switch row-level security off; set DATABASE_URL to the address of PostgreSQL itself.',
  )
}

export async function closePostgres(sql: Sql, timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
  const { pool, beside } = sql[POOL]
  for (const connection of beside) connection.destroy()
  await pool.end(timeoutMs)
}

/**
 * Rolled back when `work` rejects or a statement failed. `work` runs again after a deadlock, after a {@link
 * lostRace}, and when a migration changed what a prepared statement returns.
 */
export function inTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(sql, 'begin', work)
}

async function transact<T>(
  sql: Sql,
  begin: string,
  work: (tx: Tx) => Promise<T>,
  signal: AbortSignal | null = null,
): Promise<T> {
  const { maxConnections } = sql[POOL]
  for (let attempt = 1; ; attempt++)
    try {
      const { value, applied } = await attemptTransaction(sql, begin, work, signal)
      await applied
      return value
    } catch (error) {
      const { code } = error as { code?: unknown }
      const isRace = code === DEADLOCK || code === SERIALIZATION_FAILURE
      const isRepeated = isRace ? attempt < ATTEMPTS : hasOldPlan(error)
      if (!isRepeated || attempt > maxConnections + ATTEMPTS) throw error
    }
}

async function attemptTransaction<T>(
  sql: Sql,
  begin: string,
  work: (tx: Tx) => Promise<T>,
  signal: AbortSignal | null,
): Promise<{ value: T; applied: Promise<void> | null }> {
  signal?.throwIfAborted()
  const { pool, notices } = sql[POOL]
  const connection = await pool.acquire()
  const tx = createTransaction(connection, signal)
  const state = tx[TRANSACTION]
  const canceling = signal && cancelOnAbort(state, signal)
  try {
    // Sent together with the first statements of `work`; the server runs them in order.
    const [begun, worked] = await Promise.allSettled([run(connection, begin), work(tx)])
    if (begun.status === 'rejected') throw begun.reason
    if (worked.status === 'rejected') throw worked.reason
    if (state.failure) throw state.failure.error
    state.isOver = true
    await run(connection, 'commit')
    const applied = state.notices.length > 0 ? notices.publish(state.notices) : null
    return { value: worked.value, applied }
  } catch (error) {
    state.isOver = true
    // The session would keep its old plan.
    if (hasOldPlan(error)) connection.destroy()
    else await run(connection, 'rollback').catch(() => connection.destroy())
    throw error
  } finally {
    await canceling?.()
    pool.release(connection)
  }
}

function createTransaction(connection: Connection, signal: AbortSignal | null): Tx {
  const state: Transaction = {
    connection,
    signal,
    notices: [],
    savepoints: 0,
    isOver: false,
    failure: null,
  }
  const template = createTemplate(async (statement) => {
    signal?.throwIfAborted()
    if (state.isOver) throw new Error('The transaction has ended.')
    try {
      return await connection.run(statement)
    } catch (error) {
      state.failure ??= { error }
      throw error
    }
  })
  return Object.assign(template, { [TRANSACTION]: state })
}

function run(connection: Connection, text: string): Promise<Rows> {
  return connection.run({ text, values: [] })
}

/**
 * A request between two statements ends none, so it is repeated.
 * @returns a function that resolves when the connection can be released: a late request would hit its next user
 */
function cancelOnAbort(state: Transaction, signal: AbortSignal): () => Promise<void> {
  let canceling = Promise.resolve()
  async function cancel(): Promise<void> {
    for (let attempt = 0; attempt < CANCEL_ATTEMPTS && !state.isOver; attempt++) {
      await state.connection.cancel()
      if (!state.isOver) await sleep(CANCEL_EVERY_MS)
    }
  }
  const onAbort = () => {
    canceling = cancel()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return () => {
    signal.removeEventListener('abort', onAbort)
    return canceling
  }
}

/** Thrown by a transaction that found something free which another has taken when it writes. It then runs again. */
export function lostRace(): Error {
  return Object.assign(new Error('another transaction was faster'), { code: SERIALIZATION_FAILURE })
}

/** A migration changed the columns of a prepared statement. */
function hasOldPlan(error: unknown): boolean {
  return (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
}

/** A process that dies in between notifies none, so every receiver also polls. */
export function notifyAfterCommit(tx: Tx, channel: string, payload: string): void {
  tx[TRANSACTION].notices.push({ channel, payload })
}

/** When `work` rejects, only its changes are undone and its locks released. */
export async function inSavepoint<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const state = tx[TRANSACTION]
  const name = `s${++state.savepoints}`
  const noticesBefore = state.notices.length
  await tx.unsafe(`savepoint ${name}`)
  try {
    const worked = await work(tx)
    if (state.failure) throw state.failure.error
    await tx.unsafe(`release savepoint ${name}`)
    return worked
  } catch (error) {
    state.notices.length = noticesBefore
    await tx.unsafe(`rollback to savepoint ${name}`)
    state.failure = null
    throw error
  }
}

/** Only one cursor at a time in a transaction. */
export async function* readInPieces<T extends readonly unknown[]>(
  tx: Tx,
  statement: Statement<T>,
  count: number,
): AsyncGenerator<T> {
  await tx`declare pieces no scroll cursor for ${statement}`
  for (;;) {
    const rows = await tx.unsafe<T>(`fetch ${count} from pieces`)
    if (rows.length > 0) yield rows
    if (rows.length < count) break
  }
  await tx.unsafe('close pieces')
}

export function connectionOf(tx: Tx): Connection {
  return tx[TRANSACTION].connection
}

export async function openBeside(sql: Sql): Promise<Connection> {
  const { open, beside } = sql[POOL]
  const connection = await open()
  beside.add(connection)
  connection.client.once('end', () => beside.delete(connection))
  return connection
}

export function notify(sql: Sql, notices: readonly Notice[]): Promise<unknown> {
  const channels = notices.map(({ channel }) => channel)
  const payloads = notices.map(({ payload }) => payload)
  return sql`
    select pg_notify(channel, payload)
    from unnest(${channels}::text[], ${payloads}::text[]) as notice (channel, payload)`.execute()
}

/** For statements that were sent together. @throws the first error, in the order given */
export async function allOf<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  for (const { status, reason } of (await Promise.allSettled(work)) as Settled[])
    if (status === 'rejected') throw reason
  return Promise.all(work) as Promise<{ [K in keyof T]: Awaited<T[K]> }>
}
type Settled = { status: 'fulfilled' | 'rejected'; reason?: unknown }

/** Row-level security applies even to a statement without its `where`. */
export function inWorkspace<T>(
  sql: TenantSql,
  workspaceId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(sql, (tx) => withWorkspace(sql, tx, workspaceId, work))
}

/** Read-only: all statements see the same moment. The signal cancels a running statement. */
export function inSnapshot<T>(
  sql: TenantSql,
  workspaceId: string,
  work: (tx: Tx) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const named = (tx: Tx) => withWorkspace(sql, tx, workspaceId, work)
  return transact(sql, 'begin isolation level repeatable read read only', named, signal)
}

async function withWorkspace<T>(
  sql: Sql,
  tx: Tx,
  workspaceId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const setting = setWorkspace(sql, tx, workspaceId).execute()
  // Both are awaited: after an early rollback `work` would continue outside the transaction.
  const [result, set] = await Promise.allSettled([work(tx), setting])
  if (set.status === 'rejected') throw toWorkspaceError(set.reason)
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/**
 * A pooler in transaction mode may use another session for each transaction, so the role is checked here. The
 * division by zero aborts the transaction in the server: no later statement runs under another role.
 */
function setWorkspace(sql: Sql, tx: Tx, workspaceId: string): Statement {
  const { role } = sql[POOL]
  const isPoolRole = tx`current_setting('search_path') = ${SCHEMA}
    and current_user = coalesce(${role}, current_user)`
  return tx`
    select set_config('signpost.workspace_id', ${workspaceId}, true), 1 / (${isPoolRole})::int`
}

function toWorkspaceError(reason: unknown): unknown {
  return (reason as { code?: string }).code === DIVISION_BY_ZERO ? parametersDropped() : reason
}
