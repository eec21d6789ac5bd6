import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { DIMENSION_NAMES } from '../questions/dimensions.ts'
import type { LabelQuery } from '../questions/query.ts'
import type { Scope } from '../questions/scope.ts'

/**
 * The clicks that the links of a scope had in other services (src/links/imports). A file has one number for each link, and
 * neither days nor labels: it is part of totals, of no period, and of nothing that is filtered by a label or a domain.
 */
export async function readImported(
  tx: Tx,
  { workspaceId }: Principal,
  scope: Scope,
  query: LabelQuery & { domainId?: string },
): Promise<number> {
  const isFiltered = [...DIMENSION_NAMES, 'domainId' as const].some(
    (name) => query[name] !== undefined,
  )
  if (scope.isEmpty || isFiltered) return 0
  const inSets = scope.linkSets.reduce<Fragment>(
    (others, { ids, isExcluded }) =>
      isExcluded
        ? tx`${others} and link_id <> all(${[...ids]}::text[])`
        : tx`${others} and link_id = any(${[...ids]}::text[])`,
    tx``,
  )
  const [row] = await tx<[{ clicks: number }]>`
    select least(coalesce(sum(clicks), 0), ${Number.MAX_SAFE_INTEGER})::bigint as clicks
    from imported_clicks
    where workspace_id = ${workspaceId} and dimension is null and replaced_by is null ${inSets}`
  return row.clicks
}

/** Whether the workspace has any, so that most questions need no second read. */
export async function hasImported(tx: Tx, { workspaceId }: Principal): Promise<boolean> {
  const [row] = await tx<[{ has: boolean }]>`
    select exists (
      select from imported_clicks
      where workspace_id = ${workspaceId} and dimension is null and replaced_by is null) as has`
  return row.has
}
