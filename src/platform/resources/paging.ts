import { page } from '../routes/route.ts'
import type { Fragment, Tx } from '../storage/postgres/postgres.ts'
import { clampLimit } from './shapes.ts'

/** Filtered lists are counted up to here. */
export const COUNTED_ROWS = 10_000

type Slice = { limit: number; offset: number }

/**
 * @param matches what follows `from`, without order and limit
 * @returns for a filtered list at most one more than {@link COUNTED_ROWS}
 */
export async function countRows(tx: Tx, matches: Fragment, isFiltered: boolean): Promise<number> {
  const [row] = await tx<{ counted: number }[]>`
    select count(*) as counted
    from (select from ${matches} ${isFiltered ? tx`limit ${COUNTED_ROWS + 1}` : tx``}) as matches`
  return row!.counted
}

/** `totalIsExact` is present only when false. */
export function pageMeta(counted: number, isFiltered: boolean, { limit, offset }: Slice) {
  if (!isFiltered || counted <= COUNTED_ROWS) return { total: counted, limit, offset }
  return { total: COUNTED_ROWS, limit, offset, totalIsExact: false }
}

export function pageOf<Row>(rows: readonly Row[], query: Slice) {
  const { offset } = query
  const limit = clampLimit(query.limit)
  return page(rows.slice(offset, offset + limit), { total: rows.length, limit, offset })
}
