import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

const PREFETCH = /prefetch|prerender|preview/i

/** True for what a browser fetches ahead of its user's decision. */
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
 * True when Host stands there twice: two readers of such a request may believe two hosts.
 * node:http keeps the first and says nothing. Names are told apart by their length first.
 */
export function hasTwoHosts(req: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i]!
    if (name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host')) hosts++
  }
  return hosts > 1
}
