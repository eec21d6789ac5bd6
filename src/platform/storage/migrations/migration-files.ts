import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'
import { refuseFormerSeries } from './former-series.ts'

const FOLDER = join(import.meta.dirname, '../../../../migrations')

export type Migration = {
  /** `postgres/0007_links.sql` */
  name: string
  text: string
  checksum: string
}

/** In the order of application. */
type Migrations = { postgres: readonly Migration[]; clickhouse: readonly Migration[] }

/** @param folder holds `postgres/*.sql` and `clickhouse/*.sql` */
export function readMigrations(folder = FOLDER): Migrations {
  return { postgres: read(folder, 'postgres'), clickhouse: read(folder, 'clickhouse') }
}

/**
 * @param applied checksums by file name, from a ledger
 * @throws OperatorError when the database belongs to a newer program or to the former series, or a file was changed afterwards
 */
export function refuseUnknown(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): void {
  refuseFormerSeries(applied.keys())
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  for (const [name, checksum] of applied) {
    if (!known.has(name))
      throw new OperatorError(
        `The database was set up by a newer Signpost (it has ${name}); start that version or later.`,
      )
    if (known.get(name) !== checksum)
      throw new OperatorError(
        `The file migrations/${name} was changed after it was applied to this database; restore it.`,
      )
  }
}

/** Tables that a ClickHouse migration creates. */
export function readTableNames({ text }: Migration): string[] {
  return Array.from(text.matchAll(/create table if not exists (\w+)/gi), ([, name]) => name!)
}

function read(folder: string, engine: 'postgres' | 'clickhouse'): Migration[] {
  return readdirSync(join(folder, engine))
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, engine, file), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { name: `${engine}/${file}`, text, checksum }
    })
}
