import type { TSchema } from 'typebox'
import { getAnnotation } from './shape.ts'

export type Keywords = Record<string, unknown> & {
  type?: string | string[]
  properties?: Record<string, TSchema>
  required?: string[]
  enum?: unknown[]
  examples?: unknown[]
  items?: TSchema
  anyOf?: TSchema[]
}

/** A request gets only its required fields, or all if none is required. */
export function toExample(schema: TSchema, isRequest = false): unknown {
  const { of } = getAnnotation(schema)
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
    ([, property]) => !getAnnotation(property).isHidden,
  )
  const needed = shown.filter(
    ([name, property]) => required.includes(name) && !('default' in property),
  )
  const chosen = isRequest && needed.length > 0 ? needed : shown
  return Object.fromEntries(
    chosen.map(([name, property]) => [name, toExample(property, isRequest)]),
  )
}

export function readKeywords(schema: TSchema): Keywords {
  return { ...schema, ...getAnnotation(schema).documented }
}
