import type { TSchema } from 'typebox'
import { annotationOf } from './shape.ts'

export type Keywords = Record<string, unknown> & {
  type?: string | string[]
  properties?: Record<string, TSchema>
  required?: string[]
  enum?: unknown[]
  examples?: unknown[]
  items?: TSchema
  anyOf?: TSchema[]
}

/**
 * A value of the shape, made of its examples. Of a request's object it has the fields that are
 * required, or all of them when none is.
 */
export function exampleOf(schema: TSchema, isRequest = false): unknown {
  const { of } = annotationOf(schema)
  const keywords = keywordsOf(schema)
  if (keywords.examples) return keywords.examples[0]
  if (of) return exampleOf(of, isRequest)
  for (const keyword of ['const', 'default']) if (keyword in keywords) return keywords[keyword]
  if (keywords.enum) return keywords.enum[0]
  if (keywords.anyOf) return exampleOf(keywords.anyOf[0]!, isRequest)
  switch ([keywords.type].flat()[0]) {
    case 'object':
      return exampleObject(keywords, isRequest)
    case 'array':
      return [exampleOf(keywords.items!, isRequest)]
    case 'boolean':
      return false
    default:
      return undefined
  }
}

function exampleObject({ properties = {}, required = [] }: Keywords, isRequest: boolean) {
  const shown = Object.entries(properties).filter(([, each]) => !annotationOf(each).isHidden)
  const needed = shown.filter(([name, each]) => required.includes(name) && !('default' in each))
  const chosen = isRequest && needed.length > 0 ? needed : shown
  return Object.fromEntries(chosen.map(([name, each]) => [name, exampleOf(each, isRequest)]))
}

/** Keywords of a schema: those that validate, and those that its rules enforce beyond them. */
export function keywordsOf(schema: TSchema): Keywords {
  return { ...schema, ...annotationOf(schema).documented }
}
