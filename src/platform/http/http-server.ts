import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../core/clock.ts'
import { Connections } from './connections.ts'
import { errorBody, ERRORS, OperatorError, type ErrorCode } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { explainListening, isLoopbackDefault, type Address, type Passed } from './listening.ts'
import { servePlain, type PlainHandler } from './plain-connection.ts'
import { handleInTurn } from '../work/in-turn.ts'
import { assignRequestId } from './request.ts'

type Options = {
  host: string
  port: number
  clock: Clock
  requestTimeoutMs?: number
  certificateOf?: TlsOptions['SNICallback']
  /** The same in every process that a visitor may return to. */
  ticketKeys?: () => Buffer
  beforeTls?: (socket: Socket, proceed: () => void) => void
  setting?: string
  /** Descriptors of sockets that already listen on `port`; if empty, the server opens its own on `host`. */
  sockets?: readonly number[]
  path?: string
  stallMs?: number
  onArrival?: (req: IncomingMessage) => void
  /** Answers plain requests, which then skip node:http. */
  handlePlain?: PlainHandler | undefined
}

type Refusal = {
  code: ErrorCode
  requestId: string
  message?: string | undefined
  headers?: Record<string, string>
}

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  /** Longer than the idle timeout of common proxies, so that they close first. */
  keepAliveTimeout: 72_000,
  optimizeEmptyRequests: true,
  /** Node's own refusal has no request id and no body; `serve` refuses instead. */
  requireHostHeader: false,
}
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const HANDSHAKE_TIMEOUT_MS = 10_000
const TICKET_KEYS_RENEWAL_MS = 3_600_000
const SESSION_CONTEXT = 'signpost'
const TIMEOUT_CHECK_MS = 5_000
const LINGER_MS = 2_000
/** Connections that may wait while the server restarts; the system's limit may be lower. */
const BACKLOG = 65_535
const SLASH = 47
const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)(\/[^#]*|\?[^#]*)?$/i
const PARSER_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}
const ALLOWED = 'GET, HEAD, POST, PATCH, PUT, DELETE'

const refusedStatuses = new WeakMap<ServerResponse, number>()

/** The status with which a request that never ended was refused. */
export function refusedStatusOf(response: ServerResponse): number | undefined {
  return refusedStatuses.get(response)
}

/**
 * `handlerAt` is called once, with the port, before the first request can arrive. A loopback default includes ::1,
 * since `localhost` may resolve to either.
 * @throws OperatorError when it cannot listen, or a socket is not a TCP socket on that port
 */
export async function openHttpServer(
  handlerAt: (port: number) => RequestListener,
  options: Options,
) {
  const { host, port, clock, requestTimeoutMs = REQUEST_TIMEOUT_MS, setting } = options
  const { sockets = [], path, onArrival } = options
  await using opening = new AsyncDisposableStack()
  const limits = {
    ...LIMITS,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
  }
  const event = options.certificateOf === undefined ? 'connection' : 'secureConnection'
  const opened: Connections[] = []
  const descriptors: number[] = []
  opening.defer(async () => {
    await Promise.all(opened.map((connections) => connections.end()))
  })
  let bound = port
  let handle: RequestListener | undefined
  const open = (on: Address | Passed) => {
    const server = createFor(limits, options)
    const byNode = server.listeners(event)
    const connections = new Connections(server, event, options.stallMs)
    // Runs before any connection is read.
    return listen(server, on, () => {
      if (path === undefined) bound = (server.address() as AddressInfo).port
      handle ??= handlerAt(bound)
      if (onArrival) server.on('request', onArrival)
      serve(server, connections, handle, clock)
      if (options.handlePlain !== undefined)
        servePlain(server, event, byNode, connections, options.handlePlain)
      opened.push(connections)
      descriptors.push(descriptorOf(server))
    })
  }
  for (const fd of sockets) await open({ fd, port, setting })
  if (path !== undefined) await open({ path, port, setting })
  else if (sockets.length === 0) {
    await open({ host, port, setting })
    if (isLoopbackDefault(host))
      await open({ host: '::1', port: bound, setting }).catch((error: unknown) => {
        // The machine may have no ::1; but a port that the operator chose must be free there.
        const isTaken = error instanceof OperatorError && error.cause === 'EADDRINUSE'
        if (isTaken && port !== 0) throw error
      })
  }
  const closing = opening.move()
  return {
    port: bound,
    descriptors: descriptors as readonly number[],
    endWithAnswers: () => opened.forEach((connections) => connections.endWithAnswers()),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Closes the connection too, since its next bytes may belong to the refused body. */
export function refuseRequest(
  req: IncomingMessage,
  res: ServerResponse,
  nowMs: number,
  code: ErrorCode,
  message?: string,
  extraHeaders: Record<string, string> = {},
): void {
  const { status, headers, body } = render({
    code,
    requestId: assignRequestId(req, nowMs),
    message,
    headers: extraHeaders,
  })
  res.writeHead(status, headers).end(body)
}

function createFor(
  limits: typeof LIMITS & { requestTimeout: number },
  { certificateOf, ticketKeys, beforeTls }: Options,
): Server {
  if (certificateOf === undefined) return createServer(limits)
  const server = createTlsServer({
    ...limits,
    handshakeTimeout: Math.min(HANDSHAKE_TIMEOUT_MS, limits.requestTimeout),
    SNICallback: certificateOf,
    ...(ticketKeys && { ticketKeys: ticketKeys(), sessionIdContext: SESSION_CONTEXT }),
  })
  if (ticketKeys !== undefined) {
    const renewal = setInterval(
      () => server.setTicketKeys(ticketKeys()),
      TICKET_KEYS_RENEWAL_MS,
    ).unref()
    server.once('close', () => clearInterval(renewal))
  }
  server.removeAllListeners('tlsClientError')
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  if (beforeTls !== undefined) {
    // The same server, so that its limits cover every connection.
    const begin = server.listeners('connection')
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) =>
      beforeTls(socket, () => {
        for (const listener of begin) listener.call(server, socket)
      }),
    )
  }
  return server
}

function render({ code, requestId, message, headers }: Refusal) {
  const body = JSON.stringify(errorBody(requestId, code, message))
  return {
    status: ERRORS[code][0],
    headers: {
      connection: 'close',
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
    body,
  }
}

function serve(
  server: Server,
  connections: Connections,
  handle: RequestListener,
  clock: Clock,
): void {
  const handleAdmitted: RequestListener = (req, res) => {
    if (!connections.admit(res)) return undefined
    // RFC 9112, 3.2. HTTP/1.0 has no Host header.
    if (req.headers.host === undefined && req.httpVersion === '1.1')
      return refuseRequest(req, res, clock(), 'VALIDATION_ERROR', 'The Host header is missing.')
    if (req.url!.charCodeAt(0) !== SLASH) acceptAbsoluteForm(req)
    return handle(req, res)
  }
  const refuseExpectation: RequestListener = (req, res) =>
    refuseRequest(req, res, clock(), 'EXPECTATION_FAILED')
  server.on('request', (req, res) => handleInTurn(req, res, handleAdmitted))
  server.on('checkExpectation', (req, res) => handleInTurn(req, res, refuseExpectation))
  server.on('connect', (req, socket) => {
    // node:http no longer handles errors of this socket.
    socket.on('error', () => socket.destroy())
    const requestId = assignRequestId(req, clock())
    afterAnswers(socket, () =>
      write(socket, { code: 'METHOD_NOT_ALLOWED', requestId, headers: { allow: ALLOWED } }),
    )
  })
  const broken = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    // Each further chunk raises the error again.
    if (broken.has(socket)) return undefined
    broken.add(socket)
    const unfinished = requestBeingRead(socket)
    // The response was sent before the body ended: a second one would belong to no request.
    if (unfinished && !pendingResponse(socket)) return socket.destroy()
    const requestId = unfinished ? assignRequestId(unfinished, clock()) : newId('req', clock())
    return afterAnswers(socket, () => {
      // Earlier responses were sent, so this one belongs to the broken request.
      const answer = pendingResponse(socket)
      const status = refuseUnread(error, socket, requestId)
      // At the end of the connection the client has most likely left without reading the refusal.
      if (answer && error.code !== 'HPE_INVALID_EOF_STATE') refusedStatuses.set(answer, status)
    })
  })
}

/** RFC 9112, 3.2.2: the host replaces the Host header. */
function acceptAbsoluteForm(req: IncomingMessage): void {
  const [, authority, rest = '/'] = ABSOLUTE_FORM.exec(req.url!) ?? []
  if (authority === undefined) return
  req.headers.host = authority
  req.url = rest.startsWith('/') ? rest : `/${rest}`
}

function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): number {
  const code = PARSER_ERRORS[error.code ?? ''] ?? 'VALIDATION_ERROR'
  const message = code === 'VALIDATION_ERROR' ? 'The request is not valid HTTP.' : undefined
  write(socket, { code, requestId, message })
  return ERRORS[code][0]
}

/**
 * Waits for earlier requests, since responses keep the order of requests. A broken request is refused in place of its
 * response.
 */
function afterAnswers(socket: Duplex, refuse: () => void): void {
  const answer = pendingResponse(socket)
  if (!answer) return refuse()
  if (!answer.req.complete) return answer.headersSent ? void socket.destroy() : refuse()
  // node:http starts the next response in the same turn.
  answer.once('close', () => {
    if (socket.writable) afterAnswers(socket, refuse)
  })
}

function pendingResponse(socket: Duplex): ServerResponse | null | undefined {
  return (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage
}

function requestBeingRead(socket: Duplex): IncomingMessage | null {
  type Parsed = Duplex & { parser?: { incoming?: IncomingMessage | null } | null }
  const incoming = (socket as Parsed).parser?.incoming
  return incoming && !incoming.complete ? incoming : null
}

function write(socket: Duplex, refusal: Refusal): void {
  const { status, headers, body } = render(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function listen(server: Server, on: Address | Passed, onListening: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListening(error, on)))
    server.listen('fd' in on ? { fd: on.fd, backlog: BACKLOG } : toListenOptions(on), () => {
      if ('fd' in on && !isOnPort(server, on.port)) {
        server.close()
        reject(explainListening(new Error('it is on another port or not one of TCP'), on))
        return
      }
      onListening()
      resolve()
    })
  })
}

function toListenOptions(on: Address) {
  return 'path' in on ? { path: on.path } : { host: on.host, port: on.port }
}

function descriptorOf(server: Server): number {
  return (server as Server & { _handle: { fd: number } })._handle.fd
}

function isOnPort(server: Server, port: number): boolean {
  const address = server.address()
  if (address === null || typeof address === 'string') return false
  return port === 0 || address.port === port
}
