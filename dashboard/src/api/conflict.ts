import { ApiError } from './errors.ts'

/** The resource as it is now, when another change came before this one; null for another error, or none. */
export function currentOf(error: unknown): { current: unknown; etag: string | null } | null {
  if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') return null
  const { current, etag = null } = error.details as { current?: unknown; etag?: string }
  return current ? { current, etag } : null
}
