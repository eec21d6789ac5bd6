import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { KINDS } from './run.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock'>

/** A file, or the beginning of one, by the run that wrote it. */
type Unwanted = { id: string; workspaceId: string; runId: string }

/** Rows are deleted in pieces, so that no transaction is long: 25 MiB. */
const PIECE_CHUNKS = 100
/** Files of runs that failed earlier are deleted already. */
const LOOK_BACK_MS = 86_400_000

/** Deletes files that have expired, and what failed runs have written, in any number of processes. */
export async function deleteUnwantedFiles(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const deleteNext of [deleteExpired, deleteFailed])
    while (!signal.aborted)
      if (!(await inTransaction(deps.systemSql, (tx) => deleteNext(deps, tx)))) break
}

/** @returns false when no file has expired */
async function deleteExpired({ clock }: Deps, tx: Tx): Promise<boolean> {
  const [expired] = await tx<Unwanted[]>`
    select id, workspace_id, file_run_id as run_id from reports
    where expires_at <= ${new Date(clock())} and size is not null
    order by expires_at limit 1 for update skip locked`
  if (!expired) return false
  const { id, workspaceId } = expired
  if ((await deletePiece(tx, expired)) < PIECE_CHUNKS)
    await tx`update reports set size = null where id = ${id} and workspace_id = ${workspaceId}`
  return true
}

/** A run that waits for its next attempt is not failed, and begins by deleting what it has written. */
async function deleteFailed({ clock }: Deps, tx: Tx): Promise<boolean> {
  const [failed] = await tx<Unwanted[]>`
    select r.id, r.workspace_id, r.run_id from jobs j
    join reports r on r.run_id = j.id and r.workspace_id = j.workspace_id
    where j.kind = any(${Object.keys(KINDS)}::text[]) and j.status = 'failed'
      and j.completed_at > ${new Date(clock() - LOOK_BACK_MS)}
      and exists (
        select from report_chunks c
        where c.report_id = r.id and c.run_id = r.run_id and c.workspace_id = r.workspace_id)
    limit 1 for update of r skip locked`
  if (!failed) return false
  await deletePiece(tx, failed)
  return true
}

/** @returns the number of chunks */
async function deletePiece(tx: Tx, { id, workspaceId, runId }: Unwanted): Promise<number> {
  const deleted = await tx`
    delete from report_chunks where id in (
      select id from report_chunks
      where report_id = ${id} and run_id = ${runId} and workspace_id = ${workspaceId}
      limit ${PIECE_CHUNKS})
      and workspace_id = ${workspaceId}`
  return deleted.count
}
