import type { Utm } from './link.ts'

const MAX_UTM_LENGTH = 255

/** UTM values as they are recorded; those of a visitor's query have no limit. */
export function cutUtm(utm: Utm): Utm {
  if (utm.every((value) => value.length <= MAX_UTM_LENGTH)) return utm
  const [source, medium, campaign, term, content] = utm.map((value) =>
    value.slice(0, MAX_UTM_LENGTH),
  )
  return [source!, medium!, campaign!, term!, content!]
}
