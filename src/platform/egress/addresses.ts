import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isWithin, parseRange, type IpAddress, type Range } from '../facts/ip-address.ts'

/** False for text that is no IP address. */
export type AddressPolicy = (address: string) => boolean

/** A deny list: IANA's special-purpose registry, and the public-looking addresses of cloud metadata services. */
const DENIED_IPV4 = ranges(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
)

/** An allow list: excludes loopback, mapped and translated IPv4, NAT64, unique local, link-local, SRv6 and multicast. */
const GLOBAL_IPV6 = ranges('2000::/3')
const DENIED_IPV6 = ranges('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/**
 * Metadata services hand out credentials to every program on the machine; an operator who allows a network does not
 * mean them.
 */
const NEVER = ranges(
  '169.254.0.0/16', // AWS, Google, Azure, DigitalOcean, OpenStack …; ECS at .170.2, Tencent at .0.23
  '168.63.129.16/32', // Azure's wire server
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fe80::/10', // reachable only with a zone, and OpenStack's fe80::a9fe:a9fe
)

const EMBEDDINGS: readonly [range: Range, bytes: readonly number[], isInverted?: true][] = [
  [range('::/96'), [12, 13, 14, 15]],
  [range('::ffff:0:0:0/96'), [12, 13, 14, 15]],
  [range('64:ff9b::/96'), [12, 13, 14, 15]],
  [range('64:ff9b:1::/48'), [12, 13, 14, 15]],
  [range('64:ff9b:1::/48'), [6, 7, 9, 10]],
  [range('2002::/16'), [2, 3, 4, 5]],
  [range('2001::/32'), [4, 5, 6, 7]],
  [range('2001::/32'), [12, 13, 14, 15], true],
]

/** An IPv6 address with an embedded IPv4 address is allowed only if both are. */
export function createAddressPolicy(allowedCidrs: readonly string[]): AddressPolicy {
  const opened = allowedCidrs.map(parseCidr)

  function isAllowed(address: IpAddress): boolean {
    if (isWithin(address, NEVER)) return false
    const isOpen = isWithin(address, opened)
    if (address instanceof ipaddr.IPv4) return isOpen || !isWithin(address, DENIED_IPV4)
    const isPublic = isWithin(address, GLOBAL_IPV6) && !isWithin(address, DENIED_IPV6)
    return (isOpen || isPublic) && embeddedIn(address).every(isAllowed)
  }

  return (text) => isIP(text) !== 0 && !text.includes('%') && isAllowed(ipaddr.process(text))
}

export function isMetadataAddress(text: string): boolean {
  const address = ipaddr.process(text)
  const embedded = address instanceof ipaddr.IPv6 ? embeddedIn(address) : []
  return [address, ...embedded].some((candidate) => isWithin(candidate, NEVER))
}

/** @throws Error whose message completes "EGRESS_ALLOWED_CIDRS must be …", also for ranges of metadata addresses only */
export function parseCidr(text: string): Range {
  const parsed = parseRange(text)
  if (!parsed) throw new Error(`addresses and CIDR ranges such as 10.0.0.0/8; "${text}" is neither`)
  const [network, bits] = parsed
  if (NEVER.some((never) => never[1] <= bits && isWithin(network, [never])))
    throw new Error(
      `ranges without link-local and metadata addresses, which cannot be opened; "${text}" is one`,
    )
  return parsed
}

function embeddedIn(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray()
  // These two are in ::/96 and embed no IPv4 address.
  if (address.range() === 'unspecified' || address.range() === 'loopback') return []
  return EMBEDDINGS.filter(([around]) => isWithin(address, [around])).map(
    ([, at, isInverted]) =>
      new ipaddr.IPv4(at.map((i) => (isInverted ? ~bytes[i]! & 255 : bytes[i]!))),
  )
}

function ranges(...texts: string[]): Range[] {
  return texts.map(range)
}

function range(text: string): Range {
  return parseRange(text)!
}
