import { parseArgs } from 'node:util'

/**
 * Reads the command line: options that are numbers, each with its default, and options that are texts.
 * @throws on an unknown option, or on a value that is not a number
 */
export function readOptions<Name extends string, Text extends string = never>(
  numbers: Record<Name, number>,
  texts: Record<Text, string> = {} as Record<Text, string>,
): Record<Name, number> & Record<Text, string> {
  const defaults = Object.entries<number | string>({ ...numbers, ...texts })
  const options = Object.fromEntries(
    defaults.map(([name, value]) => [name, { type: 'string' as const, default: String(value) }]),
  )
  const { values } = parseArgs({ options })
  const read = defaults.map(([name]) => {
    const value = String(values[name])
    if (name in texts) return [name, value]
    if (!Number.isFinite(Number(value))) throw new Error(`--${name} takes a number, not "${value}"`)
    return [name, Number(value)]
  })
  return Object.fromEntries(read) as Record<Name, number> & Record<Text, string>
}
