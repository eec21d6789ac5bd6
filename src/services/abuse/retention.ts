import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { repeat, type Service } from '../../base/service.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { inPieces, PIECE_ROWS } from '../purge-steps.ts'

type Deps = { sql: SystemSql; clock: Clock; log: Log }

const EVERY_MS = 3_600_000
const KEPT_DAYS = 90
const MAX_KEPT = 100_000

/** Deletes old reports of abuse, so that strangers cannot fill the database. */
export function createReportRetention(deps: Deps): Service {
  const message = 'old reports of abuse could not be deleted; trying again'
  return {
    name: 'abuse-reports',
    run: (signal) =>
      repeat(signal, EVERY_MS, () => deleteOldReports(deps, signal), deps.log, message),
  }
}

/** @param maxKept rows; of more, the oldest go */
export async function deleteOldReports(
  { sql, clock }: Omit<Deps, 'log'>,
  signal: AbortSignal,
  maxKept = MAX_KEPT,
): Promise<void> {
  const since = new Date(clock() - KEPT_DAYS * 86_400_000)
  await inPieces(
    signal,
    () => sql`
      delete from abuse_reports where ctid = any(array(
        select ctid from abuse_reports where created_at < ${since}
        union all
        (select ctid from abuse_reports order by created_at desc, id desc offset ${maxKept})
        limit ${PIECE_ROWS}))`,
  )
}
