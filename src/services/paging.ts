import { page } from '../base/route.ts'
import type { Fragment, Tx } from '../storage/postgres.ts'
import { clampLimit } from './shapes.ts'

/** The total of a filtered list is counted this far. */
export const COUNTED_ROWS = 10_000

type Asked = { limit: number; offset: number }

/**
 * How many rows a list has beside its page. A filtered list is counted to one row beyond
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
export function pageMeta(counted: number, isFiltered: boolean, { limit, offset }: Asked) {
  if (!isFiltered || counted <= COUNTED_ROWS) return { total: counted, limit, offset }
  return { total: COUNTED_ROWS, limit, offset, totalIsExact: false }
}

/** A page of a list that is short by its nature, and therefore in memory as a whole. */
export function pageOf<Row>(rows: readonly Row[], query: Asked) {
  const { offset } = query
  const limit = clampLimit(query.limit)
  return page(rows.slice(offset, offset + limit), { total: rows.length, limit, offset })
}
