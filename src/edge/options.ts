import type { LinkOptions } from '../facts/link-options.ts'

/** The options of a link in the form in which the edge evaluates them: parsed once per link. */
export type EdgeOptions = {
  readonly startsAtMs: number | null
  readonly forwardsQuery: boolean
  /** Asks search engines not to index the short URL. */
  readonly isNoindex: boolean
}

/** @returns null for a link whose options all have their defaults */
export function prepareOptions(stored: LinkOptions | null): EdgeOptions | null {
  if (stored === null) return null
  const { startsAt, forwardQuery, noindex } = stored
  return {
    startsAtMs: startsAt === undefined ? null : Date.parse(startsAt),
    forwardsQuery: forwardQuery !== false,
    isNoindex: noindex === true,
  }
}
