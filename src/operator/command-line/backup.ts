import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Manifest } from '../backup/manifest.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import { readConfig, readEnvironment } from '../../platform/config/config.ts'
import * as backups from '../backup/run-backup.ts'
import { openCommandLog, say } from './command.ts'
import { toShipperDeps } from '../../clicks/shipping/open.ts'
import { shipFolder } from '../../clicks/shipping/shipper.ts'
import { Registry } from 'prom-client'
import { openCountries } from '../../platform/facts/country.ts'
import { callOrOpen, type Offline } from './operate.ts'

export async function backup(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      to: { type: 'string' },
      check: { type: 'string' },
      'with-key': { type: 'boolean', default: false },
      'key-to': { type: 'string' },
    },
  })
  const { to, check, 'with-key': hasKey, 'key-to': keyFile } = values
  if ((to === undefined) === (check === undefined))
    throw new OperatorError('backup needs --to FOLDER, or --check FOLDER.')
  if (check !== undefined && (hasKey || keyFile !== undefined))
    throw new OperatorError('backup --check takes neither --with-key nor --key-to.')
  const config = readConfig(readEnvironment())
  const log = openCommandLog()
  if (check !== undefined) return sayCheck(await backups.checkBackup(config, resolve(check), log))
  const isKeyWanted = hasKey || keyFile !== undefined
  const secretKey = isKeyWanted ? backups.readSecretKey(config) : null
  // The backup may take long, and is useless without its key.
  if (keyFile !== undefined) writeKeyFile(keyFile, secretKey!)
  const written = backups.backUp(config, resolve(to!), hasKey ? secretKey : null, log)
  const manifest = await written.catch((error: unknown) => {
    if (keyFile !== undefined) rmSync(keyFile)
    throw error
  })
  say(`Backup     ${resolve(to!)}\n${describe(manifest)}`)
  if (!isKeyWanted)
    say(
      'Key        not included: keep a copy of SECRET_KEY or secret.key apart, a restore needs it\n',
    )
  return true
}

export async function restore(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { key: { type: 'string' } },
    allowPositionals: true,
  })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1)
    throw new OperatorError('restore needs the FOLDER of a backup.')
  const config = readConfig(readEnvironment())
  const key = values.key === undefined ? null : readKeyFile(values.key)
  const manifest = await backups.restore(config, resolve(folder), key, openCommandLog())
  say(`Restored   ${config.dataDir}\n${describe(manifest)}`)
}

function writeKeyFile(file: string, secretKey: string): void {
  if (existsSync(file)) throw new OperatorError(`${resolve(file)} exists already.`)
  try {
    writeFileSync(file, `${secretKey}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    throw new OperatorError(`${resolve(file)} cannot be written (${(error as Error).message}).`)
  }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new OperatorError(`${resolve(file)} cannot be read (${(error as Error).message}).`)
  }
}

function describe({ createdAt, postgres, clickhouse, files }: Manifest): string {
  const rows = postgres.tables.reduce((sum, table) => sum + table.rows, 0)
  const clicks = clickhouse.tables
    .find(({ table }) => table === 'clicks')
    ?.files.reduce((sum, file) => sum + file.rows, 0)
  const segments = files.filter(({ path }) => path.startsWith('journal/')).length
  return `Taken at   ${createdAt}
PostgreSQL ${rows} rows in ${postgres.tables.length} tables
ClickHouse ${clicks ?? 0} clicks
Journal    ${segments} segments\n`
}

function sayCheck({ tables, rows, verified }: backups.Check): boolean {
  const { brokenTotal, counters, conversions } = verified
  say(`Restored    ${tables} tables with ${rows} rows, as many as were written
Audit logs  ${verified.rows} rows checked, ${brokenTotal} broken
Counters    ${counters.links} links compared, ${counters.driftingTotal} differ from their clicks
Conversions ${conversions.conversions} compared, ${conversions.drifting.length} batches differ\n`)
  return brokenTotal + counters.driftingTotal + conversions.drifting.length === 0
}

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
