import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { HashLinkPassword } from '../write/password.ts'

export type ListDeps = {
  reads: Pick<Dependencies['reads'], 'read'>
  clock: Dependencies['clock']
  /** A function, since the port may be chosen at start. */
  shortHost: () => ShortHost
}

export type LinkDeps = ListDeps &
  Pick<
    Dependencies,
    'sql' | 'audit' | 'limit' | 'requireCapability' | 'publish' | 'saveIdempotentResponse'
  > & { hashLinkPassword: HashLinkPassword }

export type ShortHost = {
  origin: string
  domain: string
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
