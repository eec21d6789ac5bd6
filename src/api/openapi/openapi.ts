import { Type, type TObject, type TSchema } from 'typebox'
import {
  getUploadKinds,
  isVersioned,
  type Requirements,
  type Route,
  type Shapes,
  type UploadKinds,
} from '../../platform/routes/route.ts'
import { getAnnotation, described, named } from '../../platform/routes/shape.ts'
import { GEO_ATTRIBUTION } from '../../platform/facts/country.ts'
import { createErrorResponses, Meta, PAGE } from './openapi-errors.ts'
import { ALWAYS, headerComponents, referHeaders, QUOTA, RATE } from './openapi-headers.ts'
import { toExample } from '../../platform/routes/example.ts'
import { codeSamples } from './samples.ts'
import { createSchemaWriter, type SchemaWriter } from './openapi-shapes.ts'
import { isCounted } from '../requests/rates.ts'

export function envelope(shapes: Shapes): TSchema {
  return Type.Object({
    data: shapes.reply!,
    meta: described(shapes.meta ? withRequestId(shapes.meta) : Meta, 'Metadata of the answer.'),
  })
}

function withRequestId(meta: TObject): TObject {
  const { name } = getAnnotation(meta)
  const combined = Type.Object({ ...Meta.properties, ...meta.properties })
  return name === undefined ? combined : named(name, combined)
}

type Documented = {
  title: string
  description: string
  version: string
  rows: readonly Route[]
  events: readonly DocumentedEvent[]
  /** Of the programs in the reference. */
  origin: string
}

/** The OpenAPI 3.1 document of route tables, from the shapes that validate and serialize. */
function openApiDocument({ title, description, version, rows, events, origin }: Documented) {
  const writer = createSchemaWriter()
  const errors = createErrorResponses(writer)
  const schemes = rows.some((row) => row.requires.credential === 'any')
    ? SECURITY_SCHEMES
    : { session: SECURITY_SCHEMES.session }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][row.method.toLowerCase()] = operation(row, writer, errors, origin)
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
    description: 'A signed-in user; named `__Host-signpost_session` on https.',
  },
} as const

function sorted<T>(components: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Of all requests with the same key, only one has an effect. For 24 hours the others get its answer, with the header idempotency-replayed; another body is a 409.',
  required: false,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[ -~]+$',
    examples: ['order-1001-paid'],
  },
}

const WORKSPACE_ID = {
  name: 'workspaceId',
  in: 'query',
  description:
    'The workspace to act in, for requests that cannot send the header x-signpost-workspace: downloads, images, links. If both are sent they must match (else 400). An API key can only name its own workspace (else 403).',
  required: false,
  schema: { type: 'string', maxLength: 64, examples: ['wsp_01ARZ3NDEKTSV4RRFFQ69G5FAV'] },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag of the version to change. If it has changed since, nothing is written and the answer is a 412 with the current version. `*` or no header: any version.',
  required: false,
  schema: { type: 'string', minLength: 1, examples: ['"mf2c3j4k"'] },
}

/** Routes that act for a user and never for a workspace, with or without a key. */
function isOfAccounts({ path, requires }: Route): boolean {
  return /^\/auth(\/|$)/.test(path) || requires.operator === true
}

export function openApiDocuments(
  version: string,
  routes: readonly Route[],
  events: readonly DocumentedEvent[],
) {
  return {
    api: (origin: string) =>
      openApiDocument({
        title: 'Signpost',
        description: `Short links and their analytics. [${GEO_ATTRIBUTION.text}](${GEO_ATTRIBUTION.url}).`,
        version,
        rows: routes.filter((row) => !isOfAccounts(row)),
        events,
        origin,
      }),
    auth: (origin: string) =>
      openApiDocument({
        title: 'Signpost accounts',
        description:
          'Sign-up, sign-in, sessions and the protection of accounts, and what operators manage.',
        version,
        rows: routes.filter(isOfAccounts),
        events: [],
        origin,
      }),
  }
}

function listSecurity({ credential, optionalBy }: Requirements) {
  if (credential === 'none') return []
  if (optionalBy !== undefined) return [{ session: [] }, {}]
  return credential === 'session' ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }]
}

function operation(
  row: Route,
  { write }: SchemaWriter,
  errors: ReturnType<typeof createErrorResponses>,
  origin: string,
) {
  const { shapes } = row
  return {
    operationId: row.name,
    summary: row.summary,
    description: `${row.description} ${describeNeeds(row)}`,
    tags: [row.tag],
    security: listSecurity(row.requires),
    ...(row.isDeprecated && { deprecated: true }),
    parameters: [
      ...parameters(shapes.params, 'path', write),
      ...parameters(shapes.query, 'query', write),
      ...parameters(shapes.headers, 'header', write),
      ...(row.idempotent ? [IDEMPOTENCY_KEY] : []),
      ...(row.requires.role && row.method === 'GET' ? [WORKSPACE_ID] : []),
      ...(row.supportsIfMatch ? [IF_MATCH] : []),
    ],
    ...describeBody(row, write),
    responses: { ...describeSuccess(row, write), ...errors.describe(row, isPage(row)) },
    'x-codeSamples': codeSamples(row, origin),
  }
}

/** A page shows its errors as pages too. */
function isPage({ requires, method, shapes, sends }: Route): boolean {
  return !requires.role && method === 'GET' && !shapes.reply && !sends
}

function describeNeeds({ requires: { credential, role, scope }, tier }: Route): string {
  if (role) {
    const scopeToo = scope === undefined ? '' : ` and, for a key with scopes, \`${scope}\``
    const session = credential === 'session' ? ', by a session: API keys are refused' : ''
    return `Needs the role \`${role}\`${scopeToo}${session}.`
  }
  const limit = tier === 'auth' ? ' Strictly limited by client address.' : ''
  return `Needs ${CREDENTIALS[credential]}.${limit}`
}

const CREDENTIALS = {
  none: 'no credential',
  session: 'a session',
  any: 'a session or an API key',
} as const

type Write = SchemaWriter['write']

function describeBody(row: Route, write: Write) {
  const kinds = getUploadKinds(row)
  if (kinds) return { requestBody: uploadBody(kinds, row.shapes.fields, write) }
  return row.shapes.body ? { requestBody: requestBody(row.shapes.body, write) } : {}
}

function uploadBody(
  { raw = [], multipart, file = 'file' }: UploadKinds,
  fields: TObject | undefined,
  write: Write,
) {
  const { properties = {}, required = [] } = (fields ? write(fields) : {}) as {
    properties?: object
    required?: readonly string[]
  }
  const form = {
    type: 'object',
    properties: { [file]: { ...BINARY, description: 'The file.' }, ...properties },
    required: [file, ...required],
  }
  return {
    required: true,
    content: {
      ...Object.fromEntries(raw.map((type) => [type, { schema: BINARY }])),
      ...(multipart && { 'multipart/form-data': { schema: form } }),
    },
  }
}

/** A body that may be null may be left out. */
function requestBody(body: TSchema, write: Write) {
  const { type } = body as { type?: unknown }
  const { of } = getAnnotation(body)
  const isOptional = Array.isArray(type) && type.includes('null')
  return {
    required: !isOptional,
    content: {
      'application/json': {
        schema: write(isOptional && of ? of : body),
        example: toExample(body, true),
      },
    },
  }
}

const BINARY = { type: 'string', format: 'binary' } as const
const TEXT = { type: 'string' } as const
const DONE = { 200: 'Success.', 201: 'Created.', 202: 'Accepted; the work continues.' } as const

/** A route without a shape of its reply answers with a page or a redirect. */
function describeSuccess(row: Route, write: Write) {
  const { shapes, status, requires } = row
  const isQuota = requires.credential !== 'none' && isCounted(`/v1${row.path}`)
  const headers = referHeaders([
    ...ALWAYS,
    ...RATE,
    ...(isQuota ? QUOTA : []),
    ...(row.idempotent ? (['IdempotencyReplayed'] as const) : []),
    ...(isVersioned(row) || row.etagWithout ? (['ETag'] as const) : []),
  ])
  if (row.sends) return describeBytes(row, row.sends, headers)
  if (status === 204) return { 204: { description: 'Success; the answer has no body.', headers } }
  if (row.plainReply) {
    const content = { schema: write(row.plainReply), example: toExample(row.plainReply) }
    return {
      [status]: { description: DONE[status], headers, content: { 'application/json': content } },
    }
  }
  if (!shapes.reply)
    return {
      [status]: { description: 'A page for a browser.', headers, content: { 'text/html': PAGE } },
      302: {
        description: 'The browser goes on to another address.',
        headers: referHeaders([...ALWAYS, ...RATE, 'Location']),
      },
    }
  const answer = envelope(shapes)
  return {
    [status]: {
      description: DONE[status],
      headers,
      content: { 'application/json': { schema: write(answer), example: toExample(answer) } },
    },
    ...(row.etagWithout && {
      304: { description: 'Nothing has changed: If-None-Match names the ETag.', headers },
    }),
  }
}

/** Bytes or a part of them; a read with an ETag may answer 304. */
function describeBytes(
  { method, status, errors = [] }: Route,
  types: readonly string[],
  headers: Record<string, unknown>,
) {
  const own = referHeaders(['ContentDisposition', 'ETag'])
  const content = Object.fromEntries(
    types.map((type) => [type, { schema: type.startsWith('text/') ? TEXT : BINARY }]),
  )
  return {
    [status]: { description: 'Success.', headers: { ...headers, ...own }, content },
    ...(errors.includes('RANGE_NOT_SATISFIABLE') && {
      206: {
        description: 'The part of the file that Range names.',
        headers: { ...headers, ...own, ...referHeaders(['ContentRange']) },
        content,
      },
    }),
    ...(method === 'GET' && {
      304: { description: 'The client has these bytes: If-None-Match names their ETag.', headers },
    }),
  }
}

function parameters(shape: Shapes['query'], place: 'path' | 'query' | 'header', write: Write) {
  if (!shape) return []
  return Object.entries(shape.properties)
    .filter(([, property]) => !getAnnotation(property).isHidden)
    .map(([name, property]) => {
      const { description, ...schema } = write(property)
      return {
        name,
        in: place,
        description,
        required: place === 'path' || (isRequired(shape, name) && !('default' in property)),
        schema,
      }
    })
}

function isRequired(shape: TObject, name: string): boolean {
  return (shape.required as string[] | undefined)?.includes(name) ?? false
}

export type DocumentedEvent = {
  type: string
  summary: string
  description: string
  body: TSchema
  headers: readonly { name: string; isAlways: boolean; description: string; example: string }[]
}

function writeWebhooks(events: readonly DocumentedEvent[], { write }: SchemaWriter) {
  return Object.fromEntries(
    events.map(({ type, summary, description, body, headers }) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary,
          description: `${description} Verify the signature over the bytes of the body first.`,
          tags: ['Webhooks'],
          // A delivery has a signature and no credential.
          security: [],
          parameters: headers.map(({ name, isAlways, description: text, example }) => ({
            name,
            in: 'header',
            description: text,
            required: isAlways,
            schema: { type: 'string', examples: [example] },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: write(body), example: toExample(body) } },
          },
          responses: {
            '2XX': { description: 'Received. After any other answer the delivery is retried.' },
          },
        },
      },
    ]),
  )
}
