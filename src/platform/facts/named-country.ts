import { memoize } from '../core/memo.ts'
import { CONTINENTS } from './continents.ts'

/** The country that a trusted proxy names in COUNTRY_HEADER: two capitals, {@link UNKNOWN_COUNTRY}, or '' if none is named. */
export type NamedCountry = (
  peerAddress: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
) => string

export const UNKNOWN_COUNTRY = 'XX'

const CODE = /^[A-Z][A-Z0-9]$/
const CACHED_PEERS = 10_000

/**
 * Any client can send the header, so it counts only from a trusted proxy. `T1` (Tor) and codes of no country are unknown. A
 * header that appears twice is ignored.
 * @param header in lower case; null if no proxy names countries
 */
export function createNamedCountry(
  header: string | null,
  isTrustedProxy: (peerAddress: string | undefined) => boolean,
): NamedCountry {
  if (header === null) return () => ''
  const isTrusted = memoize(CACHED_PEERS, isTrustedProxy)
  return (peerAddress, headers) => {
    const value = headers[header]
    if (typeof value !== 'string' || value.length !== 2) return ''
    if (peerAddress === undefined || !isTrusted(peerAddress)) return ''
    const code = value.toUpperCase()
    if (!CODE.test(code)) return ''
    return CONTINENTS.has(code) ? code : UNKNOWN_COUNTRY
  }
}
