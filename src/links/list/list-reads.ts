import type { Clock } from '../../platform/core/clock.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { HeavyReads } from '../../platform/storage/postgres/heavy-reads.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { COUNTED_ROWS } from '../../platform/resources/paging.ts'
import { aliasesOf } from '../link/aliases.ts'
import { showsArchived, type Known } from './query.ts'
import { readUsedUp } from '../options/quotas.ts'
import { columnsOf, countersOf, withCounters, type LinkRow } from '../link/row.ts'
import type { ListLinks } from '../link/schema.ts'
import { findLinks } from './search.ts'
import type { ShortHost } from '../link/short-host.ts'

export type ListDeps = {
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  /** A function, since the port may be chosen at start. */
  shortHost: () => ShortHost
}

/** Reads the facts that the conditions of a list need. */
export async function readKnown(
  { shortHost }: Pick<ListDeps, 'shortHost'>,
  tx: Tx,
  principal: Principal,
  query: ListLinks,
  now: Date,
): Promise<Known> {
  const dependsOnUse = query.status === 'active' || query.status === 'expired'
  const [found, usedUp] = await Promise.all([
    query.search ? findLinks(tx, query.search) : null,
    dependsOnUse ? readUsedUp(tx, principal, COUNTED_ROWS) : null,
  ])
  return { now, found, usedUp, sharedDomain: shortHost().domain }
}

/** The total of the list without filters. */
export async function countShown(
  tx: Tx,
  { workspaceId }: Principal,
  query: ListLinks,
): Promise<number> {
  const [row] = await tx<{ counted: number }[]>`
    select coalesce(sum(links), 0)::bigint as counted from link_counts
    where workspace_id = ${workspaceId} ${showsArchived(query) ? tx`` : tx`and not is_archived`}`
  return row!.counted
}

/** The links with these ids, in no order. */
export function readRows(tx: Tx, { workspaceId }: Principal, ids: readonly string[]) {
  return tx<LinkRow[]>`
    select ${columnsOf(tx)}, ${countersOf(tx)}, ${aliasesOf(tx)}
    from links l ${withCounters(tx)}
    where l.workspace_id = ${workspaceId} and l.id = any(${[...ids]}::text[])`
}
