import { page } from '../routes/route.ts'
import type { Fragment, Tx } from '../storage/postgres/postgres.ts'
import { clampLimit, PageQuery, text } from './shapes.ts'
import { Type } from 'typebox'
import { described } from '../routes/shape.ts'

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

export function pageMeta(counted: number, isFiltered: boolean, { limit, offset }: Slice) {
  if (!isFiltered || counted <= COUNTED_ROWS) return { total: counted, limit, offset }
  return { total: COUNTED_ROWS, limit, offset, totalIsExact: false }
}

export function pageOf<Row>(rows: readonly Row[], query: Slice) {
  const { offset } = query
  const limit = clampLimit(query.limit)
  return page(rows.slice(offset, offset + limit), { total: rows.length, limit, offset })
}

export type SortKeys<Name extends string> = Readonly<
  Record<Name, { key: string; isNullable?: true }>
>

type Sorted<Name extends string> = { sortBy: Name; sortOrder: string }

export function nameListQuery<const Name extends string>(
  noun: string,
  keys: SortKeys<Name>,
  { sortBy, sortOrder }: { sortBy: NoInfer<Name>; sortOrder: 'asc' | 'desc' },
) {
  return {
    ...PageQuery,
    search: Type.Optional(
      text(`Only ${noun} with this text in their name, in any case.`, 'spring', { maxLength: 200 }),
    ),
    sortBy: described(
      Type.Unsafe<Name>({ type: 'string', enum: Object.keys(keys), default: sortBy }),
      'Sort field.',
      sortBy,
    ),
    sortOrder: described(
      Type.String({ enum: ['asc', 'desc'], default: sortOrder }),
      'Ascending or descending.',
      sortOrder,
    ),
  }
}

/** `tie` makes the order total, so that pages neither repeat nor skip a row. */
export function toNameOrder<Name extends string>(
  tx: Tx,
  keys: SortKeys<Name>,
  { sortBy, sortOrder }: Sorted<Name>,
  tie = 'id',
): Fragment {
  const { key, isNullable } = keys[sortBy]
  const [direction, nulls] = sortOrder === 'asc' ? ['asc', 'first'] : ['desc', 'last']
  return tx.unsafe(`${key} ${direction} ${isNullable ? `nulls ${nulls}` : ''}, ${tie} ${direction}`)
}

export function matchesName(tx: Tx, search: string | undefined): Fragment | undefined {
  return search ? tx`strpos(search_form(name), search_form(${search})) > 0` : undefined
}
