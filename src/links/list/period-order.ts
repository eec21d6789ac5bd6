import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { COUNTED_ROWS } from '../../platform/resources/paging.ts'
import { toConditions, type Known } from './query.ts'
import type { ListLinks } from '../link/schema.ts'

/** The place of a link in the order by the clicks of a period. */
export type ClickPlace = {
  id: string
  /** With microseconds, so that texts compare as times do. */
  createdAt: string
  /** 0 also for a link beyond the most clicked ones that were read. */
  clicks: number
}

type Found = Pick<ClickPlace, 'id' | 'createdAt'>

const TIME = `to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Most clicks first, then in the default order of the list. */
export function comparePlaces(a: ClickPlace, b: ClickPlace): number {
  if (a.clicks !== b.clicks) return b.clicks - a.clicks
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/** The matching links with their times, in no order; one more than {@link COUNTED_ROWS} for too many. */
export function readMatches(tx: Tx, principal: Principal, query: ListLinks, known: Known) {
  const where = toConditions(tx, principal, query, known)
  return tx<Found[]>`
    select l.id, ${tx.unsafe(TIME)} as created_at from links l where ${where}
    limit ${COUNTED_ROWS + 1}`
}

/**
 * Those of the links with these ids that match. Each is looked up by itself: without recent statistics a join
 * compares every id with every link of a tag.
 */
export function readMatchesAmong(
  tx: Tx,
  principal: Principal,
  query: ListLinks,
  known: Known,
  ids: readonly string[],
) {
  const where = toConditions(tx, principal, query, known)
  return tx<Found[]>`
    select found.id, found.created_at
    from unnest(${[...ids]}::text[]) as asked (id)
    cross join lateral (
      select l.id, ${tx.unsafe(TIME)} as created_at from links l
      where l.id = asked.id and ${where} offset 0
    ) as found`
}

type Slice = { limit: number; offset: number; after: ClickPlace | null }

/** A part of the matching links without those of `ranked`, in the default order or from its end. */
export async function readUnranked(
  tx: Tx,
  principal: Principal,
  query: ListLinks,
  known: Known,
  ranked: readonly string[],
  { limit, offset, after }: Slice,
): Promise<ClickPlace[]> {
  const [direction, compared] = query.sortOrder === 'asc' ? ['asc', '>'] : ['desc', '<']
  const beyond = after
    ? tx`and (l.created_at, l.id) ${tx.unsafe(compared)} (${after.createdAt}::text::timestamptz, ${after.id})`
    : tx``
  const where = isUnranked(tx, principal, query, known, ranked)
  const rows = await tx<Found[]>`
    select l.id, ${tx.unsafe(TIME)} as created_at from links l where ${where} ${beyond}
    order by l.created_at ${tx.unsafe(direction)}, l.id ${tx.unsafe(direction)}
    limit ${limit} offset ${offset}`
  return rows.map((row) => ({ ...row, clicks: 0 }))
}

export async function countUnranked(
  tx: Tx,
  principal: Principal,
  query: ListLinks,
  known: Known,
  ranked: readonly string[],
): Promise<number> {
  const where = isUnranked(tx, principal, query, known, ranked)
  const [row] = await tx<[{ n: number }]>`select count(*) as n from links l where ${where}`
  return row.n
}

function isUnranked(
  tx: Tx,
  principal: Principal,
  query: ListLinks,
  known: Known,
  ranked: readonly string[],
): Fragment {
  return tx`${toConditions(tx, principal, query, known)} and l.id <> all(${[...ranked]}::text[])`
}
