import { isIPv4 } from 'node:net'

/** Key of the shared default host, as in `coalesce(links.domain_id, '')`. */
const SHARED = ''
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/
const MAX_VERDICTS = 10_000

/** The domain key of a lower-cased Host header; null for a host that is not ours, or is none. */
export type DomainKeyOf = (host: string) => string | null

/**
 * With `origins` (PUBLIC_URL, SHORT_URL) links answer on these hosts and on loopback, whatever
 * the port: proxies and containers change that. With none, on every host.
 */
export function createHosts(origins: readonly string[]): DomainKeyOf {
  const ours = new Set(origins.map((origin) => new URL(origin).hostname))
  const verdicts = new Map<string, string | null>()
  return (host) => {
    const known = verdicts.get(host)
    if (known !== undefined) return known
    const verdict = isServed(host, ours) ? SHARED : null
    if (verdicts.size >= MAX_VERDICTS) verdicts.clear()
    verdicts.set(host, verdict)
    return verdict
  }
}

function isServed(host: string, ours: ReadonlySet<string>): boolean {
  // HTTP/1.0 knows no Host header; such a client found us by our address.
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
