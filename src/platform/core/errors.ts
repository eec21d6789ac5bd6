export const ERRORS = {
  VALIDATION_ERROR: [400, 'The request is not valid.'],
  UNAUTHORIZED: [401, 'A valid API key is required.'],
  INVALID_CREDENTIALS: [401, 'The e-mail address or the password is wrong.'],
  PASSWORD_REQUIRED: [401, 'A password is required.'],
  INVALID_CODE: [401, 'The code is not valid.'],
  EMAIL_NOT_VERIFIED: [
    403,
    'Verify your e-mail address first, with the link in the mail. A server for invited users sends no mail to an address without an invitation.',
  ],
  FORBIDDEN: [403, 'This credential is not allowed to do that.'],
  SESSION_NOT_FRESH: [403, 'This needs a sign-in within the last 15 minutes. Sign in again first.'],
  PLAN_CAPABILITY_REQUIRED: [403, 'The workspace plan does not include this.'],
  PLAN_LIMIT_REACHED: [403, 'The workspace has reached a limit of its plan.'],
  NOT_FOUND: [404, 'The resource does not exist.'],
  METHOD_NOT_ALLOWED: [405, 'This path does not support this method.'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  CONFLICT: [409, 'The request conflicts with the current state.'],
  GONE: [410, 'The resource is gone.'],
  PRECONDITION_FAILED: [412, 'This has changed since you read it.'],
  PAYLOAD_TOO_LARGE: [413, 'The request body is too large.'],
  URI_TOO_LONG: [414, 'The request address is too long.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The request body must be JSON.'],
  RANGE_NOT_SATISFIABLE: [416, 'The file has no byte in this range.'],
  EXPECTATION_FAILED: [417, 'This server supports only the expectation 100-continue.'],
  RATE_LIMITED: [429, 'Too many requests.'],
  HEADERS_TOO_LARGE: [431, 'The request headers are too large.'],
  BLOCKED: [451, 'This link has been blocked.'],
  INTERNAL_ERROR: [
    500,
    'Something went wrong on the server. Its log has the error under the request id.',
  ],
  SECRET_KEY_CHANGED: [
    503,
    'The server cannot decrypt this secret, because its SECRET_KEY has changed. The operator can restore the former key.',
  ],
  UNAVAILABLE: [503, 'The service is not available. Try again later.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof ERRORS

/** `path` is the field (`destinationUrl`, `events.0`), `''` for the whole body. */
export type ErrorDetail = { path: string; message: string; code?: string }

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly ErrorDetail[] | Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code][1],
    details: readonly ErrorDetail[] | Readonly<Record<string, unknown>> = [],
  ) {
    super(message)
    this.code = code
    this.status = ERRORS[code][0]
    this.details = details
  }
}

/** The request id is in `error` and in `meta` (spec, Errors 1). */
export function errorBody(
  requestId: string,
  code: ErrorCode,
  message: string = ERRORS[code][1],
  details: ApiError['details'] = [],
) {
  return { error: { code, message, details, requestId }, meta: { requestId } }
}

/** A window is in seconds, like the time to wait, which is rounded up. */
export function rateLimited(
  message: string,
  waitSeconds: number,
  limit: number,
  window: number,
): ApiError {
  const retryAfter = Math.max(1, Math.ceil(waitSeconds))
  return new ApiError('RATE_LIMITED', message, { retryAfter, limit, window })
}

export function invalid(path: string, message: string, code = 'invalid'): ApiError {
  return new ApiError('VALIDATION_ERROR', message, [{ path, message, code }])
}

/** A problem that the operator can fix: the process prints the message without a stack, and exits with code 1. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

const MAX_CHARS = 60
const SECRET =
  /pass|secret|token|key|code|credential|authorization|cookie|signature|headers|response/i
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** Ends a message about a refused value: `; it is "abc"`. '' if it may be a secret, or has no single value. */
export function itIs(path: string, value: unknown): string {
  if (path === '' || value === undefined || SECRET.test(path)) return ''
  if (Array.isArray(value)) return '; it is a list'
  if (typeof value === 'object' && value !== null) return '; it is an object'
  return `; it is ${typeof value === 'string' ? quote(value) : JSON.stringify(value)}`
}

export function itHas(path: string, count: number): string {
  return SECRET.test(path) ? '' : `; it has ${count}`
}

/** Characters as JSON Schema counts them. */
export function countChars(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function quote(text: string): string {
  // Only what is shown: a text may have megabytes, and a character two units.
  const chars = Array.from(text.slice(0, MAX_CHARS * 2))
  const isCut = chars.length > MAX_CHARS || text.length > MAX_CHARS * 2
  const shown = JSON.stringify(chars.slice(0, MAX_CHARS).join('').toWellFormed())
  const safe = shown.replace(UNSEEN, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
  return isCut ? `${safe.slice(0, -1)}…"` : safe
}
