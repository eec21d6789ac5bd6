/** A text with commas, or lines, between its parts, as a list. */
export function splitList(value: string, separator: RegExp | string = ','): string[] {
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)
}

/** A list with one of its items at another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, at) => at !== from)
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)]
}

/** The names of a record of texts as options of a field. */
export function optionsOf<T extends string>(names: Readonly<Record<T, string>>) {
  return (Object.entries(names) as [T, string][]).map(([value, label]) => ({ value, label }))
}

/** The time zones of the browser as options, and the present one, which may be an older name. */
export function zoneOptions(present: string): { value: string; label: string }[] {
  const zones = new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])
  return [...zones].map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
