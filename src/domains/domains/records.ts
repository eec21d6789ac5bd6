import { isIP } from 'node:net'
import type { DomainRecord } from './schema.ts'
import { parse } from 'tldts'
import { invalid } from '../../platform/core/errors.ts'

export type Routing = {
  /** CNAME_TARGET, or else the host of SHORT_URL or PUBLIC_URL. */
  cnameTarget: string | null
  /** DOMAIN_ADDRESSES, or else the present addresses of the target. */
  addresses: readonly string[]
}

type Found = {
  texts: readonly string[]
  aliases: readonly string[]
  addresses: readonly string[]
}

const LOOPBACK = /^(127\.|0\.0\.0\.0$|::1?$|::ffff:)/

type Named = { hostname: string; token: string }

/** Only the operator knows where visitors reach the server. */
const NO_TARGET =
  'This server does not know its own public name. Set CNAME_TARGET to the name under which visitors reach it, such as links.example.com, or PUBLIC_URL to its address, such as https://links.example.com, and restart it.'
/** Bounds for hostile or careless zones. */
const MAX_SHOWN = 10
const MAX_SHOWN_CHARS = 255

export function proofName(hostname: string): string {
  return `_signpost.${hostname}`
}

function proofText(token: string): string {
  return `signpost-verify=${token}`
}

/** Some DNS panels store the quotation marks of a TXT record. */
export function isProof(text: string, token: string): boolean {
  return text.trim().replace(/^"(.*)"$/, '$1') === proofText(token)
}

/** A registrable domain gets addresses, since it cannot have a CNAME record. */
export function toRecords(
  { hostname, token }: Named,
  { cnameTarget, addresses }: Routing,
  found: Found | null,
): DomainRecord[] {
  const proof: DomainRecord = {
    type: 'TXT',
    name: proofName(hostname),
    value: proofText(token),
    purpose: 'ownership',
    found: shown(found?.texts),
    ok: found && found.texts.some((text) => isProof(text, token)),
  }
  const isApex = registrableOf(hostname) === hostname
  if (cnameTarget !== null && (!isApex || addresses.length === 0)) {
    const isRouted = found && isRoutedTo(found, cnameTarget, addresses)
    return [proof, toAlias(hostname, cnameTarget, found, isRouted)]
  }
  const rows = addresses.map((value): DomainRecord => {
    const type = value.includes(':') ? 'AAAA' : 'A'
    const present = found?.addresses.filter(
      (address) => address.includes(':') === (type === 'AAAA'),
    )
    const ok = present
      ? present.includes(value) && present.every((address) => addresses.includes(address))
      : null
    return { type, name: hostname, value, purpose: 'routing', found: shown(present), ok }
  })
  return [proof, ...rows]
}

export function routingOf(urls: readonly (string | null)[], isName = false): Routing {
  for (const url of urls) {
    const host = url === null ? '' : new URL(url).hostname.replace(/^\[|\]$|\.$/g, '')
    if (isIP(host) !== 0 && !LOOPBACK.test(host) && !isName)
      return { cnameTarget: null, addresses: [host] }
    if (isIP(host) === 0 && host.includes('.') && !host.endsWith('.localhost'))
      return { cnameTarget: host, addresses: [] }
  }
  return { cnameTarget: null, addresses: [] }
}

/** The settings, or else the name by which the client reached this server. */
export function routeFor(routing: Routing, origin: string | undefined): Routing {
  const isKnown = routing.cnameTarget !== null || routing.addresses.length > 0
  return isKnown ? routing : routingOf([origin ?? null], true)
}

export function withRoute(
  domain: Named & { records: DomainRecord[] | null },
  fallback: Routing | undefined,
): { records: DomainRecord[]; routingNote: string | null } {
  const known = domain.records ?? []
  const isRouted = known.some(({ purpose }) => purpose === 'routing')
  const [, ...added] = isRouted || !fallback ? [] : toRecords(domain, fallback, null)
  const records = [...known, ...added]
  return { records, routingNote: isRouted || added.length > 0 ? null : NO_TARGET }
}

function toAlias(
  name: string,
  value: string,
  found: Found | null,
  ok: boolean | null,
): DomainRecord {
  const present = found && found.aliases.length > 0 ? found.aliases : found?.addresses
  return { type: 'CNAME', name, value, purpose: 'routing', found: shown(present), ok }
}

/** Some name servers answer with the addresses of an alias instead of the alias. */
function isRoutedTo(found: Found, target: string, addresses: readonly string[]): boolean {
  if (found.aliases.some((alias) => alias.toLowerCase().replace(/\.$/, '') === target)) return true
  return (
    found.addresses.length > 0 && found.addresses.every((address) => addresses.includes(address))
  )
}

function shown(values: readonly string[] = []): string[] {
  return values.slice(0, MAX_SHOWN).map((value) => value.slice(0, MAX_SHOWN_CHARS))
}

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
