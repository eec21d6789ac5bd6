import type { TSchema } from 'typebox'
import { keywordsOf, exampleOf, type Keywords } from '../base/example.ts'
import { annotationOf } from '../base/shape.ts'

export { exampleOf } from '../base/example.ts'

/** A schema as the document has it. */
export type SchemaObject = Record<string, unknown>

type Keywords = Record<string, unknown> & {
  type?: string | string[]
  properties?: Record<string, TSchema>
  required?: string[]
  enum?: unknown[]
  examples?: unknown[]
  items?: TSchema
  anyOf?: TSchema[]
}

/** Writes shapes as schemas of the document; named shapes are collected and referenced. */
export function createSchemaWriter() {
  const schemas: Record<string, SchemaObject> = {}
  const collected = new Set<TSchema>()

  function write(schema: TSchema): SchemaObject {
    const { name, of } = annotationOf(schema)
    if (of) return reference(of, readKeywords(schema))
    return name === undefined ? inline(schema) : collect(name, schema)
  }

  /** @throws Error when two different shapes have the same name */
  function collect(name: string, schema: TSchema): SchemaObject {
    const ref = { $ref: `#/components/schemas/${name}` }
    if (collected.has(schema)) return ref
    const written = inline(schema)
    const before = schemas[name]
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(written))
      throw new Error(`two different shapes have the name ${name}`)
    schemas[name] = written
    collected.add(schema)
    return ref
  }

  function reference(of: TSchema, { type, description }: Keywords): SchemaObject {
    const target = write(of)
    const isNullable = Array.isArray(type) && type.includes('null')
    return {
      ...(isNullable ? { anyOf: [target, { type: 'null' }] } : target),
      ...(description !== undefined && { description }),
    }
  }

  function inline(schema: TSchema): SchemaObject {
    const keywords = readKeywords(schema)
    const written: SchemaObject = { ...keywords }
    if (keywords.properties) Object.assign(written, writeProperties(keywords))
    for (const keyword of ['items', 'additionalProperties'])
      if (isSchema(keywords[keyword])) written[keyword] = write(keywords[keyword])
    for (const keyword of ['anyOf', 'oneOf'])
      if (keywords[keyword] !== undefined)
        written[keyword] = (keywords[keyword] as TSchema[]).map((option) => write(option))
    const isNullable = Array.isArray(keywords.type) && keywords.type.includes('null')
    if (isNullable && keywords.enum && !keywords.enum.includes(null))
      written['enum'] = [...keywords.enum, null]
    const example = toExample(schema)
    if (isLeaf(keywords) && keywords['const'] === undefined && example !== undefined)
      written['examples'] = keywords.examples ?? [example]
    return written
  }

  /** Writes the properties; one with a default is not required. */
  function writeProperties({ properties = {}, required = [] }: Keywords): SchemaObject {
    const shown = Object.entries(properties).filter(
      ([, property]) => !annotationOf(property).isHidden,
    )
    const needed = required.filter((name) =>
      shown.some(([shownName, schema]) => shownName === name && !('default' in schema)),
    )
    return {
      properties: Object.fromEntries(shown.map(([name, property]) => [name, write(property)])),
      required: needed.length > 0 ? needed : undefined,
    }
  }

  return { write, schemas }
}
export type SchemaWriter = ReturnType<typeof createSchemaWriter>

/**
 * A value of the shape, made of its examples. A request's object has the required fields only, or all
 * fields if it has no required ones.
 */
export function toExample(schema: TSchema, isRequest = false): unknown {
  const { of } = annotationOf(schema)
  const keywords = readKeywords(schema)
  if (keywords.examples) return keywords.examples[0]
  if (of) return toExample(of, isRequest)
  for (const keyword of ['const', 'default']) if (keyword in keywords) return keywords[keyword]
  if (keywords.enum) return keywords.enum[0]
  if (keywords.anyOf) return toExample(keywords.anyOf[0]!, isRequest)
  switch ([keywords.type].flat()[0]) {
    case 'object':
      return exampleObject(keywords, isRequest)
    case 'array':
      return [toExample(keywords.items!, isRequest)]
    case 'boolean':
      return false
    default:
      return undefined
  }
}

function exampleObject({ properties = {}, required = [] }: Keywords, isRequest: boolean) {
  const shown = Object.entries(properties).filter(
    ([, property]) => !annotationOf(property).isHidden,
  )
  const needed = shown.filter(
    ([name, property]) => required.includes(name) && !('default' in property),
  )
  const chosen = isRequest && needed.length > 0 ? needed : shown
  return Object.fromEntries(
    chosen.map(([name, property]) => [name, toExample(property, isRequest)]),
  )
}

/** The keywords of a schema in the document: those that are validated, and limits that the rules enforce. */
function readKeywords(schema: TSchema): Keywords {
  return { ...schema, ...annotationOf(schema).documented }
}

function isLeaf({ type }: Keywords): boolean {
  const types = [type].flat()
  return type !== undefined && !types.includes('object') && !types.includes('array')
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null
}
