import type { Config } from '../config/config.ts'
import type { ToShortUrl } from './click-data.ts'
import { shortUrlOf } from './short-url.ts'

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

/** Cuts a port and a final dot off a valid Host header. */
export function toHostname(host: string): string {
  return host.replace(/:\d+$/, '').replace(/\.$/, '')
}
