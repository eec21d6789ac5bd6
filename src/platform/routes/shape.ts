import { Type, type TObjectOptions, type TProperties, type TSchema } from 'typebox'

type Annotation = {
  name?: string
  /** The named shape behind another description, or behind a nullable one. */
  of?: TSchema
  /** Keywords that the rule enforces, and not the validator. */
  documented?: Readonly<Record<string, unknown>>
  isHidden?: boolean
}

/** Like TypeBox's own markers: `Type.Optional` keeps it, spreading does not. */
const ANNOTATION = '~annotation'

export function getAnnotation(schema: object): Annotation {
  return (schema as { [ANNOTATION]?: Annotation })[ANNOTATION] ?? {}
}

export function named<S extends TSchema>(name: string, schema: S): S {
  return annotate(schema, { ...getAnnotation(schema), name })
}

/** A named object, which most requests and answers are. */
export function object<P extends TProperties>(
  name: string,
  properties: P,
  options: TObjectOptions = {},
) {
  return named(name, Type.Object(properties, options))
}

/** A named shape stays a reference; the description applies to this use. */
export function described<S extends TSchema>(
  schema: S,
  description: string,
  ...examples: readonly unknown[]
): S {
  const { name, ...annotation } = getAnnotation(schema)
  const keywords = { description, ...(examples.length > 0 && { examples }) }
  return annotate(schema, name ? { ...annotation, of: schema } : annotation, keywords)
}

export function documented<S extends TSchema>(
  schema: S,
  keywords: Readonly<Record<string, unknown>>,
): S {
  const before = getAnnotation(schema)
  return annotate(schema, { ...before, documented: { ...before.documented, ...keywords } })
}

export function hidden<S extends TSchema>(schema: S): S {
  return annotate(schema, { ...getAnnotation(schema), isHidden: true })
}

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
