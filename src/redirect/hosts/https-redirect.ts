import type { IncomingMessage } from 'node:http'
import { addressOf, isEncrypted } from '../../platform/http/sender.ts'
import type { Config } from '../../platform/config/config.ts'
import { createProxyTrust } from '../../platform/facts/client-address.ts'
import { partsOf } from '../../platform/config/roles.ts'

/** The https address of a request that came over plain http; null for any other. */
export type ToHttps = (req: IncomingMessage) => string | null

/**
 * Leads requests for the host of PUBLIC_URL to https, if that is its scheme. Only where it is known that the browser
 * used http, so that no redirect leads back to itself: a trusted proxy says so, or this process serves https and PORT
 * is reached directly.
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
    // A proxy before the nearest one may have ended TLS.
    const isPlain =
      proto === undefined ? servesHttps && !isProxy : isProxy && /^\s*http\s*$/i.test(String(proto))
    return isPlain ? publicUrl + req.url! : null
  }
}
