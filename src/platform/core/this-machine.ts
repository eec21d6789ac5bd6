import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { addressOf } from '../http/sender.ts'

const LOOPBACK_PEER = /^(::1$|127\.|::ffff:127\.)/
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
/** Headers that proxies add to a request, most frequent first. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-original-host',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'forwarded',
  'via',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-envoy-external-address',
  'x-amzn-trace-id',
]

/** True for a PUBLIC_URL that only this machine can reach. */
export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_HOST.test(new URL(url).host)
}

/**
 * A proxy on this machine, or a page in its browser, can make any visitor a loopback peer. So the request must name a
 * loopback host (against DNS rebinding, and proxies that pass the Host on), show no trace of a proxy (nginx by default
 * speaks HTTP/1.0 upstream), and not come from another page.
 */
export function isFromThisMachine(req: IncomingMessage): boolean {
  const { headers } = req
  const site = headers['sec-fetch-site']
  return (
    LOOPBACK_PEER.test(addressOf(req) ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    req.httpVersion !== '1.0' &&
    headers.origin === undefined &&
    (site === undefined || site === 'none' || site === 'same-origin') &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  )
}

/** Accepts a bearer token, or Basic with the token as password for programs that only take a URL. */
export function hasToken({ headers }: IncomingMessage, token: string | null): boolean {
  const { authorization } = headers
  if (token === null || authorization === undefined) return false
  const [, scheme = '', credential = ''] = /^(Bearer|Basic) (.+)$/i.exec(authorization) ?? []
  const password = Buffer.from(credential, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')
  const given = Buffer.from(scheme.toLowerCase() === 'basic' ? password : credential)
  const expected = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
