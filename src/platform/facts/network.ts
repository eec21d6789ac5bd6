import ipaddr from 'ipaddr.js'

/**
 * The network that rate limits count as one client: the /64 of an IPv6 address, because a client
 * usually controls all of it; an IPv4 address, also one mapped into IPv6, is a network by itself.
 * @returns `ip` unchanged if it is not an address
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const parsed = ipaddr.process(ip)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** False for loopback, private, shared (carrier-grade NAT) and other special addresses, and for text that is no address. */
export function isPublicAddress(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast'
}
