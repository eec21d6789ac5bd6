import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalid } from '../../base/errors.ts'

const MAPPED_BITS = 96

/**
 * Converts addresses and ranges to the stored form of an allow-list: unique CIDR ranges with host bits
 * cleared, and IPv4-mapped IPv6 as IPv4. An empty list allows every address.
 * @throws ApiError VALIDATION_ERROR with the path `ipAllowlist.<index>`
 */
export function normalizeRanges(entries: readonly string[] | null | undefined): string[] {
  return [...new Set((entries ?? []).map(normalizeRange))]
}

/** Shows a range of one address as that address. */
export function showRange(range: string): string {
  return range.includes(':') ? range.replace(/\/128$/, '') : range.replace(/\/32$/, '')
}

/** True when a stored range contains every address of another of the same family. */
export function isRangeWithin(inner: string, outer: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(inner)
  const [around, aroundBits] = ipaddr.parseCIDR(outer)
  return (
    address.kind() === around.kind() &&
    bits >= aroundBits &&
    address.match([around, aroundBits] as [ipaddr.IPv4, number])
  )
}

function normalizeRange(entry: string, index: number): string {
  const [address = '', bits, ...rest] = entry.trim().split('/')
  const family = isIP(address)
  const widest = family === 4 ? 32 : 128
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest)
  if (family === 0 || address.includes('%') || !isBits || rest.length > 0) {
    const path = `ipAllowlist.${index}`
    throw invalid(
      path,
      `${path} must be an IP address or a CIDR range like 203.0.113.0/24 or 2001:db8::/32.`,
      'format',
    )
  }
  const length = bits === undefined ? widest : Number(bits)
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= MAPPED_BITS)
    return toNetwork(parsed.toIPv4Address(), length - MAPPED_BITS)
  return toNetwork(parsed, length)
}

/** Clears the host bits, which PostgreSQL requires of a cidr. */
function toNetwork(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string {
  const bytes = address.toByteArray().map((byte, at) => {
    const kept = Math.min(Math.max(length - at * 8, 0), 8)
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`
}
