import type { Config } from '../../platform/config/config.ts'
import { openEgressClient, readShortText } from '../../platform/egress/client.ts'
import { createDnsRecords } from '../../platform/egress/dns-records.ts'
import type { EgressGuard } from '../../platform/egress/guard.ts'
import { routingOf, type Routing } from './records.ts'

/** Room for a token and a line break. */
const PROOF = { maxBytes: 256, timeoutMs: 3_000 }
const CONNECTIONS_PER_HOST = 4

/** Where domains point according to the settings: CNAME_TARGET, or the host of SHORT_URL or PUBLIC_URL. */
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
