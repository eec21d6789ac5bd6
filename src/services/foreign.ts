import { ApiError } from '../base/errors.ts'
import type { Who } from '../base/who.ts'
import type { Tx } from '../storage/postgres.ts'

/**
 * Refuses an id in a filter that exists in other workspaces only. An unknown id passes and matches
 * nothing (spec, Authentication 7).
 * @param path the query parameter, for the message
 * @throws ApiError FORBIDDEN
 */
export async function refuseForeign(
  tx: Tx,
  who: Who,
  path: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return
  const [row] = await tx<{ isForeign: boolean }[]>`
    select is_foreign(${who.workspaceId}, ${id}) as is_foreign`
  if (row?.isForeign) throw new ApiError('FORBIDDEN', `${path} belongs to another workspace.`)
}
