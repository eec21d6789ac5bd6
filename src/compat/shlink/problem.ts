import { ApiError, type ErrorCode } from '../../platform/core/errors.ts'
import type { Answered, Asked } from '../api.ts'

/** An error that Shlink has a type of its own for. */
export class Problem extends ApiError {
  readonly type: string
  readonly title: string
  readonly more: object

  constructor(
    code: ErrorCode,
    [type, title]: readonly [type: string, title: string],
    detail: string,
    more: object = {},
  ) {
    super(code, detail)
    this.type = type
    this.title = title
    this.more = more
  }
}

const INVALID = ['invalid-data', 'Invalid data'] as const

/** Names of fields of `/v1`, in the words of Shlink. */
const FIELDS: Readonly<Record<string, string>> = {
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
  rootRedirectUrl: 'baseUrlRedirect',
  notFoundUrl: 'regular404Redirect',
}

export function invalidData(detail: string, ...elements: string[]): Problem {
  return new Problem('VALIDATION_ERROR', INVALID, detail, { invalidElements: elements })
}

export function noShortUrl(shortCode: string, domain: string | undefined): Problem {
  return new Problem(
    'NOT_FOUND',
    ['short-url-not-found', 'Short URL not found'],
    `No URL found with short code "${shortCode}"${ofDomain(domain)}`,
    { shortCode, ...(domain !== undefined && { domain }) },
  )
}

export function ofDomain(domain: unknown): string {
  return typeof domain === 'string' ? ` for domain "${domain}"` : ''
}

export function toProblem(error: ApiError, { headers }: Asked): Answered {
  const { type, title, more } = error instanceof Problem ? error : describe(error, headers)
  const { status, message: detail } = error
  const uri = type === '' ? 'about:blank' : `https://shlink.io/api/error/${type}`
  return toAnswer(status, { type: uri, title, detail, status, ...more })
}

export function toAnswer(status: number, body: object): Answered {
  return { status, type: 'application/problem+json', body }
}

type Described = Pick<Problem, 'type' | 'title' | 'more'>

function describe(error: ApiError, headers: Asked['headers']): Described {
  if (error.code === 'UNAUTHORIZED')
    return headers['x-api-key'] === undefined
      ? {
          type: 'missing-authentication',
          title: 'Invalid authorization',
          more: { expectedHeaders: ['X-Api-Key'] },
        }
      : { type: 'invalid-api-key', title: 'Invalid API key', more: {} }
  if (error.code === 'NOT_FOUND') return { type: 'not-found', title: 'Not found', more: {} }
  if (error.status !== 400 && error.code !== 'CONFLICT')
    return { type: '', title: error.code, more: {} }
  const paths: readonly { path: string }[] = Array.isArray(error.details) ? error.details : []
  const elements = paths.map(({ path }) => path.split('.')[0]!).filter((path) => path !== '')
  if (elements.length === 0 && error.code === 'VALIDATION_ERROR')
    return { type: 'malformed-request-body', title: 'Malformed request body', more: {} }
  const [type, title] = INVALID
  return { type, title, more: { invalidElements: elements.map((name) => FIELDS[name] ?? name) } }
}
