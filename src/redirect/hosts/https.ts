import type { IncomingMessage } from 'node:http'
import { addressOf, isEncrypted } from '../../platform/http/sender.ts'

/** Whether the browser uses https for a request to this host. */
export type IsHttps = (host: string, req: IncomingMessage) => boolean

/**
 * A connection with TLS is https. On others, a configured origin takes precedence; X-Forwarded-Proto counts only from a trusted proxy.
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
