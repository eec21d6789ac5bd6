import { encodeSlug } from './slug.ts'

/**
 * A domain has the shared host's scheme and its default port.
 * @param hostname null for the shared host
 */
export function shortUrlOf(
  { origin }: { origin: string },
  hostname: string | null,
  slug: string,
): string {
  const scheme = origin.startsWith('https:') ? 'https' : 'http'
  return `${hostname === null ? origin : `${scheme}://${hostname}`}/${encodeSlug(slug)}`
}

/** Relative on the page's own host, so that it works on any port and behind any proxy. */
export function linkUrlOn(
  pageHostname: string | null,
  shared: { origin: string },
  { hostname, slug }: { hostname: string | null; slug: string },
): string {
  return hostname === pageHostname ? `/${encodeSlug(slug)}` : shortUrlOf(shared, hostname, slug)
}
