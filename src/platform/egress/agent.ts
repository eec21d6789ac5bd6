import type { Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { EgressBlockedError, type EgressGuard } from './guard.ts'

export type AgentOptions = {
  connections?: number
  ca?: string
  onConnected?: (hostname: string, port: string, address: string) => void
}

const CONNECT_TIMEOUT_MS = 5_000
const NEXT_ADDRESS_AFTER_MS = 500
const KEEP_ALIVE_MS = 30_000
const MAX_KEEP_ALIVE_MS = 60_000
const MAX_HEADER_BYTES = 16_384
const MAX_ORIGINS = 16_384

/**
 * The only HTTP client for addresses that users chose. Never use it with `fetch`, which follows redirects and
 * inflates bodies. Connecting gets five seconds; **callers set the deadlines after that** with an AbortSignal
 * (`bodyTimeout` restarts with each byte) and send `accept-encoding: identity`.
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

/** Checks literal addresses here, since Node calls `lookup` for names only, and the peer as a second defense. */
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
 * Drops `100 Continue`, which some servers send unasked: undici would close the connection, and a repeated request
 * would be delivered twice. Only the first bytes after a write are examined.
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
