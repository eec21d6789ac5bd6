import type { IncomingMessage } from 'node:http'

/** Probes and metrics are for the operator's machines, not for pages. */
const API_PATH = /^\/v1(?=[/?]|$)/
const EXPOSED = [
  'x-request-id, signpost-version, retry-after, ratelimit, ratelimit-policy, x-ratelimit-limit',
  'x-ratelimit-remaining, x-ratelimit-reset, x-quota-limit, x-quota-remaining, idempotency-replayed',
  'content-disposition, content-range, accept-ranges, etag, x-signpost-clicks-from',
].join(', ')
const ALLOWED = [
  'authorization, content-type, x-request-id, idempotency-key, x-signpost-workspace',
  'x-dashboard-password, last-event-id, if-match, range, if-range',
].join(', ')

/** Pages of CORS_ORIGINS may send credentials; any other page may call `/v1` with an API key, but not with a cookie. */
export function corsHeaders(
  request: IncomingMessage,
  allowed: ReadonlySet<string>,
): Record<string, string> {
  if (!API_PATH.test(request.url ?? '')) return {}
  const { origin } = request.headers
  const isAllowed = origin !== undefined && allowed.has(origin)
  const common = {
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
    ...(isAllowed
      ? { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
      : { 'access-control-allow-origin': '*' }),
  }
  if (request.method !== 'OPTIONS') return common
  return {
    ...common,
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': '600',
  }
}
