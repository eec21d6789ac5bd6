import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

const PREFETCH = /prefetch|prerender|preview/i

/** True for a request that a browser sends before its user follows the link. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return (
    announces(headers['sec-purpose']) ||
    announces(headers['purpose']) ||
    announces(headers['x-moz'])
  )
}

function announces(value: string | string[] | undefined): boolean {
  return value !== undefined && PREFETCH.test(String(value))
}

/**
 * True if there are two Host headers: a proxy and this server could then act on different hosts.
 * node:http silently keeps the first. The length of a name is compared first, because it is cheap.
 */
export function hasTwoHosts(req: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i]!
    if (name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host')) hosts++
  }
  return hosts > 1
}
