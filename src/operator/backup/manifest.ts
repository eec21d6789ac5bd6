import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../platform/core/errors.ts'

/**
 * A backup is a folder:
 *
 *   manifest.json                    counts and hashes of all other files, and a hash of itself
 *   postgres/<table>.copy.gz         rows of one table, as COPY writes them
 *   clickhouse/<table>-<n>.native.gz rows of one table, in pieces, in ClickHouse's format Native
 *   journal/<journal id>/…           clicks that were answered and not yet in the databases
 *   quarantine/…                     clicks that ClickHouse refused
 *   secret.key                       only on request
 *
 * The migrations that the manifest names create the tables.
 */
export const FORMAT = 1
const MANIFEST = 'manifest.json'

export type BackupFile = { path: string; bytes: number; sha256: string }

export type RowsFile = BackupFile & { rows: number; rawBytes: number }

export type PostgresPart = {
  tables: (RowsFile & { table: string; columns: string[] })[]
  sequences: { name: string; value: number }[]
  days: { first: string; last: string } | null
}

export type ClickHousePart = { tables: { table: string; files: RowsFile[] }[] }

export type Manifest = {
  format: typeof FORMAT
  version: string
  createdAt: string
  installationId: string
  /** A known text sealed with SECRET_KEY, in base64; null before the first start. */
  keyCanary: string | null
  hasSecretKey: boolean
  migrations: Record<string, string>
  postgres: PostgresPart
  clickhouse: ClickHousePart
  files: BackupFile[]
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest)
  const sealed = { sha256: digest(text), ...manifest }
  await writeFile(join(directory, MANIFEST), `${JSON.stringify(sealed, null, 1)}\n`, {
    mode: 0o600,
    flush: true,
  })
}

export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch(() => {
    throw new OperatorError(`There is no backup in ${directory}: it has no readable ${MANIFEST}.`)
  })
  const { sha256, ...manifest } = parse(directory, text)
  const format: number = manifest.format
  if (format !== FORMAT)
    throw new OperatorError(
      `The backup ${directory} has format ${format}, and this program reads format ${FORMAT}; use the version of Signpost that wrote it (${manifest.version}) or a later one.`,
    )
  if (sha256 !== digest(JSON.stringify(manifest))) throw damaged(directory, MANIFEST)
  return manifest
}

export function filesOf({ postgres, clickhouse, files }: Manifest): BackupFile[] {
  return [...postgres.tables, ...clickhouse.tables.flatMap((table) => table.files), ...files]
}

export function damaged(directory: string, path: string): OperatorError {
  return new OperatorError(
    `The backup ${directory} is damaged: ${path} has changed since it was written. Use another backup.`,
  )
}

function parse(directory: string, text: string): Manifest & { sha256: string } {
  try {
    const parsed = JSON.parse(text) as (Manifest & { sha256: string }) | null
    if (typeof parsed?.format === 'number') return parsed
  } catch {}
  throw damaged(directory, MANIFEST)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
