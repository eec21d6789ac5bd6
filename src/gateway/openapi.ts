import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { ERRORS } from '../base/errors.ts'
import type { Route, Shapes } from '../base/route.ts'
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

/** The OpenAPI 3.1 document of the route tables. What a route validates and answers is what is written here. */
export function openApiDocument(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of routes) {
    const path = row.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][row.method.toLowerCase()] = operation(row)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signpost',
      version,
      description: `Short links and their analytics. [${GEO_ATTRIBUTION.text}](${GEO_ATTRIBUTION.url}).`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sp_…`.' },
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

function operation(row: Route) {
  const { shapes } = row
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replace(/[/:-]+(\w)/g, (_, c: string) => c.toUpperCase())}`,
    summary: row.summary,
    description: `Needs the role \`${row.access}\`${row.scope ? ` and, for a key with scopes, \`${row.scope}\`` : ''}.`,
    tags: [row.tag],
    parameters: [...parameters(shapes.params, 'path'), ...parameters(shapes.query, 'query')],
    ...(shapes.body && {
      requestBody: { required: true, content: { 'application/json': { schema: shapes.body } } },
    }),
    responses: {
      [row.status]: shapes.reply
        ? {
            description: 'Success.',
            headers: { 'x-request-id': { schema: Type.String() } },
            content: { 'application/json': { schema: envelope(shapes) } },
          }
        : { description: 'Done; no body.' },
      default: { $ref: '#/components/responses/Error' },
    },
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
