import { encodeSlug } from './slug.ts'

/**
 * The short URL of a slug. A domain is reached by the scheme of the shared host, at its usual port.
 * @param hostname of the domain; null for the shared host
 */
export function shortUrlOf(
  { origin }: { origin: string },
  hostname: string | null,
  slug: string,
): string {
  const scheme = origin.startsWith('https:') ? 'https' : 'http'
  return `${hostname === null ? origin : `${scheme}://${hostname}`}/${encodeSlug(slug)}`
}

/** The URL of a link on a page: relative on the host of the page, so that it works on any port and behind any proxy. */
export function linkUrlOn(
  pageHostname: string | null,
  shared: { origin: string },
  { hostname, slug }: { hostname: string | null; slug: string },
): string {
  return hostname === pageHostname ? `/${encodeSlug(slug)}` : shortUrlOf(shared, hostname, slug)
}
