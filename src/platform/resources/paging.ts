import { page } from '../routes/route.ts'
import type { Fragment, Tx } from '../storage/postgres/postgres.ts'
import { clampLimit } from './shapes.ts'

/** The largest exact total of a filtered list. */
export const COUNTED_ROWS = 10_000

type Slice = { limit: number; offset: number }

/**
 * The total of a list. A filtered list is counted to one row beyond
 * {@link COUNTED_ROWS}, an unfiltered one to its end.
 * @param matches what follows `from`, without order and limit
 */
export async function countRows(tx: Tx, matches: Fragment, isFiltered: boolean): Promise<number> {
  const [row] = await tx<{ counted: number }[]>`
    select count(*) as counted
    from (select from ${matches} ${isFiltered ? tx`limit ${COUNTED_ROWS + 1}` : tx``}) as matches`
  return row!.counted
}

/** The `meta` of a page; `totalIsExact` is there when it is false. */
export function pageMeta(counted: number, isFiltered: boolean, { limit, offset }: Slice) {
  if (!isFiltered || counted <= COUNTED_ROWS) return { total: counted, limit, offset }
  return { total: COUNTED_ROWS, limit, offset, totalIsExact: false }
}

/** A page of a short list, which is in memory as a whole. */
export function pageOf<Row>(rows: readonly Row[], query: Slice) {
  const { offset } = query
  const limit = clampLimit(query.limit)
  return page(rows.slice(offset, offset + limit), { total: rows.length, limit, offset })
}
