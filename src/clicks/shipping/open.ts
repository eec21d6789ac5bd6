import { join } from 'node:path'
import type { Registry } from 'prom-client'
import type { Config } from '../../platform/config/config.ts'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { WakeSignal, type Service } from '../../platform/core/service.ts'
import type { Countries } from '../../platform/facts/country.ts'
import { configuredOrigins, createToShortUrl } from '../../platform/facts/short-url.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import { toJournalDir } from '../journal/format.ts'
import { registerUnshipped } from '../journal/reader.ts'
import { createMeters } from './meters.ts'
import { JournalReports } from './reports.ts'
import { createShipper, shipFolder, type ShipperDeps } from './shipper.ts'

const SHIP_TIMEOUT_MS = 600_000

type Deps = {
  config: Config
  stores: Stores
  countries: Pick<Countries, 'locate'>
  registry: Registry
  clock: Clock
  log: Log
}

/** Ships the journals of all redirect processes of this data directory, running or not. */
export function openShipping(input: Deps) {
  const { config, stores, registry, clock } = input
  const journalDir = toJournalDir(config)
  const deps = toShipperDeps(input, stores.openPostgres('signpost-shipper', 2))
  const sealed = new WakeSignal()
  const shipper = createShipper({ ...deps, journalDir, sealed })
  registerUnshipped(registry, journalDir, clock)
  const run = async (signal: AbortSignal) => {
    // The ClickHouse may belong to another installation until this is checked.
    await stores.preparation.untilComplete(signal)
    if (!signal.aborted) await shipper.run(signal)
  }
  const service: Service = { name: shipper.name, run }
  return {
    noteSealed: () => sealed.wake(),
    shipFolder: (directory: string) =>
      shipFolder(directory, deps, AbortSignal.timeout(SHIP_TIMEOUT_MS)),
    // Other processes need reports of these journals only if they share a database.
    parts: config.databaseUrl === null ? [service] : [service, deps.reports.service],
  }
}

export function toShipperDeps(
  { config, stores, countries, registry, clock, log }: Deps,
  sql = stores.systemSql,
) {
  return {
    sql,
    clickhouse: stores.clickhouse,
    secrets: stores.secrets,
    clock,
    log,
    locate: countries.locate,
    ownHosts: configuredOrigins(config).map((origin) => new URL(origin).host),
    meters: createMeters(registry),
    reports: new JournalReports({ sql, clock, log, journalDir: toJournalDir(config) }),
    quarantineDir: join(config.dataDir, 'quarantine'),
    toShortUrl: createToShortUrl(config),
  } satisfies ShipperDeps
}
