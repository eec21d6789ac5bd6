import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { memoize } from '../../platform/core/functions.ts'
import { toPublicReason } from '../../platform/egress/public-reason.ts'
import type { DeliveryRequest } from './request.ts'

export type AttemptResult = {
  responseStatus: number | null
  durationMs: number
  responseBody: string | null
  responseHeaders: string | null
  error: string | null
}

/**
 * `mayStart` is called right before the request is written, since it may have waited for a connection. If it
 * returns false, nothing is sent and the error is `not_sent`.
 */
export type Attempt = (
  request: Omit<DeliveryRequest, 'signed'>,
  mayStart?: () => boolean,
) => Promise<AttemptResult>

export type Deadlines = { headMs: number; wholeMs: number; bodyMs: number }

export const NOT_SENT = 'not_sent'

/**
 * `headMs`: from sending the request to the response head (spec, Delivery outcome and retries). `wholeMs`: with
 * connection and body; less than the worker's lease.
 */
const DEADLINES: Deadlines = { headMs: 10_000, wholeMs: 15_000, bodyMs: 2_000 }
const MAX_BODY_BYTES = 16 * 1024
const MAX_BODY_CHARS = 4_000
const MAX_HEADERS = 64
const MAX_TARGETS = 10_000
const MAX_HEADER_CHARS = 1_024
/** The receiver's session cookies do not belong in the delivery log. */
const HIDDEN_HEADERS = new Set(['set-cookie', 'set-cookie2'])

type Deps = {
  dispatcher: Pick<Dispatcher, 'dispatch'>
  allowHttp?: boolean
}

/**
 * No redirects, no decompression, own deadlines. The response head decides the outcome; the start of the body is
 * read for the log.
 */
export function createAttempt(
  { dispatcher, allowHttp = true }: Deps,
  deadlines: Deadlines = DEADLINES,
): Attempt {
  const getTarget = memoize(MAX_TARGETS, toTarget)
  return (request, mayStart = () => true) =>
    new Promise((resolve) => {
      const startedAt = performance.now()
      const { origin, path, isHttps } = getTarget(request.url)
      // Stored while http:// was allowed. Reported like any refused address.
      if (!isHttps && !allowHttp) return resolve(notSent('connection_refused'))
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

      function end(error: Error): void {
        settle(toPublicReason(error))
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
          onResponseError: (_controller, error) => settle(toPublicReason(error)),
        },
      )
    })
}

export function notSent(error: string): AttemptResult {
  return {
    responseStatus: null,
    durationMs: 0,
    responseBody: null,
    responseHeaders: null,
    error,
  }
}

type Target = { origin: string; path: string; isHttps: boolean }

function toTarget(url: string): Target {
  const { origin, pathname, search, protocol } = new URL(url)
  return { origin, path: `${pathname}${search}`, isHttps: protocol === 'https:' }
}

function timeoutError(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}

class BodyStart {
  #parts: Buffer[] = []
  #bytes = 0

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
    return text.length <= MAX_BODY_CHARS ? text : Array.from(text).slice(0, MAX_BODY_CHARS).join('')
  }
}

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
