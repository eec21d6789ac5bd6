import { readFileSync } from 'node:fs'
import { newId } from '../../src/platform/core/ids.ts'
import type { Secrets } from '../../src/platform/core/secrets.ts'
import { QUEUE_PARAMETERS } from '../../src/webhooks/delivery/queue/queue.ts'
import { sealEndpointSecret } from '../../src/webhooks/delivery/signature.ts'
import { STATUS } from '../../src/webhooks/delivery/queue/states.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { openDatabases } from './databases.ts'

const ROWS_AT_ONCE = 100_000
/** The name of connections whose CPU does not count as that of the engine. */
export const PRODUCER = 'bench-producer'

/** Both databases, and the statements that fill the tables of deliveries. */
export async function openDeliveryDatabase(secrets: Secrets) {
  await using opening = new AsyncDisposableStack()
  const { toSuperuserUrl, url, sql: owner } = opening.use(await openDatabases())
  const superuser = openPostgres(await toSuperuserUrl(), { maxConnections: 1 })
  opening.defer(() => closePostgres(superuser))
  const [backend] = await superuser<[{ pid: number }]>`select pg_backend_pid() as pid`
  const server = parentOf(backend.pid)
  const sql = openPostgres(url, { role: WORKER_ROLE, parameters: QUEUE_PARAMETERS })
  opening.defer(() => closePostgres(sql))
  const plainSql = openPostgres(url, { role: WORKER_ROLE })
  opening.defer(() => closePostgres(plainSql))
  const opened = opening.move()
  return {
    url,
    owner,
    /** With the engine's own parameters. */
    sql,
    plainSql,
    /** Milliseconds of CPU that PostgreSQL has taken so far, in all of its processes that live. */
    cpuMs: () => cpuMsOf(server),
    /** The same without the connections of the producer. */
    async cpuMsOfEngine() {
      const producers = await superuser<{ pid: number }[]>`
        select pid from pg_stat_activity where application_name = ${PRODUCER}`
      const without = new Set(producers.map(({ pid }) => pid))
      return cpuMsOf(server, without)
    },
    /** Deliveries in the log, and in the queue, since the last `clear`. */
    async counts() {
      const [row] = await owner<{ logged: number; queued: number }[]>`
        select (select count(*) from webhook_log) as logged, (select count(*) from webhook_queue) as queued`
      return row!
    },
    endpoints: (urls: readonly string[]) => fillEndpoints(owner, secrets, urls),
    async queue(endpoints: readonly Endpoint[], perEndpoint: number) {
      await fillQueue(owner, endpoints, perEndpoint)
      await owner`analyze webhook_queue, events`
      await settle(superuser)
    },
    async clear() {
      await owner`truncate webhook_queue, webhook_log, webhook_tallies, webhook_attempt_counts`
      await owner`update webhook_lanes set ready_at = null`
      await owner`vacuum analyze`
      await settle(superuser)
    },
    failures: (endpoints: readonly Endpoint[]) => countFailures(owner, endpoints),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export type Endpoint = { id: string; workspaceId: string }

/** Creates one endpoint per URL, each in its own workspace and subscribed to every event. */
async function fillEndpoints(
  sql: Sql,
  secrets: Secrets,
  urls: readonly string[],
): Promise<Endpoint[]> {
  const endpoints = urls.map(() => ({
    id: newId('whe', Date.now()),
    workspaceId: newId('wsp', Date.now()),
  }))
  const sealed = endpoints.map(({ id }) => sealEndpointSecret(secrets, id, `whsec_${id}`))
  await sql`
    with given as (
      select * from unnest(${endpoints.map(({ id }) => id)}::text[],
        ${endpoints.map(({ workspaceId }) => workspaceId)}::text[], ${urls as string[]}::text[],
        ${sealed}::bytea[]) as g (id, workspace_id, url, sealed)
    ), workspace as (
      insert into workspaces (id, name, created_at, updated_at)
      select workspace_id, 'Bench', now(), now() from given
    ), endpoint as (
      insert into webhook_endpoints (id, workspace_id, url, events, status, secret_sealed, created_by,
        created_at, updated_at)
      select id, workspace_id, url, '{*}', 'active', sealed, 'bench', now(), now() from given
    ), stats as (
      insert into webhook_endpoint_stats (endpoint_id, workspace_id) select id, workspace_id from given
    ), lane as (
      insert into webhook_lanes (endpoint_id, workspace_id) select id, workspace_id from given
    )
    insert into webhook_subscriptions (workspace_id, event_type, endpoint_id, is_active)
    select workspace_id, '*', id, true from given`
  return endpoints
}

/** Deliveries that became due one after the other, of about 350 bytes each. */
async function fillQueue(
  sql: Sql,
  endpoints: readonly Endpoint[],
  perEndpoint: number,
): Promise<void> {
  const data = JSON.stringify({ id: 'lnk_1', note: 'n'.repeat(120) })
  for (let done = 0; done < perEndpoint;) {
    const some = Math.min(
      perEndpoint - done,
      Math.max(1, Math.floor(ROWS_AT_ONCE / endpoints.length)),
    )
    await sql`
      with given as (
        select * from unnest(${endpoints.map(({ id }) => id)}::text[],
          ${endpoints.map(({ workspaceId }) => workspaceId)}::text[]) as g (id, workspace_id)
      ), event as (
        insert into events (id, created_at, workspace_id, type, data)
        select 'evt_' || gen_random_uuid(), now(), workspace_id, 'link.created', ${data} from given
        returning id, created_at, workspace_id
      ), tallied as (
        insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
        select workspace_id, id, 0, '-infinity', ${some} from given
      ), woken as (
        update webhook_lanes l set ready_at = now() from given g where l.endpoint_id = g.id
      )
      insert into webhook_queue
        (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
      select delivery_id(at), g.workspace_id, g.id, e.id, e.created_at, 'link.created', at, at
      from generate_series(1, ${some}) n
      cross join lateral (select now() - interval '1 hour' + (${done} + n) * interval '1 ms' as at) as moment
      cross join given g join event e using (workspace_id)`
    done += some
  }
}

/** Counts the deliveries to these endpoints of which an attempt failed, since the last `clear`. */
async function countFailures(sql: Sql, endpoints: readonly Endpoint[]): Promise<number> {
  const ids = endpoints.map(({ id }) => id)
  const [row] = await sql<{ failures: number }[]>`
    select (select count(*) from webhook_queue
        where endpoint_id = any(${ids}) and status = ${STATUS.failed})
      + (select count(*) from webhook_log
        where endpoint_id = any(${ids}) and (status <> ${STATUS.completed} or attempts > 1))
      as failures`
  return row!.failures
}

/** Writes the filled or emptied tables to the disk, so that none of that is done during a measurement. */
async function settle(sql: Sql): Promise<void> {
  await sql`checkpoint`
}

/** The process of PostgreSQL that starts the one of each connection. Linux only; elsewhere 0. */
function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])
  } catch {
    return 0
  }
}

/** Linux only; elsewhere NaN. */
function cpuMsOf(parent: number, without: ReadonlySet<number> = new Set()): number {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
    const pids = [parent, ...children.split(' ').filter(Boolean).map(Number)]
    return pids.reduce((sum, pid) => {
      if (without.has(pid)) return sum
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return sum + (Number(stat[11]) + Number(stat[12])) * 10
    }, 0)
  } catch {
    return Number.NaN
  }
}
