import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** What rate limits count as one client: an IPv4 address, or the /64 of an IPv6 address, which usually has one owner. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const parsed = ipaddr.process(ip)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

export function isPublicAddress(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast'
}

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
export type Range = readonly [network: IpAddress, bits: number]

/** Null for anything but `10.0.0.0/8` or one address, such as `10.1/16` or an address with a zone. */
export function parseRange(text: string): Range | null {
  const [address = '', bits, ...rest] = text.split('/')
  const max = isIP(address) === 4 ? 32 : 128
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max)
  if (isIP(address) === 0 || address.includes('%') || !isBits || rest.length > 0) return null
  const network = ipaddr.parse(address)
  const length = bits === undefined ? max : Number(bits)
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && length >= 96
    ? [network.toIPv4Address(), length - 96]
    : [network, length]
}

export function isWithin(address: IpAddress, ranges: readonly Range[]): boolean {
  return ranges.some(
    ([network, bits]) =>
      network.kind() === address.kind() && address.match([network, bits] as [ipaddr.IPv4, number]),
  )
}
