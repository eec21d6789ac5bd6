import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { repeat, type Service } from '../../base/service.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { inPieces, PIECE_ROWS } from '../purge-steps.ts'

type Deps = { sql: SystemSql; clock: Clock; log: Log }

const EVERY_MS = 3_600_000

/** Deletes the rows of freed slugs and aliases once every workspace may take them. */
export function createFreedAddresses(deps: Deps): Service {
  const message = 'expired reservations of slugs could not be deleted; trying again'
  return {
    name: 'freed-addresses',
    run: (signal) =>
      repeat(signal, EVERY_MS, () => deleteExpiredReservations(deps, signal), deps.log, message),
  }
}

export async function deleteExpiredReservations(
  { sql, clock }: Omit<Deps, 'log'>,
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
