import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ListLinks } from '../link/schema.ts'
import { createHash } from 'node:crypto'
import { invalid } from '../../platform/core/errors.ts'

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

export type Place = { key: string | null; id: string }

export type Source = { from: Fragment; key: string; id: string }

function keyOf(query: Pick<ListLinks, 'sortBy'>): { kind: KeyKind; isNullable?: true } {
  return query.sortBy === 'periodClicks' ? { kind: 'countAndTime' } : sortOf(query)
}

function sortOf({ sortBy }: Pick<ListLinks, 'sortBy'>): Sort {
  return SORTS[sortBy]!
}

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

export function toKeyText(tx: Tx, query: ListLinks, key: string) {
  const { kind } = sortOf(query)
  return kind === 'time'
    ? tx.unsafe(`to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
    : tx.unsafe(`${key}::text`)
}

/** Links without the value have their own range: a condition with `or` would read the index from its beginning. */
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

const FINGERPRINT_CHARS = 12
const ID = /^\w{1,64}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const COUNT = /^\d{1,18}$/
const MAX_TEXT_CHARS = 1_000

/** Sort key and id of the last link, and a fingerprint of the list. Not signed: it names a place in a readable list. */
export function toCursor(principal: Principal, query: ListLinks, { key, id }: Place): string {
  return Buffer.from(JSON.stringify([fingerprintOf(principal, query), key, id])).toString(
    'base64url',
  )
}

export function readCursor(principal: Principal, query: ListLinks): Place | null {
  if (query.cursor === undefined) return null
  if (query.offset > 0) throw invalid('offset', 'offset cannot be combined with cursor.')
  const parts = parse(query.cursor)
  if (!isPlace(parts, query))
    throw invalid('cursor', 'cursor must be a meta.nextCursor of GET /links.')
  const [fingerprint, key, id] = parts
  if (fingerprint !== fingerprintOf(principal, query))
    throw invalid(
      'cursor',
      'cursor belongs to a list with other filters or another order; begin again without it.',
      'other_list',
    )
  return { key, id }
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}

function isPlace(parts: unknown, query: ListLinks): parts is [string, string | null, string] {
  if (!Array.isArray(parts) || parts.length !== 3) return false
  const [fingerprint, key, id] = parts as unknown[]
  if (typeof fingerprint !== 'string' || typeof id !== 'string' || !ID.test(id)) return false
  if (fingerprint.length !== FINGERPRINT_CHARS) return false
  const { kind, isNullable } = keyOf(query)
  return key === null ? isNullable === true : typeof key === 'string' && isKey(key, kind)
}

function isKey(key: string, kind: KeyKind): boolean {
  if (kind === 'count') return COUNT.test(key)
  if (kind === 'countAndTime') {
    const [count = '', time = '', ...others] = key.split(' ')
    return isKey(count, 'count') && isKey(time, 'time') && others.length === 0
  }
  if (kind === 'text')
    return key.length <= MAX_TEXT_CHARS && key.isWellFormed() && !key.includes('\0')
  if (!TIME.test(key)) return false
  const whole = `${key.slice(0, 23)}Z`
  const time = new Date(whole)
  return !Number.isNaN(time.getTime()) && time.toISOString() === whole
}

function fingerprintOf({ workspaceId }: Principal, query: ListLinks): string {
  const { limit: _limit, offset: _offset, cursor: _cursor, ...list } = query
  const fields = Object.entries(list).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, fields]))
    .digest('base64url')
    .slice(0, FINGERPRINT_CHARS)
}
