/** One row of the table of settings. */
export type Setting<T> = {
  name: string
  /** Throws an Error whose message completes "PORT must be …". */
  parse: (text: string) => T
  fallback: T
  description: string
  /** The default as the documents show it, when the value itself says too little. */
  shown?: string
  isSecret?: boolean
}
type Details = Pick<Setting<unknown>, 'shown' | 'isSecret'>

export function setting<const T>(
  name: string,
  parse: (text: string) => T,
  fallback: T,
  description: string,
  details: Details = {},
): Setting<T> {
  return { name, parse, fallback, description, ...details }
}

/** A setting that may be absent. */
export function optional(
  name: string,
  parse: (text: string) => string,
  description: string,
  details: Details = {},
): Setting<string | null> {
  return { name, parse, fallback: null, description, shown: '', ...details }
}

export function secret(
  name: string,
  parse: (text: string) => string,
  description: string,
  shown = '',
): Setting<string | null> {
  return optional(name, parse, description, { shown, isSecret: true })
}
