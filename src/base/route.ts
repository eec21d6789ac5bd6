import type { Static, TObject, TSchema } from 'typebox'
import type { Caller, Cookie } from './caller.ts'
import type { ErrorCode } from './errors.ts'
import type { Role, Who } from './who.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The shapes of one route: TypeBox values that validate what comes in and serialize what goes out. */
export type Shapes = {
  params?: TObject
  query?: TObject
  body?: TSchema
  /** The `data` of the envelope; absent for a 204. */
  reply?: TSchema
  /** Fields of `meta` beside `requestId`. */
  meta?: TObject
}

type In<S, Default> = S extends TSchema ? Static<S> : Default

export type Input<S extends Shapes> = {
  params: In<S['params'], Record<string, string>>
  query: In<S['query'], Record<string, never>>
  body: In<S['body'], undefined>
}

/** What `handle` returns: the `data` alone, or a page of it with its `meta` (see {@link page}). */
type Output<S extends Shapes> = S['reply'] extends TSchema
  ? S['meta'] extends TSchema
    ? Page<Static<S['reply']>, Static<S['meta']>>
    : Static<S['reply']>
  : void

const PAGE = Symbol('page')
export type Page<Data, Meta> = { [PAGE]: true; data: Data; meta: Meta }

export function page<Data, Meta>(data: Data, meta: Meta): Page<Data, Meta> {
  return { [PAGE]: true, data, meta }
}

export function isPage(value: unknown): value is Page<unknown, Record<string, unknown>> {
  return typeof value === 'object' && value !== null && PAGE in value
}

/** What the OpenAPI document says of a route; both kinds of rows have it. */
type Operation = {
  /** The operation id, which generated clients take for a function's name: a verb and a noun, as in `createLink`. */
  name: string
  /** One line for the reference. */
  summary: string
  /** One or two sentences on what the summary leaves open. */
  description: string
  tag: string
  /** Codes that the rules throw, beside those that follow from the row itself (src/gateway/openapi-errors.ts). */
  errors?: readonly ErrorCode[]
  /** Another address of the same operation, kept for clients that have it. */
  isDeprecated?: boolean
}

/**
 * One row of a `routes.ts` table: the door of a feature, as data. The gateway does the rest, in
 * this order: credential (401), `find` (404 or 403 of the resource), role and scope (403),
 * `requireRate` (429), shapes (400), `handle`.
 */
export type Route<S extends Shapes = Shapes> = Operation & {
  method: Method
  /** Below `/v1`, with `:name` parameters. */
  path: string
  /** The lowest role that may call it. */
  access: Role
  /** What an API key with scopes needs. `null`: any key will do. */
  scope: string | null
  /** `session`: API keys are refused. */
  credential?: 'any' | 'session'
  /** The rate limit it falls under; `api` when it says nothing. */
  tier?: 'api' | 'ingestion' | 'preview'
  status: 200 | 201 | 202 | 204
  shapes: S
  /**
   * The rules bound their own work (heavy reads, long polls), so it takes none of the places that the
   * gateway gives to each user and workspace: a slow list holds up no write of the same workspace.
   */
  boundsOwnWork?: true
  /**
   * Refuses a request before its body is read; runs after role and scope.
   * @throws ApiError RATE_LIMITED when a rate of the workspace is used up
   */
  requireRate?: (who: Who) => Promise<void>
  /** Throws NOT_FOUND or FORBIDDEN for the resource that the path names. */
  find?: (who: Who, params: Record<string, string>, signal?: AbortSignal) => Promise<unknown>
  /**
   * The signal is aborted once the answer has been sent or the client is gone. Reads end with it;
   * a write does not use it, and is never cut off half-way.
   */
  handle: (who: Who, input: Input<S>, signal?: AbortSignal) => Promise<Output<S>>
}

/** Types a row by its own shapes. */
export function route<const S extends Shapes>(row: Route<S>): Route {
  return row as unknown as Route
}

/** What an account's route answers: data in the envelope, a page, or the way to somewhere else. */
export type Reply<Data> =
  | { data: Data; cookies?: readonly Cookie[] }
  | { html: string; status?: number; cookies?: readonly Cookie[] }
  | { redirect: string; cookies?: readonly Cookie[] }

type AccountOutput<S extends Shapes> = S['reply'] extends TSchema
  ? Reply<
      S['meta'] extends TSchema ? Page<Static<S['reply']>, Static<S['meta']>> : Static<S['reply']>
    >
  : Reply<undefined>

/**
 * A row of the doors that open before there is a `Who`: the auth service, and what a person does
 * across workspaces. Order: rate limit, credential (401), shapes (400), `handle`.
 */
export type AccountRoute<S extends Shapes = Shapes> = Operation & {
  method: Method
  /** Below `/v1`, with `:name` parameters. */
  path: string
  /** `none`: anybody; `session`: a signed-in person, never an API key; `any`: either of the two. */
  credential: 'none' | 'session' | 'any'
  /** `form`: the body may also come from a plain HTML form (`application/x-www-form-urlencoded`). */
  accepts?: 'form'
  /** `auth`: the strict limit for what guesses at passwords, tokens and codes. */
  tier: 'api' | 'auth'
  status: 200 | 201 | 202 | 204
  shapes: S
  /** The signal is that of {@link Route}. */
  handle: (caller: Caller, input: Input<S>, signal?: AbortSignal) => Promise<AccountOutput<S>>
}

/** Types a row by its own shapes. */
export function accountRoute<const S extends Shapes>(row: AccountRoute<S>): AccountRoute {
  return row as unknown as AccountRoute
}
