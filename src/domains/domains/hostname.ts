import { isIP } from 'node:net'
import { parse } from 'tldts'
import { invalid } from '../../platform/core/errors.ts'

/** A DNS name has at most 253 characters; the TXT record's name is the longer one. */
const MAX_CHARS = 253 - '_signpost.'.length
const SCHEME = /^https?:\/\//i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** `tldts` treats a name under an unknown top-level domain as registrable. */
const RULES = { allowPrivateDomains: true } as const

export function checkHostname(input: string, ownHosts: ReadonlySet<string | null>): string {
  const text = input.trim()
  const url = URL.parse(SCHEME.test(text) ? text : `http://${text}`)
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '')
    throw refuse('must be a host name, such as go.example.com.')
  const hostname = url.hostname.replace(/\.$/, '')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw refuse('must be a name; an IP address cannot be verified.')
  if (hostname.startsWith('*.')) throw refuse('must be one host; a wildcard is not supported.')
  if (hostname.length > MAX_CHARS)
    throw refuse(`must have at most ${MAX_CHARS} characters in punycode.`)
  const labels = hostname.split('.')
  if (!labels.every((label) => LABEL.test(label)))
    throw refuse(
      'must be a host name: labels of letters, digits and hyphens, each at most 63 characters long.',
    )
  if (labels.length === 1) throw refuse('must be a full name, such as go.example.com.')
  if (labels.at(-1) === 'localhost' || ownHosts.has(hostname))
    throw refuse('must not be an address of this server.', 'own_host')
  if (parse(hostname, RULES).domain === null)
    throw refuse(`must be a name below ${hostname}, which is a public suffix.`, 'public_suffix')
  return hostname
}

export function registrableOf(hostname: string): string {
  return parse(hostname, RULES).domain ?? hostname
}

function refuse(message: string, code?: string) {
  return invalid('hostname', `hostname ${message}`, code)
}
