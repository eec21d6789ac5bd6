import { generateNamedTypes, toClientDocument, withoutNevers } from './generate.ts'
import { METHOD_NAMES } from '../../src/api/openapi/method-names.ts'
import {
  isFeed,
  isStream,
  jsonOf,
  operationsOf,
  partsOf,
  sentence,
  type Described,
  type Document,
  type Schema,
} from './operations.ts'

/* The generated files of the TypeScript client, from the OpenAPI document. */

const HEADER = '// Written by "npm run clients" from the OpenAPI document; tests compare.\n'

export async function generateTypescriptClient(document: Document) {
  return {
    'types.gen.ts': HEADER + (await generateTypes(document)),
    'errors.gen.ts': HEADER + generateErrors(document),
    'methods.gen.ts': HEADER + generateMethods(document),
    'events.gen.ts': HEADER + generateEvents(document),
  }
}

/** Every schema but those of errors, and the query or form of each operation that has one. */
async function generateTypes(document: Document): Promise<string> {
  const { schemas } = document.components
  const kept = Object.entries(schemas).filter(([name]) => !isErrorName(name))
  const operations = operationsOf(document).flatMap(({ path, method, operation }) => {
    const { operationId, requestBody } = operation
    const { isForm, hasQuery, query } = partsOf(operation)
    if (!isForm && !hasQuery) return []
    const form = isForm && requestBody?.content['multipart/form-data']
    const asked = {
      operationId,
      ...(hasQuery && { parameters: query }),
      ...(form && { requestBody: { required: true, content: { 'multipart/form-data': form } } }),
      responses: {},
    }
    return [[`${method}${path}`, { [method.toLowerCase()]: asked }] as const]
  })
  const pruned = {
    openapi: '3.1.0',
    info: { title: 'Signpost', version: '1' },
    paths: Object.fromEntries(operations.map(([name, item]) => [`/${name}`, item])),
    components: { schemas: Object.fromEntries(kept) },
  }
  const text = await generateNamedTypes(toClientDocument(pruned, { isProseKept: true }))
  return withoutNevers(text)
    .replace(/^export interface paths \{.*?^\}\n/ms, '')
    .replace(/^export type (webhooks|\$defs) = .*\n/gm, '')
    .replaceAll(/^ {8}responses: never;\n/gm, '')
}

function isErrorName(name: string): boolean {
  return (
    name === 'ErrorResponse' ||
    (name.endsWith('Error') && !/Bulk|Import|Conversion|Report/.test(name))
  )
}

function generateErrors({ components }: Document): string {
  const classes = Object.entries(components.schemas).flatMap(([name, { properties }]) => {
    const { code, details } = properties?.['error']?.properties ?? {}
    return code?.const ? [{ name, code: code.const, details: typeOf(details!) }] : []
  })
  return `import { SignpostError } from './errors.ts'
import type * as types from './types.gen.ts'

${classes
  .map(
    ({ name, code, details }) => `export class ${name} extends SignpostError {
  declare readonly code: '${code}'
  declare readonly details: ${details}
}
`,
  )
  .join('')}
/** The class of each code that the server answers. */
export const ERROR_CLASSES = {
${classes.map(({ name, code }) => `  ${code}: ${name},\n`).join('')}}
`
}

function generateEvents({ webhooks }: Document): string {
  const names = Object.values(webhooks).map(({ post }) =>
    typeOf(post!.requestBody!.content['application/json']!.schema),
  )
  return `import type * as types from './types.gen.ts'

/** Any event that an endpoint receives; \`type\` tells which. */
export type WebhookEvent =
${names.map((name) => `  | ${name}\n`).join('')}`
}

/** A schema with a name, a list of them, or one of several. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return `types.${schema.$ref.split('/').at(-1)}`
  if (schema.type === 'array' && schema.items) return `${typeOf(schema.items)}[]`
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  throw new Error(`no name for ${JSON.stringify(schema).slice(0, 100)}`)
}

type Tree = { [name: string]: Tree | Described }

function generateMethods(document: Document): string {
  const tree: Tree = {}
  for (const described of operationsOf(document)) {
    const name = METHOD_NAMES[described.operation.operationId]
    if (!name)
      throw new Error(`name a method for ${described.operation.operationId} in method-names.ts`)
    const parts = name.split('.')
    let node = tree
    for (const part of parts.slice(0, -1)) node = (node[part] ??= {}) as Tree
    node[parts.at(-1)!] = described
  }
  return `import type { Call, FeedCall, ListCall, LiveEvent, Options } from './call.ts'
import type * as types from './types.gen.ts'

type Query<Id extends keyof types.operations> = types.operations[Id] extends {
  parameters: { query?: infer Q }
}
  ? NonNullable<Q>
  : never
type Form<Id extends keyof types.operations> = types.operations[Id] extends {
  requestBody?: { content: { 'multipart/form-data': infer F } }
}
  ? F
  : never

export interface Methods {
${declarations(tree, '  ')}}

/** Method, path, and flags: b JSON body, f form, q query, k Idempotency-Key, l list, r file, s stream, e feed. */
export const OPERATIONS = {
${rows(tree, '  ')}} as const
`
}

const isOperation = (node: Tree | Described): node is Described => 'operation' in node

function declarations(tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([name, node]) =>
      isOperation(node)
        ? `${indent}/** ${sentence(node.operation).replaceAll('*/', '*\\/')} */\n${indent}${name}(${parametersOf(node)}): ${answerOf(node)}\n`
        : `${indent}${name}: {\n${declarations(node, `${indent}  `)}${indent}}\n`,
    )
    .join('')
}

function rows(tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([name, node]) =>
      isOperation(node)
        ? `${indent}${name}: '${`${node.method} ${node.path} ${flagsOf(node)}`.trim()}',\n`
        : `${indent}${name}: {\n${rows(node, `${indent}  `)}${indent}},\n`,
    )
    .join('')
}

function flagsOf({ operation }: Described): string {
  const { isForm, body, hasQuery, isList } = partsOf(operation)
  const isKeyed = operation.parameters?.some(({ name }) => name === 'Idempotency-Key')
  const isFile = !jsonOf(operation) && operation.responses['204'] === undefined
  return [
    body && (isForm ? 'f' : 'b'),
    hasQuery && 'q',
    isKeyed && 'k',
    isList && 'l',
    isStream(operation) ? 's' : isFile && 'r',
    isFeed(operation) && 'e',
  ]
    .filter(Boolean)
    .join('')
}

function parametersOf({ path, operation }: Described): string {
  const { operationId: id } = operation
  const { body, isForm, hasQuery, isQueryRequired } = partsOf(operation)
  const json = body && !isForm ? typeOf(body.content['application/json']!.schema) : ''
  return [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => `${name}: string`),
    ...(body ? [`body${body.required ? '' : '?'}: ${isForm ? `Form<'${id}'>` : json}`] : []),
    ...(hasQuery && !body ? [`query${isQueryRequired ? '' : '?'}: Query<'${id}'>`] : []),
    `options?: Options${hasQuery && body ? ` & { query?: Query<'${id}'> }` : ''}`,
  ].join(', ')
}

function answerOf({ operation }: Described): string {
  if (isStream(operation)) return 'AsyncGenerator<LiveEvent, void>'
  const json = jsonOf(operation)
  if (!json) return operation.responses['204'] ? 'Call<void>' : 'Call<Response>'
  const { data, meta } = json.properties as { data: Schema; meta: Schema }
  const metaType = typeOf(meta)
  const rest = metaType === 'types.Meta' ? '' : `, ${metaType}`
  if (isFeed(operation)) return 'FeedCall'
  if (partsOf(operation).isList) return `ListCall<${typeOf(data.items!)}${rest}>`
  return `Call<${typeOf(data)}${rest}>`
}
