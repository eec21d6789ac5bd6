/** By the name of their component. */
const HEADERS = {
  RequestId: [
    'x-request-id',
    'The id of the request, as sent by the client or a new one. The log line has it.',
    'string',
    'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ],
  SignpostVersion: ['signpost-version', 'The version of the server.', 'string', '0.1.0'],
  RateLimitLimit: [
    'x-ratelimit-limit',
    'Requests allowed in the present window.',
    'integer',
    60_000,
  ],
  RateLimitRemaining: [
    'x-ratelimit-remaining',
    'Requests left in the present window.',
    'integer',
    59_999,
  ],
  RateLimitReset: [
    'x-ratelimit-reset',
    'The end of the window, in seconds since 1970.',
    'integer',
    1_767_225_600,
  ],
  RateLimit: [
    'ratelimit',
    'The requests left, as in draft-ietf-httpapi-ratelimit-headers.',
    'string',
    '"api";r=59999;t=60',
  ],
  RateLimitPolicy: [
    'ratelimit-policy',
    'The limit, as in draft-ietf-httpapi-ratelimit-headers.',
    'string',
    '"api";q=60000;w=60',
  ],
  QuotaLimit: [
    'x-quota-limit',
    'API calls of the month, where the plan has a limit.',
    'integer',
    100_000,
  ],
  QuotaRemaining: ['x-quota-remaining', 'API calls left in the month.', 'integer', 99_999],
  RetryAfter: ['retry-after', 'Seconds to wait before the next attempt.', 'integer', 1],
  Allow: ['allow', 'The methods of the path, on a 405.', 'string', 'GET, HEAD, OPTIONS'],
  WwwAuthenticate: ['www-authenticate', 'The scheme of the credential.', 'string', 'Bearer'],
  IdempotencyReplayed: [
    'idempotency-replayed',
    '`true` on the kept answer to an earlier request with the same Idempotency-Key.',
    'string',
    'true',
  ],
  ETag: [
    'etag',
    'Identifies the bytes of a file or the numbers of an answer, for If-None-Match, or the version of a resource, for If-Match.',
    'string',
    '"6b86b273ff34fce1"',
  ],
  ContentDisposition: [
    'content-disposition',
    'The name under which browsers save the answer, where it has one.',
    'string',
    'attachment; filename="links.csv"',
  ],
  ContentRange: [
    'content-range',
    'The positions of the part, and the size of the file.',
    'string',
    'bytes 0-1023/18204',
  ],
  Location: ['location', 'The next address of the browser.', 'string', '/v1/reference'],
} as const

export type HeaderName = keyof typeof HEADERS

export const ALWAYS: readonly HeaderName[] = ['RequestId', 'SignpostVersion']
export const RATE: readonly HeaderName[] = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
  'RateLimit',
  'RateLimitPolicy',
]
export const QUOTA: readonly HeaderName[] = ['QuotaLimit', 'QuotaRemaining']

export function headerComponents() {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, [, description, type, example]]) => [
      name,
      { description, schema: { type, examples: [example] } },
    ]),
  )
}

export function referHeaders(names: readonly HeaderName[]) {
  return Object.fromEntries(
    names.map((name) => [HEADERS[name][0], { $ref: `#/components/headers/${name}` }]),
  )
}
