import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import { createSecrets } from '../../platform/core/secrets.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import {
  readClickHouseState,
  recordApplied,
} from '../../platform/storage/clickhouse/clickhouse-ledger.ts'
import {
  hasEndOfFormerSeries,
  isOfFirstState,
  isOfFormerSeries,
  readMigrations,
} from '../../platform/storage/migrations/migration-files.ts'
import { migrate } from '../../platform/storage/migrations/migrate.ts'
import { inTransaction, type Sql } from '../../platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../platform/storage/postgres/roles.ts'
import { opensCanary } from '../../platform/storage/installation/secret-key.ts'
import { SECRET_KEY_FILE } from './backup.ts'
import { emptyClickHouse, loadClickHouse } from './clickhouse.ts'
import { requireWhole } from './files.ts'
import { filesOf, readManifest, type Manifest } from './manifest.ts'
import { listTableNames, loadPostgres, ownTableNames } from './postgres.ts'

/** PostgreSQL takes about twice the space of the rows as text. */
const POSTGRES_FACTOR = 3
/** An embedded PostgreSQL with empty tables, and what it writes while rows are added. */
const EMPTY_POSTGRES_BYTES = 160e6
/** Parts of ClickHouse with projections, compared with gzip. */
const CLICKHOUSE_FACTOR = 3

export type RestoreTarget = {
  sql: Sql
  clickhouse: ClickHouseClient
  clickhouseEngine: string
  log: Log
}

export async function openBackup(directory: string): Promise<Manifest> {
  const manifest = toThisSeries(directory, await readManifest(directory))
  refuseNewer(directory, manifest)
  for (const file of filesOf(manifest)) await requireWhole(directory, file)
  return manifest
}

/** @param engines which databases will be in the data directory, which may be missing */
export async function requireRoom(
  manifest: Manifest,
  dataDir: string,
  engines: { postgres: boolean; clickhouse: boolean },
): Promise<void> {
  const postgres = engines.postgres ? manifest.postgres.tables : []
  const clickhouse = engines.clickhouse ? manifest.clickhouse.tables : []
  const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)
  const neededBytes =
    (engines.postgres ? EMPTY_POSTGRES_BYTES : 0) +
    POSTGRES_FACTOR * sumOf(postgres.map(({ rawBytes }) => rawBytes)) +
    CLICKHOUSE_FACTOR * sumOf(clickhouse.flatMap(({ files }) => files.map(({ bytes }) => bytes))) +
    sumOf(manifest.files.map(({ bytes }) => bytes))
  const { bavail, bsize } = await statfs(existingFolder(dataDir))
  const freeBytes = bavail * bsize
  if (neededBytes > freeBytes)
    throw new OperatorError(
      `The disk of ${dataDir} has ${toGigabytes(freeBytes)} GB free, and the restored data will take about ${toGigabytes(neededBytes)} GB.`,
    )
}

export function requireKeyOf(manifest: Manifest, secretKey: string): void {
  if (manifest.keyCanary === null) return
  const canary = Buffer.from(manifest.keyCanary, 'base64')
  if (!opensCanary(createSecrets(secretKey), manifest.installationId, canary))
    throw new OperatorError(
      'The secret key is not the one that sealed the secrets of this backup; give the key of that installation with --key FILE or SECRET_KEY.',
    )
}

export function readKeyOf(directory: string, { hasSecretKey }: Manifest): string | null {
  return hasSecretKey ? readFileSync(join(directory, SECRET_KEY_FILE), 'utf8').trim() : null
}

export async function requireEmpty(
  { sql, clickhouse }: Pick<RestoreTarget, 'sql' | 'clickhouse'>,
  manifest: Manifest,
): Promise<void> {
  const [ledger] = await sql<[{ name: string | null }]>`
    select to_regclass('migrations')::text as name`
  const inPostgres = ledger.name ? await sql<{ name: string }[]>`select name from migrations` : []
  if (ledger.name && (await hasRows(sql))) throw holdsData('PostgreSQL')
  refuseOthers('PostgreSQL', inPostgres, manifest)
  await refuseForeignTables(sql, ledger.name !== null)
  const { tables, applied } = await readClickHouseState(clickhouse, readMigrations().clickhouse)
  for (const table of tables) {
    const found = await clickhouse.query({
      query: `select 1 from ${table} limit 1`,
      format: 'JSONEachRow',
    })
    if ((await found.json()).length > 0) throw holdsData('ClickHouse')
  }
  refuseOthers(
    'ClickHouse',
    [...applied.keys()].map((name) => ({ name })),
    manifest,
  )
}

/** PostgreSQL is committed last, so an interrupted attempt leaves no rows there. */
export async function loadDatabases(
  { sql, clickhouse, clickhouseEngine, log }: RestoreTarget,
  directory: string,
  { postgres, clickhouse: clicks, migrations, installationId }: Manifest,
): Promise<void> {
  const names = new Set(Object.keys(migrations))
  await migrate({ sql, clickhouse, clickhouseEngine, log, only: names })
  const loadClicks = async () => {
    await loadClickHouse(clickhouse, directory, clicks)
    const files = readMigrations().clickhouse.filter(({ name }) => names.has(name))
    const rows = files.map(({ name, checksum }) => ({ name, checksum, appliedAt: new Date() }))
    await recordApplied(clickhouse, installationId, rows)
  }
  try {
    await loadPostgres(sql, directory, postgres, loadClicks)
  } catch (error) {
    await emptyClickHouse(clickhouse).catch(() => {})
    throw error
  }
}

function hasRows(sql: Sql): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    await tx.unsafe(`set local role ${WORKER_ROLE}`)
    const rows = await tx`
      select from users union all select from workspaces union all select from journal_cursors limit 1`
    return rows.length > 0
  })
}

/** A backup of the last state of the former series has the tables of the first state of this one. */
function toThisSeries(directory: string, manifest: Manifest): Manifest {
  const { migrations, clickhouse, version } = manifest
  const names = Object.keys(migrations)
  if (!isOfFormerSeries(names)) return manifest
  if (!hasEndOfFormerSeries(names))
    throw new OperatorError(
      `The backup ${directory} was written by Signpost ${version} with tables that this program cannot restore: restore it with the version that wrote it, upgrade that to the last version before this one, and back it up again.`,
    )
  const files = [...readMigrations().postgres, ...readMigrations().clickhouse]
  const first = files.filter(({ name }) => isOfFirstState(name))
  return {
    ...manifest,
    migrations: Object.fromEntries(first.map(({ name, checksum }) => [name, checksum])),
    // Its ledger names the former files.
    clickhouse: {
      tables: clickhouse.tables.filter(({ table }) => table !== 'signpost_migrations'),
    },
  }
}

function refuseNewer(directory: string, { migrations, version }: Manifest): void {
  const files = readMigrations()
  const known = new Map(
    [...files.postgres, ...files.clickhouse].map(({ name, checksum }) => [name, checksum]),
  )
  const unknown = Object.entries(migrations).find(
    ([name, checksum]) => known.get(name) !== checksum,
  )
  if (unknown)
    throw new OperatorError(
      `The backup ${directory} was written by Signpost ${version}, which has the migration ${unknown[0]} that this program lacks; use that version or a later one.`,
    )
}

function refuseOthers(
  engine: string,
  applied: readonly { name: string }[],
  { migrations }: Manifest,
): void {
  const other = applied.find(
    ({ name }) => migrations[name] === undefined && !name.startsWith('clickhouse/'),
  )
  if (other)
    throw new OperatorError(
      `The target ${engine} has the tables of another version (${other.name}); use an empty one.`,
    )
}

/** A table of another program may have the same name, so its database receives nothing. */
async function refuseForeignTables(sql: Sql, hasLedger: boolean): Promise<void> {
  const own = hasLedger ? ownTableNames() : new Set()
  const foreign = (await listTableNames(sql)).find((name) => !own.has(name))
  if (foreign)
    throw new OperatorError(
      `The target PostgreSQL has a table of another program (${foreign}); use an empty one.`,
    )
}

function holdsData(engine: string): OperatorError {
  return new OperatorError(`The target ${engine} holds data already; use an empty one.`)
}

function existingFolder(path: string): string {
  return existsSync(path) ? path : existingFolder(dirname(path))
}

function toGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1)
}
