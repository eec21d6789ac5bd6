import { registrableOf } from './hostname.ts'
import { isProof, proofName, toRecords, type Routing } from './records.ts'
import { toProofUrl, type DomainRow } from './row.ts'
import type { DomainRecord, FailureReason } from './schema.ts'

type Answer = {
  outcome: 'found' | 'no_name' | 'no_record' | 'unavailable'
  values: readonly string[]
}

/** Each answers within some seconds, and never rejects. */
export type Lookups = {
  readTexts: (name: string) => Promise<Answer>
  readAliases: (name: string) => Promise<Answer>
  readAddresses: (name: string) => Promise<Answer>
  /** The body of a URL that a user chose; null if there is none. */
  readProof: (url: string) => Promise<string | null>
  readRouting: () => Promise<Routing>
}

/** `reason` is null when the ownership was proved. */
export type Checked = { reason: FailureReason | null; records: DomainRecord[] }

/**
 * Looks for the proof of ownership, in DNS and else over HTTP, and for the records that route the host to
 * this server. The route decides nothing: a host that only points here belongs to its owner, who may not be
 * the one who claims it.
 */
export async function checkHost(
  lookups: Lookups,
  domain: Pick<DomainRow, 'hostname' | 'token'>,
): Promise<Checked> {
  const { hostname, token } = domain
  const [texts, aliases, addresses, routing] = await Promise.all([
    lookups.readTexts(proofName(hostname)),
    lookups.readAliases(hostname),
    lookups.readAddresses(hostname),
    lookups.readRouting(),
  ])
  const found = { texts: texts.values, aliases: aliases.values, addresses: addresses.values }
  const records = toRecords(domain, routing, found)
  if (texts.values.some((text) => isProof(text, token))) return { reason: null, records }
  const isAnswering = addresses.outcome === 'found'
  const proof = isAnswering ? await lookups.readProof(toProofUrl(domain)) : null
  if (proof?.trim() === token) return { reason: null, records }
  return { reason: await explain(lookups, hostname, texts, addresses), records }
}

async function explain(
  { readAddresses }: Pick<Lookups, 'readAddresses'>,
  hostname: string,
  texts: Answer,
  addresses: Answer,
): Promise<FailureReason> {
  if (texts.outcome === 'unavailable') return 'lookup_error'
  if (texts.values.some((text) => text.includes('signpost-verify='))) return 'token_mismatch'
  if (texts.outcome !== 'no_name' || addresses.outcome !== 'no_name') return 'not_configured'
  // A new subdomain has no name in DNS before its records are made.
  const registered = await readAddresses(registrableOf(hostname))
  if (registered.outcome === 'unavailable') return 'lookup_error'
  return registered.outcome === 'no_name' ? 'not_found' : 'not_configured'
}
