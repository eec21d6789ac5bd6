import { Type, type TObject, type TSchema } from 'typebox'
import type { AccountRoute, Route, Shapes } from '../base/route.ts'
import { annotationOf, described, named } from '../base/shape.ts'
import { GEO_ATTRIBUTION } from '../facts/country.ts'
import { createErrorResponses, Meta, PAGE } from './openapi-errors.ts'
import { ALWAYS, headerComponents, headersOf, QUOTA, RATE } from './openapi-headers.ts'
import { createSchemaWriter, exampleOf, type SchemaWriter } from './openapi-shapes.ts'
import { writeWebhooks, type DocumentedEvent } from './openapi-webhooks.ts'
import { isCounted } from './quota.ts'

/** The success envelope around a route's reply (spec, Response envelope). */
export function envelope(shapes: Shapes): TSchema {
  return Type.Object({
    data: shapes.reply!,
    meta: described(shapes.meta ? withRequestId(shapes.meta) : Meta, 'Facts about the answer.'),
  })
}

/** The meta of a page under the name that its shape has. */
function withRequestId(meta: TObject): TObject {
  const { name } = annotationOf(meta)
  const whole = Type.Object({ ...Meta.properties, ...meta.properties })
  return name === undefined ? whole : named(name, whole)
}

type Documented = {
  title: string
  description: string
  version: string
  rows: readonly (Route | AccountRoute)[]
  events: readonly DocumentedEvent[]
}

/** The OpenAPI 3.1 document of route tables. What a route validates and answers is what is written here. */
function openApiDocument({ title, description, version, rows, events }: Documented) {
  const writer = createSchemaWriter()
  const errors = createErrorResponses(writer)
  const schemes = rows.some((row) => row.credential !== 'session' && row.credential !== 'none')
    ? SECURITY_SCHEMES
    : { session: SECURITY_SCHEMES.session }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][row.method.toLowerCase()] = operation(row, writer, errors)
  }
  const webhooks = writeWebhooks(events, writer)
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    tags: [...new Set(rows.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    ...(events.length > 0 && { webhooks }),
    components: {
      securitySchemes: schemes,
      schemas: sorted(writer.schemas),
      responses: sorted(errors.responses),
      headers: headerComponents(),
    },
  }
}

const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sp_…`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'signpost_session',
    description: 'A signed-in person; named `__Host-signpost_session` on https.',
  },
} as const

function sorted<T>(components: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
}

const AUTH_PATH = /^\/auth(\/|$)/

/**
 * The two documents of the program: its API, and the auth service (contract, Auth service).
 * @param events what endpoints receive, for the `webhooks` of the first
 */
export function openApiDocuments(
  version: string,
  routes: readonly Route[],
  accountRoutes: readonly AccountRoute[],
  events: readonly DocumentedEvent[] = [],
) {
  return {
    api: openApiDocument({
      title: 'Signpost',
      description: `Short links and their analytics. [${GEO_ATTRIBUTION.text}](${GEO_ATTRIBUTION.url}).`,
      version,
      rows: [...routes, ...accountRoutes.filter(({ path }) => !AUTH_PATH.test(path))],
      events,
    }),
    auth: openApiDocument({
      title: 'Signpost accounts',
      description: 'Sign-up, sign-in, sessions and what protects an account.',
      version,
      rows: accountRoutes.filter(({ path }) => AUTH_PATH.test(path)),
      events: [],
    }),
  }
}

function securityOf(credential: 'none' | 'session' | 'any') {
  if (credential === 'none') return []
  return credential === 'session' ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }]
}

function operation(
  row: Route | AccountRoute,
  { write }: SchemaWriter,
  errors: ReturnType<typeof createErrorResponses>,
) {
  const { shapes } = row
  return {
    operationId: row.name,
    summary: row.summary,
    description: `${row.description} ${needsOf(row)}`,
    tags: [row.tag],
    security: securityOf(row.credential ?? 'any'),
    ...(row.isDeprecated && { deprecated: true }),
    parameters: [
      ...parameters(shapes.params, 'path', write),
      ...parameters(shapes.query, 'query', write),
    ],
    ...(shapes.body && { requestBody: requestBody(shapes.body, write) }),
    responses: { ...successOf(row, write), ...errors.of(row, isPage(row)) },
  }
}

/** A page shows its errors as pages to browsers; what a form sends is answered so only to browsers. */
function isPage(row: Route | AccountRoute): boolean {
  return !('access' in row) && row.method === 'GET' && !row.shapes.reply
}

function needsOf(row: Route | AccountRoute): string {
  if ('access' in row) {
    const scope = row.scope === null ? '' : ` and, for a key with scopes, \`${row.scope}\``
    const session = row.credential === 'session' ? ', by a session: API keys are refused' : ''
    return `Needs the role \`${row.access}\`${scope}${session}.`
  }
  const limit = row.tier === 'auth' ? ' Strictly limited by client address.' : ''
  return `Needs ${CREDENTIALS[row.credential]}.${limit}`
}

const CREDENTIALS = {
  none: 'no credential',
  session: 'a session',
  any: 'a session or an API key',
} as const

type Write = SchemaWriter['write']

/** A body that may be null may also be left out. The forms of pages are not part of the API. */
function requestBody(body: TSchema, write: Write) {
  const { type } = body as { type?: unknown }
  const { of } = annotationOf(body)
  const isOptional = Array.isArray(type) && type.includes('null')
  return {
    required: !isOptional,
    content: {
      'application/json': {
        schema: write(isOptional && of ? of : body),
        example: exampleOf(body, true),
      },
    },
  }
}

const DONE = { 200: 'Success.', 201: 'Created.', 202: 'Accepted; the work goes on.' } as const

/** An account's route without a reply shows a page or leads elsewhere. */
function successOf(row: Route | AccountRoute, write: Write) {
  const { shapes, status } = row
  const isQuota = row.credential !== 'none' && isCounted(`/v1${row.path}`)
  const headers = headersOf([...ALWAYS, ...RATE, ...(isQuota ? QUOTA : [])])
  if (status === 204) return { 204: { description: 'Done; the answer has no body.', headers } }
  if (!shapes.reply)
    return {
      [status]: { description: 'A page for a person.', headers, content: { 'text/html': PAGE } },
      302: {
        description: 'The browser goes on to another address.',
        headers: headersOf([...ALWAYS, ...RATE, 'Location']),
      },
    }
  const answer = envelope(shapes)
  return {
    [status]: {
      description: DONE[status],
      headers,
      content: { 'application/json': { schema: write(answer), example: exampleOf(answer) } },
    },
  }
}

function parameters(shape: Shapes['query'], place: 'path' | 'query', write: Write) {
  if (!shape) return []
  return Object.entries(shape.properties)
    .filter(([, each]) => !annotationOf(each).isHidden)
    .map(([name, each]) => {
      const { description, ...schema } = write(each)
      return {
        name,
        in: place,
        description,
        required: place === 'path' || (isRequired(shape, name) && !('default' in each)),
        schema,
      }
    })
}

function isRequired(shape: TObject, name: string): boolean {
  return (shape.required as string[] | undefined)?.includes(name) ?? false
}
