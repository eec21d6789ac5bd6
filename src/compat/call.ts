import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requestWithin } from '../api/requests/within.ts'
import { ApiError, type ErrorCode } from '../platform/core/errors.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Value = string | number | boolean | undefined
export type Given = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, Value>>
  body?: unknown
}

/** `Data` is what the caller reads of the answer's `data`. */
type Result<Data> = {
  data: Data
  meta: { total: number; [name: string]: unknown }
  bytes: Buffer
}

/**
 * Sends a request to `/v1`, with the key of the outer one.
 *
 * @throws ApiError of its answer
 */
export type Call = <Data = unknown>(
  method: Method,
  path: `/${string}`,
  given?: Given,
) => Promise<Result<Data>>

/** Bounds what one request of a client may cost; the rules bound each call. */
const MAX_CALLS = 25
const MAX_SEGMENT_CHARS = 1_000
/** Nothing, and the segments that change a path. */
const NO_SEGMENT = /^\.{0,2}$/

export function createCall(app: FastifyInstance, outer: FastifyRequest, api: string): Call {
  const program = { 'user-agent': `${api} API; ${outer.headers['user-agent'] ?? ''}` }
  let calls = 0
  return async (method, path, given = {}) => {
    if (++calls > MAX_CALLS) throw new Error(`a request of the ${api} API needs too many calls`)
    const { body } = given
    const asked = {
      method,
      url: toUrl(path, given),
      body: body === undefined ? null : { type: 'application/json', content: JSON.stringify(body) },
    }
    const answer = await requestWithin(app, outer, asked, program)
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const parsed = isJson ? answer.json() : {}
    if (answer.statusCode >= 400) throw toError(parsed, answer.statusCode)
    return { data: parsed.data, meta: parsed.meta, bytes: answer.rawPayload }
  }
}

/** Null for what does not exist. */
export async function orNull<Found>(asked: Promise<Found>): Promise<Found | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  })
}

function toUrl(path: string, { params = {}, query = {} }: Given): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const segment = params[name] ?? ''
    if (NO_SEGMENT.test(segment) || segment.length > MAX_SEGMENT_CHARS || !segment.isWellFormed())
      throw new ApiError('NOT_FOUND')
    return encodeURIComponent(segment)
  })
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString()
  return `/v1${filled}${search === '' ? '' : `?${search}`}`
}

type ErrorBody = {
  error?: { code: ErrorCode; message: string; details: ApiError['details'] }
}

function toError({ error }: ErrorBody, status: number): Error {
  return error
    ? new ApiError(error.code, error.message, error.details)
    : new Error(`/v1 answers ${status} without an error`)
}
