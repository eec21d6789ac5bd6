import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from './clock.ts'
import { errorBody, ERRORS, OperatorError, type ErrorCode } from './errors.ts'
import { newId } from './ids.ts'
import { assignRequestId } from './request-id.ts'

type Options = { host: string; port: number; clock: Clock }

export type HttpServer = {
  readonly port: number
  /** Stops accepting, lets running requests finish for a while, then cuts what is left. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A refusal that is written without a `ServerResponse`. */
type Refusal = {
  code: ErrorCode
  requestId: string
  message?: string
  headers?: Record<string, string>
}

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than the idle time of the usual proxies in front, so that they close first. */
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5_000,
  /** A request without a body gets no stream to read one from; see the gateway's `handle`. */
  optimizeEmptyRequests: true,
  /** Node's own refusal has neither an id nor a body; ours stands in `serve`. */
  requireHostHeader: false,
}
const DRAIN_MS = 10_000
/** How long a refused client has to read the refusal and hang up. */
const LINGER_MS = 2_000
const LOOPBACK = '127.0.0.1'
const SLASH = 47
const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)(\/[^#]*|\?[^#]*)?$/i
const ALLOWED = 'GET, HEAD, POST, PATCH, PUT, DELETE'

/**
 * Listens on `host`, and for the loopback default on ::1 beside it, since `localhost` may mean either.
 * `handlerAt` is called once, with the port, before the first request can come in.
 * @throws OperatorError when the port is taken, not allowed, or the address is not this machine's
 */
export async function openHttpServer(
  handlerAt: (port: number) => RequestListener,
  { host, port, clock }: Options,
): Promise<HttpServer> {
  await using opening = new AsyncDisposableStack()
  const first = createServer(LIMITS)
  const servers = [first]
  opening.defer(async () => {
    await Promise.all(servers.map(drain))
  })
  let bound = port
  let handle: RequestListener
  // In the turn in which it begins to listen: no connection has been read yet.
  await listen(first, host, port, () => {
    bound = (first.address() as { port: number }).port
    handle = handlerAt(bound)
    serve(first, handle, clock)
  })
  if (isLoopbackDefault(host)) {
    const second = createServer(LIMITS)
    const isListening = await listenBeside(second, bound, port !== 0, () =>
      serve(second, handle, clock),
    )
    if (isListening) servers.push(second)
  }
  const opened = opening.move()
  return { port: bound, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/**
 * Refuses an address that is taken before anything costly is started. Listening later decides.
 * @throws OperatorError as {@link openHttpServer} does
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer()
  await listen(probe, host, port)
  await new Promise((resolve) => probe.close(resolve))
  if (!isLoopbackDefault(host) || port === 0) return
  const second = createServer()
  if (await listenBeside(second, port, true)) await new Promise((resolve) => second.close(resolve))
}

/** Answers a request with an error body, and closes the connection, whose next bytes nobody can be sure of. */
export function refuseRequest(
  req: IncomingMessage,
  res: ServerResponse,
  nowMs: number,
  code: ErrorCode,
  message?: string,
): void {
  const requestId = assignRequestId(req, nowMs)
  const body = JSON.stringify(errorBody(requestId, code, message))
  res
    .writeHead(ERRORS[code][0], {
      connection: 'close',
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}

/** Everything a server can be sent: requests, and what node:http does not make a request of. */
function serve(server: Server, handle: RequestListener, clock: Clock): void {
  server.on('request', (req, res) => {
    // RFC 9112, 3.2. HTTP/1.0 knows no Host.
    if (req.headers.host === undefined && req.httpVersion === '1.1')
      return refuseRequest(req, res, clock(), 'VALIDATION_ERROR', 'The Host header is missing.')
    if (req.url!.charCodeAt(0) !== SLASH) acceptAbsoluteForm(req)
    return handle(req, res)
  })
  server.on('checkExpectation', (req, res) =>
    refuseRequest(req, res, clock(), 'EXPECTATION_FAILED'),
  )
  server.on('connect', (req, socket) => {
    // node:http lets go of this socket and of its errors.
    socket.on('error', () => socket.destroy())
    const requestId = assignRequestId(req, clock())
    afterAnswers(socket, () =>
      write(socket, { code: 'METHOD_NOT_ALLOWED', requestId, headers: { allow: ALLOWED } }),
    )
  })
  const broken = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    // Every further piece of data fails again.
    if (broken.has(socket)) return undefined
    broken.add(socket)
    const unfinished = requestBeingRead(socket)
    // Its answer was sent before its body ended: a second answer would belong to no request.
    if (unfinished && !answerUnderWay(socket)) return socket.destroy()
    const requestId = unfinished ? assignRequestId(unfinished, clock()) : newId('req', clock())
    return afterAnswers(socket, () => refuseUnread(error, socket, requestId))
  })
}

/**
 * Turns `GET http://host/path`, which a server must accept (RFC 9112, 3.2.2), into the usual form.
 * The authority of the address replaces the Host header, as the RFC says. Other forms stay as they are.
 */
function acceptAbsoluteForm(req: IncomingMessage): void {
  const [, authority, rest = '/'] = ABSOLUTE_FORM.exec(req.url!) ?? []
  if (authority === undefined) return
  req.headers.host = authority
  req.url = rest.startsWith('/') ? rest : `/${rest}`
}

/** Answers a request that the HTTP parser could not finish, with our error body. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'HEADERS_TOO_LARGE'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'REQUEST_TIMEOUT'
        : 'VALIDATION_ERROR'
  write(socket, {
    code,
    requestId,
    ...(code === 'VALIDATION_ERROR' && { message: 'This is not valid HTTP.' }),
  })
}

/**
 * Answers on one connection come in the order of their requests, so a refusal waits for those that
 * are still to come. A request that is itself what broke is refused in the place of its answer.
 */
function afterAnswers(socket: Duplex, refuse: () => void): void {
  const answer = answerUnderWay(socket)
  if (!answer) return refuse()
  if (!answer.req.complete) return answer.headersSent ? void socket.destroy() : refuse()
  // Once the answer is flushed, node:http puts the next one in its place in the same turn.
  answer.once('close', () => {
    if (socket.writable) afterAnswers(socket, refuse)
  })
}

/** What node:http itself asks before it refuses; there is no public name for it. */
function answerUnderWay(socket: Duplex): ServerResponse | null | undefined {
  return (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage
}

/** The request whose body has not arrived whole; there is no public name for it either. */
function requestBeingRead(socket: Duplex): IncomingMessage | null {
  type Parsed = Duplex & { parser?: { incoming?: IncomingMessage | null } | null }
  const incoming = (socket as Parsed).parser?.incoming
  return incoming && !incoming.complete ? incoming : null
}

function write(socket: Duplex, { code, requestId, message, headers }: Refusal): void {
  const [status] = ERRORS[code]
  const body = JSON.stringify(errorBody(requestId, code, message))
  const lines = Object.entries({
    connection: 'close',
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function isLoopbackDefault(host: string): boolean {
  return host === LOOPBACK || host === 'localhost'
}

/**
 * Listens on ::1 too, where there is one.
 * @throws OperatorError when another program has the port there, and somebody chose the port
 */
function listenBeside(
  server: Server,
  port: number,
  isChosen: boolean,
  onListening?: () => void,
): Promise<boolean> {
  return listen(server, '::1', port, onListening).then(
    () => true,
    (error: unknown) => {
      if (isChosen && error instanceof OperatorError && error.cause === 'EADDRINUSE') throw error
      return false
    },
  )
}

function listen(server: Server, host: string, port: number, onListening = () => {}): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    server.listen({ host, port }, () => {
      onListening()
      resolve()
    })
  })
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): OperatorError {
  const sentence =
    error.code === 'EADDRINUSE'
      ? `Port ${port} on ${host} is taken by another program; stop it or set PORT.`
      : error.code === 'EACCES'
        ? `Port ${port} needs more rights than this account has; set PORT to 1024 or higher.`
        : `Cannot listen on HOST ${host}, PORT ${port}: ${error.message}.`
  return new OperatorError(sentence, { cause: error.code })
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
