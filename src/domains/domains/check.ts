import { isProof, proofName, registrableOf, routingOf, toRecords, type Routing } from './records.ts'
import { toProofUrl, type DomainRow } from './row.ts'
import type { DomainRecord, FailureReason } from './schema.ts'
import type { Config } from '../../platform/config/config.ts'
import { openEgressClient, readShortText } from '../../platform/egress/client.ts'
import { createDnsRecords } from '../../platform/egress/dns-records.ts'
import type { EgressGuard } from '../../platform/egress/guard.ts'

type Answer = {
  outcome: 'found' | 'no_name' | 'no_record' | 'unavailable'
  values: readonly string[]
}

/** Each takes a few seconds at most, and never rejects. */
export type DomainLookups = {
  readTexts: (name: string) => Promise<Answer>
  readAliases: (name: string) => Promise<Answer>
  readAddresses: (name: string) => Promise<Answer>
  /** The body of the answer; null if there is none. The user chose the URL. */
  readProof: (url: string) => Promise<string | null>
  readRouting: () => Promise<Routing>
}

/** `reason` is null if the ownership was proved. */
export type Checked = { reason: FailureReason | null; records: DomainRecord[] }

/** The route proves nothing: whoever claims a host that points here may not be its owner. */
export async function checkHost(
  lookups: DomainLookups,
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
  { readAddresses }: Pick<DomainLookups, 'readAddresses'>,
  hostname: string,
  texts: Answer,
  addresses: Answer,
): Promise<FailureReason> {
  if (texts.outcome === 'unavailable') return 'lookup_error'
  if (texts.values.some((text) => text.includes('signpost-verify='))) return 'token_mismatch'
  if (texts.outcome !== 'no_name' || addresses.outcome !== 'no_name') return 'not_configured'
  // A new subdomain does not exist in DNS until its records are created.
  const registered = await readAddresses(registrableOf(hostname))
  if (registered.outcome === 'unavailable') return 'lookup_error'
  return registered.outcome === 'no_name' ? 'not_found' : 'not_configured'
}

const PROOF = { maxBytes: 256, timeoutMs: 3_000 }
const CONNECTIONS_PER_HOST = 4

export function routingByConfig(
  config: Pick<Config, 'cnameTarget' | 'domainAddresses' | 'shortUrl' | 'publicUrl'>,
): Routing {
  const { cnameTarget, domainAddresses, shortUrl, publicUrl } = config
  const { cnameTarget: name, addresses } =
    cnameTarget === null ? routingOf([shortUrl, publicUrl]) : { cnameTarget, addresses: [] }
  return { cnameTarget: name, addresses: domainAddresses.length > 0 ? domainAddresses : addresses }
}

/** The look-ups of a domain check. Together they take at most eight seconds. */
export function openDomainLookups(config: Config, guard: EgressGuard) {
  const { readTexts, readAliases, readAddresses } = createDnsRecords(config.dnsServers)
  const agent = openEgressClient(guard, { connections: CONNECTIONS_PER_HOST })
  const { cnameTarget, addresses: known } = routingByConfig(config)
  return {
    readTexts,
    readAliases,
    readAddresses,
    readProof: (url: string) => readShortText(agent, url, PROOF),
    async readRouting() {
      const isKnown = cnameTarget === null || known.length > 0
      const addresses = isKnown ? known : (await readAddresses(cnameTarget)).values
      return { cnameTarget, addresses }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}
