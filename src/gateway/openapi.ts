import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { ERRORS } from '../base/errors.ts'
import type { AccountRoute, Route, Shapes } from '../base/route.ts'
import { GEO_ATTRIBUTION } from '../facts/country.ts'

/** The success envelope around a route's reply (spec, Response envelope). */
export function envelope(shapes: Shapes): TSchema {
  return Type.Object({
    data: shapes.reply!,
    meta: Type.Object({ requestId: Type.String(), ...shapes.meta?.properties }),
  })
}

const ErrorAnswer = Type.Object({
  error: Type.Object({
    code: Type.String({ enum: Object.keys(ERRORS) }),
    message: Type.String(),
    details: Type.Unknown(),
    requestId: Type.String(),
  }),
  meta: Type.Object({ requestId: Type.String() }),
})

type DocumentParts = {
  title: string
  description: string
  version: string
  routes: readonly Route[]
  accountRoutes: readonly AccountRoute[]
}

/** The OpenAPI 3.1 document of route tables. What a route validates and answers is what is written here. */
function openApiDocument({ title, description, version, ...tables }: DocumentParts) {
  const rows = [...tables.routes, ...tables.accountRoutes]
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][row.method.toLowerCase()] = operation(row)
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/v1' }],
    security: securityOf('any'),
    tags: [...new Set(rows.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sp_…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'signpost_session',
          description: 'A signed-in person; named `__Host-signpost_session` on https.',
        },
      },
      schemas: { Error: ErrorAnswer },
      responses: {
        Error: {
          description: 'The request failed; `error.code` says how.',
          headers: { 'x-request-id': { schema: Type.String() } },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  }
}

const AUTH_PATH = /^\/auth(\/|$)/

/** The two documents of the program: its API, and the auth service (contract, Auth service). */
export function openApiDocuments(
  version: string,
  routes: readonly Route[],
  accountRoutes: readonly AccountRoute[],
) {
  return {
    api: openApiDocument({
      title: 'Signpost',
      description: `Short links and their analytics. [${GEO_ATTRIBUTION.text}](${GEO_ATTRIBUTION.url}).`,
      version,
      routes,
      accountRoutes: accountRoutes.filter(({ path }) => !AUTH_PATH.test(path)),
    }),
    auth: openApiDocument({
      title: 'Signpost accounts',
      description: 'Sign-up, sign-in, sessions and what protects an account.',
      version,
      routes: [],
      accountRoutes: accountRoutes.filter(({ path }) => AUTH_PATH.test(path)),
    }),
  }
}

function securityOf(credential: 'none' | 'session' | 'any') {
  if (credential === 'none') return []
  return credential === 'session' ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }]
}

function operation(row: Route | AccountRoute) {
  const { shapes } = row
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replace(/[/:-]+(\w)/g, (_, c: string) => c.toUpperCase())}`,
    summary: row.summary,
    description: needsOf(row),
    tags: [row.tag],
    security: securityOf(row.credential ?? 'any'),
    parameters: [...parameters(shapes.params, 'path'), ...parameters(shapes.query, 'query')],
    ...(shapes.body && {
      requestBody: { required: true, content: contentOf(row, shapes.body) },
    }),
    responses: {
      ...successOf(row),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

function needsOf(row: Route | AccountRoute): string {
  if ('access' in row) {
    const scope = row.scope === null ? '' : ` and, for a key with scopes, \`${row.scope}\``
    return `Needs the role \`${row.access}\`${scope}.`
  }
  const limit = row.tier === 'auth' ? ' Strictly limited by client address.' : ''
  return `Needs ${CREDENTIALS[row.credential]}.${limit}`
}

const CREDENTIALS = {
  none: 'no credential',
  session: 'a session',
  any: 'a session or an API key',
} as const

function contentOf(row: Route | AccountRoute, schema: TSchema) {
  const isForm = 'accepts' in row && row.accepts === 'form'
  return {
    'application/json': { schema },
    ...(isForm && { 'application/x-www-form-urlencoded': { schema } }),
  }
}

/** An account's route without a reply shows a page or leads elsewhere. */
function successOf(row: Route | AccountRoute) {
  const headers = { 'x-request-id': { schema: Type.String() } }
  const { shapes } = row
  if (shapes.reply)
    return {
      [row.status]: {
        description: 'Success.',
        headers,
        content: { 'application/json': { schema: envelope(shapes) } },
      },
    }
  if ('access' in row || row.status === 204)
    return { [row.status]: { description: 'Done; no body.' } }
  return {
    [row.status]: { description: 'A page for a person.', headers, content: { 'text/html': {} } },
    302: { description: 'The way on.', headers },
  }
}

function parameters(shape: Shapes['query'], place: 'path' | 'query') {
  if (!shape) return []
  return Object.entries(shape.properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path',
    schema,
  }))
}
