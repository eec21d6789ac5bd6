import type { Registry } from 'prom-client'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Service } from '../../platform/core/service.ts'
import { WakeSignal } from '../../platform/core/wake-signal.ts'
import { getMeters } from './meters.ts'
import { JournalReports } from './reports.ts'
import { createShipper, shipFolder } from './shipper.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Countries } from '../../platform/facts/country.ts'
import { registerUnshipped } from '../journal/unshipped.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import { toJournalDir } from '../journal/journal-dir.ts'
import { toShipperDeps } from './shipper-deps.ts'

const SHIP_TIMEOUT_MS = 600_000

type Deps = {
  config: Config
  stores: Stores
  countries: Pick<Countries, 'locate'>
  registry: Registry
  clock: Clock
  log: Log
}

/** Ships the journals of all redirect processes of this data directory, those of living and of dead ones alike. */
export function openShipping({ config, stores, countries, registry, clock, log }: Deps) {
  const journalDir = toJournalDir(config)
  const sql = stores.openPostgres('signpost-shipper', 2)
  const reports = new JournalReports({ sql, clock, log, journalDir })
  const sealed = new WakeSignal()
  const meters = getMeters(registry)
  const { locate } = countries
  const own = { log, clock, locate, meters, reports }
  const deps = toShipperDeps(config, { ...stores, systemSql: sql }, own)
  const shipper = createShipper({ ...deps, journalDir, sealed })
  registerUnshipped(registry, journalDir, clock)
  const run = async (signal: AbortSignal) => {
    // No click is sent to a ClickHouse that may be that of another installation.
    await stores.preparation.untilComplete(signal)
    if (!signal.aborted) await shipper.run(signal)
  }
  const service: Service = { name: shipper.name, run }
  return {
    /** Called when a segment of a journal may be complete. */
    noteSealed: () => sealed.wake(),
    /** Ships a rescued folder. */
    shipFolder: (directory: string) =>
      shipFolder(directory, deps, AbortSignal.timeout(SHIP_TIMEOUT_MS)),
    // Other processes read the journals of this data directory only where they share a database.
    parts: config.databaseUrl === null ? [service] : [service, reports.service],
  }
}
