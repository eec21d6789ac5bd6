import { OperatorError } from '../../core/errors.ts'

/**
 * The migrations were rewritten before the first release. All former files together make the same tables as the first files of
 * this series, so a backup of that state is restored as this series' first state. Databases of the former files are refused.
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

export function refuseFormerSeries(applied: Iterable<string>): void {
  if (isOfFormerSeries(applied))
    throw new OperatorError(
      'The database was set up by an earlier version of Signpost, whose tables this one does not read: back it up with that version ("npm run -s signpost -- backup --to FOLDER --with-key"), and restore that backup with this one into an empty data directory ("npm run -s signpost -- restore FOLDER").',
    )
}
