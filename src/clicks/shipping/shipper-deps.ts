import { join } from 'node:path'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Keys } from '../../platform/core/secrets.ts'
import type { ShipperDeps } from './shipper.ts'
import type { Config } from '../../platform/config/config.ts'
import { classifyAgent } from '../../platform/facts/bots.ts'
import { createDevices } from '../../platform/facts/device.ts'
import { languageLabel } from '../../platform/facts/language.ts'
import { referrerLabel } from '../../platform/facts/referrer.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import {
  configuredOrigins,
  createToShortUrl,
  type Origins,
} from '../../platform/facts/short-urls.ts'

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
