import { request, type IncomingHttpHeaders } from 'node:http'
import type { TestContext } from 'node:test'
import { Type } from 'typebox'
import type { Caller } from '../../src/base/caller.ts'
import { openHttpServer } from '../../src/base/http-server.ts'
import { openLog } from '../../src/base/log.ts'
import { accountRoute, route, type AccountRoute, type Route } from '../../src/base/route.ts'
import type { Who } from '../../src/base/who.ts'
import { createClientAddress, createProxyTrust } from '../../src/facts/client-address.ts'
import { createAdmission } from '../../src/gateway/admission.ts'
import type { KeyHolder, SessionHolder } from '../../src/gateway/credentials.ts'
import { openGateway } from '../../src/gateway/gateway.ts'
import type { Quota } from '../../src/gateway/quota.ts'
import type { Rates } from '../../src/gateway/rates.ts'
import { openRateLimits } from '../../src/storage/rate-limits.ts'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // eslint-disable-next-line typescript/no-explicit-any
  body: any
}

export type Doors = {
  port: number
  keys: Map<string, KeyHolder>
  sessions: Map<string, (wanted: string | null) => SessionHolder>
  /** Who the rows were called by. */
  whos: Who[]
  callers: Caller[]
  /** `<key> <address> <method> <path>` of keys from the wrong place. */
  denied: string[]
  used: string[]
  clock: { now: number }
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
  accountRoutes?: readonly AccountRoute[]
  planRequestsPerMinute?: (plan: string) => number | null
}

const NO_LIMIT: Rates = { api: 1e6, auth: 1e6, ingestion: 1e6, preview: 1e6 }
const Echo = Type.Object({ name: Type.String({ maxLength: 20 }) })

export const PLACE = {
  workspaceId: 'ws_1',
  role: 'member',
  plan: 'self_hosted',
  apiRequestsPerMinute: null,
  isSuspended: false,
} as const

/** A gateway over a few small rows, with credentials in two maps. */
export async function openDoors(t: TestContext, options: Options = {}): Promise<Doors> {
  const { publicUrl = null, trustedProxies = [], corsOrigins = [] } = options
  const log = openLog('silent')
  const made: Doors = {
    port: 0,
    keys: new Map([['member', keyOf('member')]]),
    sessions: new Map([['sess', sessionOf('sess')]]),
    whos: [],
    callers: [],
    denied: [],
    used: [],
    clock: { now: Date.parse('2026-05-01T12:00:00.000Z') },
    send: async (method, path, headers = {}, body) => {
      const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
      const raw = [['host', `127.0.0.1:${made.port}`], ...pairs] as [string, string][]
      const isNamed = pairs.some(([name]) => name.toLowerCase() === 'host')
      return call(made.port, method, path, isNamed ? pairs : raw, body)
    },
  }
  const rateLimits = openRateLimits({ redisUrl: null, log })
  const gateway = await openGateway({
    routes: rowsOf(made),
    accountRoutes: [...accountRowsOf(made), ...(options.accountRoutes ?? [])],
    admission: createAdmission({
      credentials: {
        key: async (token) => made.keys.get(token) ?? null,
        session: async (token, wanted) => made.sessions.get(token)?.(wanted) ?? null,
        used: (holder) => made.used.push(holder.keyId),
      },
      onIpDenied: (holder, { ip }, { method, path }) =>
        void made.denied.push(`${holder.keyId} ${ip} ${method} ${path}`),
      rateLimits,
      rates: { ...NO_LIMIT, ...options.rates },
      ...(options.quota && { quota: options.quota }),
      ...(options.planRequestsPerMinute && {
        planRequestsPerMinute: options.planRequestsPerMinute,
      }),
      clientAddress: createClientAddress(trustedProxies),
      isTrustedProxy: createProxyTrust(trustedProxies),
      publicUrl,
      corsOrigins,
      clock: () => made.clock.now,
      log,
    }),
    corsOrigins,
    isHttpsOnly: publicUrl?.startsWith('https:') ?? false,
    version: '0.0.0',
    clock: () => made.clock.now,
    log,
    extend: () => {},
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
  return { ...PLACE, keyId, userId: `usr_${name}`, scopes: null, ipAllowlist: [], ...rest }
}

/** A session in workspace `ws_1`, or in another of the same person's when that is wanted. */
export function sessionOf(
  name: string,
  membership: SessionHolder['membership'] = PLACE,
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
          ? { ...PLACE, workspaceId: wanted }
          : null,
  })
}

function rowsOf(made: Doors): Route[] {
  const row = {
    access: 'viewer',
    scope: null,
    status: 200,
    name: 'test',
    summary: '',
    description: '',
    tag: 'Test',
  } as const
  const handle = async (who: Who) => {
    made.whos.push(who)
    return { name: 'ok' }
  }
  const post = { ...row, method: 'POST', shapes: { body: Echo, reply: Echo }, handle } as const
  const get = { ...row, method: 'GET', shapes: { reply: Echo }, handle } as const
  return [
    route({ ...get, path: '/things' }),
    route({ ...get, path: '/billing/usage' }),
    route({ ...get, path: '/plans' }),
    route({ ...get, path: '/preview', tier: 'preview' }),
    route({ ...get, path: '/conversions', tier: 'ingestion' }),
    route({ ...get, path: '/session-only', credential: 'session' }),
    route({ ...post, path: '/things' }),
  ]
}

function accountRowsOf(made: Doors): AccountRoute[] {
  const row = {
    tier: 'api',
    status: 200,
    name: 'test',
    summary: '',
    description: '',
    tag: 'Test',
  } as const
  const handle = async (caller: Caller) => {
    made.callers.push(caller)
    return {
      data: { name: caller.session?.userId ?? caller.who?.userId ?? 'nobody' },
      cookies: [{ name: 'signpost_session', value: 'new/value', maxAgeSeconds: 60 }],
    }
  }
  const shapes = { reply: Echo }
  return [
    accountRoute({ ...row, method: 'GET', path: '/auth/ok', credential: 'none', shapes, handle }),
    accountRoute({
      ...row,
      method: 'GET',
      path: '/auth/me',
      credential: 'session',
      shapes,
      handle,
    }),
    accountRoute({ ...row, method: 'GET', path: '/workspaces', credential: 'any', shapes, handle }),
    accountRoute({
      ...row,
      method: 'POST',
      path: '/workspaces',
      credential: 'any',
      shapes,
      handle,
    }),
    accountRoute({
      ...row,
      method: 'POST',
      path: '/auth/sign-in',
      credential: 'none',
      tier: 'auth',
      accepts: 'form',
      shapes: { body: Echo, reply: Echo },
      handle,
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
