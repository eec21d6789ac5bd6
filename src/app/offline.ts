import { Registry } from 'prom-client'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { getMeters } from '../clicks/shipping/meters.ts'
import { JournalReports } from '../clicks/shipping/reports.ts'
import { shipFolder } from '../clicks/shipping/shipper.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgressGuard } from '../platform/egress/guard.ts'
import { describeNothing, openCountries } from '../platform/facts/country.ts'
import { createShortHost } from '../links/link/short-host.ts'
import { openRateLimits } from '../platform/limits/rate-limits.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { openDomainLookups } from '../domains/domains/lookups.ts'
import { toJournalDir } from '../clicks/journal/journal-dir.ts'
import { createOperations, type Operations } from '../operator/operations.ts'
import { openPreviews } from '../links/preview/open.ts'
import { toShipperDeps } from '../clicks/shipping/shipper-deps.ts'
import { openMails } from '../platform/mail/mails.ts'
import { createServices } from './services.ts'

export type Offline = { stores: Stores; config: Config; log: Log; clock: Clock }

/** Runs one of the operations of `operator.ts` in a process that is not a server. */
export async function operateOffline(
  offline: Offline,
  name: keyof Operations,
  input: object,
): Promise<unknown> {
  const { operator } = await openServices(offline)
  const operation = createOperations(operator.rules)[name] as (input: object) => Promise<unknown>
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
