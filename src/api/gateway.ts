import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import { refuseBadText } from '../platform/routes/text-checks.ts'
import type { Clock } from '../platform/core/clock.ts'
import { invalid, ApiError } from '../platform/core/errors.ts'
import { refusedStatusOf } from '../platform/http/http-server.ts'
import type { Log } from '../platform/core/log.ts'
import { assignRequestId, loggedPath } from '../platform/http/request.ts'
import { DEFAULT_LIMITS, type Route } from '../platform/routes/route.ts'
import { passBodies, readBodies, toBodyOptions, type BodyBoundary } from './requests/bodies.ts'
import { BodyBudget } from './requests/bounds.ts'
import { sendError } from './answers/errors.ts'
import { stripIdentity } from './border/forwarded-identity.ts'
import { readIdempotencyKey } from './requests/idempotency.ts'
import { readIfMatch, compileSerializer, compileValidator } from './requests/validation.ts'
import { envelope } from './openapi/openapi.ts'
import { addRoute, type Steps } from './requests/pipeline.ts'

/** As long as a header block may be: an id that is too long gets a 404 like any unknown one. */
const MAX_PARAM_CHARS = 16 * 1024

/** Pages of other sites get no handle on windows of this server. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
const PROBE = /^\/(health|ready|metrics)(?=[/?]|$)/
/** Two years, as browsers recommend; without subdomains, which another server may serve without TLS. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' }

type Deps = {
  routes: readonly Route[]
  steps: Steps
  /** Services read and validate the bodies of the requests that it forwards. */
  isForwarding?: boolean
  corsOrigins: readonly string[]
  isHttpsOnly: boolean
  version: string
  clock: Clock
  log: Log
  observe?: (status: number, seconds: number) => void
  boundary?: BodyBoundary | undefined
  extend: (app: FastifyInstance) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    showsPages?: boolean
  }
}

export async function openGateway(deps: Deps) {
  const { routes, steps, isForwarding = false, extend } = deps
  const app = createApp(deps)
  const budget = new BodyBudget()
  await app.register(
    async (v1) => {
      if (isForwarding) passBodies(v1)
      for (const route of routes)
        addRoute(v1, route, steps, isForwarding ? {} : toValidation(route, deps.boundary, budget))
    },
    { prefix: '/v1' },
  )
  extend(app)
  await app.ready()
  return {
    handle: (request: IncomingMessage, response: ServerResponse): void => {
      // The server gives a request without a body no stream to read; with a content type Fastify
      // would wait for its end.
      if (request.readableEnded) delete request.headers['content-type']
      app.routing(request, response)
    },
    [Symbol.asyncDispose]: (): Promise<void> => app.close(),
  }
}

function createApp(deps: Deps): FastifyInstance {
  const { clock, log } = deps
  const stamp = createStamp(deps)
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    bodyLimit: DEFAULT_LIMITS.bodyBytes,
    genReqId: (request: IncomingMessage) => assignRequestId(request, clock()),
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAM_CHARS },
    frameworkErrors: (error, request, reply) => {
      stamp(request, reply)
      sendError(error, request, reply)
    },
    // The process owns the port; this server never listens.
    serverFactory: (handler) => createServer(handler),
  })
  const index = createRouteIndex(app)
  app.decorateRequest('caller', null)
  app.decorateRequest('membership', null)
  app.decorateRequest('untilAnswered')
  app.decorateRequest('bodyDigest', null)
  app.decorateRequest('bodyHold', null)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  readBodies(app, deps.boundary)
  app.addHook('onRequest', async (request, reply) => {
    // Covers a body that never ended, which the server refuses without the framework.
    reply.raw.once('close', () => {
      const status = refusedStatusOf(reply.raw)
      if (status !== undefined) logRequest(log, request, reply, status)
    })
    stripIdentity(request.raw.headers)
    stamp(request, reply)
    if (request.is404) return answerUnrouted(request, reply, index)
    refuseBadUrl(request.url)
    return undefined
  })
  app.addHook('onResponse', async (request, reply) => {
    logRequest(log, request, reply, reply.statusCode)
    if (request.url.startsWith('/v1/')) deps.observe?.(reply.statusCode, reply.elapsedTime / 1_000)
  })
  return app
}

function createStamp({ version, isHttpsOnly, corsOrigins }: Deps) {
  const origins = new Set(corsOrigins)
  const browserHeaders = isHttpsOnly ? { ...ISOLATION, ...HSTS } : ISOLATION
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({
      'x-request-id': request.id,
      'signpost-version': version,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...browserHeaders,
      ...corsHeaders(request.raw, origins),
    })
  }
}

function logRequest(
  log: Log,
  { id, method, url, caller }: FastifyRequest,
  reply: FastifyReply,
  status: number,
) {
  // Probes arrive every few seconds, from several programs.
  log[PROBE.test(url) ? 'debug' : 'info'](
    {
      requestId: id,
      method,
      path: loggedPath(url),
      status,
      durationMs: Math.round(reply.elapsedTime),
      userId: caller?.principal?.userId ?? caller?.session?.userId,
      workspaceId: caller?.principal?.workspaceId,
    },
    'request',
  )
}

function toValidation(
  route: Route,
  boundary: BodyBoundary | undefined,
  budget: BodyBudget,
): Partial<RouteOptions> {
  const { method, status, shapes, idempotent, supportsIfMatch, sends } = route
  const { config, preValidation, ...reading } = toBodyOptions(route, boundary, budget)
  const isPage = method === 'GET' && !shapes.reply && !sends
  const check =
    (read: (headers: IncomingHttpHeaders) => unknown) => async (request: FastifyRequest) =>
      void read(request.headers)
  return {
    ...reading,
    config: { ...config, showsPages: config.acceptsForm || isPage },
    schema: {
      ...(shapes.params && { params: shapes.params }),
      ...(shapes.query && { querystring: shapes.query }),
      ...(shapes.headers && { headers: shapes.headers }),
      ...(shapes.body && { body: shapes.body }),
      ...(shapes.reply && { response: { [status]: envelope(shapes) } }),
    },
    preValidation: [
      ...(idempotent ? [check(readIdempotencyKey)] : []),
      ...(supportsIfMatch ? [check(readIfMatch)] : []),
      preValidation,
    ],
  }
}

/** @throws ApiError VALIDATION_ERROR with the parameter that has a NUL */
function refuseBadUrl(url: string): void {
  const text = safeDecode(url)
  if (!text.includes('\0')) return
  const [, query = ''] = url.split(/\?(.*)/s)
  for (const [name, value] of new URLSearchParams(query)) refuseBadText(value, name)
  refuseBadText(text, '')
}

function safeDecode(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '))
  } catch {
    throw invalid('', 'The address is not valid percent-encoded UTF-8.', 'bad_url')
  }
}

/** Probes and metrics are for the operator's machines, not for pages. */
const API_PATH = /^\/(v1|yourls-api\.php|rest\/(v3|health)|api\/v2|compat\/dub)(?=[/?]|$)/
const EXPOSED = [
  'x-request-id, signpost-version, retry-after, ratelimit, ratelimit-policy, x-ratelimit-limit',
  'x-ratelimit-remaining, x-ratelimit-reset, x-quota-limit, x-quota-remaining, idempotency-replayed',
  'content-disposition, content-range, accept-ranges, etag, x-signpost-clicks-from',
].join(', ')
const ALLOWED = [
  'authorization, x-api-key, content-type, x-request-id, idempotency-key, x-signpost-workspace',
  'x-dashboard-password, last-event-id, if-match, if-none-match, range, if-range',
].join(', ')

/** Pages of CORS_ORIGINS may send credentials; any other page may call `/v1` with a key, but not with a cookie. */
function corsHeaders(
  request: IncomingMessage,
  allowed: ReadonlySet<string>,
): Record<string, string> {
  if (!API_PATH.test(request.url ?? '')) return {}
  const { origin } = request.headers
  const isAllowed = origin !== undefined && allowed.has(origin)
  const common = {
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
    ...(isAllowed
      ? { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
      : { 'access-control-allow-origin': '*' }),
  }
  if (request.method !== 'OPTIONS') return common
  return {
    ...common,
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': '600',
  }
}

const ORDER = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Must be called before any route is added. */
function createRouteIndex(app: FastifyInstance) {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`,
    )
    const entry = paths.get(url) ?? { pattern, methods: new Set() }
    for (const name of [method].flat()) entry.methods.add(name)
    paths.set(url, entry)
  })
  return {
    listMethods: (path: string): string[] => {
      const found = [...paths.values()].filter(({ pattern }) => pattern.test(path))
      return ORDER.filter((method) => found.some(({ methods }) => methods.has(method)))
    },
  }
}

/** Before the body is read. @throws ApiError METHOD_NOT_ALLOWED, NOT_FOUND */
function answerUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  index: ReturnType<typeof createRouteIndex>,
): FastifyReply {
  const methods = index.listMethods(request.url.split('?')[0]!)
  if (methods.length === 0) throw new ApiError('NOT_FOUND', 'No route has this path.')
  reply.header('allow', [...methods, 'OPTIONS'].join(', '))
  if (request.method !== 'OPTIONS') throw new ApiError('METHOD_NOT_ALLOWED')
  return reply.code(204).send()
}
