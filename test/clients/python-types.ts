import type { Schema } from './operations.ts'

/* Python types for schemas: a TypedDict for each object. */

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

export type PythonTypes = {
  /** The type of a schema. Objects that it contains get names that begin with `name`. */
  typeOf: (schema: Schema, name: string) => string
  /** Declares a schema under its name. */
  declare: (schema: Schema, name: string) => void
  toText: () => string
}

export function createPythonTypes(): PythonTypes {
  const declarations = new Map<string, string>()

  function declareOnce(name: string, text: string): void {
    if (declarations.has(name)) throw new Error(`two Python types are named ${name}`)
    declarations.set(name, text)
  }

  function typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.split('/').at(-1)!
    const literals = schema.const === undefined ? schema.enum : [schema.const]
    if (literals) return literalOf(literals)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return unionOf(choices.map((choice, i) => typeOf(choice, `${name}${i + 1}`)))
    const types = [schema.type ?? []].flat()
    return types.length === 0 ? 'Any' : unionOf(types.map((type) => oneType(type, schema, name)))
  }

  function oneType(type: string, schema: Schema, name: string): string {
    if (schema.format === 'binary') return 'File'
    if (type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`)}]`
    if (type !== 'object') return SCALARS[type]!
    if (schema.properties) {
      declareOnce(name, classOf(schema, name))
      return name
    }
    const values = schema.additionalProperties
    return `dict[str, ${typeof values === 'object' ? typeOf(values, `${name}Value`) : 'Any'}]`
  }

  function classOf({ properties = {}, required = [] }: Schema, name: string): string {
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = typeOf(schema, `${name}${capitalized(key)}`)
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, schema }
    })
    const named = fields.filter(({ key }) => !KEYWORDS.has(key))
    const others = fields.filter(({ key }) => KEYWORDS.has(key))
    // A field with the name of a keyword cannot be written in a class.
    const base = others.length === 0 ? 'TypedDict' : `_${name}`
    return [
      ...(others.length === 0 ? [] : [`_${name} = TypedDict("_${name}", {`]),
      ...others.flatMap(({ key, type, schema }) => [
        ...(schema.description ? [`    # ${schema.description}`] : []),
        `    "${key}": ${type},`,
      ]),
      ...(others.length === 0 ? [] : ['})', '', '']),
      `class ${name}(${base}):`,
      ...named.flatMap(({ key, type, schema }) => [
        `    ${key}: ${type}`,
        ...(schema.description ? [`    ${docstring(schema.description)}`] : []),
      ]),
      ...(named.length === 0 ? ['    pass'] : []),
    ].join('\n')
  }

  return {
    typeOf,
    declare(schema, name) {
      if (schema.type === 'object' && schema.properties) declareOnce(name, classOf(schema, name))
      else
        declareOnce(name, `${name}: TypeAlias = ${JSON.stringify(typeOf(schema, `${name}Object`))}`)
    },
    toText: () => [...declarations.values()].map((text) => `\n\n${text}\n`).join(''),
  }
}

function literalOf(values: readonly unknown[]): string {
  const literals = values.filter((value) => value !== null).map((value) => JSON.stringify(value))
  const type = `Literal[${literals.join(', ')}]`
  return values.includes(null) ? `${type} | None` : type
}

function unionOf(types: string[]): string {
  return [...new Set(types)].join(' | ')
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export function docstring(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')
  return `"""${escaped}${escaped.endsWith('"') ? ' ' : ''}"""`
}
