import { addressOf, isEncrypted } from '../../platform/http/request.ts'
import type { RequestHead } from '../../platform/http/plain-request.ts'
import type { Config } from '../../platform/config/config.ts'
import { createProxyTrust } from '../../platform/facts/client-address.ts'
import { partsOf } from '../../platform/config/roles.ts'

export type IsHttps = (host: string, req: RequestHead) => boolean

/**
 * Whether the browser uses https. TLS counts first, then a configured origin, then X-Forwarded-Proto from a
 * trusted proxy.
 * @param origins PUBLIC_URL and SHORT_URL, as far as they are set
 */
export function createHttpsTest(
  origins: readonly string[],
  isTrustedProxy: (peer: string | undefined) => boolean,
): IsHttps {
  const configured = new Map(
    origins.map((origin) => {
      const { host, protocol } = new URL(origin)
      return [host, protocol === 'https:']
    }),
  )
  return (host, req) => {
    if (isEncrypted(req)) return true
    const isHttps = configured.get(host)
    if (isHttps !== undefined) return isHttps
    const proto = req.headers['x-forwarded-proto']
    if (typeof proto !== 'string' || !isTrustedProxy(addressOf(req))) return false
    // The nearest proxy wrote the last one.
    return proto.split(',').at(-1)!.trim().toLowerCase() === 'https'
  }
}

/** The https URL of a request that came over plain http; null for any other. */
export type ToHttps = (req: RequestHead) => string | null

/**
 * Redirects requests for the host of PUBLIC_URL to https, if that is its scheme. Only where the browser
 * certainly used http, so that there is no redirect loop: a trusted proxy says so, or this process serves
 * https and PORT is reached directly.
 */
export function createToHttps(
  config: Pick<Config, 'role' | 'httpsPort' | 'publicUrl' | 'trustedProxies'>,
): ToHttps {
  const { role, httpsPort, publicUrl } = config
  if (!publicUrl?.startsWith('https:')) return () => null
  const { hostname } = new URL(publicUrl)
  const servesHttps = httpsPort !== null && partsOf(role).edge
  const isTrustedProxy = createProxyTrust(config.trustedProxies)
  return (req) => {
    const host = req.headers.host?.toLowerCase().replace(/:\d+$/, '')
    if (host !== hostname || isEncrypted(req)) return null
    const isProxy = isTrustedProxy(addressOf(req))
    const proto = req.headers['x-forwarded-proto']
    // A proxy before the nearest one may have terminated TLS.
    const isPlain =
      proto === undefined ? servesHttps && !isProxy : isProxy && /^\s*http\s*$/i.test(String(proto))
    return isPlain ? publicUrl + req.url! : null
  }
}
