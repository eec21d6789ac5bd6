import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ListLinks } from '../link/schema.ts'

/** A value of a key in a cursor: a time with microseconds, a whole number, both, or a text. */
export type KeyKind = 'time' | 'count' | 'text' | 'countAndTime'

type Sort = {
  /** Column of `links l`, or of `link_ranks r` for the orders by clicks. */
  column: string
  kind: Exclude<KeyKind, 'countAndTime'>
  isNullable?: true
  isRank?: true
}

const SORTS: Readonly<Record<string, Sort>> = {
  createdAt: { column: 'l.created_at', kind: 'time' },
  updatedAt: { column: 'l.updated_at', kind: 'time' },
  name: { column: 'l.name collate human_order', kind: 'text' },
  slug: { column: 'l.slug_key', kind: 'text' },
  clicks: { column: 'r.clicks', kind: 'count', isRank: true },
  lastClickedAt: { column: 'r.last_clicked_at', kind: 'time', isNullable: true, isRank: true },
  expiresAt: { column: 'l.expires_at', kind: 'time', isNullable: true },
}
const TYPES = { time: 'timestamptz', count: 'bigint', text: 'text' } as const

/** `key` is null for a link without the value. */
export type Place = { key: string | null; id: string }

export type Source = { from: Fragment; key: string; id: string }

export function keyOf(query: Pick<ListLinks, 'sortBy'>): { kind: KeyKind; isNullable?: true } {
  return query.sortBy === 'periodClicks' ? { kind: 'countAndTime' } : sortOf(query)
}

/** Not for `periodClicks`, whose order is in ClickHouse. */
function sortOf({ sortBy }: Pick<ListLinks, 'sortBy'>): Sort {
  return SORTS[sortBy]!
}

/** The tables of ranks and tags have an index in the order of the list. */
export function toSource(
  tx: Tx,
  { workspaceId }: Principal,
  query: ListLinks,
  { tag, isPart }: { tag: string | null; isPart: boolean },
): Source {
  const { column, isRank } = sortOf(query)
  if (isRank)
    return {
      from: isPart
        ? tx`link_ranks r join links l on l.id = r.link_id and r.workspace_id = ${workspaceId}`
        : tx`link_ranks r`,
      key: column,
      id: 'r.link_id',
    }
  if (tag !== null && query.sortBy === 'createdAt')
    return {
      from: tx`
        link_tags o join links l
        on l.id = o.link_id and o.workspace_id = ${workspaceId} and o.tag = ${tag}`,
      key: 'o.created_at',
      id: 'o.link_id',
    }
  return { from: tx`links l`, key: column, id: 'l.id' }
}

/**
 * The id makes the order total, so that pages neither repeat nor skip a link. Links without the value come last in
 * descending order. Keys that are never null have no `nulls` clause, which would keep PostgreSQL from using the
 * index.
 */
export function toOrder(tx: Tx, query: ListLinks, key: string, id: string) {
  const [direction, nulls] = query.sortOrder === 'asc' ? ['asc', 'first'] : ['desc', 'last']
  const clause = sortOf(query).isNullable ? `nulls ${nulls}` : ''
  return tx.unsafe(`${key} ${direction} ${clause}, ${id} ${direction}`)
}

/** The sort key for a cursor, without loss. */
export function toKeyText(tx: Tx, query: ListLinks, key: string) {
  const { kind } = sortOf(query)
  return kind === 'time'
    ? tx.unsafe(`to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
    : tx.unsafe(`${key}::text`)
}

/**
 * The rows after a place. Links without the value are at one end of the index and have their own range, since a
 * condition with `or` would read the index from its beginning.
 */
export function toRanges(
  tx: Tx,
  query: ListLinks,
  { key, id }: Pick<Source, 'key' | 'id'>,
  after: Place,
): Fragment[] {
  const { kind, isNullable } = sortOf(query)
  const isAscending = query.sortOrder === 'asc'
  const compared = tx.unsafe(isAscending ? '>' : '<')
  const [keyColumn, idColumn] = [tx.unsafe(key), tx.unsafe(id)]
  if (after.key === null) {
    const without = tx`${keyColumn} is null and ${idColumn} ${compared} ${after.id}`
    return isAscending ? [without, tx`${keyColumn} is not null`] : [without]
  }
  const value = tx`${after.key}::text::${tx.unsafe(TYPES[kind])}`
  const beyond = tx`(${keyColumn}, ${idColumn}) ${compared} (${value}, ${after.id}::text)`
  return isNullable && !isAscending ? [beyond, tx`${keyColumn} is null`] : [beyond]
}
