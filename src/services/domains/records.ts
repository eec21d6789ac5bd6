import { registrableOf } from './hostname.ts'
import type { DomainRecord } from './schema.ts'

/** The addresses at which the edges of this installation are reached. */
export type Routing = {
  /** CNAME_TARGET. */
  cnameTarget: string | null
  /** DOMAIN_ADDRESSES, or else the present addresses of CNAME_TARGET. */
  addresses: readonly string[]
}

/** Records of a host in DNS. */
export type Found = {
  /** Texts of the TXT record that proves the ownership. */
  texts: readonly string[]
  aliases: readonly string[]
  addresses: readonly string[]
}

type Named = { hostname: string; token: string }

/** Of hostile or careless zones. */
const MAX_SHOWN = 10
const MAX_SHOWN_CHARS = 255

export function proofName(hostname: string): string {
  return `_signpost.${hostname}`
}

function proofText(token: string): string {
  return `signpost-verify=${token}`
}

/** Whether a TXT record is a proof, which some panels store with its quotation marks. */
export function isProof(text: string, token: string): boolean {
  return text.trim().replace(/^"(.*)"$/, '$1') === proofText(token)
}

/**
 * The records to create for a host: the proof of ownership, and the route to this server. A registrable
 * domain gets the addresses, since it cannot have a CNAME record.
 * @param found null before the first check
 */
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

function toAlias(
  name: string,
  value: string,
  found: Found | null,
  ok: boolean | null,
): DomainRecord {
  const present = found && found.aliases.length > 0 ? found.aliases : found?.addresses
  return { type: 'CNAME', name, value, purpose: 'routing', found: shown(present), ok }
}

/** By its alias, or by its addresses: some name servers answer with the addresses of an alias. */
function isRoutedTo(found: Found, target: string, addresses: readonly string[]): boolean {
  if (found.aliases.some((alias) => alias.toLowerCase().replace(/\.$/, '') === target)) return true
  return (
    found.addresses.length > 0 && found.addresses.every((address) => addresses.includes(address))
  )
}

function shown(values: readonly string[] = []): string[] {
  return values.slice(0, MAX_SHOWN).map((value) => value.slice(0, MAX_SHOWN_CHARS))
}
