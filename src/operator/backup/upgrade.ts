import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBackup } from './backup.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Config } from '../../platform/config/config.ts'
import { readVersion } from '../../platform/config/checkout.ts'
import type { Addresses } from '../../platform/storage/stores.ts'
import { openDatabases } from './run-backup.ts'

const FOLDER = 'backups'
const KEPT = 2
const NAME = /^before-upgrade-\d{8}T\d{6}Z$/

/** Null where UPGRADE_BACKUP is off or a database is external, whose operator has the tools. */
export function createUpgradeBackup(
  { dataDir, databaseUrl, clickhouseUrl, upgradeBackup }: Config,
  log: Log,
): ((addresses: Addresses) => Promise<void>) | null {
  if (!upgradeBackup || databaseUrl !== null || clickhouseUrl !== null) return null
  return async (addresses) => {
    try {
      const directory = await writeUpgradeBackup(dataDir, addresses)
      log.info({ directory }, 'backup written before the migrations')
    } catch (error) {
      throw new OperatorError(
        `The backup before the upgrade failed (${(error as Error).message.replace(/\.$/, '')}); correct that, or set UPGRADE_BACKUP=false after a backup of your own.`,
      )
    }
  }
}

async function writeUpgradeBackup(dataDir: string, addresses: Addresses): Promise<string> {
  await using opening = new AsyncDisposableStack()
  const folder = join(dataDir, FOLDER)
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const directory = join(folder, `before-upgrade-${time}`)
  const source = { ...openDatabases(addresses, opening), dataDir, version: readVersion() }
  await writeBackup(source, directory, null)
  const written = readdirSync(folder).filter((name) => NAME.test(name))
  for (const name of written.toSorted((a, b) => a.localeCompare(b)).slice(0, -KEPT))
    await rm(join(folder, name), { recursive: true })
  return directory
}
