import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Keys } from '../base/secrets.ts'
import type { ShipperDeps } from '../clicks/shipper.ts'
import type { Config } from '../config/config.ts'
import { classifyAgent } from '../facts/bots.ts'
import { createDevices } from '../facts/device.ts'
import { languageLabel } from '../facts/language.ts'
import { referrerLabel } from '../facts/referrer.ts'
import type { Stores } from '../storage/stores.ts'
import { configuredOrigins, createToShortUrl, type Origins } from './short-urls.ts'

type Own = Pick<ShipperDeps, 'meters' | 'reports'> & {
  log: Log
  clock: Clock
  locate: ShipperDeps['facts']['locate']
}

/** Dependencies of the shipper, in the server or in the command line. */
export function toShipperDeps(
  settings: Origins & Pick<Config, 'dataDir'>,
  {
    systemSql: sql,
    clickhouse,
    secrets,
  }: Pick<Stores, 'systemSql' | 'clickhouse'> & { secrets: Keys },
  { locate, ...own }: Own,
): ShipperDeps {
  const ownHosts = configuredOrigins(settings).map((origin) => new URL(origin).host)
  return {
    ...own,
    sql,
    clickhouse,
    secrets,
    facts: {
      classifyAgent,
      readDevice: createDevices(),
      locate,
      referrerLabel,
      languageLabel,
      ownHosts,
    },
    quarantineDir: join(settings.dataDir, 'quarantine'),
    toShortUrl: createToShortUrl(settings),
  }
}
