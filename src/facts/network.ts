import ipaddr from 'ipaddr.js'

/**
 * The network that counts as one client where requests or guesses are limited: whoever has one IPv6
 * address has the /64 around it; an IPv4 address, also one mapped into IPv6, is itself.
 * @returns what is no address as it is
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
