import { createHmac, type KeyObject } from 'node:crypto'
import {
  CLICK_COLUMNS,
  toClickData,
  type ClickData,
  type ClickFields,
  type ToShortUrl,
} from '../../platform/facts/click-data.ts'

/** Kinds of clicks. Views of bio pages are in the same table and are not clicks. */
export const CLICK_KINDS = ['human', 'bot', 'preview', 'prefetch'] as const
type ClickKind = (typeof CLICK_KINDS)[number]
export type EventKind = ClickKind | 'all'

/** A row of the click log and of an export. */
export type EventRow = ClickFields & {
  kind: ClickKind
  route: string
  /** The stored pseudonym in decimal, `0` without one. Answers have another pseudonym instead (toPseudonym). */
  visitor: string
  at_ms: number
}

/** `visitor` has 64 bits, more than a number of JSON keeps. */
export const EVENT_COLUMNS = `${CLICK_COLUMNS.join(', ')}, kind, route,
  toString(visitor) as visitor, toUnixTimestamp64Milli(at) as at_ms`

const PSEUDONYM_CHARS = 16

export function isOfKind(kind: EventKind): string {
  return kind === 'all' ? `kind in ('${CLICK_KINDS.join("', '")}')` : `kind = '${kind}'`
}

export type ClickEvent = ClickData & {
  id: string
  kind: ClickKind
  route: string
  domainId: string | null
  visitor: string | null
}

export function toEvent(
  row: EventRow,
  toShortUrl: ToShortUrl,
  toVisitor: (row: EventRow) => string | null,
): ClickEvent {
  return {
    id: row.click_id,
    kind: row.kind,
    route: row.route,
    domainId: row.domain_id || null,
    visitor: toVisitor(row),
    ...toClickData(row, toShortUrl),
  }
}

/**
 * Replaces the stored pseudonym of a visitor, so that answers cannot be joined with the table or with each other.
 * @param scope a visitor has one pseudonym for each scope and key
 * @param key a KeyObject, which is seven times as fast as its bytes
 */
export function toPseudonym(key: KeyObject, scope: string, visitor: string): string | null {
  if (visitor === '0') return null
  const digest = createHmac('sha256', key).update(`${scope}\n${visitor}`).digest('base64url')
  // Begins with a letter, so that no spreadsheet takes it for a number or a formula.
  return `v_${digest.slice(0, PSEUDONYM_CHARS)}`
}
