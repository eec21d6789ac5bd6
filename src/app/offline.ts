import { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { getMeters } from '../clicks/meters.ts'
import { JournalReports } from '../clicks/reports.ts'
import { shipFolder } from '../clicks/shipper.ts'
import type { Config } from '../config/config.ts'
import { createEgressGuard } from '../egress/guard.ts'
import { describeNothing, openCountries } from '../facts/country.ts'
import { createShortHost } from '../services/links/short-host.ts'
import { openRateLimits } from '../storage/rate-limits.ts'
import type { Stores } from '../storage/stores.ts'
import { openDomainLookups } from './domains.ts'
import { toJournalDir } from './journal-dir.ts'
import { createOperations, type Operations } from './operator.ts'
import { openPreviews } from './previews.ts'
import { toShipperDeps } from './shipper-deps.ts'
import { createServices, openMails } from './services.ts'

export type Offline = { stores: Stores; config: Config; log: Log; clock: Clock }

/** Runs one of the operations of `operator.ts` in a process that is not a server. */
export async function operateOffline(
  offline: Offline,
  name: keyof Operations,
  input: object,
): Promise<unknown> {
  const { operator } = await openServices(offline)
  const operation = createOperations(operator)[name] as (input: object) => Promise<unknown>
  return operation(input)
}

/** Ships the journal of a folder, and returns the number of its segments. */
export async function shipOffline(offline: Offline, dir: string): Promise<number> {
  const { stores, config, log, clock } = offline
  await using countries = await openCountries(config.geoipDb, offline)
  const deps = toShipperDeps(config, stores, {
    log,
    clock,
    locate: countries.locate,
    meters: getMeters(new Registry()),
    reports: new JournalReports({
      sql: stores.systemSql,
      clock,
      log,
      journalDir: toJournalDir(config),
    }),
  })
  return shipFolder(dir, deps, new AbortController().signal)
}

async function openServices({ stores, config, log, clock }: Offline) {
  const origin = () => config.publicUrl ?? `http://localhost:${config.port}`
  const guard = createEgressGuard({ allowedCidrs: [] })
  return createServices({
    stores,
    config,
    clock,
    log,
    mails: openMails(config, origin, { clock, log }),
    rateLimits: await openRateLimits({ redisUrl: null, log }),
    origin,
    shortHost: () => createShortHost({ ...config, origin: origin(), port: config.port }),
    shippedThroughMs: async () => Infinity,
    // The operator's commands look up no address.
    countries: { describe: describeNothing },
    checkUrl: async () => {},
    previews: openPreviews(guard),
    domainLookups: openDomainLookups(config, guard),
  })
}
