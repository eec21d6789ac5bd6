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

type Migrations = { postgres: readonly Migration[]; clickhouse: readonly Migration[] }

export function readMigrations(folder = FOLDER): Migrations {
  return { postgres: read(folder, 'postgres'), clickhouse: read(folder, 'clickhouse') }
}

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
