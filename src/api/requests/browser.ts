import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import {
  getQuality,
  LOOPBACK_HOST,
  addressOf,
  isFromThisMachine,
  isLoopbackUrl,
} from '../../platform/http/request.ts'
import type { Cookie } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'

export type BrowserDeps = {
  publicUrl: string | null
  corsOrigins: ReadonlySet<string>
  isTrustedProxy: (peer: string | undefined) => boolean
}

const HOST_PREFIX = '__Host-'
/** A cookie with a path must not have the prefix above. */
const SECURE_PREFIX = '__Secure-'
const PLAIN_HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(:\d{1,5})?$/i
/** Bounds the work on one header; browsers store about as many per site. */
const MAX_COOKIES = 100

export type Browser = ReturnType<typeof createBrowser>

export function createBrowser({ publicUrl, corsOrigins, isTrustedProxy }: BrowserDeps) {
  /** X-Forwarded-Proto counts only from a trusted proxy. */
  function isHttps(request: FastifyRequest): boolean {
    if (publicUrl !== null) return publicUrl.startsWith('https:')
    const proto = request.headers['x-forwarded-proto']
    if (typeof proto !== 'string' || !isTrustedProxy(addressOf(request.raw))) return false
    // The nearest proxy wrote the last one.
    return proto.split(',').at(-1)!.trim().toLowerCase() === 'https'
  }

  function getOrigin(request: FastifyRequest): string {
    if (publicUrl !== null) return publicUrl
    const { host } = request.headers
    const name = host !== undefined && PLAIN_HOST.test(host) ? host.toLowerCase() : 'localhost'
    return `${isHttps(request) ? 'https' : 'http'}://${name}`
  }

  /** A client that sends neither header is no browser. @throws ApiError FORBIDDEN */
  function refuseForeignPage(request: FastifyRequest): void {
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    const isOurs =
      origin === undefined
        ? site === undefined || site === 'same-origin' || site === 'none'
        : isOurOrigin(origin, request)
    if (!isOurs) throw new ApiError('FORBIDDEN', 'A page of another site may not send this.')
  }

  function isOurOrigin(origin: string, request: FastifyRequest): boolean {
    if (corsOrigins.has(origin) || origin === publicUrl) return true
    const host = request.headers.host?.toLowerCase() ?? ''
    if (!PLAIN_HOST.test(host)) return false
    if (publicUrl !== null) return LOOPBACK_HOST.test(host) && hasHost(origin, host)
    return isHttps(request) ? origin === `https://${host}` : hasHost(origin, host)
  }

  /** Behind a proxy on this machine each visitor looks local, so a public server has no local browsers. */
  const isPublic = publicUrl !== null && !isLoopbackUrl(publicUrl)
  const isOnThisMachine = (request: FastifyRequest) => !isPublic && isFromThisMachine(request.raw)

  return { getOrigin, refuseForeignPage, isOnThisMachine }
}

/** On https only prefixed cookies count. A sibling subdomain may set `__Secure-` ones, so they keep their prefix. */
export function readCookies(header: string | undefined, origin: string): Record<string, string> {
  if (header === undefined) return {}
  const prefix = isSecure(origin) ? HOST_PREFIX : ''
  const found = new Map<string, string>()
  for (const pair of header.split(';', MAX_COOKIES)) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0)).trim()
    if (at < 1) continue
    const isOfPath = name.startsWith(SECURE_PREFIX)
    if (!isOfPath && !name.startsWith(prefix)) continue
    const bare = isOfPath ? name : name.slice(prefix.length)
    if (!found.has(bare)) found.set(bare, decode(pair.slice(at + 1).trim()))
  }
  return Object.fromEntries(found)
}

export function toSetCookie(cookie: Cookie, origin: string): string {
  const { name, value, path = '/' } = cookie
  const prefix = path === '/' ? HOST_PREFIX : SECURE_PREFIX
  return [
    `${isSecure(origin) ? prefix : ''}${name}=${encodeURIComponent(value)}`,
    `Path=${path}`,
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

/** Scripts and curl send `*` alone. */
export function wantsHtml({ accept }: IncomingHttpHeaders): boolean {
  if (accept === undefined || !accept.includes('html')) return false
  return getQuality(accept, /^text\/html$/) > getQuality(accept, /^application\/json$/)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
