import { isIP, type LookupFunction } from 'node:net'
import { LateError, withinMs } from '../core/service.ts'
import { createAddressPolicy, isMetadataAddress, type AddressPolicy } from './addresses.ts'
import {
  createNameResolver,
  NameError,
  type NameResolver,
  type ResolvedAddress,
} from './name-resolver.ts'

type BlockedBecause = 'malformed' | 'scheme' | 'credentials' | 'port' | 'host'

export class EgressBlockedError extends Error {
  override name = 'EgressBlockedError'
  readonly code = 'EBLOCKED'
  readonly because: BlockedBecause

  constructor(because: BlockedBecause, message: string) {
    super(message)
    this.because = because
  }
}

export type EgressGuard = ReturnType<typeof createEgressGuard>

type Options = {
  allowedCidrs: readonly string[]
  dnsServers?: readonly string[]
  now?: () => number
}

const CREATE_CHECK_TIMEOUT_MS = 2_000
const MAX_ADDRESSES = 16
const NOT_PUBLIC =
  'The address is not allowed: it is not on the public internet. The operator of the server can open private ranges with EGRESS_ALLOWED_CIDRS.'
const NEVER_CALLED =
  'The address is not allowed: link-local and metadata addresses are never called, and no setting opens them.'

/** Names that public DNS does not delegate (RFC 6761, 6762 appendix G, 8375, ICANN's .internal). */
const LOCAL_SUFFIX = /(^|\.)(internal|local|home\.arpa|intranet|private|corp|home|lan)$/
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const LOCALHOST = /(^|\.)localhost$/
const METADATA_NAME =
  /^(metadata|metadata\.(google|goog|azure|tencentyun|platformequinix)(\.\w+)*|instance-data(\.\w+)*)$/

/** Ports of other protocols, whose servers may misread an HTTP request (Fetch standard, "bad port"). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

/**
 * Keeps requests to addresses that users chose away from the server's own network. A name is resolved once per
 * connection, and the socket goes to the checked addresses, so a changed DNS answer (rebinding) has no effect. One
 * denied answer refuses the name: an honest name has no private address beside a public one.
 */
export function createEgressGuard({ allowedCidrs, dnsServers = [], now }: Options) {
  const isAllowed = createAddressPolicy(allowedCidrs)
  const resolver = createNameResolver({ dnsServers, now })
  const areLocalNamesOpen = allowedCidrs.length > 0

  /** Checks a host without DNS: every spelling of an address, and names that can only be local. */
  function checkHost(hostname: string): void {
    const name = canonicalHost(hostname)
    if (isIP(name) !== 0) return checkAddresses([name], isAllowed)
    if (METADATA_NAME.test(name)) throw new EgressBlockedError('host', NEVER_CALLED)
    if (isLocalName(name) && !areLocalNamesOpen) throw new EgressBlockedError('host', NOT_PUBLIC)
  }

  function checkPort(port: string | number): void {
    if (port === '' || !BAD_PORTS.has(Number(port))) return
    if (Number(port) === 0) throw new EgressBlockedError('port', 'Port 0 cannot be called.')
    throw new EgressBlockedError('port', `Port ${port} belongs to a protocol other than HTTP.`)
  }

  async function checkedAddresses(hostname: string): Promise<readonly ResolvedAddress[]> {
    checkHost(hostname)
    return resolveChecked(canonicalHost(hostname), resolver, isAllowed)
  }

  const lookup: LookupFunction = (hostname, options, callback) => {
    const { all = false, family = 0 } = options
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family
    checkedAddresses(hostname).then(
      (addresses) => {
        const usable = addresses.filter((entry) => wanted === 0 || entry.family === wanted)
        const [first] = usable
        if (first === undefined) callback(new NameError(hostname, 'ENODATA'), [])
        else if (all) callback(null, usable.slice(0, MAX_ADDRESSES))
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

  /** A name that does not resolve within two seconds passes, since every connection checks again. */
  async function checkUrl(text: string, { allowHttp }: { allowHttp: boolean }): Promise<void> {
    const url = checkedUrl(text, allowHttp)
    checkHost(url.hostname)
    checkPort(url.port)
    if (isIP(canonicalHost(url.hostname)) !== 0) return
    try {
      await withinMs(checkedAddresses(url.hostname), CREATE_CHECK_TIMEOUT_MS)
    } catch (error) {
      if (!(error instanceof NameError || error instanceof LateError)) throw error
    }
  }

  const isAllowedAddress = (address: string | undefined) =>
    address !== undefined && isAllowed(address)
  return { checkHost, checkPort, checkUrl, lookup, isAllowedAddress }
}

async function resolveChecked(
  name: string,
  resolver: NameResolver,
  isAllowed: AddressPolicy,
): Promise<readonly ResolvedAddress[]> {
  // RFC 6761, 6.3: never resolved through DNS.
  if (LOCALHOST.test(name)) {
    const own = LOOPBACK.filter(({ address }) => isAllowed(address))
    if (own.length === 0) throw new EgressBlockedError('host', NOT_PUBLIC)
    return own
  }
  const addresses = await resolver.resolve(name)
  checkAddresses(
    addresses.map(({ address }) => address),
    isAllowed,
  )
  return addresses
}

function checkAddresses(addresses: readonly string[], isAllowed: AddressPolicy): void {
  if (addresses.every(isAllowed)) return
  const isNeverCalled = addresses.some(isMetadataAddress)
  throw new EgressBlockedError('host', isNeverCalled ? NEVER_CALLED : NOT_PUBLIC)
}

function checkedUrl(text: string, allowHttp: boolean): URL {
  const url = URL.parse(text)
  if (url === null) throw new EgressBlockedError('malformed', 'This is not a URL.')
  // The URL parser would drop some silently.
  if (/\p{Cc}/u.test(text.trim()))
    throw new EgressBlockedError('malformed', 'The URL must not contain control characters.')
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    throw new EgressBlockedError(
      'scheme',
      allowHttp
        ? 'The URL must begin with https:// or http://.'
        : 'The URL must begin with https://; WEBHOOK_ALLOW_HTTP allows http:// for development.',
    )
  if (url.username !== '' || url.password !== '')
    throw new EgressBlockedError('credentials', 'The URL must not contain a user name or password.')
  return url
}

/** `0x7f.1` becomes 127.0.0.1; a name loses its final dot. */
function canonicalHost(hostname: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) === 6) return bare
  const url = /[/?#\\@:\s]/.test(bare) ? null : URL.parse(`http://${bare}/`)
  if (url === null) throw new EgressBlockedError('malformed', 'The URL has no valid host.')
  return url.hostname.replace(/\.$/, '')
}

function isLocalName(name: string): boolean {
  return !name.includes('.') || LOCALHOST.test(name) || LOCAL_SUFFIX.test(name)
}
