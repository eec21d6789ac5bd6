import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadDatabases, openBackup, requireRoom } from '../backup/restore.ts'
import { OperatorError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import { openEngines } from '../storage/embedded/engines.ts'
import { findFormerPostgres, postgresFolders } from '../storage/embedded/former-postgres.ts'
import type { PostgresBinaries } from '../storage/embedded/postgres-binaries.ts'
import type { Addresses } from '../storage/stores.ts'
import { openDatabases } from './backup.ts'
import { writeUpgradeBackup } from './upgrade.ts'

/** In the data directory, while a conversion runs: a data directory with the converted PostgreSQL alone. */
const FOLDER = 'conversion'

type Options = {
  log: Log
  signal?: AbortSignal | undefined
  /** As {@link findFormerPostgres}. */
  programs?: string
}

/**
 * Converts embedded data of an earlier major version of PostgreSQL, by a backup that stays in `DATA_DIR/backups`, if
 * the programs of that version are there; without them the engine refuses its data. The former data stay beside the new ones, as
 * `postgres/data.of-17`. A conversion that was interrupted is begun again.
 * @throws OperatorError after which the data are as before
 */
export async function convertFormerPostgres(config: Config, options: Options): Promise<void> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== null) return
  const { folder, data } = postgresFolders(dataDir)
  const converted = postgresFolders(join(dataDir, FOLDER)).data
  // Between the two renames at the end.
  if (existsSync(folder) && !existsSync(data) && existsSync(converted)) renameSync(converted, data)
  await rm(join(dataDir, FOLDER), { recursive: true, force: true, maxRetries: 5 })
  const former = findFormerPostgres(dataDir, options.programs)
  if (former === null) return
  const { majorVersion } = former
  options.log.info({ from: majorVersion }, 'the embedded PostgreSQL is being converted')
  try {
    await copy(config, former, options)
  } catch (error) {
    await rm(join(dataDir, FOLDER), { recursive: true, force: true, maxRetries: 5 })
    options.signal?.throwIfAborted()
    throw new OperatorError(
      `The data of PostgreSQL ${majorVersion} in ${data} could not be converted and are unchanged (${(error as Error).message.replace(/\.$/, '')}).`,
    )
  }
  const kept = nameOfKept(folder, majorVersion)
  renameSync(data, kept)
  renameSync(converted, data)
  await rm(join(dataDir, FOLDER), { recursive: true, force: true, maxRetries: 5 })
  options.log.warn({ kept }, 'the embedded PostgreSQL was converted: remove its former data')
}

/** Writes the backup from the former version, and loads it into a new PostgreSQL of this one. */
async function copy(config: Config, former: PostgresBinaries, { log, signal }: Options) {
  const { dataDir, clickhouseUrl, clickhouseEngine } = config
  await using opening = new AsyncDisposableStack()
  const clickhouse = clickhouseUrl === null
  const engines = opening.use(
    await openEngines({
      ...{ dataDir, log, postgres: true, clickhouse, postgresBinaries: former },
      ...(signal && { signal }),
    }),
  )
  const addresses: Addresses = {
    databaseUrl: engines.postgresUrl!,
    clickhouseUrl: clickhouseUrl ?? engines.clickhouseUrl!,
  }
  const directory = await writeUpgradeBackup(dataDir, addresses)
  const manifest = await openBackup(directory)
  await requireRoom(manifest, dataDir, { postgres: true, clickhouse: false })
  const targetDir = join(dataDir, FOLDER)
  mkdirSync(targetDir, { mode: 0o700 })
  const target = opening.use(
    await openEngines({
      ...{ dataDir: targetDir, log, postgres: true, clickhouse: false },
      ...(signal && { signal }),
    }),
  )
  const databases = openDatabases({ ...addresses, databaseUrl: target.postgresUrl! }, opening)
  const postgres = { ...manifest, clickhouse: null }
  await loadDatabases({ ...databases, clickhouseEngine, log }, directory, postgres)
}

/** A name that no start uses. */
function nameOfKept(folder: string, majorVersion: number): string {
  const name = `data.of-${majorVersion}`
  const earlier = readdirSync(folder).filter((entry) => entry.startsWith(name)).length
  return join(folder, earlier === 0 ? name : `${name}-${earlier + 1}`)
}
