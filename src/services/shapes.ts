import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { invalid } from '../base/errors.ts'

/**
 * A value or null, as one JSON schema with two types: it validates, serializes and documents
 * without an `anyOf`.
 */
export function nullable<S extends TSchema & { type: string }>(schema: S) {
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] })
}

/** ISO 8601 in UTC with milliseconds, as every timestamp is answered. */
export const Timestamp = Type.String({ format: 'date-time' })

export const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

const MAX_LIMIT = 100

/** `limit` above 100 is clamped to it, not refused. */
export const PageQuery = {
  limit: Type.Integer({ minimum: 1, default: 50, description: 'Rows per page, at most 100.' }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
}

/** The query of a list that has no filters. */
export const Paged = Type.Object(PageQuery)
export type Paged = Static<typeof Paged>

export const PageMeta = Type.Object({
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

/** Of a list with filters: how far its total is counted is in `paging.ts`. */
export const FilteredMeta = Type.Object({
  ...PageMeta.properties,
  totalIsExact: Type.Optional(
    Type.Boolean({ description: 'False: more than 10,000 rows match, and the total says 10000.' }),
  ),
})

export function clampLimit(limit: number): number {
  return Math.min(limit, MAX_LIMIT)
}

/**
 * The moment a client names. The format check lets through what no calendar or database has: leap
 * seconds, the year 0, hours without minutes in an offset.
 * @throws ApiError VALIDATION_ERROR with `path`
 */
export function toDate(value: string, path: string): Date {
  const time = new Date(value)
  const year = time.getUTCFullYear()
  if (Number.isNaN(year) || year < 1970 || year > 9999)
    throw invalid(path, `${path} must be a time between the years 1970 and 9999.`)
  return time
}

/**
 * The moments between which a list is asked for, `from` included and `to` not; null: without end.
 * @throws ApiError VALIDATION_ERROR with the path, also for a period that ends before it begins
 */
export function toPeriod(query: { from?: string | undefined; to?: string | undefined }) {
  const from = query.from === undefined ? null : toDate(query.from, 'from')
  const to = query.to === undefined ? null : toDate(query.to, 'to')
  if (from !== null && to !== null && from > to) throw invalid('from', 'from must not be after to.')
  return { from, to }
}

export function isoOrNull(date: Date | null): string | null {
  return date ? date.toISOString() : null
}
