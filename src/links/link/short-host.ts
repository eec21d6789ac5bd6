export type ShortHost = {
  /** Begins every short URL. */
  origin: string
  /** Host and optional port. */
  domain: string
  /** Whether a URL is known to reach this server. */
  isOwn: (url: URL) => boolean
}

type Addresses = {
  publicUrl: string | null
  shortUrl: string | null
  origin: string
  port: number
}

const LOOPBACK =
  /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/

export function createShortHost({ publicUrl, shortUrl, origin, port }: Addresses): ShortHost {
  const short = new URL(shortUrl ?? origin)
  const urls = [publicUrl, shortUrl, origin]
    .filter((url) => url !== null)
    .map((url) => new URL(url))
  const names = new Set(urls.map((url) => url.hostname))
  // A reverse proxy usually has one of these ports.
  const ports = new Set(['', '80', '443', String(port), ...urls.map((url) => url.port)])
  return {
    origin: short.origin,
    domain: short.host,
    isOwn: (url) => {
      const name = url.hostname.replace(/\.$/, '')
      if (LOOPBACK.test(name))
        return Number(url.port || (url.protocol === 'https:' ? 443 : 80)) === port
      return names.has(name) && ports.has(url.port)
    },
  }
}
