import type { Config } from '../config/config.ts'
import { toHostname } from '../edge/hosts.ts'
import type { ToShortUrl } from '../facts/click-data.ts'
import { shortUrlOf } from '../facts/short-url.ts'

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
