import { NameError } from './name-resolver.ts'

export type PublicReason =
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'timeout'
  | 'tls_error'
  | 'invalid_response'
  | 'network_error'

const REASONS: readonly [pattern: RegExp, reason: PublicReason][] = [
  [/^EBLOCKED$|^ECONNREFUSED$/, 'connection_refused'],
  [/^UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$/, 'invalid_response'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'connection_reset'],
  [/^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, 'timeout'],
  [
    /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|EPROTO$|ERR_OSSL_)/,
    'tls_error',
  ],
]

/** Messages of undici for responses that it refuses; their code says only that the socket closed. */
const NOT_HTTP = /^bad (response|upgrade)$/

/** A blocked address looks like a closed port, so that the log does not disclose the server's network. */
export function toPublicReason(error: unknown): PublicReason {
  for (const cause of listCauses(error)) {
    if (cause instanceof NameError) return 'dns_error'
    if (cause.name === 'TimeoutError') return 'timeout'
    if (cause.name === 'HTTPParserError' || NOT_HTTP.test(cause.message)) return 'invalid_response'
    const code = (cause as NodeJS.ErrnoException).code
    const row = typeof code === 'string' && REASONS.find(([pattern]) => pattern.test(code))
    if (row) return row[1]
  }
  return 'network_error'
}

function listCauses(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > 4) return []
  const held = error instanceof AggregateError ? error.errors : []
  return [error, ...[...held, error.cause].flatMap((inner) => listCauses(inner, depth + 1))]
}
