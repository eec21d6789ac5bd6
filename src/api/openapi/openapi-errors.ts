import { Type, type TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../platform/core/errors.ts'
import { getUploadKinds, type Route } from '../../platform/routes/route.ts'
import { described, named, object } from '../../platform/routes/shape.ts'
import { ALWAYS, referHeaders, RATE, type HeaderName } from './openapi-headers.ts'
import type { SchemaWriter } from './openapi-shapes.ts'
import { isCounted } from '../requests/rates.ts'

/** Requests that are refused before their route is known, or before they have arrived. */
const TRANSPORT: readonly ErrorCode[] = [
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'EXPECTATION_FAILED',
  'HEADERS_TOO_LARGE',
]

/** Derived from the row of the route, or declared there. Any write may conflict with another change of the same rows. */
export function listErrorCodes(row: Route): ErrorCode[] {
  const isWrite = row.method !== 'GET'
  const isPublic = row.requires.credential === 'none'
  const codes = new Set<ErrorCode>([
    'VALIDATION_ERROR',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
    ...(row.errors ?? []),
  ])
  const derived: [boolean, ...ErrorCode[]][] = [
    [!isPublic, 'UNAUTHORIZED', 'FORBIDDEN'],
    [isWrite, 'FORBIDDEN', 'CONFLICT'],
    [row.find !== undefined, 'NOT_FOUND'],
    [row.supportsIfMatch === true, 'PRECONDITION_FAILED'],
    [row.idempotent === true, 'CONFLICT', 'SECRET_KEY_CHANGED'],
    [
      row.shapes.body !== undefined || getUploadKinds(row) !== null,
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [!isPublic && isCounted(`/v1${row.path}`), 'PLAN_LIMIT_REACHED'],
  ]
  for (const [applies, ...added] of derived) if (applies) for (const code of added) codes.add(code)
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code))
}

function pascal(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function toSchemaName(code: ErrorCode): string {
  return `${pascal(code).replace(/Error$/, '')}Error`
}

const ErrorDetail = object('ErrorDetail', {
  path: described(
    Type.String(),
    'The field, as in `destinationUrl` or `events.0`; empty for the whole body.',
    'name',
  ),
  message: described(Type.String(), 'The problem, for users.', 'name is required.'),
  code: Type.Optional(described(Type.String(), 'The problem, for programs.', 'required')),
})

const Details = described(
  Type.Array(ErrorDetail),
  'One entry for each wrong field; empty where the code is sufficient.',
)
const Count = (description: string, example: number) =>
  described(Type.Integer(), description, example)
const Word = (description: string, example: string) =>
  described(Type.String(), description, example)

const DETAILS: Partial<Record<ErrorCode, TSchema>> = {
  FORBIDDEN: Type.Object({
    requiredRole: Type.Optional(Word('The role that the request needs.', 'admin')),
    requiredScope: Type.Optional(Word('The scope that the key lacks.', 'links:write')),
    reason: Type.Optional(
      Word('The reason why the sign-in with a provider was refused.', 'sign_up_closed'),
    ),
    limit: Type.Optional(Word('The limit of this server that is reached.', 'workspaces')),
    max: Type.Optional(Count('The largest number that it allows.', 10)),
    used: Type.Optional(Count('The present number.', 10)),
  }),
  PLAN_CAPABILITY_REQUIRED: Type.Object({
    capability: Word('The feature that the plan does not include.', 'webhooks'),
    plan: Word('The plan of the workspace.', 'free'),
  }),
  PLAN_LIMIT_REACHED: Type.Object({
    limit: Word('The limit that is reached.', 'links'),
    max: Type.Unsafe({
      type: ['integer', 'null'],
      description: 'The largest number that it allows.',
      examples: [1000],
    }),
    used: Type.Optional(Count('The number in use.', 1000)),
  }),
  CONFLICT: Type.Object({
    reason: Type.Optional(Word('The state that the request conflicts with.', 'already_linked')),
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
  PRECONDITION_FAILED: Type.Object({
    etag: Word('The ETag of the current version.', '"mf2c3j4k"'),
    current: described(
      Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
      'The resource as it is now.',
      { id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'Spring sale' },
    ),
    present: described(
      Type.Unsafe<object>({ type: 'object', additionalProperties: true, deprecated: true }),
      'The same as `current`; deprecated.',
      { id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'Spring sale' },
    ),
  }),
  RATE_LIMITED: Type.Object({
    retryAfter: Count('Seconds to wait.', 12),
    limit: Count('Requests of one window.', 60_000),
    window: Count('Length of the window in seconds.', 60),
  }),
  UNAVAILABLE: Type.Object({
    reason: Type.Optional(
      Word('The part of the server that does not answer.', 'provider_unavailable'),
    ),
  }),
}

/** Their `details` are never the empty list. */
const ALWAYS_NAMED: readonly ErrorCode[] = [
  'PLAN_CAPABILITY_REQUIRED',
  'PLAN_LIMIT_REACHED',
  'PRECONDITION_FAILED',
  'RATE_LIMITED',
]

function describeDetails(code: ErrorCode): TSchema {
  const shape = DETAILS[code]
  if (shape === undefined) return Details
  const facts = described(named(`${toSchemaName(code)}Details`, shape), 'Facts about the refusal.')
  return ALWAYS_NAMED.includes(code)
    ? facts
    : described(Type.Union([facts, Details]), 'Facts about the refusal, if there are any.')
}

const RequestId = described(
  Type.String(),
  'The id of the request, as in the header x-request-id.',
  'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
)

export const Meta = object('Meta', { requestId: RequestId })

function errorShape(name: string, code: TSchema, message: string, details: TSchema): TSchema {
  return named(
    name,
    Type.Object({
      error: described(
        Type.Object({
          code,
          message: described(
            Type.String(),
            'A description for users; its wording may change.',
            message,
          ),
          details,
          requestId: RequestId,
        }),
        'The error.',
      ),
      meta: described(Meta, 'Metadata of the answer.'),
    }),
  )
}

const ERROR_SHAPES = Object.fromEntries(
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const constant = described(Type.Literal(code), `\`${code}\` (${ERRORS[code][0]}).`)
    return [code, errorShape(toSchemaName(code), constant, ERRORS[code][1], describeDetails(code))]
  }),
) as Record<ErrorCode, TSchema>

const TransportError = errorShape(
  'TransportError',
  described(
    Type.String({ enum: [...TRANSPORT] }),
    'The reason why the request was refused before its route was reached.',
    'METHOD_NOT_ALLOWED',
  ),
  ERRORS.METHOD_NOT_ALLOWED[1],
  Details,
)

export function createErrorResponses({ write, schemas }: SchemaWriter) {
  const responses: Record<string, unknown> = {}
  // Also codes that no route declares, so that a client can tell all of them apart.
  const all = (Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => code !== 'BLOCKED')
    .map((code) => write(ERROR_SHAPES[code]))
  schemas['ErrorResponse'] = {
    description: 'Any error; `error.code` names it.',
    oneOf: all,
  }

  function respond(name: string, response: Record<string, unknown>) {
    responses[name] = response
    return { $ref: `#/components/responses/${name}` }
  }

  function toContent(schema: unknown, showsPages: boolean) {
    return { 'application/json': { schema }, ...(showsPages && { 'text/html': PAGE }) }
  }

  function describe(row: Route, showsPages: boolean): Record<string, unknown> {
    const suffix = showsPages ? 'Page' : ''
    const byStatus = new Map<number, ErrorCode[]>()
    for (const code of listErrorCodes(row)) {
      const [status] = ERRORS[code]
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
    const found: Record<string, unknown> = {}
    for (const [status, codes] of byStatus) {
      const shapes = codes.map((code) => write(ERROR_SHAPES[code]))
      found[status] = respond(codes.map(pascal).join('Or') + suffix, {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join(' '),
        headers: referHeaders(listHeaders(status)),
        content: toContent(shapes.length === 1 ? shapes[0] : { oneOf: shapes }, showsPages),
      })
    }
    found['default'] = respond(`Transport${suffix}`, {
      description: 'Refused before the route was reached; `error.code` gives the reason.',
      headers: referHeaders([...ALWAYS, 'Allow']),
      content: toContent(write(TransportError), showsPages),
    })
    return found
  }

  return { describe, responses }
}

export const PAGE = { schema: { type: 'string', description: 'A page for a browser.' } }

function listHeaders(status: number): HeaderName[] {
  if (status === 401) return [...ALWAYS, 'WwwAuthenticate']
  if (status === 429) return [...ALWAYS, ...RATE, 'RetryAfter']
  if (status === 503) return [...ALWAYS, 'RetryAfter']
  return status < 500 ? [...ALWAYS, ...RATE] : [...ALWAYS]
}
