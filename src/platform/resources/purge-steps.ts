import type { Clock } from '../core/clock.ts'
import { sleep } from '../core/service.ts'
import type { ClickHouseClient } from '../storage/clickhouse/clickhouse.ts'
import { inTransaction, type Fragment, type SystemSql } from '../storage/postgres/postgres.ts'

export type PurgeDeps = { sql: SystemSql; clickhouse: ClickHouseClient; clock: Clock }

/**
 * May run again at any time, concurrently, and after a crash half-way; when it returns, its tables have no row of the
 * workspace.
 */
export type PurgeStep = {
  readonly name: string
  readonly tables: readonly string[]
  readonly clickhouse?: readonly string[]
  run(deps: PurgeDeps, workspaceId: string, signal: AbortSignal): Promise<void>
}

/** Rows are deleted in pieces, so that no lock is held for long. */
export const PIECE_ROWS = 5_000
const MUTATION_POLL_MS = 100
const MUTATION_EVERY_MS = 30_000

const CLICK_TABLES = ['conversions', 'click_days', 'clicks'] as const

export const clicksStep: PurgeStep = {
  name: 'clicks',
  tables: [],
  clickhouse: CLICK_TABLES,
  run: deleteClicks,
}

/** Every table with a `workspace_id` that has no step of its own and no cascade from its workspace. */
export function emptyOtherTables(declared: readonly string[]): PurgeStep {
  return {
    name: 'other tables',
    tables: [],
    async run({ sql }, workspaceId, signal) {
      const tables = await sql<{ name: string }[]>`
        select c.relname as name from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and coalesce(pg_partition_root(c.oid), c.oid)::regclass::text <> all(${declared}::text[])
          and not exists (
            select from pg_constraint f
            where f.conrelid = c.oid and f.contype = 'f' and f.confdeltype = 'c'
              and f.conkey = array[a.attnum] and f.confrelid = 'workspaces'::regclass)
        order by 1`
      for (const { name } of tables) await emptyTable(sql, name, workspaceId, signal)
    },
  }
}

/** The last step. Foreign keys delete the rest, such as the audit log. */
export const workspaceStep: PurgeStep = {
  name: 'workspace',
  tables: [],
  run: ({ sql }, workspaceId) =>
    inTransaction(sql, async (tx) => {
      await tx`set local statement_timeout = 0`
      await tx`delete from workspaces where id = ${workspaceId}`
    }),
}

export function emptyTable(
  sql: SystemSql,
  table: string,
  workspaceId: string,
  signal: AbortSignal,
  extra: Fragment = sql``,
): Promise<void> {
  return inPieces(
    signal,
    () => sql`
      delete from ${sql(table)} where ctid = any(array(
        select ctid from ${sql(table)} where workspace_id = ${workspaceId} ${extra}
        limit ${PIECE_ROWS}))`,
  )
}

/** Repeats until a piece is empty, since a piece can miss a row that changes meanwhile. */
export async function inPieces(
  signal: AbortSignal,
  piece: () => PromiseLike<{ count: number }>,
): Promise<void> {
  do signal.throwIfAborted()
  while ((await piece()).count > 0)
}

/** Last to first: a click moves from `clicks` to `click_days`. */
export async function deleteClicks(
  deps: Pick<PurgeDeps, 'clickhouse'>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  for (const table of CLICK_TABLES.toReversed()) await deleteFrom(deps, table, workspaceId, signal)
}

/** A mutation, which replicas copy from each other; polled, since it may take longer than any request. */
async function deleteFrom(
  { clickhouse }: Pick<PurgeDeps, 'clickhouse'>,
  table: string,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const query_params = { workspaceId }
  let requestedAtMs = -Infinity
  for (;;) {
    signal.throwIfAborted()
    const answer = await clickhouse.query({
      query: `select 1 from ${table} where workspace_id = {workspaceId:String} limit 1`,
      query_params,
      format: 'JSONEachRow',
    })
    if ((await answer.json()).length === 0) return
    if (performance.now() - requestedAtMs > MUTATION_EVERY_MS) {
      requestedAtMs = performance.now()
      await clickhouse.command({
        query: `alter table ${table} delete where workspace_id = {workspaceId:String}`,
        query_params,
        clickhouse_settings: { mutations_sync: '0' },
      })
    }
    await sleep(MUTATION_POLL_MS, signal)
  }
}

export async function findWithClicks(
  clickhouse: ClickHouseClient,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const among = CLICK_TABLES.map(
    (table) => `select workspace_id as id from ${table} where id in {ids:Array(String)}`,
  )
  const answer = await clickhouse.query({
    query: `select distinct id from (${among.join(' union all ')})`,
    query_params: { ids: workspaceIds },
    format: 'JSONEachRow',
  })
  return (await answer.json<{ id: string }>()).map(({ id }) => id)
}
