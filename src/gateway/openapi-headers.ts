/** Headers of answers, by the name of their component. */
const HEADERS = {
  RequestId: [
    'x-request-id',
    'The id of the request: that of the client, or a new one. The log has it.',
    'string',
    'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ],
  SignpostVersion: ['signpost-version', 'The version of the server.', 'string', '0.1.0'],
  RateLimitLimit: ['x-ratelimit-limit', 'Requests of the present window.', 'integer', 60_000],
  RateLimitRemaining: ['x-ratelimit-remaining', 'Requests that are left in it.', 'integer', 59_999],
  RateLimitReset: [
    'x-ratelimit-reset',
    'When it ends, in seconds since 1970.',
    'integer',
    1_767_225_600,
  ],
  RateLimit: [
    'ratelimit',
    'What is left, as draft-ietf-httpapi-ratelimit-headers has it.',
    'string',
    '"api";r=59999;t=60',
  ],
  RateLimitPolicy: [
    'ratelimit-policy',
    'The limit, as draft-ietf-httpapi-ratelimit-headers has it.',
    'string',
    '"api";q=60000;w=60',
  ],
  QuotaLimit: [
    'x-quota-limit',
    'API calls of the month, where the plan has a limit.',
    'integer',
    100_000,
  ],
  QuotaRemaining: ['x-quota-remaining', 'API calls that are left.', 'integer', 99_999],
  RetryAfter: ['retry-after', 'Seconds to wait before the next attempt.', 'integer', 1],
  Allow: ['allow', 'The methods that the path takes, on a 405.', 'string', 'GET, HEAD, OPTIONS'],
  WwwAuthenticate: ['www-authenticate', 'How to send a credential.', 'string', 'Bearer'],
  Location: ['location', 'Where the browser goes next.', 'string', '/v1/reference'],
} as const

export type HeaderName = keyof typeof HEADERS

/** On every answer. */
export const ALWAYS: readonly HeaderName[] = ['RequestId', 'SignpostVersion']
/** On answers to requests that were counted. */
export const RATE: readonly HeaderName[] = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
  'RateLimit',
  'RateLimitPolicy',
]
export const QUOTA: readonly HeaderName[] = ['QuotaLimit', 'QuotaRemaining']

/** `components.headers`. */
export function headerComponents() {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, [, description, type, example]]) => [
      name,
      { description, schema: { type, examples: [example] } },
    ]),
  )
}

/** The `headers` of one response. */
export function headersOf(names: readonly HeaderName[]) {
  return Object.fromEntries(
    names.map((name) => [HEADERS[name][0], { $ref: `#/components/headers/${name}` }]),
  )
}
