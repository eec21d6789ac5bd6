import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Pool, type Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { AccountRoute, Route } from '../base/route.ts'
import { BORDER_CHALLENGE, digestBody, writeIdentity, type Crossing } from '../base/who.ts'
import type { HoldBack } from './hold-back.ts'
import { createPlaces } from './places.ts'

type Deps = {
  /** Origin of the services. */
  servicesUrl: string
  internalToken: string
  clock: Clock
  log: Log
  /** How long services may take to begin an answer, and may pause within it. */
  limitMs?: number
  /** What services read of a body; they refuse a longer one themselves. */
  bodyLimitBytes?: number
}

type Answer = {
  status: number
  headers: Record<string, string | string[]>
  body: Readable
}

export type Forwarder = {
  /**
   * Asks the services in the caller's name.
   * @returns the answer, or null when the client is gone
   * @throws ApiError UNAVAILABLE when services do not answer, refuse this gateway, or take too long
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Crossing,
  ): Promise<Answer | null>
  /** Resolves when the services answer at all; for `/ready`. */
  ping(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Row = Pick<Route | AccountRoute, 'method' | 'path' | 'tier'>

/** What turns a request into a caller: credential, rate limit, CSRF. */
type Identify<R> = (request: FastifyRequest, reply: FastifyReply, row: R) => Promise<Crossing>

const LIMIT_MS = 15_000
const CONNECT_LIMIT_MS = 5_000
const BODY_LIMIT_BYTES = 256 * 1024
const CONNECTIONS = 128
/** Of one user, workspace or network; more of them wait here, so that others find a connection. */
const PLACES_PER_OWNER = 32
/**
 * Beyond these a request is refused at once: services that hang must not fill this process. Many
 * owners have to come together here, since each has its places.
 */
const MAX_UNDER_WAY = 1_024

/**
 * The client's headers that reach the services; all others stay here. A list of what may pass has no
 * spelling that slips by. No credential is on it: services see who asks, not how it was proven.
 */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'range',
]
/** The auth service reads cookies of its own (a sign-in under way), so there they pass. */
const AUTH_PATH = /^\/v1\/auth(?=[/?]|$)/
/** Of an answer: what concerns one connection (RFC 9110, 7.6.1), and what this gateway says itself. */
const WITHHELD =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|access-control-.*|x-request-id)$/
/** The connection was lost; a request that changes nothing may be sent once more. */
const LOST = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/

/** The gateway's side of the process border: sends requests on to `--role=services`. */
export function createForwarder(deps: Deps): Forwarder {
  const { servicesUrl, internalToken, clock, log, limitMs = LIMIT_MS } = deps
  const { bodyLimitBytes = BODY_LIMIT_BYTES } = deps
  const pool = new Pool(servicesUrl, {
    connections: CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: CONNECT_LIMIT_MS },
    // Counted in `startWatch`, which also sees the wait for a free connection.
    headersTimeout: 0,
    bodyTimeout: limitMs,
  })
  let underWay = 0
  const places = createPlaces({ perOwner: PLACES_PER_OWNER, perNetwork: PLACES_PER_OWNER })

  async function forward(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Crossing,
  ): Promise<Answer | null> {
    // Another form of address (`GET http://host/path`) is for proxies.
    if (!request.url?.startsWith('/'))
      throw new ApiError('VALIDATION_ERROR', 'The address must begin with a slash.')
    const watch = startWatch(response, limitMs)
    try {
      return await places.ofCaller(caller)(watch.signal, () => exchange(request, caller, watch))
    } catch (error) {
      if (watch.isClientGone()) return null
      throw toApiError(error, watch.signal)
    } finally {
      watch.stop()
      // The connection of the client carries further requests, so the rest of a body is read.
      request.resume()
    }
  }

  async function exchange(
    request: IncomingMessage,
    caller: Crossing,
    watch: Watch,
  ): Promise<Answer> {
    if (underWay >= MAX_UNDER_WAY) throw new ApiError('UNAVAILABLE')
    underWay++
    try {
      const body = hasBody(request)
        ? await readBody(request, bodyLimitBytes, watch.signal, watch.restart)
        : null
      const answer = await send(request, caller, body, watch.signal)
      return await accept(answer)
    } finally {
      underWay--
    }
  }

  /** Once more when a kept connection turns out to be closed, if that can do no harm. */
  async function send(
    request: IncomingMessage,
    caller: Crossing,
    body: Buffer | null,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const digest = digestBody(body)
    const once = () =>
      pool.request({
        method: request.method as Dispatcher.HttpMethod,
        path: request.url!,
        headers: {
          ...crossingHeaders(request, body),
          ...writeIdentity(caller, request, internalToken, clock(), digest),
        },
        body,
        signal,
      })
    try {
      return await once()
    } catch (error) {
      const isSafe = request.method === 'GET' || request.method === 'HEAD'
      if (!isSafe || signal.aborted || !LOST.test(codeOf(error))) throw error
      return once()
    }
  }

  /** @throws ApiError UNAVAILABLE when services do not believe this gateway: no fault of the client's */
  async function accept(answer: Dispatcher.ResponseData): Promise<Answer> {
    if (answer.headers['www-authenticate'] === BORDER_CHALLENGE) {
      await answer.body.dump()
      log.error(
        'services refuse this gateway: INTERNAL_TOKEN differs, or the clocks do by a minute',
      )
      throw new ApiError('UNAVAILABLE')
    }
    return {
      status: answer.statusCode,
      headers: answerHeaders(answer.headers),
      body: answer.body,
    }
  }

  function toApiError(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof ApiError) return error
    if (signal.aborted)
      return new ApiError('UNAVAILABLE', 'The answer takes too long. Try again later.')
    if (codeOf(error) === 'UND_ERR_INVALID_ARG')
      return new ApiError('VALIDATION_ERROR', 'The request holds characters that HTTP forbids.')
    log.warn({ err: error }, 'services cannot be reached')
    return new ApiError('UNAVAILABLE')
  }

  return {
    forward,
    ping: async () => {
      const signal = AbortSignal.timeout(limitMs)
      const answer = await pool.request({ method: 'GET', path: '/health', signal })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`services answer ${answer.statusCode}`)
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

/**
 * Adds the rows of the route tables as doors to the services. Everything that needs a resource, a
 * role or a body happens there; here a request becomes a caller, and its answer passes unchanged.
 */
export function addForwarding<R extends Row>(
  app: FastifyInstance,
  rows: readonly R[],
  identify: Identify<R>,
  forwarder: Pick<Forwarder, 'forward'>,
  holdBackOf: (row: R) => HoldBack | null = () => null,
): void {
  const callers = new WeakMap<FastifyRequest, Crossing>()
  void app.register(async (scope) => {
    // The forwarder reads the body itself, once the caller is known.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const row of rows) {
      const holdBack = holdBackOf(row)
      scope.route({
        method: row.method,
        url: `/v1${row.path}`,
        ...(holdBack && { onSend: holdBack }),
        onRequest: async (request, reply) => {
          const caller = await identify(request, reply, row)
          request.who = caller.who
          callers.set(request, caller)
        },
        handler: async (request, reply) => {
          const answer = await forwarder.forward(request.raw, reply.raw, callers.get(request)!)
          // Nobody is left to answer.
          if (!answer) return reply.code(499).hijack()
          return reply.code(answer.status).headers(answer.headers).send(answer.body)
        },
      })
    }
  })
}

/** Leaves out what the `Connection` header names, since that concerns this connection alone. */
function crossingHeaders(request: IncomingMessage, body: Buffer | null): Record<string, string> {
  const { headers } = request
  const named = new Set(splitList(headers.connection))
  const allowed = AUTH_PATH.test(request.url!) ? [...REQUEST_HEADERS, 'cookie'] : REQUEST_HEADERS
  const kept = body ? allowed : allowed.filter((name) => !name.startsWith('content-'))
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' && !named.has(name) ? [[name, value]] : []
    }),
  )
}

function answerHeaders(headers: Dispatcher.ResponseData['headers']): Answer['headers'] {
  const named = new Set(splitList(headers['connection']))
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || WITHHELD.test(name) || named.has(name) ? [] : [[name, value]],
    ),
  )
}

function splitList(value: string | string[] | undefined): string[] {
  return [value ?? []].flat().flatMap((each) => each.toLowerCase().split(/[\s,]+/))
}

/** A GET has none, as far as this API goes; a request that arrived whole has none left to send. */
function hasBody({ method, headers, readableEnded }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || readableEnded) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads a body whole, since its digest is signed. Of one that is longer than the services read, the
 * part up to the first byte too many is returned: they refuse that in the usual order of checks.
 * An empty one counts as none.
 * @throws the reason of the signal, or the error of the client's connection
 */
function readBody(
  request: IncomingMessage,
  limitBytes: number,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      onProgress()
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > limitBytes) finish()
    }
    const finish = () => {
      release()
      resolve(bytes === 0 ? null : Buffer.concat(chunks).subarray(0, limitBytes + 1))
    }
    const fail = (error: unknown) => {
      release()
      reject(error instanceof Error ? error : signal.reason)
    }
    function release() {
      request.off('data', take).off('end', finish).off('error', fail)
      signal.removeEventListener('abort', fail)
    }
    request.on('data', take).on('end', finish).on('error', fail)
    signal.addEventListener('abort', fail)
  })
}

type Watch = ReturnType<typeof startWatch>

/** Aborts when the client hangs up, and when nothing has moved for `limitMs`. */
function startWatch(response: ServerResponse, limitMs: number) {
  const stop = new AbortController()
  let isClientGone = false
  const timer = setTimeout(() => stop.abort(), limitMs)
  const onClose = () => {
    isClientGone = true
    stop.abort()
  }
  response.once('close', onClose)
  return {
    signal: stop.signal,
    isClientGone: () => isClientGone,
    restart: () => timer.refresh(),
    stop: () => {
      clearTimeout(timer)
      response.off('close', onClose)
    },
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
