import type { Config } from '../config/config.ts'
import { openEgressClient } from '../egress/client.ts'
import { createDnsRecords } from '../egress/dns-records.ts'
import type { EgressGuard } from '../egress/guard.ts'
import { readShortText } from '../egress/short-text.ts'

/** Longer than a token with the line ends of an editor. */
const PROOF = { maxBytes: 256, timeoutMs: 3_000 }
const CONNECTIONS_PER_HOST = 4

/** The look-ups of a check of a domain. Together they end within eight seconds. */
export function openDomainLookups(config: Config, guard: EgressGuard) {
  const { readTexts, readAliases, readAddresses } = createDnsRecords(config.dnsServers)
  const agent = openEgressClient(guard, { connections: CONNECTIONS_PER_HOST })
  const { cnameTarget, domainAddresses } = config
  return {
    readTexts,
    readAliases,
    readAddresses,
    readProof: (url: string) => readShortText(agent, url, PROOF),
    async readRouting() {
      const isKnown = cnameTarget === null || domainAddresses.length > 0
      const addresses = isKnown ? domainAddresses : (await readAddresses(cnameTarget)).values
      return { cnameTarget, addresses }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}
