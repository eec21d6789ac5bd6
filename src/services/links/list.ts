import type { Clock } from '../../base/clock.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import type { Tx } from '../../storage/postgres.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit } from '../shapes.ts'
import { aliasesOf } from './aliases.ts'
import { refuseForeignGroups } from './groups.ts'
import { isFiltered, toConditions, toOrder, toTables } from './query.ts'
import { columnsOf, countersOf, toLink, withCounters, type LinkRow } from './row.ts'
import type { ListLinks } from './schema.ts'
import { findLinks } from './search.ts'
import type { ShortHost } from './short-host.ts'

export type ListDeps = {
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  /** A function, since the port may be chosen at start. */
  shortHost: () => ShortHost
}

/** A page of the links of a workspace. */
export async function listLinks(deps: ListDeps, who: Who, query: ListLinks, signal?: AbortSignal) {
  const { offset } = query
  const limit = clampLimit(query.limit)
  const isPart = isFiltered(query)
  const [rows, counted] = await deps.reads.read(who, signal, async (tx) => {
    await refuseForeignGroups(tx, who, query)
    const found = query.search ? await findLinks(tx, query.search) : null
    const where = toConditions(tx, who, query, new Date(deps.clock()), found)
    const order = toOrder(tx, query)
    return Promise.all([
      // The outer join reads the counters for the links of the page only.
      tx<LinkRow[]>`
        select ${columnsOf(tx)}, ${countersOf(tx)}, ${aliasesOf(tx)}
        from (
          select ${columnsOf(tx)} from ${toTables(tx, query)} where ${where}
          order by ${order} limit ${limit} offset ${offset}
        ) as l ${withCounters(tx)}
        order by ${order}`,
      isPart ? countRows(tx, tx`links l where ${where}`, true) : countOwn(tx, who, query),
    ])
  })
  const links = rows.map((row) => toLink(row, deps.shortHost(), deps.clock()))
  return page(links, pageMeta(counted, isPart, { limit, offset }))
}

/** How many links the workspace has, from a count that each write of links keeps. */
async function countOwn(tx: Tx, { workspaceId }: Who, query: ListLinks): Promise<number> {
  const [row] = await tx<{ counted: number }[]>`
    select coalesce(sum(links), 0)::bigint as counted from link_counts
    where workspace_id = ${workspaceId} ${query.includeArchived ? tx`` : tx`and not is_archived`}`
  return row!.counted
}
