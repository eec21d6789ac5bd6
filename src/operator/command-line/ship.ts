import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { toShipperDeps } from '../../clicks/shipping/open.ts'
import { shipFolder } from '../../clicks/shipping/shipper.ts'
import { Registry } from 'prom-client'
import { OperatorError } from '../../platform/core/errors.ts'
import { openCountries } from '../../platform/facts/country.ts'
import { say } from './command.ts'
import { callOrOpen, type Offline } from './operate.ts'

export async function ship(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { dir: { type: 'string' } } })
  if (values.dir === undefined) throw new OperatorError('ship needs --dir FOLDER.')
  const dir = resolve(values.dir)
  const segments = await callOrOpen('ship', { dir }, (offline) => shipOffline(offline, dir))
  say(`Segments shipped: ${segments}\n`)
}

async function shipOffline({ stores, config, log, clock }: Offline, dir: string): Promise<number> {
  await using countries = await openCountries(config.geoipDb, { log, clock })
  const registry = new Registry()
  const deps = toShipperDeps({ stores, config, log, clock, countries, registry })
  return shipFolder(dir, deps, new AbortController().signal)
}
