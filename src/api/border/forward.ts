import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { Pool, type Dispatcher } from 'undici'
import type { Clock } from '../../platform/core/clock.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Limits } from '../../platform/routes/route.ts'
import { createOutageWarning } from '../../platform/core/service.ts'
import { BodyBudget, type BodyHold, createConcurrencyLimit } from '../requests/bounds.ts'
import { PLACES } from '../../platform/limits/places.ts'
import {
  BOUNDARY_CHALLENGE,
  digestBody,
  writeIdentity,
  type ForwardedIdentity,
} from './forwarded-identity.ts'

type Deps = {
  servicesUrl: string
  internalToken: string
  clock: Clock
  log: Log
  limitMs?: number
}

type Forwarded = Pick<Limits, 'bodyBytes' | 'timeoutMs'> & { isLongLived?: boolean }
type Exchange = { bodyBytes: number; limitMs: number; isLongLived: boolean }

type Answer = {
  status: number
  headers: Record<string, string | string[]>
  body: Readable
}

/** Services answer within the limit of a route, or refuse; this gateway waits a little longer. */
const MARGIN_MS = 5_000
const PING_LIMIT_MS = 15_000
const CONNECT_LIMIT_MS = 5_000
const CONNECTIONS = 128
/** Services bound the number of long-lived answers; no other request waits for them. */
const LONG_LIVED_CONNECTIONS = 1_024
/**
 * Services that hang must not fill this process. The requests of each owner are bounded, so it takes many owners to
 * reach this.
 */
const MAX_RUNNING = 1_024

/** An allowlist, since no unusual spelling evades it. Services get the identity and no credentials. */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'last-event-id',
  'range',
  'x-dashboard-password',
]
/** The auth service keeps unfinished sign-ins in cookies. */
const AUTH_PATH = /^\/v1\/auth(?=[/?]|$)/
const DASHBOARD_PATH = /^\/v1\/public\/dashboards\//
const DASHBOARD_COOKIE = /(?:^|;)\s*((?:__Secure-)?signpost_dashboard=[^;]*)/
/** They concern one connection (RFC 9110, 7.6.1), or this gateway sets them itself. */
const WITHHELD =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|access-control-.*|x-request-id)$/
/** May end after any event, unlike a file. */
const EVENT_STREAM = 'text/event-stream'
const LOST = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/

/** The gateway's side of the trust boundary. */
export class Forwarder {
  readonly #deps: Deps
  readonly #pool: Pool
  /** Long-lived answers have their own connections, so that hostile clients cannot use up the others. */
  readonly #longLivedPool: Pool
  readonly #events = new Set<() => void>()
  readonly #concurrency = createConcurrencyLimit(PLACES.forwardedRequests, PLACES.forwardedRequests)
  readonly #budget = new BodyBudget()
  readonly #warn: ReturnType<typeof createOutageWarning>
  #running = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.#warn = createOutageWarning(deps.log)
    const options = {
      pipelining: 1,
      allowH2: false,
      connect: { timeout: CONNECT_LIMIT_MS },
      // `startWatch` counts this time, together with the wait for a free connection.
      headersTimeout: 0,
    }
    this.#pool = new Pool(deps.servicesUrl, { ...options, connections: CONNECTIONS })
    this.#longLivedPool = new Pool(deps.servicesUrl, {
      ...options,
      connections: LONG_LIVED_CONNECTIONS,
    })
  }

  /**
   * @returns null when the client has disconnected
   * @throws ApiError UNAVAILABLE when services do not answer, refuse this gateway, or take too long
   */
  async forward(
    request: IncomingMessage,
    response: ServerResponse,
    caller: ForwardedIdentity,
    { bodyBytes, timeoutMs, isLongLived = false }: Forwarded,
  ): Promise<Answer | null> {
    if (!request.url?.startsWith('/'))
      throw new ApiError('VALIDATION_ERROR', 'The address must begin with a slash.')
    const limitMs = this.#deps.limitMs ?? timeoutMs + MARGIN_MS
    const watch = startWatch(response, limitMs)
    try {
      return await this.#concurrency(caller, watch.signal, () =>
        this.#exchange(request, caller, watch, { bodyBytes, limitMs, isLongLived }),
      )
    } catch (error) {
      if (watch.isClientGone()) return null
      throw this.#toApiError(error, watch.signal)
    } finally {
      watch.stop()
      // The client's connection carries further requests, so the rest of the body is read.
      request.resume()
    }
  }

  async ping(): Promise<void> {
    const signal = AbortSignal.timeout(this.#deps.limitMs ?? PING_LIMIT_MS)
    const answer = await this.#pool.request({ method: 'GET', path: '/health', signal })
    await answer.body.dump()
    if (answer.statusCode !== 200)
      throw new Error(`the services answer /health with ${answer.statusCode}`)
  }

  endEvents(): void {
    for (const end of this.#events) end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#longLivedPool.destroy()])
  }

  async #exchange(
    request: IncomingMessage,
    caller: ForwardedIdentity,
    watch: Watch,
    { bodyBytes, limitMs, isLongLived }: Exchange,
  ): Promise<Answer> {
    if (this.#running >= MAX_RUNNING) throw new ApiError('UNAVAILABLE')
    this.#running++
    const announced = announcedBytes(request)
    const isWithheld = announced !== null && announced > bodyBytes
    const isRead = announced !== 0 && !isWithheld
    let hold: BodyHold | undefined
    try {
      if (isRead) hold = this.#budget.hold(caller, announced ?? 0)
      const onChunk = (bytes: number) => {
        watch.restart()
        if (announced === null) hold!.grow(bytes)
      }
      const body = isRead ? await readBody(request, bodyBytes, watch.signal, onChunk) : null
      const sent = { body, isWithheld, pool: isLongLived ? this.#longLivedPool : this.#pool }
      const answer = await this.#send(request, caller, sent, watch.signal, limitMs)
      return await this.#accept(answer)
    } finally {
      hold?.release()
      this.#running--
    }
  }

  /** Repeats a read when a kept connection turns out to be closed. */
  async #send(
    request: IncomingMessage,
    caller: ForwardedIdentity,
    { body, isWithheld, pool }: { body: Buffer | null; isWithheld: boolean; pool: Pool },
    signal: AbortSignal,
    limitMs: number,
  ): Promise<Dispatcher.ResponseData> {
    const { internalToken, clock } = this.#deps
    const signed = { bodyDigest: digestBody(body), isBodyWithheld: isWithheld }
    const once = () =>
      pool.request({
        method: request.method as Dispatcher.HttpMethod,
        path: request.url!,
        headers: {
          ...toForwardedHeaders(request, body),
          ...writeIdentity(caller, request, internalToken, clock(), signed),
        },
        body,
        signal,
        bodyTimeout: limitMs,
      })
    try {
      return await once()
    } catch (error) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead || signal.aborted || !LOST.test(getCode(error))) throw error
      return once()
    }
  }

  /** @throws ApiError UNAVAILABLE when services refuse this gateway */
  async #accept({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
    if (headers['www-authenticate'] === BOUNDARY_CHALLENGE) {
      await body.dump()
      this.#deps.log.error(
        'services refuse this gateway: INTERNAL_TOKEN differs, or the clocks differ by more than a minute',
      )
      throw new ApiError('UNAVAILABLE')
    }
    const isEvents = String(headers['content-type']).startsWith(EVENT_STREAM)
    const passed = isEvents ? this.#passEvents(body) : body
    return { status: statusCode, headers: toAnswerHeaders(headers), body: passed }
  }

  #passEvents(body: Readable): Readable {
    const events = new PassThrough()
    const end = () => {
      body.unpipe(events)
      events.end()
    }
    this.#events.add(end)
    body.once('error', (error) => events.destroy(error))
    events.once('close', () => {
      this.#events.delete(end)
      body.destroy()
    })
    return body.pipe(events)
  }

  #toApiError(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof ApiError) return error
    if (signal.aborted)
      return new ApiError('UNAVAILABLE', 'The answer takes too long. Try again later.')
    if (getCode(error) === 'UND_ERR_INVALID_ARG')
      return new ApiError('VALIDATION_ERROR', 'The request holds characters that HTTP forbids.')
    this.#warn({ err: error }, 'services cannot be reached')
    return new ApiError('UNAVAILABLE')
  }
}

/** Headers that `Connection` names concern this connection alone. */
function toForwardedHeaders(request: IncomingMessage, body: Buffer | null): Record<string, string> {
  const { headers } = request
  const named = new Set(splitList(headers.connection))
  const allowed = AUTH_PATH.test(request.url!) ? [...REQUEST_HEADERS, 'cookie'] : REQUEST_HEADERS
  const kept = body ? allowed : allowed.filter((name) => !name.startsWith('content-'))
  const forwarded: Record<string, string> = Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' && !named.has(name) ? [[name, value]] : []
    }),
  )
  const proof = DASHBOARD_PATH.test(request.url!) && DASHBOARD_COOKIE.exec(headers.cookie ?? '')
  return proof ? { ...forwarded, cookie: proof[1]! } : forwarded
}

function toAnswerHeaders(headers: Dispatcher.ResponseData['headers']): Answer['headers'] {
  const named = new Set(splitList(headers['connection']))
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || WITHHELD.test(name) || named.has(name) ? [] : [[name, value]],
    ),
  )
}

function splitList(value: string | string[] | undefined): string[] {
  return [value ?? []].flat().flatMap((line) => line.toLowerCase().split(/[\s,]+/))
}

/** Null for a chunked body. */
function announcedBytes({ method, headers, readableEnded }: IncomingMessage): number | null {
  if (method === 'GET' || method === 'HEAD' || readableEnded) return 0
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null
}

/**
 * Null for an empty body. One over the limit is cut after its first byte beyond it, so that services refuse it in the
 * usual order.
 * @throws the reason of the signal, or the error of the client's connection or of `onChunk`
 */
function readBody(
  request: IncomingMessage,
  limitBytes: number,
  signal: AbortSignal,
  onChunk: (bytes: number) => void,
): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      try {
        onChunk(chunk.length)
      } catch (error) {
        return fail(error)
      }
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

function getCode(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
