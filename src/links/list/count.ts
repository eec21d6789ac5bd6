import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ListDeps } from '../link/dependencies.ts'
import { readFilter } from './filter.ts'
import {
  MAX_MATCHING,
  type CountLinks,
  type GroupBy,
  type LinkFilter,
} from '../write/bulk-schema.ts'
import { statusOf } from '../link/rows.ts'
import type { ListLinks } from '../link/schema.ts'

const UNSORTED = { limit: 1, offset: 0, sortBy: 'createdAt', sortOrder: 'asc' }
const MAX_GROUPS = 1_000

export async function countLinks(
  deps: ListDeps,
  principal: Principal,
  query: CountLinks,
  signal?: AbortSignal,
) {
  const { groupBy } = query
  const filters: ListLinks = { ...query, ...UNSORTED }
  return deps.reads.read(principal, signal, async (tx) => {
    const where = (await readFilter(deps, tx, principal, filters))(tx)
    const now = new Date(deps.clock())
    const [[counted], groups] = await Promise.all([
      tx<[{ total: number }]>`select count(*) as total from links l where ${where}`,
      groupBy === undefined
        ? []
        : tx<{ key: string | null; count: number }[]>`
            select ${toKey(tx, groupBy, now)} as key, count(*) as count
            from links l ${toJoin(tx, groupBy)} where ${where}
            group by 1 order by 2 desc, 1 limit ${MAX_GROUPS}`,
    ])
    return { total: counted.total, groups: Array.from(groups) }
  })
}

export async function findMatching(
  deps: ListDeps,
  principal: Principal,
  filter: LinkFilter,
  signal?: AbortSignal,
): Promise<string[]> {
  const filters: ListLinks = { includeArchived: false, ...filter, ...UNSORTED }
  const rows = await deps.reads.read(principal, signal, async (tx) => {
    const where = (await readFilter(deps, tx, principal, filters))(tx)
    return tx<{ id: string }[]>`
      select l.id from links l where ${where} limit ${MAX_MATCHING + 1}`
  })
  if (rows.length > MAX_MATCHING)
    throw invalid(
      'filter',
      `filter matches more than ${MAX_MATCHING} links; narrow it, for example by createdFrom and createdTo.`,
      'too_many',
    )
  return rows.map(({ id }) => id).toSorted()
}

function toKey(tx: Tx, groupBy: GroupBy, now: Date): Fragment {
  const keys: Record<GroupBy, Fragment> = {
    status: statusOf(tx, now),
    tag: tx`t.tag`,
    folderId: tx`f.id`,
    campaignId: tx`p.id`,
    domainId: tx`l.domain_id`,
    createdBy: tx`l.created_by`,
  }
  return keys[groupBy]
}

/** A link may still name a deleted folder or campaign, so these are joined. */
function toJoin(tx: Tx, groupBy: GroupBy) {
  if (groupBy === 'tag') return tx`left join unnest(l.tags) as t (tag) on true`
  if (groupBy === 'folderId')
    return tx`left join folders f on f.id = l.folder_id and f.workspace_id = l.workspace_id`
  if (groupBy === 'campaignId')
    return tx`left join campaigns p on p.id = l.campaign_id and p.workspace_id = l.workspace_id`
  return tx``
}
