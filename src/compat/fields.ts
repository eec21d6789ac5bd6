import { invalid } from '../platform/core/errors.ts'

export type Fields = Readonly<Record<string, unknown>>

/** @throws ApiError VALIDATION_ERROR */
export function toObject(value: unknown, path = ''): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw invalid(path, `${path || 'The body'} must be an object.`)
}

/** The text of a field; of several with its name the last. Undefined when it is missing or empty. */
export function textOf(fields: unknown, name: string): string | undefined {
  const value = (fields as Fields | null | undefined)?.[name]
  return asText(Array.isArray(value) ? value.at(-1) : value) || undefined
}

/** The text of a field of any body; no object has one. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const NAME_CHARS = 255

/** A link has a name here; without a title it is the address. */
export function toName(title: unknown, url: unknown): string {
  return (asText(title) || asText(url) || 'Link').slice(0, NAME_CHARS).toWellFormed()
}

/** Fields that are left out stay left out. */
export function rename(fields: Fields, names: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) =>
      fields[from] === undefined ? [] : [[to, fields[from]]],
    ),
  )
}

/** Messages begin with the name of the field. */
export function inWords(names: Readonly<Record<string, string>>, message: string): string {
  return message.replace(/^\w+/, (word) => names[word] ?? word)
}

/** The texts of a parameter that may be repeated, also as `name[]`, `name[0]`. */
export function listOf(fields: Fields, name: string): string[] {
  const isOf = new RegExp(`^${name}(\\[\\d*\\])?$`)
  return Object.entries(fields)
    .filter(([key]) => isOf.test(key))
    .flatMap(([, value]) => value ?? [])
    .map(asText)
    .filter((text) => text !== '')
}
