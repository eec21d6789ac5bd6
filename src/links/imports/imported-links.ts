import { ApiError, invalid } from '../../platform/core/errors.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'

const PATH = 'importId'

/** The first links of an import in the order of its file, and the number of all. */
export async function readImportedLinks(
  tx: Tx,
  principal: Principal,
  importId: string,
  limit: number,
): Promise<{ links: { id: string; name: string }[]; total: number }> {
  const { workspaceId } = principal
  await requireFinished(tx, principal, importId)
  const rows = await tx<{ id: string; name: string; total: number }[]>`
    select l.id, l.name, count(*) over () as total
    from import_rows i join links l on l.id = i.link_id and l.workspace_id = i.workspace_id
    where i.workspace_id = ${workspaceId} and i.job_id = ${importId}
    order by i.row limit ${limit}`
  const [first] = rows
  if (first === undefined)
    throw invalid(
      PATH,
      'This import has no links: it was undone, or it is not the newest one. Import the file again.',
      'empty',
    )
  return { links: rows.map(({ id, name }) => ({ id, name })), total: first.total }
}

async function requireFinished(tx: Tx, { workspaceId }: Principal, importId: string) {
  const [job] = await tx<{ isFinished: boolean; isDry: boolean | null }[]>`
    select completed_at is not null as is_finished, (input ->> 'dryRun')::boolean as is_dry
    from jobs where id = ${importId} and workspace_id = ${workspaceId}`
  if (job === undefined) {
    const foreign = await readForeign(tx, ['jobs'], [importId])
    if (!foreign.has(importId))
      throw invalid(PATH, `${PATH} must be the id of an import of this workspace.`, 'unknown')
    throw new ApiError('FORBIDDEN', `${PATH} belongs to another workspace.`, [
      { path: PATH, message: 'This import belongs to another workspace.', code: 'foreign' },
    ])
  }
  if (job.isDry) throw invalid(PATH, 'This import was a dry run, which creates no links.', 'empty')
  if (!job.isFinished)
    throw new ApiError('CONFLICT', 'The import is under way. Wait for it, or cancel it.', {
      reason: 'import_under_way',
    })
}
