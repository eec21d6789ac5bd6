import { accessSync, constants } from 'node:fs'
import type { Registry } from 'prom-client'
import { createUpgradeBackup } from '../operator/backup/upgrade.ts'
import type { Config } from '../platform/config/config.ts'
import { partsOf } from '../platform/config/roles.ts'
import type { Clock } from '../platform/core/clock.ts'
import { OperatorError } from '../platform/core/errors.ts'
import type { Log } from '../platform/core/log.ts'
import { createEgressGuard } from '../platform/egress/guard.ts'
import { createClientAddress } from '../platform/facts/client-address.ts'
import { openCountries } from '../platform/facts/country.ts'
import { openRateLimits } from '../platform/limits/rate-limits.ts'
import { openMails } from '../platform/mail/mails.ts'
import { addBuildMetrics } from '../platform/processes/metrics.ts'
import { openDataDir } from '../platform/storage/installation/data-dir.ts'
import { openStores, type Addresses, type Stores } from '../platform/storage/stores.ts'

type Context = {
  log: Log
  clock: Clock
  registry: Registry
  stop?: AbortSignal
  addresses: Addresses
  address: { readonly origin: string }
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>

export async function openPlatform(
  config: Config,
  context: Context,
  opening: AsyncDisposableStack,
) {
  const { log, clock, registry, address } = context
  const clientAddress = createClientAddress(config.trustedProxies, log)
  requireReadable('GEOIP_DB', config.geoipDb)
  const stores = opening.use(await openMigratedStores(config, context))
  addBuildMetrics(registry, config)
  return {
    stores,
    clientAddress,
    countries: opening.use(await openCountries(config.geoipDb, { log, clock })),
    mails: opening.use(openMails(config, () => address.origin, { clock, log })),
    rateLimits: opening.use(await openRateLimits({ redisUrl: config.redisUrl, log })),
    guard: createEgressGuard({
      allowedCidrs: config.egressAllowedCidrs,
      dnsServers: config.dnsServers,
    }),
  }
}

async function openMigratedStores(
  config: Config,
  { log, stop, addresses }: Pick<Context, 'log' | 'stop' | 'addresses'>,
): Promise<Stores> {
  // The supervisor holds the data directory.
  const dataDir = openDataDir(config.dataDir)
  const stores = await openStores(config, dataDir, log, {
    addresses,
    signal: stop,
    beforeMigrations: createUpgradeBackup(config, log),
    // Embedded engines run already: one that does not answer is a failure, not an outage.
    waits: config.databaseUrl !== null || config.clickhouseUrl !== null,
    usesClickHouse: partsOf(config.role).clickhouse,
  })
  if (!stop?.aborted) return stores
  await stores[Symbol.asyncDispose]()
  throw stop.reason
}

function requireReadable(name: string, path: string | null): void {
  if (path === null) return
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new OperatorError(`${name} (${path}) cannot be read.`)
  }
}
