import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { refuseBadText } from '../base/bad-text.ts'
import type { Clock } from '../base/clock.ts'
import { invalid } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { assignRequestId } from '../base/request-id.ts'
import { isPage, type AccountRoute, type Route } from '../base/route.ts'
import { stripIdentity, type Who } from '../base/who.ts'
import { addAccountRoute } from './accounts.ts'
import type { Admission } from './admission.ts'
import { bodyHooks, readBodies, type CheckBody } from './bodies.ts'
import { corsHeaders } from './cors.ts'
import { permit } from './credentials.ts'
import { sendError } from './errors.ts'
import { untilAnswered } from './until-answered.ts'
import { loggedPath } from './logged-path.ts'
import { envelope } from './openapi.ts'
import { answerUnrouted, keepPathBook } from './unrouted.ts'
import { compileValidator } from './validation.ts'

const BODY_LIMIT_BYTES = 256 * 1024
/** As long as a header block may be: an id that is too long for one is a 404 in the usual order. */
const MAX_PARAM_CHARS = 16 * 1024

/** Keeps pages of other sites from a handle on our windows, and our pages from powers they never use. */
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
/** Two years, as browsers ask; subdomains are left out, since others may serve them without TLS. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' }

type Deps = {
  routes: readonly Route[]
  accountRoutes: readonly AccountRoute[]
  admission: Admission
  corsOrigins: readonly string[]
  /** Whether browsers reach this server by https alone (PUBLIC_URL). */
  isHttpsOnly: boolean
  version: string
  clock: Clock
  log: Log
  /** Behind a gateway: refuses a body that is not the one it signed. */
  checkBody?: CheckBody | undefined
  /** Adds routes that are no resource: documents, probes. */
  extend: (app: FastifyInstance) => void
}

export type Gateway = {
  /** Answers one request; never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void
  [Symbol.asyncDispose](): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    who: Who | null
    /** The plan of the workspace it acts in; null where requests are not counted. */
    plan: string | null
    /** Aborted when the answer has been sent, or the client is gone. */
    untilAnswered: AbortSignal | undefined
  }
}

/** Turns route tables into HTTP. Knows no resource. */
export async function openGateway(deps: Deps): Promise<Gateway> {
  const { clock, log, version } = deps
  const origins = new Set(deps.corsOrigins)
  const browserHeaders = deps.isHttpsOnly ? { ...ISOLATION, ...HSTS } : ISOLATION
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    bodyLimit: BODY_LIMIT_BYTES,
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
  const book = keepPathBook(app)
  app.decorateRequest('who', null)
  app.decorateRequest('plan', null)
  app.decorateRequest('untilAnswered', undefined)
  app.decorateRequest('caller', null)
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  readBodies(app, deps.checkBody)

  app.addHook('onRequest', async (request, reply) => {
    stripIdentity(request.raw.headers)
    stamp(request, reply)
    if (request.is404) return answerUnrouted(request, reply, book)
    refuseBadText(safeDecode(request.url), '')
    return undefined
  })
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        userId: request.who?.userId,
        workspaceId: request.who?.workspaceId,
      },
      'request',
    )
  })

  await app.register(
    async (v1) => {
      for (const row of deps.routes) addRoute(v1, row, deps.admission)
      for (const row of deps.accountRoutes) addAccountRoute(v1, row, deps.admission)
    },
    { prefix: '/v1' },
  )
  deps.extend(app)
  await app.ready()

  function stamp(request: FastifyRequest, reply: FastifyReply): void {
    reply.headers({
      'x-request-id': request.id,
      'signpost-version': version,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...browserHeaders,
      ...corsHeaders(request.raw, origins),
    })
  }

  return {
    handle: (request, response) => {
      // The server gives a request without a body no stream to read; a content type would make
      // Fastify wait for its end.
      if (request.readableEnded) delete request.headers['content-type']
      app.routing(request, response)
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}

/**
 * Every row is checked in one order: credential, rate limit, workspace, foreign pages, the resource
 * of the path, role and scope, the route's own rate, shapes, quota. What needs no body runs before one is read.
 */
function addRoute(app: FastifyInstance, row: Route, admission: Admission): void {
  const { takeQuota } = admission
  const holdBack = admission.holdBackOf(row)
  const { shapes } = row
  app.route({
    method: row.method,
    url: row.path,
    schema: {
      ...(shapes.params && { params: shapes.params }),
      ...(shapes.query && { querystring: shapes.query }),
      ...(shapes.body && { body: shapes.body }),
      ...(shapes.reply && { response: { [row.status]: envelope(shapes) } }),
    },
    ...bodyHooks(shapes.body),
    ...(holdBack && { onSend: holdBack }),
    onRequest: async (request, reply) => {
      const { who, plan } = await admission.route(request, reply, row)
      request.who = who
      request.plan = plan
      for (const value of Object.values(request.params as Record<string, string>))
        refuseBadText(value, 'id')
      request.untilAnswered = untilAnswered(reply)
      await row.find?.(who, request.params as Record<string, string>, request.untilAnswered)
      permit(who, row)
      await row.requireRate?.(who)
    },
    ...(takeQuota && {
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { who, plan } = request
        if (plan !== null) await takeQuota(request, reply, who!.workspaceId, plan)
      },
    }),
    handler: async (request, reply) => {
      const input = {
        params: request.params as never,
        query: request.query as never,
        body: request.body as never,
      }
      const result: unknown = await row.handle(request.who!, input, request.untilAnswered)
      return send(request, reply, row, result)
    },
  })
}

function send(request: FastifyRequest, reply: FastifyReply, row: Route, result: unknown) {
  reply.code(row.status)
  if (row.status === 204) return reply.send()
  const { data, meta } = isPage(result) ? result : { data: result, meta: {} }
  return reply.send({ data, meta: { requestId: request.id, ...meta } })
}

function safeDecode(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '))
  } catch {
    throw invalid('', 'The address is not valid percent-encoded UTF-8.', 'bad_url')
  }
}
