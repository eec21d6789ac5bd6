import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'

const FOLDER = join(import.meta.dirname, '../../../../migrations')

export type Migration = {
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

/**
 * Before the first release the migrations were rewritten. All former files make the same tables as the first files of
 * this series, so a backup of that state is restored as its first state. Databases of the former files are refused.
 */
const FIRST_FILES = ['postgres/0001_core.sql', 'clickhouse/0001_clicks.sql']
const LAST_FILES = ['postgres/0081_import_rows.sql', 'clickhouse/0005_conversions.sql']
const FIRST_STATE = {
  postgres: 'postgres/0014_jobs_and_reports.sql',
  clickhouse: 'clickhouse/0002_conversions.sql',
}

export function isOfFormerSeries(applied: Iterable<string>): boolean {
  const names = new Set(applied)
  return FIRST_FILES.some((name) => names.has(name))
}

export function hasEndOfFormerSeries(applied: Iterable<string>): boolean {
  const names = new Set(applied)
  return LAST_FILES.every((name) => names.has(name))
}

export function isOfFirstState(name: string): boolean {
  return name <= (name.startsWith('postgres/') ? FIRST_STATE.postgres : FIRST_STATE.clickhouse)
}

function refuseFormerSeries(applied: Iterable<string>): void {
  if (isOfFormerSeries(applied))
    throw new OperatorError(
      'The database was set up by an earlier version of Signpost, whose tables this one does not read: back it up with that version ("npm run -s signpost -- backup --to FOLDER --with-key"), and restore that backup with this one into an empty data directory ("npm run -s signpost -- restore FOLDER").',
    )
}
