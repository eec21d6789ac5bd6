import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { openHttpServer } from '../../src/base/http-server.ts'
import { openLog } from '../../src/base/log.ts'
import { accountRoute, route, type AccountRoute, type Route } from '../../src/base/route.ts'
import {
  admitCrossing,
  createAdmission,
  crossingBy,
  type Admission,
} from '../../src/gateway/admission.ts'
import type { CheckBody } from '../../src/gateway/bodies.ts'
import type { Credentials } from '../../src/gateway/credentials.ts'
import { addForwarding, createForwarder } from '../../src/gateway/forward.ts'
import { openGateway } from '../../src/gateway/gateway.ts'
import { createBorder } from '../../src/gateway/identity.ts'
import { openRateLimits } from '../../src/storage/rate-limits.ts'

export const TOKEN = 'an internal token of forty characters...'
export const BODY_LIMIT_BYTES = 256 * 1024

const place = {
  workspaceId: 'wsp_one',
  plan: 'self_hosted',
  apiRequestsPerMinute: null,
  isSuspended: false,
}

/** API keys of the little world behind these gateways, and the cookie of its one session. */
const CREDENTIALS: Credentials = {
  key: async (token) => {
    if (token !== 'member' && token !== 'owner') return null
    const scopes = token === 'member' ? ['links:read'] : null
    const holder = { keyId: `key_${token}`, userId: `usr_${token}`, role: token, scopes } as const
    return { ...place, ...holder, ipAllowlist: [], scopes: scopes && [...scopes] }
  },
  session: async (token) => {
    if (token !== 'admin') return null
    const { workspaceId } = place
    const session = { id: 'ses_one', userId: 'usr_admin', workspaceId, createdAt: new Date(0) }
    return { session, membership: { ...place, role: 'admin' } }
  },
  used: () => {},
}

const Json = Type.Unknown()

type Row = Pick<Route, 'method' | 'path'>
const WORKSPACE_ROWS: readonly Row[] = [
  { method: 'GET', path: '/echo' },
  { method: 'POST', path: '/echo' },
  { method: 'GET', path: '/echo/:id' },
  { method: 'PATCH', path: '/echo/:id' },
  { method: 'PUT', path: '/echo/:id' },
  { method: 'DELETE', path: '/echo/:id' },
  { method: 'GET', path: '/hang' },
]
const ACCOUNT_ROWS: readonly (Row & Pick<AccountRoute, 'credential' | 'tier'>)[] = [
  { method: 'GET', path: '/auth/echo', credential: 'none', tier: 'api' },
  { method: 'POST', path: '/auth/echo', credential: 'none', tier: 'auth' },
  { method: 'PUT', path: '/auth/echo', credential: 'session', tier: 'api' },
  { method: 'GET', path: '/people', credential: 'any', tier: 'api' },
]
/** Every method, with and without parameters, and the doors that need nobody. */
export const ROWS: readonly Row[] = [...WORKSPACE_ROWS, ...ACCOUNT_ROWS]

type Tables = { routes: Route[]; accountRoutes: AccountRoute[] }

type Handling = { hang: () => Promise<never> }

/** Routes that answer with what they are told: who asks, and the input. */
function tables({ hang }: Handling): Tables {
  const common = {
    name: 'test',
    summary: '',
    description: '',
    tag: 'Echo',
    shapes: { body: Json, reply: Json },
  }
  return {
    routes: WORKSPACE_ROWS.map((row) =>
      route({
        ...row,
        ...common,
        shapes: {
          ...(row.method !== 'GET' && row.method !== 'DELETE' && { body: Json }),
          ...(row.method !== 'DELETE' && { reply: Json }),
        },
        access: row.method === 'PUT' ? 'owner' : 'viewer',
        scope: row.method === 'PATCH' ? 'links:write' : null,
        status: row.method === 'DELETE' ? 204 : 200,
        handle: async (who, { params, query, body }) =>
          row.path === '/hang' ? hang() : ({ who, params, query, body } as never),
      }),
    ),
    accountRoutes: ACCOUNT_ROWS.map((row) =>
      accountRoute({
        ...row,
        ...common,
        shapes: { ...(row.method !== 'GET' && { body: Json }), reply: Json },
        status: 200,
        handle: async (caller, { body }) => ({
          data: { caller, body },
          cookies: [
            { name: 'one', value: '1' },
            { name: 'two', value: '2', maxAgeSeconds: 60 },
          ],
        }),
      }),
    ),
  }
}

/** Services behind the border. What reaches them is kept, and `/hang` is never answered. */
export async function openEchoServices(t: TestContext, internalToken = TOKEN) {
  const border = createBorder({ internalToken, clock: Date.now })
  const arrived: IncomingMessage[] = []
  const hangs: ServerResponse[] = []
  const never = () => new Promise<never>(() => {})
  const admission = admitCrossing(border.callerOf)
  const { checkBody } = border
  const origin = await listen(t, { ...tables({ hang: never }), admission, checkBody }, (handle) =>
    border.guard((request, response) => {
      arrived.push(request)
      if (request.url === '/v1/hang') hangs.push(response)
      handle(request, response)
    }),
  )
  return { origin, arrived, hangs }
}

/** A gateway in front of them. */
export async function openEchoGateway(
  t: TestContext,
  servicesUrl: string,
  options: { limitMs?: number; internalToken?: string } = {},
) {
  const forwarder = createForwarder({
    servicesUrl,
    internalToken: TOKEN,
    clock: Date.now,
    log: openLog('silent'),
    ...options,
  })
  t.after(() => forwarder[Symbol.asyncDispose]())
  const hang = async () => Promise.reject(new Error('a gateway runs no rule'))
  const { routes, accountRoutes } = tables({ hang })
  const origin = await listen(t, {
    admission: openAdmission(),
    extend: (app) =>
      addForwarding(app, [...routes, ...accountRoutes], crossingBy(openAdmission()), forwarder),
  })
  return { origin, forwarder }
}

/** The same in one process. */
export async function openEchoWhole(t: TestContext) {
  const hang = () => new Promise<never>(() => {})
  return { origin: await listen(t, { ...tables({ hang }), admission: openAdmission() }) }
}

function openAdmission(): Admission {
  const log = openLog('silent')
  return createAdmission({
    credentials: CREDENTIALS,
    onIpDenied: () => {},
    clientAddress: () => '198.51.100.7',
    isTrustedProxy: () => false,
    rateLimits: openRateLimits({ redisUrl: null, log }),
    rates: { api: 1_000_000, auth: 1_000_000, ingestion: 1_000_000, preview: 1_000_000 },
    publicUrl: 'https://links.example',
    corsOrigins: [],
    clock: Date.now,
    log,
  })
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

type Parts = Partial<Tables> & {
  admission: Admission
  checkBody?: CheckBody
  extend?: (app: FastifyInstance) => void
}

async function listen(
  t: TestContext,
  { routes = [], accountRoutes = [], admission: admitting, checkBody, extend }: Parts,
  around = (handle: Handle) => handle,
): Promise<string> {
  const gateway = await openGateway({
    routes,
    accountRoutes,
    admission: admitting,
    corsOrigins: [],
    isHttpsOnly: false,
    ...(checkBody && { checkBody }),
    version: '0.0.0',
    clock: Date.now,
    log: openLog('silent'),
    extend: (app) => {
      app.get('/health', async () => ({ data: { status: 'ok' } }))
      extend?.(app)
    },
  })
  const server = await openHttpServer(() => around(gateway.handle), {
    host: '127.0.0.1',
    port: 0,
    clock: Date.now,
  })
  t.after(async () => {
    await server[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })
  return `http://127.0.0.1:${server.port}`
}
