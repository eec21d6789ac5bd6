import { SIZES } from '../limits/sizes.ts'
import { TIMES } from '../limits/times.ts'
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Caller, Cookie } from './caller.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Role, Principal } from './principal.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export type Shapes = {
  params?: TObject
  query?: TObject
  /** In lower case. */
  headers?: TObject
  body?: TSchema
  /** Text fields beside an uploaded file. */
  fields?: TObject
  reply?: TSchema
  meta?: TObject
}

type In<S, Default> = S extends TSchema ? Static<S> : Default

export type Input<S extends Shapes, A = undefined> = {
  params: In<S['params'], Record<string, string>>
  query: In<S['query'], Record<string, never>>
  headers: In<S['headers'], Record<string, never>>
  body: A extends UploadKinds
    ? Upload<In<S['fields'], Readonly<Record<string, string>>>>
    : In<S['body'], undefined>
}

type ReplyData<S extends Shapes> = S['reply'] extends TSchema
  ? S['meta'] extends TSchema
    ? Page<Static<S['reply']>, Static<S['meta']>>
    : Static<S['reply']>
  : undefined

const PAGE = Symbol('page')
export type Page<Data, Meta> = { [PAGE]: true; data: Data; meta: Meta }

export function page<Data, Meta>(data: Data, meta: Meta): Page<Data, Meta> {
  return { [PAGE]: true, data, meta }
}

export function isPage(value: unknown): value is Page<unknown, Record<string, unknown>> {
  return typeof value === 'object' && value !== null && PAGE in value
}

export type Reply<Data> =
  | { data: Data; cookies?: readonly Cookie[]; headers?: Readonly<Record<string, string>> }
  | { sent: Sent; cookies?: readonly Cookie[] }
  | { html: string; status?: number; cookies?: readonly Cookie[] }
  | { redirect: string; cookies?: readonly Cookie[] }
  /** JSON of another protocol, without the envelope of the API. */
  | { plain: object; status: number; cookies?: readonly Cookie[] }

export type Limits = {
  bodyBytes: number
  keys: number
  items: number
  /** Until the response begins, and for each part of a streamed one. */
  timeoutMs: number
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: SIZES.body.bytes,
  keys: 1_000,
  items: 10_000,
  timeoutMs: TIMES.request.ms,
}

export type UploadKinds = {
  raw?: readonly string[]
  multipart?: true
  file?: string
}

export type Upload<Fields = Readonly<Record<string, string>>> = {
  /** In lower case and without parameters; the client chooses it. */
  contentType: string
  filename: string | null
  fields: Fields
  bytes: Buffer
}

export type StoredFile = {
  size: number
  read: (from: number, to: number) => AsyncIterable<Buffer>
}

export type Sent = {
  contentType: string
  /** A generator ends by `return()` when the client disconnects or stalls. */
  body: Buffer | Readable | AsyncIterable<Buffer | string> | StoredFile
  filename?: string
  isInline?: true
  etag?: string
  /** Clients can cache the bytes forever. */
  isImmutable?: true
  headers?: Readonly<Record<string, string>>
}

export type Requirements = {
  /** `none`: public; `session`: a signed-in user, not an API key; `any`: either. */
  credential: 'none' | 'session' | 'any'
  optionalBy?: string
  /** The lowest role. Without one the route acts for a user or the public, not in a workspace. */
  role?: Role
  scope?: string
  /** Only for users with the mark of an operator, which the command line sets. */
  operator?: true
}

/** `auth` is strict, for requests that could guess passwords, tokens or codes. */
type Tier = 'api' | 'auth' | 'ingestion' | 'preview'

type Params = Record<string, string>
type Accepts = 'form' | UploadKinds

type Common = {
  requires: Requirements
  /** `createLink`: generated clients name functions after it. */
  name: string
  summary: string
  description: string
  tag: string
  /** Codes that the rules throw; others follow from the row (src/api/openapi/openapi-errors.ts). */
  errors?: readonly ErrorCode[]
  isDeprecated?: boolean
  /** `form`: also a plain HTML form. {@link UploadKinds}: a file, and `handle` gets an {@link Upload}. */
  accepts?: Accepts
  sends?: readonly string[]
  /** The rules bound their own work, so that a slow list does not delay a write of the workspace. */
  skipConcurrencyLimit?: true
  /** The answer of another protocol, for the documents: its rules write it. */
  plainReply?: TSchema
  /** Adds `x-robots-tag: noindex`, unless a reply has its own. */
  isUnlisted?: true
  /** Lasts for minutes or hours; a gateway gives it a connection of its own. */
  isLongLived?: true
  /**
   * The answer has an `ETag` of its data and `meta`, leaving out these fields of `meta`, which change by themselves.
   */
  etagWithout?: readonly string[]
  /** The rule saves its response in its transaction. */
  idempotent?: true
  /** The rule calls `requireMatch` in its transaction. */
  supportsIfMatch?: true
  /** Called before the body is read, unless the response is stored already. @throws ApiError RATE_LIMITED */
  requireRate?: (principal: Principal) => Promise<void>
  /** @throws ApiError NOT_FOUND or FORBIDDEN for the resource in the path */
  find?: (principal: Principal, params: Params, signal?: AbortSignal) => Promise<unknown>
}

/**
 * A route of the API as data, run in the order of src/api/requests/pipeline.ts. The signal is aborted when the
 * response is sent, the client disconnects or the request times out. Reads end with it; writes ignore it, so that
 * none stops half-way.
 */
type Row<
  S extends Shapes,
  R extends Requirements,
  A extends Accepts | undefined,
  M extends readonly string[] | undefined,
> = Omit<Common, 'requires' | 'idempotent' | 'accepts' | 'sends'> & {
  requires: R
  accepts?: A
  sends?: M
  limits?: Partial<Limits>
  idempotent?: R extends { role: Role } | { credential: 'session' } ? true : never
  shapes: S
  tier?: Tier
  status?: 201 | 202 | 204
  handle: R extends { role: Role }
    ? (
        principal: Principal,
        input: Input<S, A>,
        signal?: AbortSignal,
        caller?: Caller,
      ) => Promise<
        M extends readonly string[] ? Sent : S['reply'] extends TSchema ? ReplyData<S> : void
      >
    : (caller: Caller, input: Input<S, A>, signal?: AbortSignal) => Promise<Reply<ReplyData<S>>>
}

/** What most resources require: viewers read, and members write. Spread it in a route. */
export function scopedTo<
  const Scope extends string,
  const Tag extends string,
  const Writer extends Role = 'member',
>(scope: Scope, tag: Tag, writer = 'member' as Writer) {
  return {
    reads: { requires: { credential: 'any', role: 'viewer', scope: `${scope}:read` }, tag },
    writes: { requires: { credential: 'any', role: writer, scope: `${scope}:write` }, tag },
  } as const
}

export function getUploadKinds({ accepts }: Pick<Route, 'accepts'>): UploadKinds | null {
  return typeof accepts === 'object' ? accepts : null
}

export type Route = Common & {
  method: Method
  path: string
  shapes: Shapes
  tier: Tier
  status: 200 | 201 | 202 | 204
  limits: Limits
  handle: (caller: Caller, input: unknown, signal: AbortSignal) => Promise<Reply<unknown>>
}

/** A single resource has an `ETag`, made from its `updatedAt`. */
export function isVersioned({ shapes: { reply } }: Pick<Route, 'shapes'>): boolean {
  const { properties = {} } = (reply ?? {}) as { properties?: object }
  return 'updatedAt' in properties
}

export function route<
  const S extends Shapes,
  const R extends Requirements,
  const A extends Accepts | undefined = undefined,
  const M extends readonly string[] | undefined = undefined,
>(address: `${Method} /${string}`, row: Row<S, R, A, M>): Route {
  const [method, path] = address.split(' ') as [Method, string]
  const handle = row.handle as (identity: unknown, ...rest: unknown[]) => Promise<unknown>
  const kind = row.sends ? 'sent' : 'data'
  return {
    ...(row as Common & Pick<Route, 'shapes'>),
    limits: { ...DEFAULT_LIMITS, ...row.limits },
    tier: row.tier ?? 'api',
    status: row.status ?? 200,
    method,
    path,
    handle: row.requires.role
      ? async (caller, input, signal) =>
          ({ [kind]: await handle(caller.principal, input, signal, caller) }) as Reply<unknown>
      : (handle as Route['handle']),
  }
}
