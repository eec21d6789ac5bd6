import type { ApiError } from '../platform/core/errors.ts'
import type { Limits } from '../platform/routes/route.ts'
import type { Call, Method } from './call.ts'

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
  /** Undefined: none. */
  body?: unknown
}

/** @throws ApiError */
export type Handler = (context: Context) => Answered | Promise<Answered>

/** By method and path, which begins behind the prefix of the API. */
export type Rows = Readonly<Record<`${Method} ${string}`, Handler>>

/** An API of another shortener, as a table. Each of its answers is made of answers of `/v1`. */
export type CompatApi = {
  /** The audit log names it. */
  name: string
  /** Every path below it that has no row is unknown to the API, and answered in its format. */
  prefix: `/${string}`
  rows: Rows
  /** Those that need no key. */
  publicRows?: Rows
  /** Rows with other limits than usual. */
  limits?: Readonly<Record<string, Partial<Limits>>>
  /** It takes forms, and the key may be in one. */
  takesForms?: true
  /** The key of the request, for which the body may be missing yet. */
  findKey(asked: Asked): string | null | Promise<string | null>
  toError(error: ApiError, asked: Asked): Answered
}
