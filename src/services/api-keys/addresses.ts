import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalid } from '../../base/errors.ts'

const MAPPED_BITS = 96

/**
 * An allow-list as it is stored: CIDR ranges, each once, host bits cleared, IPv4 mapped into IPv6
 * written as IPv4. Takes addresses and ranges; null or nothing is any address.
 * @throws ApiError VALIDATION_ERROR with the path `ipAllowlist.<index>`
 */
export function normalizeRanges(entries: readonly string[] | null | undefined): string[] {
  return [...new Set((entries ?? []).map(normalizeRange))]
}

/** A range as it is shown: one that holds a single address is that address. */
export function showRange(range: string): string {
  return range.includes(':') ? range.replace(/\/128$/, '') : range.replace(/\/32$/, '')
}

/** Whether every address of one stored range is in the other; IPv4 and IPv6 hold nothing of each other. */
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
    return networkOf(parsed.toIPv4Address(), length - MAPPED_BITS)
  return networkOf(parsed, length)
}

/** The range around an address: what lies beyond its length is zero, as PostgreSQL demands of a cidr. */
function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string {
  const bytes = address.toByteArray().map((byte, at) => {
    const kept = Math.min(Math.max(length - at * 8, 0), 8)
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`
}
