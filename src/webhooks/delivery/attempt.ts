import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { memoize } from '../../platform/core/memo.ts'
import type { DeliveryRequest } from './request.ts'

/** The result of one attempt. `responseStatus` is null when no response head arrived. */
export type Attempted = {
  responseStatus: number | null
  durationMs: number
  responseBody: string | null
  responseHeaders: string | null
  /** The reason why no response head arrived, else null. */
  error: string | null
}

/**
 * `mayStart` is called when the request is about to be written, since it may have waited for a
 * connection, or the process may have been stopped. If it returns false, nothing is sent and the error
 * is `not_sent`.
 */
export type Attempt = (
  request: Omit<DeliveryRequest, 'signed'>,
  mayStart?: () => boolean,
) => Promise<Attempted>

export type Deadlines = { headMs: number; wholeMs: number; bodyMs: number }

export const NOT_SENT = 'not_sent'

/**
 * `headMs`: from the request on the socket to the response head (spec, Delivery outcome and
 * retries). `wholeMs`: connection (at most 5 s), head and body; less than the worker's lease.
 */
const DEADLINES: Deadlines = { headMs: 10_000, wholeMs: 15_000, bodyMs: 2_000 }
const MAX_BODY_BYTES = 16 * 1024
const MAX_BODY_CHARS = 4_000
const MAX_HEADERS = 64
const MAX_TARGETS = 10_000
const MAX_HEADER_CHARS = 1_024
/** Session cookies of the receiver are not for readers of the delivery log. */
const HIDDEN_HEADERS = new Set(['set-cookie', 'set-cookie2'])

type Deps = {
  /** Connects only to addresses that the egress guard allows. */
  dispatcher: Pick<Dispatcher, 'dispatch'>
  /** Names a failure, with one name for a refused address and a closed port. */
  reasonOf: (error: unknown) => string
  /** When false, a stored URL that is not https:// is not called. */
  allowHttp?: boolean
}

/**
 * Sends one request with undici's `dispatch`: no redirects, no decompression, own deadlines. The
 * response head decides the result; the beginning of the body is read for the log.
 */
export function createAttempt(
  { dispatcher, reasonOf, allowHttp = true }: Deps,
  deadlines: Deadlines = DEADLINES,
): Attempt {
  const getTarget = memoize(MAX_TARGETS, toTarget)
  return (request, mayStart = () => true) =>
    new Promise((resolve) => {
      const startedAt = performance.now()
      const { origin, path, isHttps } = getTarget(request.url)
      // It was stored while http:// was allowed. The result is that of any refused address.
      if (!isHttps && !allowHttp) return resolve(UNREACHED)
      const body = new BodyStart()
      let headAtMs: number | null = null
      let status: number | null = null
      let headers: string | null = null
      let abort: (error: Error) => void = () => {}
      let isSettled = false
      let headTimer: NodeJS.Timeout | undefined
      let bodyTimer: NodeJS.Timeout | undefined
      const wholeTimer = setTimeout(() => end(timeoutError()), deadlines.wholeMs)

      function settle(error: string | null): void {
        if (isSettled) return
        isSettled = true
        for (const timer of [wholeTimer, headTimer, bodyTimer]) clearTimeout(timer)
        resolve({
          responseStatus: status,
          durationMs: Math.round((headAtMs ?? performance.now()) - startedAt),
          responseBody: status === null ? null : body.text(),
          responseHeaders: headers,
          error: status === null ? error : null,
        })
      }

      /** Ends the attempt and its connection, without reading the rest. */
      function end(error: Error): void {
        settle(reasonOf(error))
        abort(error)
      }

      dispatcher.dispatch(
        { origin, path, method: 'POST', headers: request.headers, body: request.body },
        {
          onRequestStart(controller) {
            abort = (error) => controller.abort(error)
            if (isSettled || performance.now() - startedAt >= deadlines.wholeMs)
              return end(timeoutError())
            if (!mayStart()) {
              settle(NOT_SENT)
              return abort(new Error('the lease of this worker has ended'))
            }
            headTimer = setTimeout(() => end(timeoutError()), deadlines.headMs)
            return undefined
          },
          onResponseStart(_controller, statusCode, responseHeaders) {
            if (statusCode < 200) return
            clearTimeout(headTimer)
            headAtMs = performance.now()
            status = statusCode
            headers = toKeptHeaders(responseHeaders)
            bodyTimer = setTimeout(() => end(timeoutError()), deadlines.bodyMs)
          },
          onResponseData(_controller, chunk) {
            if (!body.take(chunk)) end(new Error('the rest of the body is not read'))
          },
          onResponseEnd: () => settle(null),
          onResponseError: (_controller, error) => settle(reasonOf(error)),
        },
      )
    })
}

const UNREACHED: Attempted = {
  responseStatus: null,
  durationMs: 0,
  responseBody: null,
  responseHeaders: null,
  error: 'connection_refused',
}

type Target = { origin: string; path: string; isHttps: boolean }

function toTarget(url: string): Target {
  const { origin, pathname, search, protocol } = new URL(url)
  return { origin, path: `${pathname}${search}`, isHttps: protocol === 'https:' }
}

function timeoutError(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}

/** The first characters of a body, as text that PostgreSQL accepts. */
class BodyStart {
  #parts: Buffer[] = []
  #bytes = 0

  /** @returns false when enough is read */
  take(chunk: Buffer): boolean {
    const part = chunk.subarray(0, MAX_BODY_BYTES - this.#bytes)
    this.#bytes += part.length
    this.#parts.push(part)
    return this.#bytes < MAX_BODY_BYTES
  }

  text(): string {
    const [first, ...more] = this.#parts
    if (first === undefined) return ''
    const text = clean((more.length === 0 ? first : Buffer.concat(this.#parts)).toString('utf8'))
    // Counts characters, some of which are two UTF-16 units.
    return text.length <= MAX_BODY_CHARS ? text : Array.from(text).slice(0, MAX_BODY_CHARS).join('')
  }
}

/** As JSON; undici gives every name once, in lower case. */
function toKeptHeaders(headers: IncomingHttpHeaders): string {
  const kept: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (HIDDEN_HEADERS.has(name)) continue
    if (kept.length === MAX_HEADERS) break
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '')
    const start = clean(text).slice(0, MAX_HEADER_CHARS)
    kept.push(`${JSON.stringify(clean(name))}:${JSON.stringify(start)}`)
  }
  return `{${kept.join(',')}}`
}

const UNSTORABLE = /[\0\ud800-\udfff]/

/** PostgreSQL refuses NUL, and UTF-8 has no lone surrogates. */
function clean(text: string): string {
  return UNSTORABLE.test(text) ? text.toWellFormed().replaceAll('\0', '') : text
}
