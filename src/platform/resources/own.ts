import { ApiError } from '../core/errors.ts'
import type { Principal } from '../routes/principal.ts'
import type { TenantSql } from '../storage/postgres/postgres.ts'

/** @param noun what the row is, in the message: `link`, `API key` */
export async function requireOwn(
  sql: TenantSql,
  principal: Principal,
  table: string,
  id: string | undefined,
  noun: string,
): Promise<void> {
  const [row] = await sql<{ owner: string | null }[]>`
    select workspace_of(${table}::regclass, ${id ?? ''}) as owner`
  if (!row?.owner) throw new ApiError('NOT_FOUND', `This ${noun} does not exist.`)
  if (row.owner !== principal.workspaceId)
    throw new ApiError('FORBIDDEN', `This ${noun} belongs to another workspace.`)
}
