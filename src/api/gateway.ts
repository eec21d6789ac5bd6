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
import { refuseBadText } from '../platform/routes/bad-text.ts'
import type { Clock } from '../platform/core/clock.ts'
import { invalid } from '../platform/core/errors.ts'
import { refusedStatusOf } from '../platform/http/http-server.ts'
import type { Log } from '../platform/core/log.ts'
import { assignRequestId } from '../platform/http/request-id.ts'
import { DEFAULT_LIMITS, type Route } from '../platform/routes/route.ts'
import { passBodies, readBodies, toBodyOptions, type BodyBoundary } from './requests/bodies.ts'
import { BodyBudget } from './requests/body-budget.ts'
import { corsHeaders } from './answers/cors.ts'
import { sendError } from './answers/errors.ts'
import { stripIdentity } from './border/forwarded-identity.ts'
import { readIdempotencyKey } from './requests/idempotency.ts'
import { readIfMatch } from './requests/if-match.ts'
import { loggedPath } from './requests/logged-path.ts'
import { envelope } from './openapi/openapi.ts'
import { addRoute, type Steps } from './requests/pipeline.ts'
import { answerUnrouted, createRouteIndex } from './requests/unrouted.ts'
import { compileSerializer, compileValidator } from './requests/validation.ts'

/** As long as a header block may be: an id that is too long gets a 404 like any unknown one. */
const MAX_PARAM_CHARS = 16 * 1024

/** Pages of other sites get no handle on windows of this server, and its own pages no powers that they do not use. */
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
  /** True in a gateway that forwards requests to services, which read and validate their bodies. */
  isForwarding?: boolean
  corsOrigins: readonly string[]
  /** True when browsers reach this server by https alone (PUBLIC_URL). */
  isHttpsOnly: boolean
  version: string
  clock: Clock
  log: Log
  /** Receives the status and the seconds of each answer of the API. */
  observe?: (status: number, seconds: number) => void
  boundary?: BodyBoundary | undefined
  extend: (app: FastifyInstance) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Browsers that ask for a page get errors as pages. */
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
    /** Answers one request; never throws. */
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
      userId: caller?.principal?.userId,
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

/** @throws ApiError VALIDATION_ERROR with the parameter that has a NUL, or no path for the rest of the address */
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
