import { ApiError } from '../core/errors.ts'
import type { Principal } from '../routes/principal.ts'
import type { Tx } from '../storage/postgres/postgres.ts'

/** Refuses a filter by an id of another workspace. An unknown id matches nothing (spec, Authentication 7). */
export async function refuseForeign(
  tx: Tx,
  principal: Principal,
  path: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return
  const [row] = await tx<{ isForeign: boolean }[]>`
    select is_foreign(${principal.workspaceId}, ${id}) as is_foreign`
  if (row?.isForeign) throw foreignId(path)
}

export function foreignId(path: string): ApiError {
  const message = `${path} belongs to another workspace.`
  return new ApiError('FORBIDDEN', message, [{ path, message, code: 'foreign' }])
}

/**
 * Which of the ids belong to other workspaces.
 * @param ids that no row of this workspace has
 */
export async function readForeign(
  tx: Tx,
  tables: readonly string[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx<{ id: string }[]>`
    select id from unnest(${[...ids]}::text[]) as named (id)
    where exists (
      select from unnest(${[...tables]}::text[]) as t (name)
      where workspace_of(t.name::regclass, id) is not null)`
  return new Set(rows.map(({ id }) => id))
}
