import { Type, type TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../base/errors.ts'
import type { AccountRoute, Route } from '../base/route.ts'
import { described, named } from '../base/shape.ts'
import { ALWAYS, headersOf, RATE, type HeaderName } from './openapi-headers.ts'
import type { SchemaWriter } from './openapi-shapes.ts'
import { isCounted } from './quota.ts'

/** What refuses a request before its route is known, or before it has arrived. */
const TRANSPORT: readonly ErrorCode[] = [
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'EXPECTATION_FAILED',
  'HEADERS_TOO_LARGE',
]

/**
 * The codes that a route can answer, those of the transport left out: what follows from its row,
 * and what the row declares. Any write may meet another change of the same rows.
 */
export function errorCodesOf(row: Route | AccountRoute): ErrorCode[] {
  const isResource = 'access' in row
  const isWrite = row.method !== 'GET'
  const isOpen = row.credential === 'none'
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
    ...(row.errors ?? []),
  ])
  const derived: [boolean, ...ErrorCode[]][] = [
    [!isOpen, 'UNAUTHORIZED', 'FORBIDDEN'],
    [isWrite, 'FORBIDDEN', 'CONFLICT'],
    [isResource && row.find !== undefined, 'NOT_FOUND'],
    [row.shapes.body !== undefined, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    [!isOpen && isCounted(`/v1${row.path}`), 'PLAN_LIMIT_REACHED'],
  ]
  for (const [holds, ...each] of derived) if (holds) for (const code of each) codes.add(code)
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code))
}

/** `PLAN_LIMIT_REACHED` as `PlanLimitReached`. */
function pascal(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `NOT_FOUND` is described by `NotFoundError`, `VALIDATION_ERROR` by `ValidationError`. */
function schemaNameOf(code: ErrorCode): string {
  return `${pascal(code).replace(/Error$/, '')}Error`
}

const ErrorDetail = named(
  'ErrorDetail',
  Type.Object({
    path: described(
      Type.String(),
      'The field, as in `destinationUrl` or `events.0`; empty for the whole body.',
      'name',
    ),
    message: described(Type.String(), 'What is wrong with it, for people.', 'name is required.'),
    code: Type.Optional(
      described(Type.String(), 'What is wrong with it, for programs.', 'required'),
    ),
  }),
)

const Details = described(
  Type.Array(ErrorDetail),
  'What is wrong, one entry for each field; empty where the code says all.',
)
const Count = (description: string, example: number) =>
  described(Type.Integer(), description, example)
const Word = (description: string, example: string) =>
  described(Type.String(), description, example)

/** The `details` of codes that carry named facts. */
const DETAILS: Partial<Record<ErrorCode, TSchema>> = {
  FORBIDDEN: Type.Object({
    requiredRole: Type.Optional(Word('The role that the request takes.', 'admin')),
    requiredScope: Type.Optional(Word('The scope that the key lacks.', 'links:write')),
    reason: Type.Optional(Word('Why a provider’s sign-in was refused.', 'sign_up_closed')),
    limit: Type.Optional(Word('The limit of this server that is reached.', 'workspaces')),
    max: Type.Optional(Count('How many it allows.', 10)),
    used: Type.Optional(Count('How many there are.', 10)),
  }),
  PLAN_CAPABILITY_REQUIRED: Type.Object({
    capability: Word('What the plan does not include.', 'webhooks'),
    plan: Word('The plan of the workspace.', 'free'),
  }),
  PLAN_LIMIT_REACHED: Type.Object({
    limit: Word('The limit that is reached.', 'links'),
    max: Type.Unsafe({
      type: ['integer', 'null'],
      description: 'How many it allows.',
      examples: [1000],
    }),
    used: Type.Optional(Count('How many are used.', 1000)),
  }),
  CONFLICT: Type.Object({
    reason: Type.Optional(Word('Which state it is.', 'already_linked')),
    workspaces: Type.Optional(
      described(
        Type.Array(
          Type.Object({
            id: Word('Id of the workspace.', 'wsp_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
            name: Word('Its name.', 'Marketing'),
          }),
        ),
        'Workspaces without another owner.',
      ),
    ),
  }),
  RATE_LIMITED: Type.Object({
    retryAfter: Count('Seconds to wait.', 12),
    limit: Count('Requests of one window.', 60_000),
    window: Count('Length of the window in seconds.', 60),
  }),
  UNAVAILABLE: Type.Object({
    reason: Type.Optional(Word('Which part does not answer.', 'provider_unavailable')),
  }),
}

/** Codes whose `details` are never the empty list. */
const ALWAYS_NAMED: readonly ErrorCode[] = [
  'PLAN_CAPABILITY_REQUIRED',
  'PLAN_LIMIT_REACHED',
  'RATE_LIMITED',
]

function detailsOf(code: ErrorCode): TSchema {
  const shape = DETAILS[code]
  if (shape === undefined) return Details
  const facts = described(
    named(`${schemaNameOf(code)}Details`, shape),
    'What the refusal depends on.',
  )
  return ALWAYS_NAMED.includes(code)
    ? facts
    : described(Type.Union([facts, Details]), 'What the refusal depends on, if anything.')
}

const RequestId = described(
  Type.String(),
  'The id of the request, as in the header x-request-id.',
  'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
)

export const Meta = named('Meta', Type.Object({ requestId: RequestId }))

function errorShape(name: string, code: TSchema, message: string, details: TSchema): TSchema {
  return named(
    name,
    Type.Object({
      error: described(
        Type.Object({
          code,
          message: described(Type.String(), 'What happened, for people; it may change.', message),
          details,
          requestId: RequestId,
        }),
        'What went wrong.',
      ),
      meta: described(Meta, 'Facts about the answer.'),
    }),
  )
}

/** The body of an error, by its code. */
const ERROR_SHAPES = Object.fromEntries(
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const constant = described(Type.Literal(code), `\`${code}\` (${ERRORS[code][0]}).`)
    return [code, errorShape(schemaNameOf(code), constant, ERRORS[code][1], detailsOf(code))]
  }),
) as Record<ErrorCode, TSchema>

const TransportError = errorShape(
  'TransportError',
  described(
    Type.String({ enum: [...TRANSPORT] }),
    'What refused the request before its route did.',
    'METHOD_NOT_ALLOWED',
  ),
  ERRORS.METHOD_NOT_ALLOWED[1],
  Details,
)

/** Writes the error responses of operations: each status with its codes, as a shared component. */
export function createErrorResponses({ write, schemas }: SchemaWriter) {
  const responses: Record<string, unknown> = {}
  // Also those that no route declares, so that a client can tell all of them apart.
  const all = (Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => code !== 'BLOCKED')
    .map((code) => write(ERROR_SHAPES[code]))
  schemas['ErrorResponse'] = {
    description: 'Any error. `error.code` tells which one it is.',
    oneOf: all,
  }

  function respond(name: string, response: Record<string, unknown>) {
    responses[name] = response
    return { $ref: `#/components/responses/${name}` }
  }

  function contentOf(schema: unknown, showsPages: boolean) {
    return { 'application/json': { schema }, ...(showsPages && { 'text/html': PAGE }) }
  }

  /** The error responses of a row by their status, and `default`. */
  function of(row: Route | AccountRoute, showsPages: boolean): Record<string, unknown> {
    const suffix = showsPages ? 'Page' : ''
    const byStatus = new Map<number, ErrorCode[]>()
    for (const code of errorCodesOf(row)) {
      const [status] = ERRORS[code]
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
    const found: Record<string, unknown> = {}
    for (const [status, codes] of byStatus) {
      const shapes = codes.map((code) => write(ERROR_SHAPES[code]))
      found[status] = respond(codes.map(pascal).join('Or') + suffix, {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join(' '),
        headers: headersOf(headerNamesOf(status)),
        content: contentOf(shapes.length === 1 ? shapes[0] : { oneOf: shapes }, showsPages),
      })
    }
    found['default'] = respond(`Transport${suffix}`, {
      description: 'Refused before the route was reached; `error.code` says how.',
      headers: headersOf([...ALWAYS, 'Allow']),
      content: contentOf(write(TransportError), showsPages),
    })
    return found
  }

  return { of, responses }
}

/** A page for a person. */
export const PAGE = { schema: { type: 'string', description: 'A page for a person.' } }

function headerNamesOf(status: number): HeaderName[] {
  if (status === 401) return [...ALWAYS, 'WwwAuthenticate']
  if (status === 429) return [...ALWAYS, ...RATE, 'RetryAfter']
  if (status === 503) return [...ALWAYS, 'RetryAfter']
  return status < 500 ? [...ALWAYS, ...RATE] : [...ALWAYS]
}
