import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { createEgressGuard } from '../../src/base/egress.ts'
import { newId } from '../../src/base/ids.ts'
import { openLog } from '../../src/base/log.ts'
import { createEgressAgent, toPublicReason } from '../../src/base/safe-fetch.ts'
import { createSecrets } from '../../src/base/secrets.ts'
import type { Who } from '../../src/base/who.ts'
import { createAttempt } from '../../src/delivery/attempt.ts'
import { createChores } from '../../src/delivery/chores.ts'
import type { FailingEndpoint } from '../../src/delivery/chores.ts'
import { createEngine } from '../../src/delivery/engine.ts'
import type { Engine } from '../../src/delivery/engine.ts'
import { createOutbox } from '../../src/delivery/outbox.ts'
import { createAudit } from '../../src/services/audit.ts'
import { createDeliveries } from '../../src/services/webhooks/deliveries.ts'
import { createEndpoints } from '../../src/services/webhooks/endpoints.ts'
import { createSending } from '../../src/services/webhooks/sending.ts'
import { closePostgres, inWorkspace, openPostgres } from '../../src/storage/postgres.ts'
import type { Sql } from '../../src/storage/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/storage/roles.ts'
import { freshDatabases } from '../support/engines.ts'

export const SCHEDULE = [30, 120, 600, 1_800, 3_600]

export type DeliveryWorld = Awaited<ReturnType<typeof openDeliveryWorld>>

/** The rules of webhooks and a worker on a private database; receivers may be on loopback. */
export async function openDeliveryWorld(t: TestContext, options: { ca?: string } = {}) {
  const { postgresUrl, sql } = await freshDatabases(t)
  const request = openPostgres(postgresUrl, { role: REQUEST_ROLE })
  const system = openPostgres(postgresUrl, { role: WORKER_ROLE })
  const engines: { stop(): Promise<void> }[] = []
  // Hooks run in the order they were registered, and workers need the database to the last.
  t.after(async () => {
    await Promise.all(engines.map((engine) => engine.stop()))
    await Promise.all([closePostgres(request), closePostgres(system)])
  })
  const turned = { ms: 0 }
  const clock = () => Date.now() + turned.ms
  const secrets = createSecrets('a secret key for the tests of deliveries')
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.0/8', '::1/128'] })
  const audit = createAudit(clock)
  const deps = {
    sql: request,
    clock,
    secrets,
    audit,
    limit: async () => {},
    recordSecurity: async () => {},
    requireCapability: async () => {},
    checkUrl: (url: string) => guard.checkUrl(url, { allowHttp: true }),
  }
  const publish = createOutbox(clock)
  const retries: string[] = []
  const failing: FailingEndpoint[] = []

  /** A worker of its own, as another process would be; it runs until the test ends or it is stopped. */
  function startEngine(database: Sql = system): Engine & { stop(): Promise<void> } {
    const agent = createEgressAgent(guard, options)
    const engine = createEngine({
      sql: database,
      secrets,
      attempt: createAttempt({ dispatcher: agent, reasonOf: toPublicReason }),
      clock,
      log: openLog('silent'),
      registry: new Registry(),
      schedule: SCHEDULE,
      onRetries: (workspaceId) => retries.push(workspaceId),
    })
    const stopping = new AbortController()
    const running = engine.service.run(stopping.signal)
    const stop = async () => {
      stopping.abort()
      await running
      await agent.destroy()
    }
    const started = { ...engine, stop }
    engines.push(started)
    return started
  }

  async function workspace(): Promise<Who> {
    const workspaceId = newId('wsp', clock())
    const userId = newId('usr', clock())
    const now = new Date(clock())
    await sql`insert into workspaces (id, name, created_at, updated_at) values (${workspaceId}, 'w', ${now}, ${now})`
    await sql`
      insert into users (id, name, email, email_key, created_at, updated_at)
      values (${userId}, 'Owner', ${userId}, ${userId}, ${now}, ${now})`
    await sql`
      insert into members (workspace_id, user_id, role, created_at)
      values (${workspaceId}, ${userId}, 'owner', ${now})`
    return {
      userId,
      workspaceId,
      role: 'owner',
      actor: { type: 'user', id: userId },
      scopes: null,
      requestId: 'req_test',
      ip: null,
      userAgent: null,
    }
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
    chores: createChores({
      sql: system,
      clock,
      log: openLog('silent'),
      retentionDays: 30,
      onFailing: (endpoint) => failing.push(endpoint),
    }),
    retries,
    failing,
    startEngine,
    workspace,
    /** An event with its cause, as a service publishes it. */
    publish: (who: Who, data: Record<string, unknown> = { id: 'lnk_1' }) =>
      inWorkspace(request, who.workspaceId, (tx) =>
        publish(tx, { type: 'link.created', workspaceId: who.workspaceId, data }),
      ),
  }
}

export type Arrival = { path: string; headers: IncomingHttpHeaders; body: string; atMs: number }

/** A receiver that answers as told, 200 when not told otherwise. */
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
