import type { Clock } from '../../platform/core/clock.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { undoableSince } from '../history/undo-window.ts'
import type { SourceName } from './sources.ts'

export type ImportedTotal = { linkId: string; clicks: number }

/**
 * Stores the clicks that links had in another service. They count instead of those that an earlier import of the same
 * service gave, so that a file may be imported twice; those stay for an undo.
 * @param jobId the import, whose undo takes them back
 */
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
  // A link that is in the file twice has its last row.
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

/** Imports with clicks that can still be taken back. */
export async function findUndoableClicks(
  tx: Tx,
  { workspaceId }: Principal,
  jobIds: readonly string[],
  clock: Clock,
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ jobId: string }[]>`
    select job_id from unnest(${[...jobIds]}::text[]) as asked (job_id)
    where exists (
      select from imported_clicks
      where imported_clicks.job_id = asked.job_id and workspace_id = ${workspaceId}
        and imported_at > ${undoableSince(clock)})`
  return new Set(rows.map(({ jobId }) => jobId))
}

/**
 * Takes back the clicks that an import brought less than an hour ago. Those that they replaced count again, or follow
 * the import that replaced these.
 * @param keptIds links that keep what the import did
 * @returns the number of links
 */
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
  // Undone once: a later undo does not find them.
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
