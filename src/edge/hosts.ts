import { isIPv4 } from 'node:net'
import { memoize } from '../base/memo.ts'

/** Key of the shared default host, as in `coalesce(links.domain_id, '')`. */
const SHARED = ''
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/
const CACHED_HOSTS = 10_000

/** The domain key of a Host header in lower case; null for a foreign or invalid host. */
export type ToDomainKey = (host: string) => string | null

/**
 * With `origins` (PUBLIC_URL, SHORT_URL) links answer on these hosts and on loopback, on any port,
 * because proxies and containers change the port. Without origins, on every host.
 */
export function createHosts(origins: readonly string[]): ToDomainKey {
  const ours = new Set(origins.map((origin) => new URL(origin).hostname))
  return memoize(CACHED_HOSTS, (host) => (isServed(host, ours) ? SHARED : null))
}

function isServed(host: string, ours: ReadonlySet<string>): boolean {
  // HTTP/1.0 has no Host header; its client connects to the address itself.
  if (host === '') return ours.size === 0
  if (!HOST.test(host)) return false
  if (ours.size === 0) return true
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '')
  return ours.has(name) || isLoopback(name)
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '[::1]') return true
  return isIPv4(name) && name.startsWith('127.')
}
