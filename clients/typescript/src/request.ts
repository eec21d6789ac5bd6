import type { Answer, Options } from './call.ts'
import { ERROR_CLASSES } from './errors.gen.ts'
import { explainFailure, SignpostError, TimeoutError, UnexpectedAnswerError } from './errors.ts'
import type { ErrorDetail, Meta } from './types.gen.ts'

export type Settings = Pick<Options, 'timeoutMs' | 'maxRetries'> & {
  /** Where the server is: `https://links.example.com`. */
  baseUrl: string
  /** An API key, `sp_…`. A page of the server itself can leave it out and act as the signed-in user. */
  apiKey?: string
  /** Sends the requests; the global `fetch`. */
  fetch?: typeof fetch
}

export type Request = {
  method: string
  path: string
  query?: Record<string, unknown> | undefined
  body?: unknown
  /** The body has the fields of a form. */
  isForm: boolean
  /** It takes an Idempotency-Key. */
  isKeyed: boolean
  /** The answer is a file or a stream. */
  isFile: boolean
  options: Options
}

const TIMEOUT_MS = 30_000
const RETRIES = 2
const FIRST_PAUSE_MS = 500
/** A server that wants a longer pause than this is not asked again. */
const LONGEST_PAUSE_MS = 60_000
const KEY_HINT = ' This one is missing, revoked or expired: create another in the settings.'
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504])

/** Sends a request until it is answered, refused, or has failed too often. */
export async function send<Data>(settings: Settings, request: Request): Promise<Answer<Data>> {
  const { options, method, isKeyed } = request
  const headers = headersOf(settings, request)
  // Without a key, only these have the same effect however often they arrive.
  const isRepeatable = isKeyed || !['PATCH', 'DELETE'].includes(method)
  const retries = options.maxRetries ?? settings.maxRetries ?? RETRIES
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce<Data>(settings, request, headers)
    } catch (error) {
      const waitMs = pauseBefore(error, attempt)
      // A 429 was refused before it had an effect.
      const isSafe = isRepeatable || (error as SignpostError).status === 429
      if (attempt >= retries || !isSafe || waitMs > LONGEST_PAUSE_MS || !isPassing(error))
        throw error
      await pause(waitMs, options.signal)
    }
  }
}

/** Whether the same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof SignpostError)) return false
  const { reason } = error.details as { reason?: string }
  if (error.status === 409) return reason === 'request_under_way'
  return error.status === 0 || PASSING_STATUSES.has(error.status)
}

/** As long as the server asks for, else twice as long each time, at random so that clients spread. */
export function pauseBefore(error: unknown, attempt: number): number {
  const { retryAfter } = error as SignpostError
  if (retryAfter !== undefined) return retryAfter * 1000
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS / 2) * (0.5 + Math.random() / 2)
}

export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let end: () => void
  let timer: ReturnType<typeof setTimeout>
  await new Promise<void>((resolve) => {
    end = resolve
    timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
  clearTimeout(timer!)
  signal?.removeEventListener('abort', end!)
  signal?.throwIfAborted()
}

function headersOf({ apiKey }: Settings, { method, body, isForm, isKeyed, options }: Request) {
  const key = options.idempotencyKey ?? (isKeyed && crypto.randomUUID())
  return {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && key && { 'idempotency-key': key }),
    ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
    ...options.headers,
  }
}

async function sendOnce<Data>(
  settings: Settings,
  request: Request,
  headers: Record<string, string>,
): Promise<Answer<Data>> {
  const { method, body, isForm, isFile, options } = request
  const { signal } = options
  signal?.throwIfAborted()
  const url = urlOf(settings.baseUrl, request)
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? TIMEOUT_MS
  const ending = new AbortController()
  const abort = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  const late = new TimeoutError(
    `${url.origin} did not answer within ${timeoutMs} ms: try again, or set a longer timeoutMs.`,
    { code: 'TIMEOUT' },
  )
  const timer = setTimeout(() => ending.abort(late), timeoutMs)
  const { fetch = globalThis.fetch } = settings
  try {
    const response = await fetch(url, {
      method,
      headers,
      // A key goes to no other host than this one.
      redirect: 'manual',
      signal: ending.signal,
      ...(body !== undefined && { body: isForm ? formOf(body) : JSON.stringify(body) }),
    })
    if (response.ok && isFile && !isPage(response)) {
      const meta = { requestId: response.headers.get('x-request-id') ?? '' }
      return { data: response as Data, meta, etag: response.headers.get('etag'), response }
    }
    const text = await response.text()
    return readAnswer<Data>(response, text, url)
  } catch (error) {
    signal?.throwIfAborted()
    if (ending.signal.aborted) throw late
    throw error instanceof SignpostError ? error : explainFailure(error, url.origin)
  } finally {
    clearTimeout(timer)
    // The body of a file is still to be read, and can be aborted until then.
    if (!isFile) signal?.removeEventListener('abort', abort)
  }
}

type Scalar = string | number | boolean

/** `baseUrl` is checked by createClient. */
function urlOf(baseUrl: string, { path, query = {} }: Request): URL {
  const url = new URL(`${baseUrl}/v1${path}`)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value as Scalar))
  return url
}

/** Files come last: the server reads the other fields first. */
function formOf(fields: unknown): FormData {
  const [form, files] = [new FormData(), [] as [string, Blob][]]
  for (const [name, value] of Object.entries(fields as Record<string, Scalar | Blob | undefined>))
    if (value instanceof Blob) files.push([name, value])
    else if (value !== undefined) form.set(name, String(value))
  for (const [name, file] of files) form.set(name, file)
  return form
}

function readAnswer<Data>(response: Response, text: string, url: URL): Answer<Data> {
  const { status, headers } = response
  const body = parse(text) as {
    data?: Data
    meta?: Meta
    error?: { code: string; message: string; details: object | ErrorDetail[] }
  } | null
  const requestId = body?.meta?.requestId ?? headers.get('x-request-id') ?? undefined
  if (status === 204 || (response.ok && body && 'data' in body)) {
    const meta = body?.meta ?? { requestId: requestId ?? '' }
    return { data: body?.data as Data, meta, etag: headers.get('etag'), response }
  }
  const wait = headers.get('retry-after') ?? ''
  const retryAfter = /^\d+$/.test(wait) ? Number(wait) : undefined
  const facts = { status, requestId, retryAfter }
  if (!response.ok && typeof body?.error?.code === 'string') {
    const { code, message, details } = body.error
    const Class = ERROR_CLASSES[code as keyof typeof ERROR_CLASSES] ?? SignpostError
    const hint = code === 'UNAUTHORIZED' ? KEY_HINT : ''
    throw new Class(message + hint, { ...facts, code, details })
  }
  const message = explainAnswer(response, url)
  throw new UnexpectedAnswerError(message, { ...facts, code: 'UNEXPECTED_ANSWER' })
}

/** The API never answers with an HTML page. */
function isPage({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').startsWith('text/html')
}

function explainAnswer(response: Response, url: URL): string {
  const { status, headers, type } = response
  const target = headers.get('location')
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
    const where =
      target && URL.canParse(target, url.href) ? ` to ${new URL(target, url).origin}` : ''
    return `${url.origin} redirects${where}: set baseUrl to the address of the Signpost server itself.`
  }
  const what = isPage(response) ? 'an HTML page' : 'text'
  return PASSING_STATUSES.has(status)
    ? `${url.origin} answers ${status} with ${what} of a proxy: check that the Signpost server behind it runs.`
    : `${url.origin} answers ${status} with ${what} instead of Signpost's JSON: check baseUrl, and the proxy in front of the server.`
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
