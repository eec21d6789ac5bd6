import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { parseCidr } from '../egress/addresses.ts'
import { ROOT } from './checkout.ts'

/** Parsers of settings. An error completes "PORT must be …" and does not repeat the value, which may be a secret. */

export function text(value: string): string {
  return value
}

export function path(value: string): string {
  return resolve(ROOT, value)
}

export function list(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

export function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`a whole number from ${min} to ${max}`)
    return number
  }
}

export function oneOf<const T extends string>(...allowed: T[]) {
  return (value: string): T => {
    if (!allowed.includes(value as T)) throw new Error(`one of ${allowed.join(', ')}`)
    return value as T
  }
}

export function listOf<const T extends string>(...allowed: T[]) {
  return (value: string): T[] => {
    const entries = list(value) as T[]
    const isAllowed = entries.length > 0 && entries.every((entry) => allowed.includes(entry))
    if (!isAllowed || new Set(entries).size < entries.length)
      throw new Error(`one or more of ${allowed.join(', ')}, separated by commas`)
    return entries
  }
}

export function boolean(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error('true or false')
  return value === 'true'
}

export function minLength(length: number) {
  return (value: string): string => {
    if (value.length < length) throw new Error(`at least ${length} characters long`)
    return value
  }
}

export function matching(pattern: RegExp, description: string) {
  return (value: string): string => {
    if (!pattern.test(value)) throw new Error(description)
    return value
  }
}

export function headerName(value: string): string {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(value))
    throw new Error('the name of a header such as CF-IPCountry')
  return value.toLowerCase()
}

export function cidrs(value: string): string[] {
  const entries = list(value)
  for (const entry of entries) parseCidr(entry)
  return entries
}

/** In canonical spelling, like the resolver. */
export function ipAddresses(value: string): string[] {
  return list(value).map((entry) => {
    if (isIP(entry) === 0) throw new Error('addresses such as 192.0.2.1,2001:db8::1')
    return ipaddr.parse(entry).toString()
  })
}

export function hostname(value: string): string {
  const name = value.toLowerCase().replace(/\.$/, '')
  const isName =
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(name)
  if (!isName) throw new Error('a host name such as links.example.com')
  return name
}

export function dnsServer(value: string): string {
  const [, bracketed, plain = bracketed, port = '53'] =
    /^(?:\[([^\]]+)\]|([^[\]]+?))(?::(\d{1,5}))?$/.exec(value) ?? []
  const family = isIP(plain ?? '')
  const isServer = (bracketed === undefined ? family === 4 : family === 6) || isIP(value) === 6
  if (!isServer || Number(port) < 1 || Number(port) > 65_535)
    throw new Error('addresses such as 10.0.0.2, 10.0.0.2:5353 or [2001:db8::53]:5353')
  return value
}

export function origin(value: string): string {
  const url = URL.parse(value)
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin || /[?#@]/.test(value))
    throw new Error('an origin such as https://links.example.com')
  return url.origin
}

export function issuer(value: string): string {
  const url = URL.parse(value)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '')
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)
  if (!url || !isAllowed || url.username || url.search || url.hash)
    throw new Error('an https URL such as https://login.example.com (http only on loopback)')
  return value
}

function urlOf(protocol: RegExp, example: string) {
  return (value: string): string => {
    const parsed = URL.parse(value)
    if (!parsed || !protocol.test(parsed.protocol)) throw new Error(`a URL such as ${example}`)
    return value
  }
}

const anyPostgresUrl = urlOf(/^postgres(ql)?:$/, 'postgres://user:password@host:5432/database')

export function postgresUrl(value: string): string {
  // libpq takes a list of hosts.
  if (/^[^/?#]*,/.test(value.replace(/^\w+:\/\/([^/?#]*@)?/, '')))
    throw new Error('a URL with one host, a name that leads to the primary (docs/operations.md)')
  return anyPostgresUrl(value)
}

export function pooledUrl(value: string): string {
  if (!value.endsWith('/{role}'))
    throw new Error('a URL such as postgres://user:password@host:6432/{role}')
  postgresUrl(value.replace('{role}', 'role'))
  return value
}

export const clickhouseUrl = urlOf(/^https?:$/, 'http://user:password@host:8123/database')
export const redisUrl = urlOf(/^rediss?:$/, 'redis://user:password@host:6379/0')

export function smtpUrl(value: string): string {
  const url = URL.parse(value)
  const isServer =
    url &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    !/[?#]/.test(value) &&
    isPercentEncoded(url.username) &&
    isPercentEncoded(url.password)
  if (!isServer) throw new Error('a URL such as smtp://user:password@mail.example.com:587')
  return value
}

function isPercentEncoded(part: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(part))
  } catch {
    return false
  }
}

const UNIT_SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3_600 }

export function delays(count: number) {
  return (value: string): number[] => {
    const seconds = list(value).map((delay) => {
      const [, number, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(delay) ?? []
      return number === undefined ? NaN : Number(number) * UNIT_SECONDS[unit!]!
    })
    if (seconds.length !== count || seconds.some(Number.isNaN))
      throw new Error(`${count} delays such as 30s,2m,10m,30m,1h`)
    return seconds
  }
}

type Setting<T> = {
  name: string
  parse: (text: string) => T
  fallback: T
  description: string
  shown?: string
  isSecret?: boolean
}

export function setting<const T>(
  name: string,
  parse: (text: string) => T,
  fallback: T,
  description: string,
  shown?: string,
): Setting<T> {
  return { name, parse, fallback, description, ...(shown !== undefined && { shown }) }
}

export function optional(
  name: string,
  parse: (text: string) => string,
  description: string,
  shown = '',
): Setting<string | null> {
  return { name, parse, fallback: null, description, shown }
}

export function secret(...row: Parameters<typeof optional>): Setting<string | null> {
  return { ...optional(...row), isSecret: true }
}
