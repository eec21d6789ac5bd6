import { isIP } from 'node:net'
import { parse } from 'tldts'
import { invalid } from '../../platform/core/errors.ts'

export type Hostname = {
  /** ASCII, in lower case. */
  hostname: string
  /** True for a registrable domain itself, which cannot have a CNAME record beside its others. */
  isApex: boolean
}

/** A name is at most 253 characters long, and so is the one of its TXT record. */
const MAX_CHARS = 253 - '_signpost.'.length
const SCHEME = /^https?:\/\//i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** `tldts` takes a name under an unknown top-level domain as a registrable one. */
const RULES = { allowPrivateDomains: true } as const

/**
 * The host of a name or URL that a user entered, without scheme, port and path.
 * @param isOwn whether a host is one of this server
 * @throws ApiError VALIDATION_ERROR with the path `hostname`
 */
export function checkHostname(input: string, isOwn: (hostname: string) => boolean): Hostname {
  const text = input.trim()
  const url = URL.parse(SCHEME.test(text) ? text : `http://${text}`)
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '')
    throw refuse('must be a host name, such as go.example.com.')
  const hostname = url.hostname.replace(/\.$/, '')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw refuse('must be a name; an IP address cannot be verified.')
  if (hostname.startsWith('*.')) throw refuse('must be one host; a wildcard is not supported.')
  if (hostname.length > MAX_CHARS)
    throw refuse(`must be at most ${MAX_CHARS} characters long, in punycode.`)
  const labels = hostname.split('.')
  if (!labels.every((label) => LABEL.test(label)))
    throw refuse(
      'must be a host name: letters, digits and hyphens, at most 63 characters between two dots.',
    )
  if (labels.length === 1) throw refuse('must be a full name, such as go.example.com.')
  if (labels.at(-1) === 'localhost' || isOwn(hostname))
    throw refuse('must not be an address of this server.', 'own_host')
  const { domain } = parse(hostname, RULES)
  if (domain === null)
    throw refuse(`must be a name below ${hostname}, which is a public suffix.`, 'public_suffix')
  return { hostname, isApex: domain === hostname }
}

/** The domain that was registered for a host. */
export function registrableOf(hostname: string): string {
  return parse(hostname, RULES).domain ?? hostname
}

function refuse(message: string, code?: string) {
  return invalid('hostname', `hostname ${message}`, code)
}
