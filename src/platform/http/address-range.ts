import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
/** IPv4 mapped into IPv6 becomes IPv4. */
export type Range = readonly [network: IpAddress, bits: number]

/** Parses `10.0.0.0/8` or one address; null for anything else, such as `10.1/16` or an address with a zone. */
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
