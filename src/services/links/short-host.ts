/** Where short links live. */
export type ShortHost = {
  /** What a short URL begins with. */
  origin: string
  /** Its host, with the port when there is one. */
  domain: string
  /** True for a URL at which this server answers, as far as that can be told. */
  isOwn: (url: URL) => boolean
}

type Addresses = {
  publicUrl: string | null
  shortUrl: string | null
  /** Where people reach this server. */
  origin: string
  /** Where it listens. */
  port: number
}

const LOOPBACK =
  /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/

/** Short links begin with SHORT_URL, else PUBLIC_URL, else with the address we listen on. */
export function createShortHost({ publicUrl, shortUrl, origin, port }: Addresses): ShortHost {
  const short = new URL(shortUrl ?? origin)
  const ours = [publicUrl, shortUrl, origin].filter((each) => each !== null)
  const names = new Set(ours.map((each) => new URL(each).hostname))
  // A proxy in front may listen on the usual ports, and we ourselves can be reached beside it.
  const ports = new Set(['', '80', '443', String(port), ...ours.map((each) => new URL(each).port)])
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
