import { ApiError } from '../core/errors.ts'
import type { Principal } from '../routes/principal.ts'

/** Counts such as `clicks` do not change it. Strong, since `If-Match` compares strongly (RFC 9110, 13.1.1). */
export function toEntityTag(updatedAt: string): string {
  return `"${Date.parse(updatedAt).toString(36)}"`
}

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/
const LIST = new RegExp(`^[ \\t]*${TAG.source}(?:[ \\t]*,[ \\t]*${TAG.source})*[ \\t]*$`)

/**
 * A tag that a compressing proxy weakened counts as the original.
 * @returns `any` for `*`; null for text that is not a list of tags
 */
export function parseEntityTags(text: string): readonly string[] | 'any' | null {
  if (text.trim() === '*') return 'any'
  if (!LIST.test(text)) return null
  return Array.from(text.matchAll(new RegExp(TAG, 'g')), ([, tag]) => tag!)
}

/**
 * Call it under the lock of the row, so that only one of two changes with the same `ETag` is made.
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

/** Later than the last change of the locked row, even if the clock goes back. */
export function changeTime(nowMs: number, { updatedAt }: { updatedAt: Date }): Date {
  return new Date(Math.max(nowMs, updatedAt.getTime() + 1))
}
