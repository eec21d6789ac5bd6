import { Type } from 'typebox'
import { systemClock } from '../../src/platform/core/clock.ts'
import { openHttpServer } from '../../src/platform/http/http-server.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { route } from '../../src/platform/routes/route.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { createClientAddress, createProxyTrust } from '../../src/platform/facts/client-address.ts'
import { createBrowser } from '../../src/api/requests/browser.ts'
import { createConcurrencyLimit, createRequestTimeout } from '../../src/api/requests/bounds.ts'
import { openGateway } from '../../src/api/gateway.ts'
import type { Steps } from '../../src/api/requests/pipeline.ts'
import { createLimits } from '../../src/api/requests/rates.ts'
import {
  createBoundarySteps,
  createGatewaySteps,
  createServiceSteps,
} from '../../src/api/requests/steps.ts'
import { createCredentials } from '../../src/accounts/credentials/credentials.ts'
import { createListener } from '../../src/platform/storage/postgres/listen.ts'
import { Notices } from '../../src/platform/storage/postgres/notices.ts'
import { openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { openRateLimits } from '../../src/platform/limits/rate-limits.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { WORKSPACE_ID } from './links.ts'

/**
 * The same routes behind two gateways, in one process that can be pinned to a core:
 * `auth-server.ts <database url>`. Prints the port of a gateway that checks no credential, and the port
 * of one that takes the key `key` and the session `session`. Exits when its standard input ends.
 * `/v1/memory` answers at once, `/v1/database` after one statement.
 */
const [databaseUrl = ''] = process.argv.slice(2)
const log = openLog('warn', process.stderr)
const sql = openPostgres(databaseUrl)
const membership = {
  workspaceId: 'ws_bench',
  role: 'owner',
  plan: 'self_hosted',
  apiRequestsPerMinute: null,
  isSuspended: false,
} as const
const session = { id: 'ses_1', userId: 'usr_1', workspaceId: 'ws_bench', createdAt: new Date() }
const owner: Principal = {
  userId: 'usr_1',
  workspaceId: WORKSPACE_ID,
  role: 'owner',
  actor: { type: 'user', id: 'usr_1' },
  scopes: null,
  requestId: 'req_bench',
  ip: null,
  userAgent: null,
}

const notices = new Notices(null)
const credentials = createCredentials({
  keys: {
    authenticate: async (token) =>
      token === 'key'
        ? {
            ...membership,
            keyId: 'key_1',
            userId: 'usr_1',
            scopes: ['links:read'],
            ipAllowlist: [],
            expiresAt: null,
            lastUsedAt: null,
          }
        : null,
    noteUse: () => {},
  },
  noteActivity: () => {},
  sessions: {
    authenticate: async (token) =>
      token === 'session'
        ? { session, membership, expiresAt: new Date(Date.now() + 3_600_000) }
        : null,
  },
  notices,
  clock: systemClock,
})
const listenerSql = openPostgres(databaseUrl, { maxConnections: 1, role: WORKER_ROLE })
void createListener({ sql: listenerSql, notices, log }).run(new AbortController().signal)
while (!credentials.stats().isConnected) await new Promise((resolve) => setTimeout(resolve, 20))

const timeout = createRequestTimeout()
const open = createBoundarySteps({
  getCaller: () => ({
    requestId: 'req_bench',
    ip: null,
    userAgent: null,
    origin: 'http://localhost',
    session: null,
    principal: owner,
  }),
})
/** No route of these servers takes an Idempotency-Key. */
const NO_KEPT_ANSWERS = {
  find: async () => null,
  requireRoom: async () => {},
  countSize: async () => {},
}
const rates = { api: 1e9, auth: 1e9, ingestion: 1e9, preview: 1e9 }
const real = createGatewaySteps({
  credentials,
  timeout,
  noteRefusedKey: () => {},
  limits: createLimits(await openRateLimits({ redisUrl: null, log }), rates, systemClock),
  clientAddress: createClientAddress([]),
  browser: createBrowser({
    publicUrl: null,
    corsOrigins: new Set(),
    isTrustedProxy: createProxyTrust([]),
  }),
})
const servers = [await serve(open), await serve(real)]
process.stdout.write(`${servers.map(({ port }) => port).join(' ')}\n`)
process.stdin.on('end', () => process.exit(0))
process.stdin.resume()

async function serve(identifying: Omit<Steps, 'handle'>) {
  const Link = Type.Object({
    id: Type.String(),
    slug: Type.String(),
    destinationUrl: Type.String(),
  })
  const kept = await readLink()
  const row = {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    name: 'test',
    summary: '',
    description: '',
    tag: '',
    shapes: { reply: Link },
  } as const
  const gateway = await openGateway({
    routes: [
      route('GET /memory', { ...row, handle: async () => kept }),
      route('GET /database', { ...row, handle: readLink }),
    ],
    steps: {
      ...identifying,
      ...createServiceSteps({
        requireOperator: async () => {},
        timeout,
        concurrency: createConcurrencyLimit(),
        idempotentResponses: NO_KEPT_ANSWERS,
      }),
    },
    corsOrigins: [],
    isHttpsOnly: false,
    version: '0.0.0',
    clock: systemClock,
    log,
    extend: () => {},
  })
  return openHttpServer(() => gateway.handle, { host: '127.0.0.1', port: 0, clock: systemClock })
}

async function readLink() {
  const [link] = await sql<{ id: string; slug: string; destinationUrl: string }[]>`
    select id, slug, destination_url from links where workspace_id = ${WORKSPACE_ID} limit 1`
  return link!
}
