import type { Clock } from '../../platform/core/clock.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { inPieces, PIECE_ROWS } from '../../platform/resources/purge-steps.ts'

type Deps = { sql: SystemSql; clock: Clock }

const UNDO_MS = 3_600_000

export function undoableSince(clock: Clock): Date {
  return new Date(clock() - UNDO_MS)
}

/** Deletes what can no longer be undone. Skips versions that a request has locked. */
export async function deleteExpired({ sql, clock }: Deps, signal: AbortSignal): Promise<void> {
  const expired = (kind: string) => sql`
    undo_data is not null and kind = ${kind} and changed_at <= ${undoableSince(clock)}
    limit ${PIECE_ROWS} for update skip locked`
  await inPieces(
    signal,
    () => sql`
      with gone as (
        select workspace_id, link_id from link_versions where ${expired('deleted')}
      ), versions as (
        delete from link_versions v using gone g
        where v.workspace_id = g.workspace_id and v.link_id = g.link_id
      ), quotas as (
        delete from link_quotas q using gone g where q.workspace_id = g.workspace_id and q.link_id = g.link_id
      )
      select from gone`,
  )
  await inPieces(
    signal,
    () => sql`
      delete from link_versions where ctid = any(array(
        select ctid from link_versions where ${expired('created')}))`,
  )
  await inPieces(
    signal,
    () => sql`
      update link_versions set operation_id = null, undo_data = null where ctid = any(array(
        select ctid from link_versions where ${expired('updated')}))`,
  )
}

/** Deletes freed slugs and aliases once every workspace may take them. */
export async function deleteExpiredReservations({ sql, clock }: Deps, signal: AbortSignal) {
  const now = new Date(clock())
  await inPieces(
    signal,
    () => sql`
      delete from link_addresses where ctid = any(array(
        select ctid from link_addresses where link_id is null and free_at <= ${now}
        limit ${PIECE_ROWS}))`,
  )
}
