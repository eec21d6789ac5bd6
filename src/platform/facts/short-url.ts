import type { Config } from '../config/config.ts'
import type { ToShortUrl } from './click-data.ts'
import { encodeSlug } from './slug.ts'

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

export type Origins = Pick<Config, 'publicUrl' | 'shortUrl'>

/** Without either setting, the visitor's Host header is the only known address of the shared host. */
export function createToShortUrl({ shortUrl, publicUrl }: Origins): ToShortUrl {
  const address = shortUrl ?? publicUrl
  const base = address === null ? null : new URL(address).origin
  return (host, slug, domainId) =>
    shortUrlOf(
      { origin: base ?? `http://${host}` },
      domainId === '' ? null : toHostname(host),
      slug,
    )
}

export function configuredOrigins({ publicUrl, shortUrl }: Origins): string[] {
  return [publicUrl, shortUrl].filter((origin) => origin !== null)
}

export function toHostname(host: string): string {
  return host.replace(/:\d+$/, '').replace(/\.$/, '')
}
