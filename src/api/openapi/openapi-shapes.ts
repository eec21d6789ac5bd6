import type { TSchema } from 'typebox'
import { readKeywords, toExample, type Keywords } from '../../platform/routes/example.ts'
import { getAnnotation } from '../../platform/routes/shape.ts'

export type SchemaObject = Record<string, unknown>

/** Named shapes are collected and referenced. */
export function createSchemaWriter() {
  const schemas: Record<string, SchemaObject> = {}
  const collected = new Set<TSchema>()

  function write(schema: TSchema): SchemaObject {
    const { name, of } = getAnnotation(schema)
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

  /** A property with a default is not required. */
  function writeProperties({ properties = {}, required = [] }: Keywords): SchemaObject {
    const shown = Object.entries(properties).filter(
      ([, property]) => !getAnnotation(property).isHidden,
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

function isLeaf({ type }: Keywords): boolean {
  const types = [type].flat()
  return type !== undefined && !types.includes('object') && !types.includes('array')
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null
}
