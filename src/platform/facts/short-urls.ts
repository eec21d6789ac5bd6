import type { Config } from '../config/config.ts'
import type { ToShortUrl } from './click-data.ts'
import { shortUrlOf } from './short-url.ts'

/** Settings with the origins of this installation. */
export type Origins = Pick<Config, 'publicUrl' | 'shortUrl'>

/**
 * Without either setting, the Host header of the visitor is the only known address of the shared host.
 */
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

/** The name in a valid Host header, without its port and a dot at its end. */
export function toHostname(host: string): string {
  return host.replace(/:\d+$/, '').replace(/\.$/, '')
}
