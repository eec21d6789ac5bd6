import { Type } from 'typebox'
import { described } from '../routes/shape.ts'
import type { Fragment, Tx } from '../storage/postgres/postgres.ts'
import { PageQuery, text } from './shapes.ts'

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

/** The column `tie` makes the order total, so that pages neither repeat nor skip a row. */
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

/** Folded like the search of links; true without a term. */
export function matchesName(tx: Tx, search: string | undefined): Fragment {
  return search ? tx`strpos(search_form(name), search_form(${search})) > 0` : tx`true`
}
