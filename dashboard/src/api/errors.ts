import { toFieldSentence, toSentence } from './sentence.ts'

/** One place of the input that the server refused. `path` names the field, as `destinationUrl` or `rules.0.url`. */
export type ErrorDetail = { path: string; message: string; code?: string }

let translate: (code: string) => string | undefined = () => undefined

/** Says errors in the language of the page, by their codes; what it does not know stays as the API says it. */
export function translateErrors(by: typeof translate): void {
  translate = by
}

/** Codes that share a message. */
const SAID_AS: Readonly<Record<string, string>> = {
  ...{ minLength: 'length', maxLength: 'length', too_long: 'length', pattern: 'format' },
  ...{ exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum', repeated: 'uniqueItems' },
  ...{ quote: 'csv', record_size: 'csv', json: 'csv' },
}

/** The message for one wrong field, one failed row or one failed job. */
export function sayError(
  { code, message }: { code?: string | undefined; message: string },
  path = '',
): string {
  const said = code === undefined ? undefined : translate(SAID_AS[code] ?? code)
  return said ?? translate('invalid') ?? toFieldSentence(message, path)
}

/** A refusal or a failure of the server, or no answer at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** As the API says it, in English. */
  readonly said: string
  readonly details: readonly ErrorDetail[] | Readonly<Record<string, unknown>>
  /** Seconds until the same request may succeed; null: unknown. */
  readonly retryAfterSeconds: number | null

  constructor(fields: Omit<ApiError, 'name' | 'stack' | 'cause' | 'fieldErrors' | 'said'>) {
    super(translate(fields.code) ?? toSentence(fields.message, pathsOf(fields.details)))
    this.said = fields.message
    this.status = fields.status
    this.code = fields.code
    this.requestId = fields.requestId
    this.details = fields.details
    this.retryAfterSeconds = fields.retryAfterSeconds
  }

  /** Messages by the path of their field. */
  get fieldErrors(): Record<string, string> {
    if (!Array.isArray(this.details)) return {}
    const details = this.details as readonly ErrorDetail[]
    return Object.fromEntries(details.map((detail) => [detail.path, sayError(detail, detail.path)]))
  }
}

/** The refusals of an error by the path of their field; none for another error. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fieldErrors : {}
}

function pathsOf(details: ApiError['details']): string[] {
  return Array.isArray(details) ? (details as readonly ErrorDetail[]).map(({ path }) => path) : []
}

/** The error of an answer that is not 2xx, by its body, which may be no JSON. */
export function errorOf(body: unknown, response: Pick<Response, 'status' | 'headers'>): ApiError {
  const { error } = (body ?? {}) as { error?: Partial<ApiError> }
  const retryAfter = Number(response.headers.get('retry-after'))
  return new ApiError({
    status: response.status,
    code: error?.code ?? 'INTERNAL_ERROR',
    message: error?.message ?? `The server answered ${response.status}.`,
    requestId: error?.requestId ?? response.headers.get('x-request-id'),
    details: error?.details ?? [],
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  })
}

export async function readError(response: Response): Promise<ApiError> {
  return errorOf(await response.json().catch(() => null), response)
}

export function unreachable(): ApiError {
  return new ApiError({
    status: 0,
    code: 'UNREACHABLE',
    message: 'The server did not answer. Check your connection; nothing that you typed is lost.',
    requestId: null,
    details: [],
    retryAfterSeconds: null,
  })
}

/** @param status 401: the session is over; 403: it is not fresh */
export function signInPutOff(status: number): ApiError {
  return new ApiError({
    status,
    code: status === 401 ? 'UNAUTHORIZED' : 'SESSION_NOT_FRESH',
    message: 'This needs you to sign in. Try again to do so; nothing that you typed is lost.',
    requestId: null,
    details: [],
    retryAfterSeconds: null,
  })
}
