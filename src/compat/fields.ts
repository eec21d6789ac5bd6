import type { Asked } from './api.ts'

/** A text field of a query or a form; of several with its name the last. Undefined when it is missing or empty. */
export function textOf(fields: unknown, name: string): string | undefined {
  const value = (fields as Asked['query'] | null | undefined)?.[name]
  const text = Array.isArray(value) ? value.at(-1) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** The text of a field of any body; no object has one. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The texts of a parameter that may be repeated, also as `name[]`, `name[0]`. */
export function listOf(fields: Asked['query'], name: string): string[] {
  const isOf = new RegExp(`^${name}(\\[\\d*\\])?$`)
  return Object.entries(fields)
    .filter(([key]) => isOf.test(key))
    .flatMap(([, value]) => value ?? [])
    .filter((text) => text !== '')
}
