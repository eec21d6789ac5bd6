import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { requestIdOf } from '../base/request-id.ts'
import { createSecrets } from '../base/secrets.ts'
import { createShipper, type ShipperDeps } from '../clicks/shipper.ts'
import type { Config } from '../config/config.ts'
import { createEdge, type EdgeDeps } from '../edge/edge.ts'
import { openJournal } from '../journal/writer.ts'
import { createResolver } from '../edge/resolve.ts'
import { classifyAgent } from '../facts/bots.ts'
import { createDevices } from '../facts/device.ts'
import { languageLabel } from '../facts/language.ts'
import { referrerLabel } from '../facts/referrer.ts'
import { encodeSlug } from '../facts/slug.ts'
import type { Stores } from '../storage/stores.ts'

type Surroundings = { log: Log; clock: Clock }

type EdgeParts = Pick<EdgeDeps, 'domainKeyOf' | 'clientAddress' | 'registry'> & {
  journalDir: string
  locate: ShipperDeps['facts']['locate']
}

/** The redirect with its look-ups and its journal, and the shipper of that journal. */
export async function openEdgeRoom(
  config: Config,
  { log, clock }: Surroundings,
  stores: Stores,
  { journalDir, locate, ...rest }: EdgeParts,
) {
  const shipping = shippingDeps(config, stores, { log, clock }, locate, rest.registry)
  const journal = openJournal({
    root: journalDir,
    durability: config.clickDurability,
    onFailure: config.clickJournalFailure,
    log,
  })
  const shipper = createShipper({ ...shipping, journalDir, ownFolder: journal.folder })
  const { redirectSql: sql, openPostgres } = stores
  const openListenerSql = () => openPostgres('signpost-listener')
  const resolver = createResolver({ sql, openListenerSql, clock, log })
  const reference = `${config.role === 'all' ? '' : (config.publicUrl ?? '')}/v1/reference`
  const onRoot: EdgeDeps['onRoot'] = (req, res) => sendToReference(req, res, reference, clock)
  const edge = createEdge({ resolver, clock, log, onRoot, journal, ...rest })
  return {
    edge,
    journal,
    shipping,
    parts: [resolver.service, shipper],
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  }
}

/** What turns journal segments into rows; the command line ships rescued folders with it. */
export function shippingDeps(
  config: Config,
  { systemSql: sql, clickhouse, secretKey }: Stores,
  { log, clock }: Surroundings,
  locate: ShipperDeps['facts']['locate'],
  registry: Registry,
): ShipperDeps {
  const ownHosts = originsOf(config).map((origin) => new URL(origin).host)
  // Without either setting, where the visitor found the link is all there is to go by.
  const address = config.shortUrl ?? config.publicUrl
  const base = address === null ? null : new URL(address).origin
  return {
    sql,
    clickhouse,
    secrets: createSecrets(secretKey),
    facts: {
      classifyAgent,
      readDevice: createDevices(),
      locate,
      referrerLabel,
      languageLabel,
      ownHosts,
    },
    clock,
    log,
    registry,
    quarantineDir: join(config.dataDir, 'quarantine'),
    shortUrlOf: (host, slug) => `${base ?? `http://${host}`}/${encodeSlug(slug)}`,
  }
}

export function originsOf({ publicUrl, shortUrl }: Config): string[] {
  return [publicUrl, shortUrl].filter((each) => each !== null)
}

/** The root of the default host leads to the API's reference. */
function sendToReference(
  req: IncomingMessage,
  res: ServerResponse,
  location: string,
  clock: Clock,
): void {
  res
    .writeHead(302, {
      location,
      'x-request-id': requestIdOf(req.headers['x-request-id'], clock()),
    })
    .end()
}
