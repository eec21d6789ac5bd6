import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../base/clock.ts'
import { ApiError, invalid } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { requestIdOf } from '../base/request-id.ts'
import { isPage } from '../base/route.ts'
import type { Route } from '../base/route.ts'
import { stripIdentity } from '../base/who.ts'
import type { Who } from '../base/who.ts'
import { parseBody, refuseBadText } from './body.ts'
import { corsHeaders } from './cors.ts'
import { identify, permit } from './credentials.ts'
import type { Authenticate } from './credentials.ts'
import { sendError } from './errors.ts'
import { envelope } from './openapi.ts'
import { answerUnrouted, keepPathBook } from './unrouted.ts'
import { compileValidator } from './validation.ts'

const BODY_LIMIT_BYTES = 256 * 1024
const MAX_PARAM_CHARS = 256

type Deps = {
  routes: readonly Route[]
  authenticate: Authenticate
  /** Client address of a request, believing only trusted proxies. */
  clientAddress: (
    peer: string | undefined,
    headers: { 'x-forwarded-for'?: string | string[] | undefined },
  ) => string
  corsOrigins: readonly string[]
  version: string
  clock: Clock
  log: Log
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
  }
}

/** Turns route tables into HTTP. Knows no resource. */
export async function openGateway(deps: Deps): Promise<Gateway> {
  const { clock, log, version } = deps
  const origins = new Set(deps.corsOrigins)
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers['x-request-id'], clock()),
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
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  readBodies(app)

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
        path: request.url.split('?')[0],
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
      for (const row of deps.routes) addRoute(v1, row, deps)
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
 * Every row is checked in one order: credential, the resource of the path, role and scope, shapes.
 * The first three need no body, so they run before one is read.
 */
function addRoute(app: FastifyInstance, row: Route, deps: Deps): void {
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
    onRequest: async (request) => {
      const who = await identify(request, deps.authenticate, (from) =>
        deps.clientAddress(from.socket.remoteAddress, {
          'x-forwarded-for': from.headers['x-forwarded-for'],
        }),
      )
      request.who = who
      for (const value of Object.values(request.params as Record<string, string>))
        refuseBadText(value, 'id')
      await row.find?.(who, request.params as Record<string, string>)
      permit(who, row)
    },
    handler: async (request, reply) => {
      const result: unknown = await row.handle(request.who!, {
        params: request.params as never,
        query: request.query as never,
        body: request.body as never,
      })
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

/** One parser for JSON; any other non-empty body is a 415, an empty one is no body at all. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i,
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined)
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity')
        return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Compressed bodies are not read.'))
      const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(request.headers['content-type'] ?? '')?.[1]
      if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
        return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A JSON body is in UTF-8.'))
      try {
        return done(null, parseBody(body))
      } catch (error) {
        return done(error as Error)
      }
    },
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) =>
    body.length === 0
      ? done(null, undefined)
      : done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')),
  )
}

function safeDecode(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '))
  } catch {
    throw invalid('', 'The address is not valid percent-encoded UTF-8.', 'bad_url')
  }
}
