import { ApiError } from '../base/errors.ts'
import type { Who } from '../base/who.ts'
import type { Tx } from '../storage/postgres.ts'

/**
 * An id that a filter names: one that other workspaces alone know is refused, one that nobody knows
 * passes and matches nothing (spec, Authentication 7).
 * @param path the query parameter, for the sentence
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
