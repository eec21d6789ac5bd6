import ipaddr from 'ipaddr.js'

/**
 * What rate limits count as one client: an IPv4 address, or the /64 of an IPv6 address, which usually has one owner.
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

/** False for special addresses (loopback, private, carrier-grade NAT, …), and for other text. */
export function isPublicAddress(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast'
}
