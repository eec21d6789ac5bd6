import { OperatorError } from '../../core/errors.ts'

/**
 * The migrations were rewritten before the first release. All files of the former series together make the same tables as
 * the first files of this one, so a backup of that state is restored as one of this one's first state. Databases that the
 * former files made are refused.
 */
const FIRST_FILES = ['postgres/0001_core.sql', 'clickhouse/0001_clicks.sql']
const LAST_FILES = ['postgres/0081_import_rows.sql', 'clickhouse/0005_conversions.sql']
/** The files up to these make the same tables. */
const FIRST_STATE = {
  postgres: 'postgres/0014_jobs_and_reports.sql',
  clickhouse: 'clickhouse/0002_conversions.sql',
}

/** @param applied names of files, from a ledger or a backup */
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

/** @throws OperatorError for a database whose ledger names files of the former series */
export function refuseFormerSeries(applied: Iterable<string>): void {
  if (isOfFormerSeries(applied))
    throw new OperatorError(
      'The database was set up by an earlier version of Signpost, whose tables this one does not read: back it up with that version ("npm run -s signpost -- backup --to FOLDER --with-key"), and restore that backup with this one into an empty data directory ("npm run -s signpost -- restore FOLDER").',
    )
}
