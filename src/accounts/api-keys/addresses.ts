import ipaddr from 'ipaddr.js'
import { isWithin, parseRange, type IpAddress } from '../../platform/facts/ip-address.ts'
import { invalid, itIs } from '../../platform/core/errors.ts'

/** Unique CIDR ranges without host bits, and IPv4-mapped IPv6 as IPv4; an empty list allows every address. */
export function normalizeRanges(entries: readonly string[] | null | undefined): string[] {
  return [...new Set((entries ?? []).map(normalizeRange))]
}

/** Shows a range of one address as that address. */
export function showRange(range: string): string {
  return range.includes(':') ? range.replace(/\/128$/, '') : range.replace(/\/32$/, '')
}

export function isRangeWithin(inner: string, outer: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(inner)
  const [around, aroundBits] = ipaddr.parseCIDR(outer)
  return bits >= aroundBits && isWithin(address, [[around, aroundBits]])
}

function normalizeRange(entry: string, index: number): string {
  const range = parseRange(entry.trim())
  if (range) return toNetwork(...range)
  const path = `ipAllowlist.${index}`
  throw invalid(
    path,
    `${path} must be an IP address or a CIDR range like 203.0.113.0/24 or 2001:db8::/32${itIs(path, entry)}.`,
    'format',
  )
}

/** Clears the host bits, which PostgreSQL requires of a cidr. */
function toNetwork(address: IpAddress, length: number): string {
  const bytes = address.toByteArray().map((byte, at) => {
    const kept = Math.min(Math.max(length - at * 8, 0), 8)
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`
}
