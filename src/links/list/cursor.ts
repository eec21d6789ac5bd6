import { createHash } from 'node:crypto'
import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { keyOf, type KeyKind, type Place } from './order.ts'
import type { ListLinks } from '../link/schema.ts'

const FINGERPRINT_CHARS = 12
const ID = /^\w{1,64}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const COUNT = /^\d{1,18}$/
const MAX_TEXT_CHARS = 1_000

/**
 * Marks the end of a page: sort key and id of its last link, and a fingerprint of order, filters and workspace. Not
 * signed, since it only names a place in a list that the caller may read.
 */
export function toCursor(principal: Principal, query: ListLinks, { key, id }: Place): string {
  return Buffer.from(JSON.stringify([fingerprintOf(principal, query), key, id])).toString(
    'base64url',
  )
}

/** @throws ApiError VALIDATION_ERROR for an invalid cursor, or one of another list */
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

/** Only keys that the database can read. */
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
