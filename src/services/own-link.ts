import { ApiError } from '../base/errors.ts'
import type { Who } from '../base/who.ts'
import type { Sql } from '../storage/postgres.ts'

/** @throws ApiError NOT_FOUND, or FORBIDDEN when another workspace owns it (spec, Authentication 7) */
export async function requireOwnLink(sql: Sql, who: Who, id: string | undefined): Promise<void> {
  const [row] = await sql<{ workspaceId: string }[]>`
    select workspace_id from links where id = ${id ?? ''}`
  if (!row) throw new ApiError('NOT_FOUND', 'There is no such link.')
  if (row.workspaceId !== who.workspaceId)
    throw new ApiError('FORBIDDEN', 'This link belongs to another workspace.')
}
