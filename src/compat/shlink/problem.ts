import { ApiError, type ErrorCode, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Answered, Asked } from '../api.ts'

/** Names of fields of `/v1`, in the words of Shlink. */
const NAMES: Readonly<Record<string, string>> = {
  destinationUrl: 'longUrl',
  slug: 'customSlug',
  name: 'title',
  startsAt: 'validSince',
  expiresAt: 'validUntil',
  maxClicks: 'maxVisits',
  noindex: 'crawlable',
  rules: 'redirectRules',
  start: 'startDate',
  end: 'endDate',
  createdFrom: 'startDate',
  createdTo: 'endDate',
  offset: 'page',
  limit: 'itemsPerPage',
  rootRedirectUrl: 'baseUrlRedirect',
  notFoundUrl: 'regular404Redirect',
}

type Described = Readonly<Record<string, unknown>> & { type: string; title: string }

/** An error that Shlink has a type of its own for. */
export function problem(code: ErrorCode, described: Described, detail: string): ApiError {
  return new ApiError(code, detail, described)
}

export function toProblem(error: ApiError, { headers }: Asked): Answered {
  return toAnswer(error.status, describe(error, headers), error.message)
}

export function toAnswer(status: number, described: Described, detail: string): Answered {
  const { type, title, ...more } = described
  const uri = type === '' ? 'about:blank' : `https://shlink.io/api/error/${type}`
  const body = { type: uri, title, detail, status, ...more }
  return { status, type: 'application/problem+json', body }
}

function describe({ code, status, details }: ApiError, headers: Asked['headers']): Described {
  if (code === 'UNAUTHORIZED')
    return headers['x-api-key'] === undefined
      ? {
          ...{ type: 'missing-authentication', title: 'Invalid authorization' },
          expectedHeaders: ['X-Api-Key'],
        }
      : { type: 'invalid-api-key', title: 'Invalid API key' }
  if ('title' in details) return details as Described
  if (code === 'NOT_FOUND') return { type: 'not-found', title: 'Not found' }
  if (status !== 400 && code !== 'CONFLICT') return { type: '', title: code }
  const named: readonly ErrorDetail[] = Array.isArray(details) ? details : []
  const elements = named.map(({ path }) => path.split('.')[0]!).filter((path) => path !== '')
  if (elements.length === 0 && code === 'VALIDATION_ERROR')
    return { type: 'malformed-request-body', title: 'Malformed request body' }
  const invalidElements = elements.map((name) => NAMES[name] ?? name)
  return { type: 'invalid-data', title: 'Invalid data', invalidElements }
}
