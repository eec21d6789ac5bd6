import { ApiError } from '../core/errors.ts'
import type { Principal } from '../routes/principal.ts'
import type { Tx } from '../storage/postgres/postgres.ts'

/**
 * Refuses an id in a filter that exists in other workspaces only. An unknown id passes and matches
 * nothing (spec, Authentication 7).
 * @param path the query parameter, for the message
 * @throws ApiError FORBIDDEN
 */
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

/** The refusal of an id in a body or a query that is one of another workspace. @param path of the field */
export function foreignId(path: string): ApiError {
  const message = `${path} belongs to another workspace.`
  return new ApiError('FORBIDDEN', message, [{ path, message, code: 'foreign' }])
}

/**
 * The ids among these that rows of other workspaces have.
 * @param tables that the ids may be of
 * @param ids that no row of the workspace has
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
