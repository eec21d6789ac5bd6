import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { repeat, type Service } from '../../base/service.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { inPieces, PIECE_ROWS } from '../purge-steps.ts'
import { undoableSince } from '../undo-window.ts'

type Deps = { sql: SystemSql; clock: Clock; log: Log }

const EVERY_MS = 60_000

/** Deletes for good what can no longer be taken back. */
export function createUndoExpiry(deps: Deps): Service {
  const message = 'deleted links could not be removed for good; trying again'
  return {
    name: 'undo-expiry',
    run: (signal) => repeat(signal, EVERY_MS, () => deleteExpired(deps, signal), deps.log, message),
  }
}

export async function deleteExpired(
  { sql, clock }: Omit<Deps, 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const since = undoableSince(clock)
  await inPieces(
    signal,
    () => sql`
      with gone as (
        delete from deleted_links where ctid = any(array(
          select ctid from deleted_links where deleted_at <= ${since} limit ${PIECE_ROWS}))
        returning id, workspace_id
      ), versions as (
        delete from link_versions v using gone g
        where v.workspace_id = g.workspace_id and v.link_id = g.id
      ), quotas as (
        delete from link_quotas q using gone g where q.workspace_id = g.workspace_id and q.link_id = g.id
      )
      select from gone`,
  )
  await inPieces(
    signal,
    () => sql`
      delete from link_undo where ctid = any(array(
        select ctid from link_undo where recorded_at <= ${since} limit ${PIECE_ROWS}))`,
  )
}
