import type { TSchema } from 'typebox'

/** Statements of the OpenAPI document about a shape, beside the keywords that validate it. */
export type Annotation = {
  /** The component schema under which the document lists the shape. */
  name?: string
  /** The named shape that this one repeats under another description, possibly as nullable. */
  of?: TSchema
  /** Keywords that only the document shows; the rule behind the field enforces them. */
  documented?: Readonly<Record<string, unknown>>
  isHidden?: boolean
}

/** Hidden like TypeBox's own markers, so that `Type.Optional` keeps it and spreading does not. */
const ANNOTATION = '~annotation'

export function getAnnotation(schema: object): Annotation {
  return (schema as { [ANNOTATION]?: Annotation })[ANNOTATION] ?? {}
}

/** Lists a shape in the document as `components.schemas.<name>`; every use of it is a reference. */
export function named<S extends TSchema>(name: string, schema: S): S {
  return annotate(schema, { ...getAnnotation(schema), name })
}

/**
 * Adds a description and examples to a shape. A named shape stays a reference; the description
 * applies to this use of it.
 */
export function described<S extends TSchema>(
  schema: S,
  description: string,
  ...examples: readonly unknown[]
): S {
  const { name, ...annotation } = getAnnotation(schema)
  const keywords = { description, ...(examples.length > 0 && { examples }) }
  return annotate(schema, name ? { ...annotation, of: schema } : annotation, keywords)
}

/**
 * Adds keywords that the document shows and the validator does not check: a limit, pattern or list
 * of values that the rule behind the field enforces with its own message and code.
 */
export function documented<S extends TSchema>(
  schema: S,
  keywords: Readonly<Record<string, unknown>>,
): S {
  const before = getAnnotation(schema)
  return annotate(schema, { ...before, documented: { ...before.documented, ...keywords } })
}

/** Leaves a property or parameter out of the document; it is validated as before. */
export function hidden<S extends TSchema>(schema: S): S {
  return annotate(schema, { ...getAnnotation(schema), isHidden: true })
}

/** A copy with the markers of the original; `annotation` replaces that of the original. */
export function annotate<S extends TSchema>(
  schema: S,
  annotation: Annotation,
  keywords: Readonly<Record<string, unknown>> = {},
): S {
  const copy = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(schema)) as S
  Object.assign(copy, keywords)
  Object.defineProperty(copy, ANNOTATION, { value: annotation, configurable: true })
  return copy
}
