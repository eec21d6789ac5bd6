import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../src/base/errors.ts'
import { openHttpServer } from '../../src/base/http-server.ts'
import { openLog } from '../../src/base/log.ts'
import type { Route } from '../../src/base/route.ts'
import type { Crossing, Who } from '../../src/base/who.ts'
import { admitCrossing } from '../../src/gateway/admission.ts'
import { addForwarding, createForwarder } from '../../src/gateway/forward.ts'
import { openGateway } from '../../src/gateway/gateway.ts'
import { createBorder } from '../../src/gateway/identity.ts'
import type { Border } from '../../src/gateway/identity.ts'

export const TOKEN = 'an internal token of forty characters...'
export const BODY_LIMIT_BYTES = 256 * 1024

/** Credentials of the little world behind these gateways. */
export const HOLDERS: Record<string, Pick<Who, 'userId' | 'role' | 'scopes'>> = {
  'Bearer member': { userId: 'usr_member', role: 'member', scopes: ['links:read'] },
  'Bearer owner': { userId: 'usr_owner', role: 'owner', scopes: null },
}

/** Every method, with and without parameters, and the doors that need nobody. */
export const ROWS: readonly Pick<Route, 'method' | 'path'>[] = [
  { method: 'GET', path: '/echo' },
  { method: 'POST', path: '/echo' },
  { method: 'GET', path: '/echo/:id' },
  { method: 'PATCH', path: '/echo/:id' },
  { method: 'PUT', path: '/echo/:id' },
  { method: 'DELETE', path: '/echo/:id' },
  { method: 'GET', path: '/auth/echo' },
  { method: 'POST', path: '/auth/echo' },
  { method: 'GET', path: '/hang' },
]

/** Services that answer with what they know of the caller and with the headers that reached them. */
export async function openEchoServices(t: TestContext, internalToken = TOKEN) {
  const border = createBorder({ internalToken, clock: Date.now })
  const hangs: ServerResponse[] = []
  const sockets = new Set<unknown>()
  const origin = await listen(t, {
    extend: (app) => {
      for (const { method, path } of ROWS)
        app.route({
          method,
          url: `/v1${path}`,
          handler: (request, reply) => {
            sockets.add(request.raw.socket)
            if (path === '/hang') return void hangs.push(reply.raw)
            if (method === 'DELETE') return reply.code(204).send()
            return reply
              .header('set-cookie', ['one=1; HttpOnly', 'two=2; Secure'])
              .header('connection', 'x-private')
              .header('x-private', 'for this connection')
              .send(echo(request.raw, request.body, border))
          },
        })
      app.get('/health', async () => ({ data: { status: 'ok' } }))
    },
    around: border.guard,
  })
  return { origin, hangs, sockets }
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
  const origin = await listen(t, {
    extend: (app) =>
      addForwarding(
        app,
        ROWS,
        async (request, _reply, { path }) => callerOf(request.raw, request.id, path),
        forwarder,
      ),
  })
  t.after(() => forwarder[Symbol.asyncDispose]())
  return { origin, forwarder }
}

/** Stands in for the credentials of the real gateway, which is not what is tried here. */
function callerOf(request: IncomingMessage, requestId: string, path: string): Crossing {
  const holder = HOLDERS[request.headers.authorization ?? '']
  if (!holder && !path.startsWith('/auth/')) throw new ApiError('UNAUTHORIZED')
  const common = { requestId, ip: '198.51.100.7', userAgent: request.headers['user-agent'] ?? null }
  const who: Who | null = holder
    ? { ...holder, ...common, workspaceId: 'wsp_one', actor: { type: 'api_key', id: 'key_one' } }
    : null
  return { ...common, origin: 'https://links.example', session: null, who }
}

function echo(request: IncomingMessage, body: unknown, border: Border) {
  const names = request.rawHeaders.filter((_, i) => i % 2 === 0)
  return {
    caller: border.callerOf(request),
    headers: names.map((each) => each.toLowerCase()).toSorted(),
    cookie: request.headers.cookie ?? null,
    target: `${request.method} ${request.url}`,
    body: body ?? null,
  }
}

type Room = {
  extend: (app: FastifyInstance) => void
  around?: Border['guard']
}

async function listen(t: TestContext, { extend, around = (handle) => handle }: Room) {
  const log = openLog('silent')
  const gateway = await openGateway({
    routes: [],
    accountRoutes: [],
    // The rows under test are added by `extend`.
    admission: admitCrossing(() => {
      throw new Error('there are no rows')
    }),
    corsOrigins: [],
    version: '0.0.0',
    clock: Date.now,
    log,
    extend,
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
