import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isWithin, parseRange, type Range } from './ip-address.ts'
import { OperatorError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { memoize } from '../core/functions.ts'

type ForwardedHeaders = Readonly<Record<string, string | string[] | undefined>>

export type ClientAddress = (peerAddress: string | undefined, headers: ForwardedHeaders) => string

const MAX_HOPS = 32
const CACHED_PEERS = 10_000

/**
 * With hops (`['1']`) the client is that many addresses to the left of the peer; with ranges it is the right-most
 * address outside of them. X-Forwarded-For counts only from a trusted peer.
 * @throws OperatorError for an invalid entry
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  log?: Pick<Log, 'warn'>,
): ClientAddress {
  if (trustedProxies.length === 0) return log ? warnOnce(log) : peerOnly
  const [first] = trustedProxies
  if (trustedProxies.length === 1 && /^\d+$/.test(first!)) return byHops(first!)
  return byRanges(trustedProxies.map(requireRange))
}

export function createProxyTrust(
  trustedProxies: readonly string[],
): (peerAddress: string | undefined) => boolean {
  if (trustedProxies.length === 0) return () => false
  // With hops, every peer counts as a proxy.
  if (/^\d+$/.test(trustedProxies[0]!)) return () => Number(trustedProxies[0]) > 0
  const ranges = trustedProxies.map(requireRange)
  return (peer) => {
    const address = canonical(peer)
    return address !== null && isWithin(ipaddr.process(address), ranges)
  }
}

function warnOnce(log: Pick<Log, 'warn'>): ClientAddress {
  let hasWarned = false
  return (peer, headers) => {
    if (!hasWarned && headers['x-forwarded-for'] !== undefined) {
      hasWarned = true
      log.warn(
        'a request has X-Forwarded-For and TRUSTED_PROXIES is not set: behind a proxy all clients share its address in limits, logs and analytics; set TRUSTED_PROXIES, to 0 if there is no proxy',
      )
    }
    return peerOnly(peer)
  }
}

/** The kernel's IPv4 addresses are canonical. */
function peerOnly(peer: string | undefined): string {
  return peer === undefined || peer.includes(':') ? (canonical(peer) ?? '') : peer
}

function byHops(text: string): ClientAddress {
  const hops = Number(text)
  if (hops > MAX_HOPS)
    throw new OperatorError(`TRUSTED_PROXIES must be at most ${MAX_HOPS} hops, not ${text}.`)
  return (peer, headers) => {
    let client = canonical(peer) ?? ''
    const chain = forwardedChain(headers)
    for (let hop = 0; hop < hops && chain.length > 0; hop++) {
      const next = canonical(chain.pop())
      if (next === null) break
      client = next
    }
    return client
  }
}

function byRanges(ranges: Range[]): ClientAddress {
  const isTrusted = memoize(CACHED_PEERS, (address) => isWithin(ipaddr.process(address), ranges))
  return (peer, headers) => {
    let client = canonical(peer) ?? ''
    if (client === '' || !isTrusted(client)) return client
    const chain = forwardedChain(headers)
    while (chain.length > 0) {
      const next = canonical(chain.pop())
      // Any client could have written what is left of an invalid entry.
      if (next === null) break
      client = next
      if (chain.length > 0 && !isTrusted(next)) break
    }
    return client
  }
}

function forwardedChain(headers: ForwardedHeaders): string[] {
  const value = headers['x-forwarded-for']
  if (value === undefined) return []
  return (typeof value === 'string' ? value : value.join(',')).split(',')
}

function canonical(text: string | undefined): string | null {
  if (text === undefined) return null
  if (isIPv4(text)) return text
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString()
}

function requireRange(text: string): Range {
  const range = parseRange(text)
  if (range) return range
  throw new OperatorError(
    `TRUSTED_PROXIES must be a number of hops or a list of addresses and CIDR ranges; "${text}" is neither.`,
  )
}
