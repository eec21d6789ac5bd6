import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { Type } from 'typebox'
import { openHttpServer } from '../../src/platform/http/http-server.ts'
import { openLog, type Log } from '../../src/platform/core/log.ts'
import { route, type Requirements, type Route } from '../../src/platform/routes/route.ts'
import type { BodyBoundary } from '../../src/api/requests/bodies.ts'
import { createBrowser } from '../../src/api/requests/browser.ts'
import { createConcurrencyLimit, createRequestTimeout } from '../../src/api/requests/bounds.ts'
import { Forwarder } from '../../src/api/border/forward.ts'
import { openGateway } from '../../src/api/gateway.ts'
import type { Credentials } from '../../src/api/requests/identify.ts'
import type { Steps } from '../../src/api/requests/pipeline.ts'
import { createLimits } from '../../src/api/requests/rates.ts'
import {
  createBoundarySteps,
  createForwardSteps,
  createGatewaySteps,
  createServiceSteps,
} from '../../src/api/requests/steps.ts'
import { createTrustBoundary } from '../../src/api/border/trust-boundary.ts'
import { NO_KEPT_ANSWERS } from './test-gateway.ts'
import { openRateLimits } from '../../src/platform/limits/rate-limits.ts'

export const TOKEN = 'an internal token of forty characters...'
export const BODY_LIMIT_BYTES = 256 * 1024

const membership = {
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
    return { ...membership, ...holder, ipAllowlist: [], scopes: scopes && [...scopes] }
  },
  session: async (token) => {
    if (token !== 'admin') return null
    const { workspaceId } = membership
    const session = { id: 'ses_one', userId: 'usr_admin', workspaceId, createdAt: new Date(0) }
    return { session, membership: { ...membership, role: 'admin' } }
  },
  used: () => {},
  sessionUsed: () => {},
  forgetSession: () => {},
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
const ACCOUNT_ROWS: readonly (Row & Pick<Requirements, 'credential'> & Pick<Route, 'tier'>)[] = [
  { method: 'GET', path: '/auth/echo', credential: 'none', tier: 'api' },
  { method: 'POST', path: '/auth/echo', credential: 'none', tier: 'auth' },
  { method: 'PUT', path: '/auth/echo', credential: 'session', tier: 'api' },
  { method: 'GET', path: '/users', credential: 'any', tier: 'api' },
]
/** Every method, with and without parameters, and routes that need no credential. */
export const ROWS: readonly Row[] = [...WORKSPACE_ROWS, ...ACCOUNT_ROWS]

const toAddress = ({ method, path }: Row) => `${method} ${path}` as `GET /${string}`

/** Routes that answer with the identity and the input they get. */
function createRoutes(hang: () => Promise<never>): Route[] {
  const common = { name: 'test', summary: '', description: '', tag: 'Echo' }
  const workspaceRoutes = WORKSPACE_ROWS.map((row) =>
    route(toAddress(row), {
      ...common,
      requires: {
        credential: 'any',
        role: row.method === 'PUT' ? 'owner' : 'viewer',
        ...(row.method === 'PATCH' && { scope: 'links:write' }),
      },
      shapes: {
        ...(row.method !== 'GET' && row.method !== 'DELETE' && { body: Json }),
        ...(row.method !== 'DELETE' && { reply: Json }),
      },
      ...(row.method === 'DELETE' && { status: 204 }),
      handle: async (principal, { params, query, body }) =>
        row.path === '/hang' ? hang() : ({ principal, params, query, body } as never),
    }),
  )
  const accountRoutes = ACCOUNT_ROWS.map((row) =>
    route(toAddress(row), {
      ...common,
      requires: { credential: row.credential },
      tier: row.tier,
      shapes: { ...(row.method !== 'GET' && { body: Json }), reply: Json },
      handle: async (caller, { body }) => ({
        data: { caller, body },
        cookies: [
          { name: 'one', value: '1' },
          { name: 'two', value: '2', maxAgeSeconds: 60 },
        ],
      }),
    }),
  )
  return [...workspaceRoutes, ...accountRoutes]
}

const never = () => new Promise<never>(() => {})

/** Services behind a trust boundary. Requests that arrive are kept, and `/hang` is never answered. */
export async function openEchoServices(
  t: TestContext,
  internalToken = TOKEN,
  { routes, log }: Serving = {},
) {
  const boundary = createTrustBoundary({ internalToken, clock: Date.now })
  const arrived: IncomingMessage[] = []
  const hangs: ServerResponse[] = []
  const steps = { ...createBoundarySteps(boundary), ...openServiceSteps() }
  const origin = await listen(t, { steps, boundary, routes, log }, (handle) =>
    boundary.guard((request, response) => {
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
  {
    log,
    requestTimeoutMs,
    routes,
    ...options
  }: Serving & { limitMs?: number; internalToken?: string } = {},
) {
  const forwarder = new Forwarder({
    servicesUrl,
    internalToken: TOKEN,
    clock: Date.now,
    log: openLog('silent'),
    ...options,
  })
  t.after(() => forwarder[Symbol.asyncDispose]())
  const steps = { ...(await openGatewaySteps()), ...createForwardSteps(forwarder) }
  const parts = { steps, isForwarding: true, routes, log }
  return { origin: await listen(t, parts, undefined, requestTimeoutMs), forwarder }
}

/** The same in one process. */
export async function openEchoWhole(
  t: TestContext,
  { log, requestTimeoutMs, routes }: Serving = {},
) {
  const steps = { ...(await openGatewaySteps()), ...openServiceSteps() }
  return { origin: await listen(t, { steps, routes, log }, undefined, requestTimeoutMs) }
}

const openServiceSteps = () =>
  createServiceSteps({
    requireOperator: async () => {},
    timeout: createRequestTimeout(),
    concurrency: createConcurrencyLimit(),
    idempotentResponses: NO_KEPT_ANSWERS,
  })

async function openGatewaySteps() {
  const rateLimits = await openRateLimits({ redisUrl: null, log: openLog('silent') })
  const rates = { api: 1_000_000, auth: 1_000_000, ingestion: 1_000_000, preview: 1_000_000 }
  return createGatewaySteps({
    credentials: CREDENTIALS,
    timeout: createRequestTimeout(),
    noteRefusedKey: () => {},
    clientAddress: () => '198.51.100.7',
    browser: createBrowser({
      publicUrl: 'https://links.example',
      corsOrigins: new Set(),
      isTrustedProxy: () => false,
    }),
    limits: createLimits(rateLimits, rates, Date.now),
  })
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

type Serving = {
  log?: Log | undefined
  requestTimeoutMs?: number | undefined
  /** Beside those that echo. */
  routes?: readonly Route[] | undefined
}

type Parts = Serving & { steps: Steps; isForwarding?: boolean; boundary?: BodyBoundary }

async function listen(
  t: TestContext,
  { routes = [], log = openLog('silent'), ...parts }: Parts,
  around = (handle: Handle) => handle,
  requestTimeoutMs = 30_000,
): Promise<string> {
  const gateway = await openGateway({
    routes: [...createRoutes(never), ...routes],
    corsOrigins: [],
    isHttpsOnly: false,
    version: '0.0.0',
    clock: Date.now,
    log,
    extend: (app) => void app.get('/health', async () => ({ data: { status: 'ok' } })),
    ...parts,
  })
  const server = await openHttpServer(() => around(gateway.handle), {
    host: '127.0.0.1',
    port: 0,
    clock: Date.now,
    requestTimeoutMs,
  })
  t.after(async () => {
    await server[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })
  return `http://127.0.0.1:${server.port}`
}
