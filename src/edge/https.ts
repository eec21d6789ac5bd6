import type { IncomingMessage } from 'node:http'

/** Whether the browser uses https for a request to this host; the server itself never does. */
export type IsHttps = (host: string, req: IncomingMessage) => boolean

/**
 * A configured origin takes precedence; X-Forwarded-Proto counts only from a trusted proxy.
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
    const isHttps = configured.get(host)
    if (isHttps !== undefined) return isHttps
    const proto = req.headers['x-forwarded-proto']
    if (typeof proto !== 'string' || !isTrustedProxy(req.socket.remoteAddress)) return false
    // The nearest proxy wrote the last one.
    return proto.split(',').at(-1)!.trim().toLowerCase() === 'https'
  }
}
