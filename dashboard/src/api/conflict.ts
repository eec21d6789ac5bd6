import { ApiError } from './errors.ts'

/** The resource as it is now, when another change came before this one; null for another error, or none. */
export function currentOf(error: unknown): { current: unknown; etag: string | null } | null {
  if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') return null
  const { current, etag = null } = error.details as { current?: unknown; etag?: string }
  return current ? { current, etag } : null
}

/** Equal as JSON. The `key`s of list items differ each time a draft is made, and are no content. */
export function isSame(left: unknown, right: unknown): boolean {
  const withoutKeys = (name: string, value: unknown) => (name === 'key' ? undefined : value)
  return JSON.stringify(left, withoutKeys) === JSON.stringify(right, withoutKeys)
}

/** The fields in which two drafts, or two bodies, differ. */
function differingFields<T extends object>(now: T, before: T): (keyof T)[] {
  return (Object.keys(now) as (keyof T)[]).filter((field) => !isSame(now[field], before[field]))
}

/** The part of a body that differs from an earlier one, so that a save leaves the work of others alone. */
export function changesOf<T extends object>(now: T, before: T): Partial<T> {
  const fields = differingFields(now, before)
  return Object.fromEntries(fields.map((field) => [field, now[field]])) as Partial<T>
}

/** The fields that another user has changed, other than to what this user wants. */
export function conflictingFields<T extends object>(before: T, draft: T, theirs: T): (keyof T)[] {
  return differingFields(theirs, before).filter((field) => !isSame(theirs[field], draft[field]))
}

/** The current draft with what the user has changed; where both changed a field, `keepsMine` decides. */
export function mergeDrafts<T extends object>(
  before: T,
  draft: T,
  theirs: T,
  keepsMine: boolean,
): T {
  const mine = differingFields(draft, before).filter(
    (field) => keepsMine || isSame(theirs[field], before[field]),
  )
  return { ...theirs, ...Object.fromEntries(mine.map((field) => [field, draft[field]])) }
}
