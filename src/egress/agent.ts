import type { Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { EgressBlockedError, type EgressGuard } from './guard.ts'
import { NameError } from './name-resolver.ts'

type AgentOptions = {
  /** Sockets per origin. Workspaces share origins (hooks.example.com), so the number is not small. */
  connections?: number
  /** PEM certificates to trust instead of the machine's own. */
  ca?: string
  /** Called for every connection with the requested host and port and the address of the peer. */
  onConnected?: (hostname: string, port: string, address: string) => void
}

const CONNECT_TIMEOUT_MS = 5_000
const NEXT_ADDRESS_AFTER_MS = 500
const KEEP_ALIVE_MS = 30_000
const MAX_KEEP_ALIVE_MS = 60_000
const MAX_HEADER_BYTES = 16_384
const MAX_ORIGINS = 16_384

/**
 * The only HTTP client for addresses that users chose. Use it with undici's `request` or `dispatch`,
 * never with `fetch`, which follows redirects and inflates bodies. Name resolution, TCP
 * and TLS together have five seconds; **the caller sets the deadlines after that** (an AbortSignal:
 * `bodyTimeout` restarts with each byte) and sends `accept-encoding: identity`. HTTP/1.1 only,
 * TLS 1.2 or later, certificates always checked, proxy variables of the environment not read.
 * More than 16,384 origins at one time are refused with UND_ERR_MAX_ORIGINS_REACHED; an origin is
 * forgotten with its last socket.
 */
export function createEgressAgent(guard: EgressGuard, options: AgentOptions = {}): Agent {
  return new Agent({
    connect: guardedConnector(guard, options),
    connections: options.connections ?? 128,
    maxOrigins: MAX_ORIGINS,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/**
 * Checks literal addresses before connecting, since Node calls `lookup` for names only, and checks
 * the peer after connecting as a second line of defense.
 */
function guardedConnector(
  guard: EgressGuard,
  { ca, onConnected }: AgentOptions,
): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    lookup: guard.lookup,
    ...(ca === undefined ? {} : { ca }),
  })
  return (target, callback) => {
    try {
      guard.checkHost(target.hostname)
      guard.checkPort(target.port)
    } catch (error) {
      queueMicrotask(() => callback(error as Error, null))
      return
    }
    connect(target, (error, socket) => {
      if (error !== null) return callback(error, null)
      if (guard.isAllowedAddress(socket.remoteAddress)) {
        const port = target.port || (target.protocol === 'http:' ? '80' : '443')
        onConnected?.(target.hostname, port, socket.remoteAddress!)
        skipContinue(socket)
        return callback(null, socket)
      }
      socket.destroy()
      callback(new EgressBlockedError('host', 'The peer has an address that is not allowed.'), null)
    })
  }
}

const CONTINUE = Buffer.from('HTTP/1.1 100')
const HEAD_END = '\r\n\r\n'

/**
 * Drops interim answers `100 Continue`, which some servers send without being asked. A client may
 * ignore them (RFC 9110, 15.2.1), but undici closes the connection, and sending the request again
 * would deliver it twice. Only the first bytes read after a write are examined, where an answer may
 * begin. An interim answer that arrives in several chunks is still an error.
 */
function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  let answeredBytes = 0
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size)
      if (chunk === null || socket.bytesWritten === answeredBytes) return chunk
      const rest = withoutContinue(chunk)
      if (rest.length > 0) {
        answeredBytes = socket.bytesWritten
        return rest
      }
    }
  }
}

function withoutContinue(chunk: Buffer): Buffer {
  let rest = chunk
  while (rest.subarray(0, CONTINUE.length).equals(CONTINUE)) {
    const end = rest.indexOf(HEAD_END)
    if (end === -1) return rest
    rest = rest.subarray(end + HEAD_END.length)
  }
  return rest
}

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

/** Messages of undici for answers that it parses and refuses; their code is that of a closed socket. */
const NOT_HTTP = /^bad (response|upgrade)$/

/**
 * Reason of a failed request for the delivery log. A blocked address has the reason of a
 * closed port, so that the log does not disclose the server's network.
 */
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

/** The error, the errors of each address if several were tried, and their causes: nearest first. */
function listCauses(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > 4) return []
  const held = error instanceof AggregateError ? error.errors : []
  return [error, ...[...held, error.cause].flatMap((inner) => listCauses(inner, depth + 1))]
}
