import type { Clock } from '../../platform/core/clock.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { undoableSince } from '../history/expiry.ts'
import type { SourceName } from './fields.ts'

export type ImportedTotal = { linkId: string; clicks: number }

/** Replaces the clicks of an earlier import from the same service, which are kept for an undo. */
export async function saveImportedClicks(
  tx: Tx,
  { workspaceId }: Principal,
  { source, jobId }: { source: SourceName; jobId: string },
  totals: readonly ImportedTotal[],
  clock: Clock,
): Promise<void> {
  if (totals.length === 0) return
  const now = new Date(clock())
  const linkIds = totals.map(({ linkId }) => linkId)
  const isOfLinks = tx`source = ${source} and link_id = any(${linkIds}::text[])`
  // If the file has a link twice, the last row counts.
  await tx`
    delete from imported_clicks
    where workspace_id = ${workspaceId} and ${isOfLinks}
      and (job_id = ${jobId} or replaced_at <= ${undoableSince(clock)})`
  await tx`
    update imported_clicks set replaced_by = ${jobId}, replaced_at = ${now}
    where workspace_id = ${workspaceId} and ${isOfLinks} and replaced_by is null`
  await tx`
    insert into imported_clicks (workspace_id, link_id, source, clicks, job_id, imported_at)
    select ${workspaceId}, link_id, ${source}, clicks, ${jobId}, ${now}
    from unnest(${linkIds}::text[], ${totals.map(({ clicks }) => clicks)}::bigint[]) as total (link_id, clicks)`
}

export async function findUndoable(
  tx: Tx,
  { workspaceId }: Principal,
  jobIds: readonly string[],
  clock: Clock,
): Promise<ReadonlySet<string>> {
  const since = undoableSince(clock)
  const rows = await tx<{ id: string }[]>`
    select job.id from unnest(${[...jobIds]}::text[]) as job (id)
    where exists (
      select from link_versions v
      where v.operation_id = job.id and v.workspace_id = ${workspaceId} and v.changed_at > ${since}
    ) or exists (
      select from imported_clicks c
      where c.job_id = job.id and c.workspace_id = ${workspaceId} and c.imported_at > ${since})`
  return new Set(rows.map(({ id }) => id))
}

/** Undoes the clicks of an import of the last hour, except for `keptIds`; the ones that it replaced count again. */
export async function revertImportedClicks(
  tx: Tx,
  { workspaceId }: Principal,
  jobId: string,
  keptIds: readonly string[],
  clock: Clock,
): Promise<number> {
  const gone = await tx<{ linkId: string; source: string; replacedBy: string | null }[]>`
    delete from imported_clicks
    where workspace_id = ${workspaceId} and job_id = ${jobId}
      and imported_at > ${undoableSince(clock)} and link_id <> all(${[...keptIds]}::text[])
    returning link_id, source, replaced_by`
  // A second undo finds none of them.
  await tx`
    update imported_clicks set job_id = null where workspace_id = ${workspaceId} and job_id = ${jobId}`
  await tx`
    update imported_clicks former
    set replaced_by = gone.replaced_by,
      replaced_at = case when gone.replaced_by is null then null else former.replaced_at end
    from unnest(${gone.map(({ linkId }) => linkId)}::text[], ${gone.map(({ source }) => source)}::text[],
      ${gone.map(({ replacedBy }) => replacedBy)}::text[])
      as gone (link_id, source, replaced_by)
    where former.workspace_id = ${workspaceId} and former.link_id = gone.link_id
      and former.source = gone.source and former.replaced_by = ${jobId}`
  return gone.length
}
