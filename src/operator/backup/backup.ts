import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { OperatorError } from '../../platform/core/errors.ts'
import { holdingDeletions } from '../../platform/storage/postgres/advisory-locks.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { readClickHouseState } from '../../platform/storage/clickhouse/clickhouse-ledger.ts'
import { readMigrations } from '../../platform/storage/migrations/migration-files.ts'
import type { Sql } from '../../platform/storage/postgres/postgres.ts'
import { dumpClickHouse } from './clickhouse.ts'
import { writeFileOf } from './files.ts'
import { copyJournals, copyQuarantine } from './journal.ts'
import { FORMAT, writeManifest, type Manifest } from './manifest.ts'
import { dumpPostgres } from './postgres.ts'

export const SECRET_KEY_FILE = 'secret.key'

type BackupSource = {
  /** Connected as the owner of the tables, without a time limit for statements. */
  sql: Sql
  clickhouse: ClickHouseClient
  dataDir: string
  version: string
}

/**
 * Journals come first, then a snapshot of PostgreSQL, then the rows of ClickHouse that belong to the snapshot: a
 * click that was answered before the first step is in the copied journal, or its segment is committed in the
 * snapshot. Rows of ClickHouse are written before their segment is committed and never change, so they can be read
 * later; nothing is deleted until the end. The folder gets its name when it is complete.
 */
export async function writeBackup(
  source: BackupSource,
  directory: string,
  secretKey: string | null,
): Promise<Manifest> {
  refuseUsed(directory)
  const draft = `${directory}.partial`
  refuseUsed(draft)
  await makeFolder(draft)
  try {
    const manifest = await writeParts(source, draft, secretKey)
    await writeManifest(draft, manifest)
    await rename(draft, directory)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new OperatorError(`The disk of ${directory} is full; the backup was not written.`)
    throw error
  }
}

/** Accepts an existing folder. A recursive `mkdir` of Node hangs where nothing can be created, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    if (!existsSync(path)) await mkdir(path, { mode: 0o700 })
  } catch (error) {
    throw new OperatorError(`${path} cannot be created (${(error as Error).message}).`)
  }
}

function writeParts(
  { sql, clickhouse, dataDir, version }: BackupSource,
  draft: string,
  secretKey: string | null,
): Promise<Manifest> {
  return holdingDeletions(sql, async () => {
    const createdAt = new Date().toISOString()
    const files = [
      ...(await copyJournals(dataDir, draft)),
      ...(await copyQuarantine(dataDir, draft)),
    ]
    const { snapshot, part } = await dumpPostgres(sql, draft)
    const clicks = await dumpClickHouse(clickhouse, snapshot, draft)
    if (secretKey !== null)
      files.push(await writeFileOf(draft, SECRET_KEY_FILE, Readable.from([`${secretKey}\n`])))
    const { installationId, keyCanary } = snapshot
    const { applied } = await readClickHouseState(clickhouse, readMigrations().clickhouse)
    return {
      format: FORMAT,
      version,
      createdAt,
      installationId,
      keyCanary: keyCanary?.toString('base64') ?? null,
      hasSecretKey: secretKey !== null,
      migrations: { ...snapshot.migrations, ...Object.fromEntries(applied) },
      postgres: part,
      clickhouse: clicks,
      files,
    }
  })
}

function refuseUsed(directory: string): void {
  if (!existsSync(directory)) return
  try {
    if (readdirSync(directory).length === 0) return
  } catch {
    throw new OperatorError(`${directory} is not a folder; a backup needs a new one.`)
  }
  throw new OperatorError(
    `The folder ${directory} exists and is not empty; a backup needs a new one.`,
  )
}
