import { request, type IncomingHttpHeaders } from 'node:http'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type {
  Caller,
  KeyHolder,
  Membership,
  SessionHolder,
} from '../../src/platform/routes/caller.ts'
import { openHttpServer } from '../../src/platform/http/http-server.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { route, type Route } from '../../src/platform/routes/route.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { createClientAddress, createProxyTrust } from '../../src/platform/facts/client-address.ts'
import { createBrowser } from '../../src/api/requests/browser.ts'
import { createConcurrencyLimit, createRequestTimeout } from '../../src/api/requests/bounds.ts'
import { openGateway } from '../../src/api/gateway.ts'
import { createLimits, type Limits, type Quota, type Rates } from '../../src/api/requests/rates.ts'
import { createGatewaySteps, createServiceSteps } from '../../src/api/requests/steps.ts'
import { openRateLimits } from '../../src/platform/limits/rate-limits.ts'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // eslint-disable-next-line typescript/no-explicit-any
  body: any
}

export type TestGateway = {
  port: number
  keys: Map<string, KeyHolder>
  sessions: Map<string, (wanted: string | null) => SessionHolder>
  /** Identities that the routes were called with. */
  principals: Principal[]
  callers: Caller[]
  /** `<key> <address> <method> <path>` of keys from addresses that they do not allow. */
  denied: string[]
  used: string[]
  /** Ids of sessions whose cached checks were voided. */
  forgotten: string[]
  clock: { now: number }
  limits: Limits
  send(method: string, path: string, headers?: Sent, body?: string): Promise<Answer>
}

/** Names and values; an array may name one header twice. */
export type Sent = Record<string, string> | readonly (readonly [string, string])[]

type Options = {
  rates?: Partial<Rates>
  quota?: Quota
  publicUrl?: string | null
  trustedProxies?: readonly string[]
  corsOrigins?: readonly string[]
  /** Beside those of every test gateway. */
  routes?: readonly Route[]
  planRequestsPerMinute?: (plan: string) => number | null
  /** Adds routes that are not part of the API. */
  extend?: (app: FastifyInstance) => void
}

/** For routes without an Idempotency-Key. */
export const NO_KEPT_ANSWERS = {
  find: async () => null,
  requireRoom: async () => {},
  countSize: async () => {},
}
const NO_LIMIT: Rates = { api: 1e6, auth: 1e6, ingestion: 1e6, preview: 1e6 }
const Echo = Type.Object({ name: Type.String({ maxLength: 20 }) })

export const MEMBERSHIP = {
  workspaceId: 'ws_1',
  role: 'member',
  plan: 'self_hosted',
  apiRequestsPerMinute: null,
  isSuspended: false,
} as const satisfies Membership

/** A gateway with a few small routes, and credentials in two maps. */
export async function openTestGateway(t: TestContext, options: Options = {}): Promise<TestGateway> {
  const { publicUrl = null, trustedProxies = [], corsOrigins = [] } = options
  const log = openLog('silent')
  const clock = { now: Date.parse('2026-05-01T12:00:00.000Z') }
  const rateLimits = await openRateLimits({ redisUrl: null, log })
  const rates = { ...NO_LIMIT, ...options.rates }
  const made: TestGateway = {
    port: 0,
    keys: new Map([['member', keyOf('member')]]),
    sessions: new Map([['sess', sessionOf('sess')]]),
    principals: [],
    callers: [],
    denied: [],
    used: [],
    forgotten: [],
    clock,
    limits: createLimits(rateLimits, rates, () => clock.now),
    send: async (method, path, headers = {}, body) => {
      const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
      const raw = [['host', `127.0.0.1:${made.port}`], ...pairs] as [string, string][]
      const isNamed = pairs.some(([name]) => name.toLowerCase() === 'host')
      return call(made.port, method, path, isNamed ? pairs : raw, body)
    },
  }
  const timeout = createRequestTimeout()
  const gateway = await openGateway({
    routes: [...workspaceRoutes(made), ...accountRoutes(made), ...(options.routes ?? [])],
    steps: {
      ...createGatewaySteps({
        credentials: {
          key: async (token) => made.keys.get(token) ?? null,
          session: async (token, wanted) => made.sessions.get(token)?.(wanted) ?? null,
          used: (holder) => made.used.push(holder.keyId),
          sessionUsed: ({ session }) => made.used.push(session.id),
          forgetSession: (id) => void made.forgotten.push(id),
        },
        timeout,
        noteRefusedKey: (holder, { ip }, { method, path }) =>
          void made.denied.push(`${holder.keyId} ${ip} ${method} ${path}`),
        limits: made.limits,
        ...(options.quota && { quota: options.quota }),
        ...(options.planRequestsPerMinute && {
          planRequestsPerMinute: options.planRequestsPerMinute,
        }),
        clientAddress: createClientAddress(trustedProxies),
        browser: createBrowser({
          publicUrl,
          corsOrigins: new Set(corsOrigins),
          isTrustedProxy: createProxyTrust(trustedProxies),
        }),
      }),
      ...createServiceSteps({
        requireOperator: async () => {},
        timeout,
        concurrency: createConcurrencyLimit(),
        idempotentResponses: NO_KEPT_ANSWERS,
      }),
    },
    corsOrigins,
    isHttpsOnly: publicUrl?.startsWith('https:') ?? false,
    version: '0.0.0',
    clock: () => made.clock.now,
    log,
    extend: options.extend ?? (() => {}),
  })
  const server = await openHttpServer(() => gateway.handle, {
    host: '127.0.0.1',
    port: 0,
    clock: Date.now,
  })
  made.port = server.port
  t.after(async () => {
    await server[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
    await rateLimits[Symbol.asyncDispose]()
  })
  return made
}

export function keyOf(name: string, rest: Partial<KeyHolder> = {}): KeyHolder {
  const keyId = `key_${name}`
  return { ...MEMBERSHIP, keyId, userId: `usr_${name}`, scopes: null, ipAllowlist: [], ...rest }
}

/** A session in workspace `ws_1`, or in another of the same user's when that is wanted. */
export function sessionOf(
  name: string,
  membership: SessionHolder['membership'] = MEMBERSHIP,
  others: readonly string[] = [],
): (wanted: string | null) => SessionHolder {
  return (wanted) => ({
    session: {
      id: `ses_${name}`,
      userId: `usr_${name}`,
      workspaceId: membership?.workspaceId ?? null,
      createdAt: new Date(0),
    },
    membership:
      wanted === null || wanted === membership?.workspaceId
        ? membership
        : others.includes(wanted)
          ? { ...MEMBERSHIP, workspaceId: wanted }
          : null,
  })
}

const common = { name: 'test', summary: '', description: '', tag: 'Test' }

function workspaceRoutes(made: TestGateway): Route[] {
  const requires = { credential: 'any', role: 'viewer' } as const
  const handle = async (principal: Principal) => {
    made.principals.push(principal)
    return { name: 'ok' }
  }
  const read = { ...common, requires, shapes: { reply: Echo }, handle }
  return [
    route('GET /things', read),
    route('GET /billing/usage', read),
    route('GET /plans', read),
    route('GET /preview', { ...read, tier: 'preview' }),
    route('GET /conversions', { ...read, tier: 'ingestion' }),
    route('GET /session-only', { ...read, requires: { ...requires, credential: 'session' } }),
    route('POST /things', { ...read, shapes: { body: Echo, reply: Echo } }),
  ]
}

function accountRoutes(made: TestGateway): Route[] {
  const handle = async (caller: Caller) => {
    made.callers.push(caller)
    return {
      data: { name: caller.session?.userId ?? caller.principal?.userId ?? 'anonymous' },
      cookies: [{ name: 'signpost_session', value: 'new/value', maxAgeSeconds: 60 }],
    }
  }
  const row = { ...common, shapes: { reply: Echo }, handle }
  return [
    route('GET /auth/ok', { ...row, requires: { credential: 'none' } }),
    route('GET /auth/me', { ...row, requires: { credential: 'session' } }),
    route('GET /workspaces', { ...row, requires: { credential: 'any' } }),
    route('POST /workspaces', { ...row, requires: { credential: 'any' } }),
    route('POST /auth/sign-in', {
      ...row,
      requires: { credential: 'none' },
      tier: 'auth',
      accepts: 'form',
      shapes: { body: Echo, reply: Echo },
    }),
  ]
}

function call(
  port: number,
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length: [string, string][] =
      body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]]
    const raw = [...headers, ...length].flat()
    const sent = request({ port, host: '127.0.0.1', method, path, headers: raw, agent: false })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json') && text !== ''
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    sent.end(body)
  })
}
