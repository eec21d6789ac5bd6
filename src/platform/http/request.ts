import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '../core/ids.ts'
import { timingSafeEqual } from 'node:crypto'
import type { RequestHead } from './plain-request.ts'

export type Sender = {
  address: string | undefined
  isEncrypted: boolean
}

const SENDER = Symbol('sender')

type Received = RequestHead & { [SENDER]?: Sender }

export function setSender(req: RequestHead, sender: Sender): void {
  ;(req as Received)[SENDER] = sender
}

export function addressOf(req: RequestHead): string | undefined {
  const sender = (req as Received)[SENDER]
  return sender === undefined ? req.socket.remoteAddress : sender.address
}

export function isEncrypted(req: RequestHead): boolean {
  const sender = (req as Received)[SENDER]
  return sender?.isEncrypted ?? (req.socket as Socket & { encrypted?: boolean }).encrypted === true
}

const ACCEPTED = /^[A-Za-z0-9._-]{8,128}$/

/** So that every response and log line of a request has the same id. */
const assigned = new WeakMap<IncomingMessage, string>()

export function toRequestId(incoming: string | string[] | undefined, nowMs: number): string {
  return typeof incoming === 'string' && ACCEPTED.test(incoming) ? incoming : newId('req', nowMs)
}

export function assignRequestId(request: IncomingMessage, nowMs: number): string {
  const known = assigned.get(request)
  if (known !== undefined) return known
  const id = toRequestId(request.headers['x-request-id'], nowMs)
  assigned.set(request, id)
  return id
}

export function getQuality(accept: string, type: RegExp): number {
  const ranges = accept.slice(0, 1_000).toLowerCase().split(',')
  const qualities = ranges.map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (!type.test(name)) return 0
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  })
  return Math.max(...qualities)
}

const WORD = /^[a-z-]*$/
const ID = /^[a-z]{2,4}_([0-9A-Z]{26}|[0-9a-f]{32})$/
const MAX_CHARS = 21
const BEFORE_TOKEN = /^\/(v1\/public\/dashboards|share)\/[^/]+/

/** Without the query, and without segments that may be a token: any longer text that is not an id. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path
    .replace(BEFORE_TOKEN, '/$1/[redacted]')
    .split('/')
    .map((part) =>
      part.length <= MAX_CHARS || WORD.test(part) || ID.test(part) ? part : '[redacted]',
    )
    .join('/')
}

const LOOPBACK_PEER = /^(::1$|127\.|::ffff:127\.)/
export const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
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

export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_HOST.test(new URL(url).host)
}

/**
 * A proxy on this machine, or a page in its browser, can make any visitor a loopback peer. So the request must name a
 * loopback host (against DNS rebinding), show no trace of a proxy, and not come from another page.
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

/** Basic, with the token as password, is for programs that only take a URL. */
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
