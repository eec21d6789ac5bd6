import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Cookie } from '../base/caller.ts'
import { ApiError } from '../base/errors.ts'

export type BrowserDeps = {
  /** PUBLIC_URL, or null when any host is ours. */
  publicUrl: string | null
  /** Origins whose pages may send credentials. */
  corsOrigins: ReadonlySet<string>
  isTrustedProxy: (peer: string | undefined) => boolean
}

/** Where a browser sees this server, and which of its pages may act in a person's name. */
const HOST_PREFIX = '__Host-'
const PLAIN_HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(:\d{1,5})?$/i
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i
/** Bounds the work on one header; browsers stop at about as many cookies per site. */
const MAX_COOKIES = 100

export function createBrowser({ publicUrl, corsOrigins, isTrustedProxy }: BrowserDeps) {
  /** PUBLIC_URL is believed before any header; X-Forwarded-Proto only from a trusted proxy. */
  function isHttps(request: FastifyRequest): boolean {
    if (publicUrl !== null) return publicUrl.startsWith('https:')
    const proto = request.headers['x-forwarded-proto']
    if (typeof proto !== 'string' || !isTrustedProxy(request.socket.remoteAddress)) return false
    // The nearest proxy wrote the last one.
    return proto.split(',').at(-1)!.trim().toLowerCase() === 'https'
  }

  /** Where the browser sees this server. */
  function originOf(request: FastifyRequest): string {
    if (publicUrl !== null) return publicUrl
    const { host } = request.headers
    const name = host !== undefined && PLAIN_HOST.test(host) ? host.toLowerCase() : 'localhost'
    return `${isHttps(request) ? 'https' : 'http'}://${name}`
  }

  /**
   * Refuses what another site's page sends in a person's name (contract, Auth service). What sends
   * neither of the two headers is no browser.
   * @throws ApiError FORBIDDEN
   */
  function refuseForeignPage(request: FastifyRequest): void {
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    const isOurs =
      origin === undefined
        ? site === undefined || site === 'same-origin' || site === 'none'
        : isOurOrigin(origin, request)
    if (!isOurs) throw new ApiError('FORBIDDEN', 'This may not be sent from another site.')
  }

  function isOurOrigin(origin: string, request: FastifyRequest): boolean {
    if (corsOrigins.has(origin) || origin === publicUrl) return true
    const host = request.headers.host?.toLowerCase() ?? ''
    if (!PLAIN_HOST.test(host)) return false
    if (publicUrl !== null) return LOOPBACK_HOST.test(host) && hasHost(origin, host)
    return isHttps(request) ? origin === `https://${host}` : hasHost(origin, host)
  }

  return { originOf, refuseForeignPage }
}

/**
 * The cookies that are ours to read, without their prefix. On https only those with `__Host-`
 * count: others may have been set by a sibling subdomain.
 */
export function cookiesOf(header: string | undefined, origin: string): Record<string, string> {
  if (header === undefined) return {}
  const prefix = isSecure(origin) ? HOST_PREFIX : ''
  const found = new Map<string, string>()
  for (const pair of header.split(';', MAX_COOKIES)) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0)).trim()
    if (at < 1 || !name.startsWith(prefix)) continue
    const own = name.slice(prefix.length)
    if (!found.has(own)) found.set(own, decode(pair.slice(at + 1).trim()))
  }
  return Object.fromEntries(found)
}

/** The value of `Set-Cookie`. */
export function setCookie(cookie: Cookie, origin: string): string {
  const prefix = isSecure(origin) ? HOST_PREFIX : ''
  return [
    `${prefix}${cookie.name}=${encodeURIComponent(cookie.value)}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(origin) ? ['Secure'] : []),
    ...(cookie.maxAgeSeconds === undefined ? [] : [`Max-Age=${cookie.maxAgeSeconds}`]),
  ].join('; ')
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}

function hasHost(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

export function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

/** True when HTML is named, and preferred to JSON; `*` is what a script or curl sends. */
export function wantsHtml({ accept }: IncomingHttpHeaders): boolean {
  if (accept === undefined || !accept.includes('html')) return false
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json')
}

function qualityOf(accept: string, wanted: string): number {
  for (const part of accept.slice(0, 1_000).toLowerCase().split(',')) {
    const [type, ...parameters] = part.split(';').map((piece) => piece.trim())
    if (type !== wanted) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  }
  return 0
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
