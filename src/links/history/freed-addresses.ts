import type { Clock } from '../../platform/core/clock.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { inPieces, PIECE_ROWS } from '../../platform/resources/purge-steps.ts'

type Deps = { sql: SystemSql; clock: Clock }

/** Deletes freed slugs and aliases once every workspace may take them. */
export async function deleteExpiredReservations(
  { sql, clock }: Deps,
  signal: AbortSignal,
): Promise<void> {
  const now = new Date(clock())
  await inPieces(
    signal,
    () => sql`
      delete from link_addresses where ctid = any(array(
        select ctid from link_addresses where link_id is null and free_at <= ${now}
        limit ${PIECE_ROWS}))`,
  )
}
