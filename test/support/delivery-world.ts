import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { createEgressGuard } from '../../src/platform/egress/guard.ts'
import { newId } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets, type Secrets } from '../../src/platform/core/secrets.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { createChores, type ChoresDeps } from '../../src/webhooks/delivery/chores.ts'
import type { Mails } from '../../src/platform/mail/mails.ts'
import { createOutbox, fanOut } from '../../src/webhooks/delivery/outbox.ts'
import { sealEndpointSecret } from '../../src/webhooks/delivery/signature.ts'
import { QUEUE_PARAMETERS } from '../../src/webhooks/delivery/queue/queue.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { createDeliveries } from '../../src/webhooks/endpoints/deliveries.ts'
import { createCapabilities } from '../../src/platform/plans/limits.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import { createEndpoints } from '../../src/webhooks/endpoints/endpoints.ts'
import { createSending } from '../../src/webhooks/endpoints/sending.ts'
import {
  closePostgres,
  inWorkspace,
  openPostgres,
  type Sql,
  type Tx,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { turnedClock } from './clock.ts'
import { freshPostgres } from './engines.ts'
import { createWorker, SECRET_KEY, type WorkerOptions } from './delivery-worker.ts'
import type { Orders } from './delivery-worker-child.ts'
import { heavyReadsOn } from './heavy-reads.ts'
import { addMembership, addUser, addWorkspace, toPrincipal, saveNoResponse } from './fixtures.ts'
import { NEVER } from './never.ts'

export { SCHEDULE } from './delivery-worker.ts'

export type FailureMail = { to: string } & Parameters<Mails['webhookFailing']>[1]

export type DeliveryWorld = Awaited<ReturnType<typeof openDeliveryWorld>>

type WorldOptions = {
  ca?: string
  /** A migrated database that belongs to the test, which may break it. */
  database?: { postgresUrl: string; sql: Sql }
}

/** The rules of webhooks and a worker on a private database; receivers may be on loopback. */
export async function openDeliveryWorld(
  t: TestContext,
  { database, ...options }: WorldOptions = {},
) {
  const { postgresUrl, sql } = database ?? (await freshPostgres(t))
  const request = openPostgres(postgresUrl, { role: REQUEST_ROLE })
  const system = openPostgres(postgresUrl, { role: WORKER_ROLE, parameters: QUEUE_PARAMETERS })
  const engines: { stop(): Promise<void> }[] = []
  // Hooks run in the order they were registered, and workers need the database to the last.
  t.after(async () => {
    await Promise.all(engines.map((engine) => engine.stop()))
    await Promise.all([closePostgres(request), closePostgres(system)])
  })
  const turned = { ms: 0 }
  const clock = turnedClock(() => Date.now() + turned.ms)
  const secrets = createSecrets(SECRET_KEY)
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.0/8', '::1/128'] })
  const audit = createAudit(clock)
  const deps = {
    sql: request,
    reads: heavyReadsOn(request),
    systemSql: system,
    clock,
    secrets,
    audit,
    limit: async () => {},
    saveIdempotentResponse: saveNoResponse,
    recordSecurity: async () => {},
    requireCapability: createCapabilities(readPlans(null)),
    maxEndpoints: 10_000,
    calls: { consume: async () => {}, check: async () => {} },
    maxFanoutBytes: Infinity,
    checkUrl: (url: string) => guard.checkUrl(url, { allowHttp: true }),
  }
  const publish = createOutbox(clock)
  const retries: string[] = []
  const failureMails: FailureMail[] = []

  /** A worker as another process would run it, until the test ends or stops it. */
  function startEngine(changes: Partial<WorkerOptions> = {}) {
    const worker = createWorker({
      sql: system,
      clock,
      ...options,
      onRetry: (workspaceId) => retries.push(workspaceId),
      ...changes,
    })
    const stopping = new AbortController()
    const running = worker.engine.run(stopping.signal)
    const stop = async () => {
      stopping.abort()
      await running
      await worker.close()
    }
    const started = { wake: (endpointIds?: string) => worker.engine.wake(endpointIds), stop }
    engines.push(started)
    return started
  }

  /** A worker in a child process, killed after the test. */
  async function startChild(orders: Partial<Orders> = {}): Promise<ChildProcess> {
    const script = join(import.meta.dirname, './delivery-worker-child.ts')
    const child = spawn(process.execPath, [script, JSON.stringify({ postgresUrl, ...orders })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout!, 'data')
    return child
  }

  async function workspace(): Promise<Principal> {
    const nowMs = clock()
    const workspaceId = await addWorkspace(sql, { nowMs })
    const userId = newId('usr', nowMs)
    await addUser(sql, { id: userId, email: emailOf(userId), nowMs })
    await addMembership(sql, { workspaceId, userId, nowMs })
    return toPrincipal(userId, workspaceId)
  }

  return {
    sql,
    system,
    request,
    postgresUrl,
    clock,
    secrets,
    advance: (ms: number) => (turned.ms += ms),
    endpoints: createEndpoints(deps),
    deliveries: createDeliveries(deps),
    sending: createSending(deps),
    chores: allChores({
      sql: system,
      clock,
      log: openLog('silent'),
      retentionDays: 30,
      registry: new Registry(),
      audit,
      mails: { webhookFailing: (to, facts) => failureMails.push({ to, ...facts }) > 0 },
    }),
    retries,
    failureMails,
    startEngine,
    startChild,
    workspace,
    /** `count` events, in one statement of one transaction. */
    publishMany: (principal: Principal, count: number, data = '{"id":"lnk_1"}') =>
      inWorkspace(request, principal.workspaceId, (tx) =>
        fanOut(
          tx,
          clock,
          Array.from({ length: count }, () => ({
            id: newId('evt', clock()),
            workspaceId: principal.workspaceId,
            type: 'link.created',
            data,
          })),
        ),
      ),
    /** An event with its cause, as a service publishes it. */
    publish: (principal: Principal, data: Record<string, unknown> = { id: 'lnk_1' }) =>
      inWorkspace(request, principal.workspaceId, (tx) =>
        publish(tx, { type: 'link.created', workspaceId: principal.workspaceId, data }),
      ),
  }
}

/** The verified address of the owner of a `workspace`. */
export function emailOf(userId: string): string {
  return `${userId.toLowerCase()}@example.com`
}

/** Inserts endpoints that subscribe to every type, thousands at a time. */
export async function fillEndpoints(
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  workspaceId: string,
  url: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('whe', Date.now()))
  const sealed = ids.map((id) => sealEndpointSecret(secrets, id, `whsec_${id}`))
  await sql`
    with made as (
      insert into webhook_endpoints (id, workspace_id, url, events, status, secret_sealed, created_by,
        created_at, updated_at)
      select id, ${workspaceId}, ${url}, '{*}', 'active', sealed, 'test', now(), now()
      from unnest(${ids}::text[], ${sealed}::bytea[]) as i (id, sealed)
      returning id
    ), stats as (
      insert into webhook_endpoint_stats (endpoint_id, workspace_id) select id, ${workspaceId} from made
    ), lanes as (
      insert into webhook_lanes (endpoint_id, workspace_id) select id, ${workspaceId} from made
    )
    insert into webhook_subscriptions (workspace_id, event_type, endpoint_id, is_active)
    select ${workspaceId}, '*', id, true from made`
  return ids
}

/** Queues this many deliveries of one event for each endpoint, due now, and wakes the lanes. */
export async function fillQueue(
  sql: Sql | Tx,
  workspaceId: string,
  endpointIds: readonly string[],
  each: number,
): Promise<void> {
  const eventId = newId('evt', Date.now())
  await sql`
    with event as (
      insert into events (id, created_at, workspace_id, type, data)
      values (${eventId}, now(), ${workspaceId}, 'link.created', '{"id":"lnk_1"}')
      returning id, created_at
    ), queued as (
      insert into webhook_queue
        (id, workspace_id, endpoint_id, event_id, event_at, event_type, due_at, created_at)
      select delivery_id(now()), ${workspaceId}, i.id, event.id, event.created_at, 'link.created', now(), now()
      from event, unnest(${endpointIds as string[]}::text[]) as i (id), generate_series(1, ${each})
    ), tallied as (
      insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
      select ${workspaceId}, i.id, 0, '-infinity', ${each} from unnest(${endpointIds as string[]}::text[]) as i (id)
    )
    update webhook_lanes set ready_at = now() where endpoint_id = any(${endpointIds as string[]}::text[])`
}

/** Checks that the tallies equal the rows of every endpoint that is not deleted. */
export async function checkTallies(sql: Sql): Promise<void> {
  const rows = await sql`
    with counted as (
      select endpoint_id, status, count(*) as n from (
        select endpoint_id, status from webhook_queue union all select endpoint_id, status from webhook_log
      ) as d group by 1, 2
    ), tallied as (
      select endpoint_id, status, sum(n) as n from webhook_tallies group by 1, 2 having sum(n) <> 0
    )
    select endpoint_id, status, counted.n::int as counted, tallied.n::int as tallied
    from counted full join tallied using (endpoint_id, status)
    where counted.n is distinct from tallied.n
      and endpoint_id in (select id from webhook_endpoints where deleted_at is null)`
  assert.deepEqual([...rows], [])
}

/** Counts the deliveries by status: pending, processing, completed, failed, dead_letter. */
export async function countStatuses(sql: Sql): Promise<number[]> {
  const rows = await sql<{ status: number; n: number }[]>`
    select status, count(*) as n from (
      select status from webhook_queue union all select status from webhook_log
    ) as d group by 1`
  return [0, 1, 2, 3, 4].map((status) => rows.find((row) => row.status === status)?.n ?? 0)
}

export type Arrival = { path: string; headers: IncomingHttpHeaders; body: string; atMs: number }

/** A receiver whose answers `answer` decides, 200 by default. */
export async function openPlainReceiver(
  t: TestContext,
  answer: (arrival: Arrival) => number = () => 200,
) {
  const arrivals: Arrival[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.setEncoding('utf8')
    req.on('data', (chunk) => (body += chunk))
    req.on('end', () => {
      const arrival = { path: req.url!, headers: req.headers, body, atMs: performance.now() }
      arrivals.push(arrival)
      res.writeHead(answer(arrival)).end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { arrivals, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** @returns all chores, as one after the other */
export function allChores(deps: ChoresDeps) {
  const chores = Object.values(createChores(deps))
  return {
    async once(signal = NEVER): Promise<void> {
      for (const chore of chores) await chore(signal)
    },
  }
}
