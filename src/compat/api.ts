import type { ApiError } from '../platform/core/errors.ts'
import type { Limits } from '../platform/routes/route.ts'
import type { Call } from './call.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a client of another API sent. */
export type Asked = {
  query: Readonly<Record<string, string | string[] | undefined>>
  /** A form is a record of texts. */
  body: unknown
  params: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export type Context = Asked & {
  /** Under which this request reached the server. */
  origin: string
  /** Null for a public path. */
  keyId: string | null
  call: Call
}

export type Answered = {
  status?: number
  /** JSON without it. */
  type?: string
  headers?: Readonly<Record<string, string>>
  /** Undefined: none. */
  body?: unknown
}

type Handler = (context: Context) => Answered | Promise<Answered>

export type Row = {
  /** @throws ApiError */
  handle: Handler
  /** Needs no key. */
  isPublic?: true
  limits?: Partial<Limits>
}

/** An API of another shortener, as a table. Each of its answers is made of answers of `/v1`. */
export type CompatApi = {
  /** The audit log names it. */
  name: string
  rows: Readonly<Record<`${Method} /${string}`, Row>>
  /** Every other path below it is unknown to the API, and answered in its format. */
  unknownBelow?: `/${string}`
  /** It takes forms, and the key may be in one. */
  takesForms?: true
  /** The key of the request, for which the body may be missing yet. */
  findKey(asked: Asked): string | null | Promise<string | null>
  toError(error: ApiError, asked: Asked): Answered
}
