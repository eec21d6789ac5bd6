import type { Clock } from '../../platform/core/clock.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { inPieces, PIECE_ROWS } from '../../platform/resources/purge-steps.ts'

type Deps = { sql: SystemSql; clock: Clock }

const KEPT_DAYS = 90
const MAX_KEPT = 100_000

/**
 * Deletes old reports of abuse, so that strangers cannot fill the database.
 * @param maxKept rows; of more, the oldest go
 */
export async function deleteOldReports(
  { sql, clock }: Deps,
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
