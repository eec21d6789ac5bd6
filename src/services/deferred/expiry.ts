import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { repeat, type Service } from '../../base/service.ts'
import { fingerprintDays } from '../../facts/deep-link-fingerprint.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { inPieces, PIECE_ROWS } from '../purge-steps.ts'
import { CLICK_WINDOW_MS } from './clicks.ts'

type Deps = { sql: SystemSql; clock: Clock; log: Log }

const EVERY_MS = 600_000

/** Destroys the keys of fingerprints after two days, and what can no longer be matched. */
export function createDeferredExpiry(deps: Deps): Service {
  const message = 'keys and clicks of deferred deep links could not be deleted; trying again'
  return {
    name: 'deferred-expiry',
    run: (signal) =>
      repeat(signal, EVERY_MS, () => deleteExpiredDeepLinks(deps, signal), deps.log, message),
  }
}

export async function deleteExpiredDeepLinks(
  { sql, clock }: Omit<Deps, 'log'>,
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
