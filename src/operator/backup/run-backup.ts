import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  loadDatabases,
  openBackup,
  readKeyOf,
  requireEmpty,
  requireKeyOf,
  requireRoom,
} from './restore.ts'
import { writeBackup } from './backup.ts'
import { restoreFiles } from './journal.ts'
import type { Manifest } from './manifest.ts'
import { systemClock } from '../../platform/core/clock.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import { lowerThreadPriority } from '../../platform/work/priority.ts'
import type { Config } from '../../platform/config/config.ts'
import { readVersion } from '../../platform/config/checkout.ts'
import { callServer } from '../socket.ts'
import { openClickHouse } from '../../platform/storage/clickhouse/clickhouse.ts'
import {
  holdDataDir,
  markExternal,
  markIncomplete,
  openDataDir,
  requireEmptyDataDir,
  writeSecretKey,
} from '../../platform/storage/installation/data-dir.ts'
import { openMissingEngines } from '../../platform/storage/embedded/engines.ts'
import { closePostgres, openPostgres } from '../../platform/storage/postgres/postgres.ts'
import {
  requireClickHouse,
  requirePostgres,
} from '../../platform/storage/installation/reachable.ts'
import { openStores, type Addresses } from '../../platform/storage/stores.ts'
import { verify, type VerifyAnswer } from '../operations.ts'

const UNLIMITED = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' }

export async function backUp(
  config: Config,
  directory: string,
  secretKey: string | null,
  log: Log,
): Promise<Manifest> {
  lowerThreadPriority()
  await using opening = new AsyncDisposableStack()
  const addresses = await openSource(config, log, opening)
  const databases = openDatabases(addresses, opening)
  await requireAnswers(databases, addresses)
  const version = readVersion()
  return await writeBackup({ ...databases, dataDir: config.dataDir, version }, directory, secretKey)
}

export function readSecretKey({ secretKey, dataDir }: Config): string {
  const file = join(dataDir, 'secret.key')
  if (secretKey !== null) return secretKey
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new OperatorError(`There is no ${file}; set SECRET_KEY to the key of the server.`)
}

/**
 * All checks precede the first write; after a later failure the data directory is empty again.
 * @param secretKey null takes the one in the backup
 */
export async function restore(
  config: Config,
  directory: string,
  secretKey: string | null,
  log: Log,
): Promise<Manifest> {
  requireEmptyDataDir(config.dataDir)
  const manifest = await openBackup(directory)
  const key = config.secretKey ?? secretKey ?? readKeyOf(directory, manifest)
  if (key === null)
    throw new OperatorError(
      `The backup ${directory} does not contain the secret key; give it with --key FILE or SECRET_KEY.`,
    )
  requireKeyOf(manifest, key)
  await requireRoom(manifest, config.dataDir, {
    postgres: config.databaseUrl === null,
    clickhouse: config.clickhouseUrl === null,
  })
  const isNew = !existsSync(config.dataDir)
  try {
    await fill(config, directory, manifest, key, log)
  } catch (error) {
    await clear(config.dataDir, isNew)
    throw error
  }
  return manifest
}

export type Check = { tables: number; rows: number; verified: VerifyAnswer }

/** In a temporary data directory beside the backup. It needs no key, since no secret is opened. */
export async function checkBackup(config: Config, directory: string, log: Log): Promise<Check> {
  lowerThreadPriority()
  const dataDir = await mkdtemp(join(dirname(directory), `${basename(directory)}.check-`))
  const own: Config = {
    ...config,
    ...{
      dataDir,
      databaseUrl: null,
      clickhouseUrl: null,
      clickhouseEngine: 'MergeTree',
      clickhouseCluster: null,
    },
    ...{ secretKey: null, secretKeyAlso: null },
  }
  try {
    const manifest = await openBackup(directory)
    await requireRoom(manifest, dataDir, { postgres: true, clickhouse: true })
    using held = holdDataDir(dataDir, systemClock)
    await load(own, directory, manifest, log)
    const accept = manifest.keyCanary === null ? null : 'new-secret-key'
    await using stores = await openStores(own, held, log, { accept })
    const verified = await verify(stores)
    const tables = [
      ...manifest.postgres.tables.map(({ rows }) => rows),
      ...manifest.clickhouse.tables.map(({ files }) =>
        files.reduce((sum, { rows }) => sum + rows, 0),
      ),
    ]
    return { tables: tables.length, rows: tables.reduce((sum, rows) => sum + rows, 0), verified }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function fill(
  config: Config,
  directory: string,
  manifest: Manifest,
  secretKey: string,
  log: Log,
): Promise<void> {
  using held = holdDataDir(config.dataDir, systemClock)
  const mark = markIncomplete(config.dataDir)
  await load(config, directory, manifest, log)
  await restoreFiles(directory, manifest, config.dataDir)
  if (config.databaseUrl !== null) markExternal(config.dataDir)
  if (config.secretKey === null) writeSecretKey(config.dataDir, secretKey)
  // Like a first start: checks that all parts belong together, and applies later migrations.
  await using _stores = await openStores({ ...config, secretKey }, held, log)
  mark.remove()
}

async function load(config: Config, directory: string, manifest: Manifest, log: Log) {
  await using opening = new AsyncDisposableStack()
  const { addresses } = opening.use(
    await openMissingEngines(config, { dataDir: config.dataDir, log }),
  )
  const target = { ...openDatabases(addresses, opening, config), log, ...config }
  await requireAnswers(target, addresses)
  await requireEmpty(target, manifest)
  await loadDatabases(target, directory, manifest)
}

export function requireDataDir({ dataDir }: Config): void {
  if (existsSync(dataDir)) return
  throw new OperatorError(
    `There is no data in ${dataDir}; set DATA_DIR to the directory of the server.`,
  )
}

/** Addresses of the databases of a running server, or of engines that are started for the command. */
export async function openSource(
  config: Config,
  log: Log,
  opening: AsyncDisposableStack,
): Promise<Addresses> {
  const { dataDir, databaseUrl, clickhouseUrl } = config
  if (databaseUrl !== null && clickhouseUrl !== null) return { databaseUrl, clickhouseUrl }
  requireDataDir(config)
  openDataDir(dataDir)
  const running = await callServer(dataDir, 'addresses', {})
  if (running !== null) return running as Addresses
  opening.use(holdDataDir(dataDir, systemClock))
  return opening.use(await openMissingEngines(config, { dataDir, log })).addresses
}

/** Connects as the owner of the tables, without a time limit for statements; to a cluster, to create tables there. */
export function openDatabases(
  { databaseUrl, clickhouseUrl }: Addresses,
  opening: AsyncDisposableStack,
  { clickhouseCluster: cluster }: Pick<Config, 'clickhouseCluster'> = { clickhouseCluster: null },
): { sql: ReturnType<typeof openPostgres>; clickhouse: ReturnType<typeof openClickHouse> } {
  const options = { applicationName: 'signpost-backup', maxConnections: 3, parameters: UNLIMITED }
  const sql = openPostgres(databaseUrl, options)
  opening.defer(() => closePostgres(sql))
  const clickhouse = openClickHouse(clickhouseUrl, { applicationName: 'signpost-backup', cluster })
  opening.defer(() => clickhouse.close())
  return { sql, clickhouse }
}

async function requireAnswers(
  { sql, clickhouse }: ReturnType<typeof openDatabases>,
  { databaseUrl, clickhouseUrl }: Addresses,
): Promise<void> {
  await requirePostgres(sql, databaseUrl)
  await requireClickHouse(clickhouse, clickhouseUrl)
}

/** An existing directory, such as the mount of a volume, stays. */
async function clear(dataDir: string, isNew: boolean): Promise<void> {
  const entries = isNew ? [''] : await readdir(dataDir)
  for (const entry of entries.filter((name) => name !== 'lost+found'))
    await rm(join(dataDir, entry), { recursive: true, force: true, maxRetries: 5 })
}
