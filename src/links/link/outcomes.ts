import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Link } from './schema.ts'

/** Outcome of one row of a bulk request. */
export type Outcome =
  | { status: 'created' | 'updated' | 'unchanged' | 'deleted'; link: Link }
  | { status: 'failed'; error: ApiError }

/** @throws the error of anything but a refused row */
export function failed(error: unknown): Outcome {
  if (error instanceof ApiError) return { status: 'failed', error }
  throw error
}

/** The error for the second of two rows of a request with the same value. */
export function repeated(path: string, noun: string): ApiError {
  const message = `An earlier row of this request has this ${noun}.`
  return new ApiError('CONFLICT', message, [{ path, message, code: 'repeated' }])
}

/** The link of the only row of a request. @throws ApiError of a refused one */
export function toLink(outcome: Outcome | undefined): Link {
  if (outcome?.status === 'failed') throw outcome.error
  return outcome!.link
}

/**
 * The rows of an answer.
 * @param toPath the path in the request of a path of the row: `destinationUrl` of row 7 is
 *   `links.7.destinationUrl`
 * @param ids that the request names
 */
export function toRows(
  outcomes: readonly Outcome[],
  toPath: (index: number, path: string) => string,
  ids: readonly (string | null)[] = [],
) {
  return outcomes.map((outcome, index) => {
    if (outcome.status !== 'failed') {
      const { id, externalId, shortUrl } = outcome.link
      return { index, id, status: outcome.status, externalId, shortUrl, error: null }
    }
    const { code, message, details } = outcome.error
    const error = {
      code,
      message,
      details: Array.isArray(details)
        ? (details as ErrorDetail[]).map((detail) => ({
            ...detail,
            path: toPath(index, detail.path),
          }))
        : details,
    }
    return {
      index,
      id: ids[index] ?? null,
      status: outcome.status,
      externalId: null,
      shortUrl: null,
      error,
    }
  })
}

export function toMeta(outcomes: readonly Outcome[]) {
  const failures = outcomes.filter(({ status }) => status === 'failed').length
  return { total: outcomes.length, succeeded: outcomes.length - failures, failed: failures }
}
