import type { Clock } from '../../platform/core/clock.ts'
import { fingerprintDays } from '../../platform/facts/click-identity.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { inPieces, PIECE_ROWS } from '../../platform/resources/purge-steps.ts'
import { CLICK_WINDOW_MS } from './found.ts'

type Deps = { sql: SystemSql; clock: Clock }

/** Deletes the keys of fingerprints after two days, and what can no longer be matched. */
export async function deleteExpiredDeepLinks(
  { sql, clock }: Deps,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = clock()
  const firstDay = fingerprintDays(nowMs).at(-1)!
  const since = new Date(nowMs - CLICK_WINDOW_MS)
  await inPieces(
    signal,
    () => sql`
      delete from deep_link_keys where ctid = any(array(
        select ctid from deep_link_keys where day < ${firstDay}::date limit ${PIECE_ROWS}))`,
  )
  await inPieces(
    signal,
    () => sql`
      delete from deep_link_clicks where ctid = any(array(
        select ctid from deep_link_clicks where clicked_at < ${firstDay}::date at time zone 'UTC'
        limit ${PIECE_ROWS}))`,
  )
  await inPieces(
    signal,
    () => sql`
      delete from deep_link_matches where ctid = any(array(
        select ctid from deep_link_matches where clicked_at <= ${since} limit ${PIECE_ROWS}))`,
  )
}
