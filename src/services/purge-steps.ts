import type { Clock } from '../base/clock.ts'
import { sleep } from '../base/service.ts'
import type { ClickHouseClient } from '../storage/clickhouse.ts'
import { inTransaction, type Fragment, type SystemSql } from '../storage/postgres.ts'
import { announceLinksOf } from './link-changes.ts'

/** `sql` is of the worker role: the workspace may be half gone. */
export type PurgeGround = { sql: SystemSql; clickhouse: ClickHouseClient; clock: Clock }

/**
 * One step of the deletion of a workspace. It may run again at any time, beside itself in another
 * process, and after a crash in its middle; when it returns, its tables hold nothing of the workspace.
 */
export type PurgeStep = {
  readonly name: string
  /** PostgreSQL tables that it empties, by itself or through a foreign key. */
  readonly tables: readonly string[]
  /** ClickHouse tables that it empties. */
  readonly clickhouse?: readonly string[]
  run(ground: PurgeGround, workspaceId: string, signal: AbortSignal): Promise<void>
}

/** Rows go in pieces, so that no lock is held for long. */
const PIECE_ROWS = 5_000
const MUTATION_POLL_MS = 100
/** Rows that came after a mutation was asked for need another one. */
const MUTATION_EVERY_MS = 30_000

/**
 * What a workspace leaves behind, in the order in which it goes. Whoever adds a table with a
 * `workspace_id` adds it here; test/services/purge.test.ts fails for one that is in no step. By the
 * first step nobody belongs to the workspace any more and its links do not redirect. The last one
 * takes the workspace's own row, and with it, through foreign keys, what nothing else depends on;
 * the audit log is among it, since its rows go no other way.
 */
export const PURGE_STEPS: readonly PurgeStep[] = [
  {
    name: 'deliveries',
    tables: [
      'webhook_subscriptions',
      'webhook_queue',
      'webhook_log',
      'webhook_tallies',
      'webhook_endpoints',
      'webhook_endpoint_stats',
      'webhook_lanes',
      'webhook_failure_mails',
    ],
    async run({ sql }, id, signal) {
      // First, so that nothing new is queued.
      await empty(sql, 'webhook_subscriptions', id, signal)
      // By the halves that the indexes of the queue and of the log are made of.
      await empty(sql, 'webhook_queue', id, signal, sql`and (attempts = 0 or is_hurried)`)
      await empty(sql, 'webhook_queue', id, signal, sql`and attempts > 0 and not is_hurried`)
      for (const isStatus of [sql`status = 2`, sql`status = 4`])
        await inPieces(
          signal,
          () => sql`
            delete from webhook_log where (finished_at, id) in (
              select finished_at, id from webhook_log
              where workspace_id = ${id} and ${isStatus} limit ${PIECE_ROWS})`,
        )
      await empty(sql, 'webhook_tallies', id, signal)
      await empty(sql, 'webhook_endpoints', id, signal)
      await empty(sql, 'webhook_failure_mails', id, signal)
    },
  },
  {
    name: 'events',
    tables: ['events'],
    run: ({ sql }, id, signal) =>
      inPieces(
        signal,
        () => sql`
          delete from events where (created_at, id) in (
            select created_at, id from events where workspace_id = ${id} limit ${PIECE_ROWS})`,
      ),
  },
  {
    name: 'links',
    tables: ['links', 'link_clicks', 'freed_slugs'],
    async run({ sql }, id, signal) {
      await inPieces(
        signal,
        () => sql`
          with gone as (
            delete from links where ctid = any(array(
              select ctid from links where workspace_id = ${id} limit ${PIECE_ROWS}))
            returning id
          ), counted as (
            delete from link_clicks where link_id in (select id from gone)
          )
          select from gone`,
      )
      await empty(sql, 'freed_slugs', id, signal)
      await empty(sql, 'link_clicks', id, signal)
      await inTransaction(sql, (tx) => announceLinksOf(tx, id))
    },
  },
  { name: 'clicks', tables: [], clickhouse: ['clicks'], run: deleteClicks },
  {
    name: 'security log',
    tables: ['security_log'],
    run: ({ sql }, id, signal) => empty(sql, 'security_log', id, signal),
  },
  {
    name: 'workspace',
    tables: [
      'members',
      'former_members',
      'api_keys',
      'invitations',
      'usage_counters',
      'subscriptions',
      'visitor_salts',
      'audit_chain',
      'audit_heads',
      'audit_log',
    ],
    run: ({ sql }, id) =>
      inTransaction(sql, async (tx) => {
        await tx`set local statement_timeout = 0`
        await tx`delete from workspaces where id = ${id}`
      }),
  },
]

/** `extra` narrows what is deleted to what one index covers. */
function empty(
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

/** Until there is none: a row that is changed in the same moment is missed by a piece, and met by the next. */
async function inPieces(
  signal: AbortSignal,
  piece: () => PromiseLike<{ count: number }>,
): Promise<void> {
  do signal.throwIfAborted()
  while ((await piece()).count > 0)
}

/**
 * A mutation, which replicas take over from each other; waited for by looking, since it may take
 * longer than any request.
 */
export async function deleteClicks(
  { clickhouse }: Pick<PurgeGround, 'clickhouse'>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const query_params = { workspaceId }
  let askedAtMs = -Infinity
  for (;;) {
    signal.throwIfAborted()
    const answer = await clickhouse.query({
      query: 'select 1 from clicks where workspace_id = {workspaceId:String} limit 1',
      query_params,
      format: 'JSONEachRow',
    })
    if ((await answer.json()).length === 0) return
    if (performance.now() - askedAtMs > MUTATION_EVERY_MS) {
      askedAtMs = performance.now()
      await clickhouse.command({
        query: 'alter table clicks delete where workspace_id = {workspaceId:String}',
        query_params,
        clickhouse_settings: { mutations_sync: '0' },
      })
    }
    await sleep(MUTATION_POLL_MS, signal)
  }
}

/** Of these workspaces, those that ClickHouse still has clicks of. */
export async function withClicks(
  clickhouse: ClickHouseClient,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const answer = await clickhouse.query({
    query:
      'select distinct workspace_id as id from clicks where workspace_id in {ids:Array(String)}',
    query_params: { ids: workspaceIds },
    format: 'JSONEachRow',
  })
  return (await answer.json<{ id: string }>()).map(({ id }) => id)
}
