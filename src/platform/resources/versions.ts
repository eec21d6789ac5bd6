import { toEntityTag } from '../http/entity-tag.ts'
import { ApiError } from '../core/errors.ts'
import type { Principal } from '../routes/principal.ts'

/**
 * Refuses a change by a client that has not seen the current version. A rule of a route with
 * `supportsIfMatch: true` calls it under the lock of the row, so that of two changes with one `ETag` a single one is made.
 * @param current the resource as a read returns it, without secrets
 * @throws ApiError PRECONDITION_FAILED with the current version, also under its former name `present`
 */
export function requireMatch({ ifMatch }: Principal, current: { updatedAt: string }): void {
  const etag = toEntityTag(current.updatedAt)
  if (ifMatch === undefined || ifMatch.includes(etag)) return
  throw new ApiError(
    'PRECONDITION_FAILED',
    'This has changed since you read it; details.current is the current version.',
    { etag, current, present: current },
  )
}

/** The time of a change of a locked row: later than its last one, also within a millisecond or when the clock goes back. */
export function changeTime(nowMs: number, { updatedAt }: { updatedAt: Date }): Date {
  return new Date(Math.max(nowMs, updatedAt.getTime() + 1))
}
