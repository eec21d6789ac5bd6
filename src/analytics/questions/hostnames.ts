import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { labelOfEmpty } from './dimensions.ts'
import type { AnalyticsDeps } from './question.ts'

/** The hosts of domains by their ids, and the shared host by its label; without domains that were deleted. */
export async function readHostnames(
  { sql, toShortUrl }: Pick<AnalyticsDeps, 'sql' | 'toShortUrl'>,
  { workspaceId }: Principal,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const domains = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ id: string; hostname: string }[]>`
      select id, hostname from domains
      where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])`,
  )
  const names = new Map(domains.map(({ id, hostname }) => [id, hostname]))
  return names.set(labelOfEmpty('domain')!, new URL(toShortUrl(null, '')).host)
}
