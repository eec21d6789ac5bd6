import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Link } from './schema.ts'

/** What became of one row of a bulk request. */
export type Outcome =
  | { status: 'created' | 'updated' | 'unchanged' | 'deleted'; link: Link }
  | { status: 'failed'; error: ApiError }

/** @throws any error that does not refuse the row */
export function failed(error: unknown): Outcome {
  if (error instanceof ApiError) return { status: 'failed', error }
  throw error
}

export function repeated(path: string, noun: string): ApiError {
  const message = `An earlier row of this request has this ${noun}.`
  return new ApiError('CONFLICT', message, [{ path, message, code: 'repeated' }])
}

/** The link of a request with one row. @throws ApiError of a refused row */
export function requireLink(outcome: Outcome | undefined): Link {
  if (outcome?.status === 'failed') throw outcome.error
  return outcome!.link
}

/**
 * The rows of an answer.
 * @param toPath the path in the request: `destinationUrl` of row 7 is `links.7.destinationUrl`
 * @param ids that the request names
 */
export function toRows(
  outcomes: readonly Outcome[],
  toPath: (index: number, path: string) => string,
  ids: readonly (string | null)[] = [],
) {
  return outcomes.map((outcome, index) => {
    const { status } = outcome
    if (status !== 'failed') {
      const { id, externalId, shortUrl } = outcome.link
      return { index, id, status, externalId, shortUrl, error: null }
    }
    const { code, message, details } = outcome.error
    const withPath = (detail: ErrorDetail) => ({ ...detail, path: toPath(index, detail.path) })
    const own = Array.isArray(details) ? (details as ErrorDetail[]).map(withPath) : details
    const error = { code, message, details: own }
    return { index, id: ids[index] ?? null, status, externalId: null, shortUrl: null, error }
  })
}

export function toMeta(outcomes: readonly Outcome[]) {
  const failures = outcomes.filter(({ status }) => status === 'failed').length
  return { total: outcomes.length, succeeded: outcomes.length - failures, failed: failures }
}
