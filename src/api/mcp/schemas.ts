import type { TSchema } from 'typebox'
import { getUploadKinds, type Route } from '../../platform/routes/route.ts'
import { envelope } from '../openapi/openapi.ts'
import { createSchemaWriter, type SchemaObject } from '../openapi/openapi-shapes.ts'

export type ObjectSchema = Readonly<Record<string, unknown>> & { type: 'object' }

type Properties = Record<string, unknown>

/**
 * The parameters and the fields of the body of a route are the arguments of its tool.
 * @param routes by the value of the argument `question`, which a tool with several takes
 */
export function toInputSchema(
  routes: ReadonlyMap<string, Route>,
  { leaveOut }: { leaveOut: readonly string[] },
): ObjectSchema {
  const asked = [...routes.values()].map(argumentsOf)
  const properties: Properties = Object.assign({}, ...asked.map((one) => one.properties))
  for (const name of leaveOut) delete properties[name]
  // What only some questions need, the route itself asks for.
  const required = asked[0]!.required.filter((name) =>
    asked.every((one) => one.required.includes(name)),
  )
  if (routes.size === 1) return { type: 'object', properties, required }
  const question = { type: 'string', enum: [...routes.keys()], description: 'What to ask for.' }
  return {
    type: 'object',
    properties: { question, ...properties },
    required: ['question', ...required],
  }
}

function argumentsOf(route: Route): { properties: Properties; required: string[] } {
  const { params, query, body } = route.shapes
  const parts = [params, query, body].filter((shape) => shape !== undefined).map(writePlain)
  const file = getUploadKinds(route) && {
    file: { type: 'string', description: 'The text of the file.' },
  }
  return {
    properties: Object.assign({}, ...parts.map((part) => part['properties'] ?? {}), file),
    required: [
      ...parts.flatMap((part) => (part['required'] as string[] | undefined) ?? []),
      ...(file ? ['file'] : []),
    ],
  }
}

/** Undefined for bytes. An answer that differs by the question is described by its envelope alone. */
export function toOutputSchema(routes: readonly Route[]): ObjectSchema | undefined {
  if (routes.some(({ shapes }) => !shapes.reply)) return undefined
  if (routes.length > 1)
    return {
      type: 'object',
      properties: { data: {}, meta: { type: 'object' } },
      required: ['data', 'meta'],
    }
  const answered = toAnswered(writePlain(envelope(routes[0]!.shapes)))
  return { ...(answered as object), type: 'object' }
}

/** Without references, which not every client resolves, and without examples, which every agent would read. */
function writePlain(shape: TSchema): SchemaObject {
  const { write, schemas } = createSchemaWriter()
  const written = write(shape)
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, examples: _examples, ...rest } = value as SchemaObject
    const target =
      typeof $ref === 'string' ? schemas[$ref.slice($ref.lastIndexOf('/') + 1)] : undefined
    const resolved = target ? (resolve(target) as SchemaObject) : {}
    const own = Object.entries(rest).map(([key, item]) => [key, resolve(item)] as const)
    return { ...resolved, ...Object.fromEntries(own) }
  }
  return resolve(written) as SchemaObject
}

/** Keywords that tell a client what it gets; the others concern requests. */
const ANSWERED = /^(type|enum|const|anyOf|oneOf|items|required|additionalProperties)$/

function toAnswered(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toAnswered)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, ...keywords } = schema as { properties?: object }
  const kept = Object.entries(keywords).filter(([keyword]) => ANSWERED.test(keyword))
  return {
    ...Object.fromEntries(kept.map(([keyword, value]) => [keyword, toAnswered(value)])),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, shape]) => [name, toAnswered(shape)]),
      ),
    }),
  }
}
