import type { Utm } from './link.ts'

/** Code points of a UTM value in links, labels and filters. */
export const MAX_UTM_CHARS = 255

/** Cuts UTM values before they are recorded, since a visitor's query has no limit. */
export function cutUtm(utm: Utm): Utm {
  if (utm.every((value) => value.length <= MAX_UTM_CHARS)) return utm
  const [source, medium, campaign, term, content] = utm.map(cutUtmValue)
  return [source!, medium!, campaign!, term!, content!]
}

export function cutUtmValue(value: string): string {
  if (value.length <= MAX_UTM_CHARS) return value
  // A code point is at most two units.
  return Array.from(value.slice(0, 2 * MAX_UTM_CHARS))
    .slice(0, MAX_UTM_CHARS)
    .join('')
}
