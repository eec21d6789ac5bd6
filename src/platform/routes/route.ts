import { SIZES } from '../limits/sizes.ts'
import { TIMES } from '../limits/times.ts'
import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Caller, Cookie } from './caller.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Role, Principal } from './principal.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The shapes of one route: TypeBox values that validate the input and serialize the output. */
export type Shapes = {
  params?: TObject
  query?: TObject
  /** Headers that the rule reads, in lower case; any other one is allowed. */
  headers?: TObject
  body?: TSchema
  /** Text fields of a form beside its file, in routes that take uploads; texts are converted as those of a query are. */
  fields?: TObject
  /** The `data` of the envelope; absent for a 204. */
  reply?: TSchema
  /** Fields of `meta` beside `requestId`. */
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

/** Answer of a route: data in the envelope, bytes of a type of their own, an HTML page, or a redirect. */
export type Reply<Data> =
  | { data: Data; cookies?: readonly Cookie[]; headers?: Readonly<Record<string, string>> }
  | { sent: Sent; cookies?: readonly Cookie[] }
  | { html: string; status?: number; cookies?: readonly Cookie[] }
  | { redirect: string; cookies?: readonly Cookie[] }

/** Bounds on one request. */
export type Limits = {
  bodyBytes: number
  /** Keys of all objects of a JSON body. */
  keys: number
  /** Items of all lists of a JSON body. */
  items: number
  /** The longest time until the answer; a streamed answer begins within it, and so does each part of it. */
  timeoutMs: number
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: SIZES.body.bytes,
  keys: 1_000,
  items: 10_000,
  timeoutMs: TIMES.request.ms,
}

/** Bodies that are a file. All other content types get a 415. */
export type UploadKinds = {
  /** Media types of a body that is the file itself, in lower case and without parameters. */
  raw?: readonly string[]
  /** Takes `multipart/form-data` with one file too. */
  multipart?: true
  /** The name of its part in a form; `file` by default. */
  file?: string
}

/** A file that arrived as a body, or as the one file of a form. */
export type Upload<Fields = Readonly<Record<string, string>>> = {
  /** In lower case and without parameters. In a form it is the type that the client gave the file. */
  contentType: string
  /** The last part of the path that the client sent, with any characters; null without one. */
  filename: string | null
  /** Of a form; each name once. */
  fields: Fields
  bytes: Buffer
}

/** A file of a known size, of which a client may ask for a part (RFC 9110, section 14). */
export type StoredFile = {
  /** In bytes. */
  size: number
  /** The bytes from one position to another, which is not included. */
  read: (from: number, to: number) => AsyncIterable<Buffer>
}

/** An answer that is no JSON. */
export type Sent = {
  /** One of the route's `sends`, with or without parameters. */
  contentType: string
  /** The generator of a stream ends by its `return()` when the client disconnects or takes nothing for some time. */
  body: Buffer | Readable | AsyncIterable<Buffer | string> | StoredFile
  /** Browsers save the answer under this name. */
  filename?: string
  /** Browsers show it, and save it under its name when asked to. */
  isInline?: true
  /** Identifies the bytes, without quotes; a request with it in `If-None-Match` gets a 304. */
  etag?: string
  /** The bytes behind the address never change, so that clients need not ask again. */
  isImmutable?: true
  headers?: Readonly<Record<string, string>>
}

/** Conditions that the gateway checks before it calls a route. */
export type Requirements = {
  /** `none`: public; `session`: a signed-in user, never an API key; `any`: either of the two. */
  credential: 'none' | 'session' | 'any'
  /** The query parameter that, when it is `true`, lets a request without a valid session through to the rule. */
  optionalBy?: string
  /** The lowest role. A route with one acts in a workspace; one without acts for a user, or for the public. */
  role?: Role
  /** Scope that an API key needs if it has scopes; without this any key will do. */
  scope?: string
}

/** The rate limit of a route. `auth`: the strict one, for requests that could guess passwords, tokens or codes. */
type Tier = 'api' | 'auth' | 'ingestion' | 'preview'

type Params = Record<string, string>
type Accepts = 'form' | UploadKinds

/** Fields that a row of a route table and a finished route have in common. */
type Common = {
  requires: Requirements
  /** The operation id, used by generated clients as a function name: a verb and a noun, as in `createLink`. */
  name: string
  /** One line for the API reference. */
  summary: string
  /** One or two sentences that add to the summary. */
  description: string
  tag: string
  /** Codes that the rules throw, beside those that follow from the row (src/api/openapi/openapi-errors.ts). */
  errors?: readonly ErrorCode[]
  /** An older address of the same operation. */
  isDeprecated?: boolean
  /**
   * `form`: the body may also come from a plain HTML form (`application/x-www-form-urlencoded`).
   * {@link UploadKinds}: the body is a file, and `handle` gets an {@link Upload}.
   */
  accepts?: Accepts
  /** Media types of an answer that is no JSON: `handle` returns {@link Sent}. */
  sends?: readonly string[]
  /**
   * The rules bound their own work (heavy reads, long polls), so the limit of concurrent requests of a
   * user and a workspace does not apply: a slow list does not delay a write of the same workspace.
   */
  skipConcurrencyLimit?: true
  /** Search engines may not list its answers (`x-robots-tag: noindex`), unless a reply has a header that says otherwise. */
  isUnlisted?: true
  /** Its answer lasts for minutes or hours, so that a gateway gives it a connection that no other route waits for. */
  isLongLived?: true
  /**
   * Takes an `Idempotency-Key`: of all requests with one key a single one has an effect, and the others get its
   * answer (docs/api.md). The rule keeps its answer in its transaction (src/platform/resources/idempotent-responses.ts).
   */
  idempotent?: true
  /** Takes `If-Match`: the rule compares it in its transaction (src/platform/resources/versions.ts). */
  supportsIfMatch?: true
  /**
   * Refuses a request before its body is read, unless it has an answer already.
   * @throws ApiError RATE_LIMITED when a rate of the workspace is used up
   */
  requireRate?: (principal: Principal) => Promise<void>
  /** @throws ApiError NOT_FOUND or FORBIDDEN for the resource that the path names */
  find?: (principal: Principal, params: Params, signal?: AbortSignal) => Promise<unknown>
}

/**
 * One row of a `routes.ts` table: a route of the API, as data. The rest is done by the gateway, in the
 * order of src/api/requests/pipeline.ts. With a required role `handle` takes a `Principal` and returns the data
 * of its reply; without one it takes a `Caller`, and returns a {@link Reply}.
 *
 * The signal is aborted when the answer has been sent, the client has disconnected or the request has
 * timed out. Reads end with it; a write ignores it, so that it is never stopped half-way.
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
  /** Bounds that differ from {@link DEFAULT_LIMITS}. */
  limits?: Partial<Limits>
  /** Keys belong to a workspace, or to the user of a session. */
  idempotent?: R extends { role: Role } | { credential: 'session' } ? true : never
  shapes: S
  tier?: Tier
  /** 200 by default. */
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

/** The bodies that a route takes as files; null for one that takes JSON. */
export function getUploadKinds({ accepts }: Pick<Route, 'accepts'>): UploadKinds | null {
  return typeof accepts === 'object' ? accepts : null
}

export type Route = Common & {
  method: Method
  /** Below `/v1`, with `:name` parameters. */
  path: string
  shapes: Shapes
  tier: Tier
  status: 200 | 201 | 202 | 204
  limits: Limits
  handle: (caller: Caller, input: unknown, signal: AbortSignal) => Promise<Reply<unknown>>
}

/** True when the answer has an `ETag`: that of the one resource in it, by its `updatedAt`. */
export function isVersioned({ shapes: { reply } }: Pick<Route, 'shapes'>): boolean {
  const { properties = {} } = (reply ?? {}) as { properties?: object }
  return 'updatedAt' in properties
}

/** @param address `GET /links/:id`, below `/v1` */
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
