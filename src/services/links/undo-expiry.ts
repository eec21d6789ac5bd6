import type { Clock } from '../../base/clock.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { inPieces, PIECE_ROWS } from '../purge-steps.ts'
import { undoableSince } from '../undo-window.ts'

type Deps = { sql: SystemSql; clock: Clock }

/** Deletes for good what can no longer be taken back. */
export async function deleteExpired({ sql, clock }: Deps, signal: AbortSignal): Promise<void> {
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
