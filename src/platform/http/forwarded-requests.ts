import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { Pool, type Dispatcher } from 'undici'
import type { Clock } from '../core/clock.ts'
import { refuseRequest } from './http-server.ts'
import { lingerAtEnd } from '../work/in-turn.ts'
import { addressOf, isEncrypted, setSender } from './request.ts'

/** `<address> <http|https> <HTTP version>`; only servers on private sockets trust it. */
const SENDER = 'x-signpost-sender'
/** Headers of one connection (RFC 9110, 7.6.1), and `Expect`, which this server has answered. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  SENDER,
])
const NOT_RETURNED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date'])
export type Forwarding = ReturnType<typeof openForwarding>

/** A smaller body is forwarded as a whole, at a third of the cost of a stream. */
const WHOLE_BYTES = 64 * 1024
const RETRY_AFTER = { 'retry-after': '1' }

/** A connection carries one request at a time, so that a slow body delays no other request, and is kept for the next one. */
export function openForwarding(socketPath: string, clock: Clock) {
  // The receiver has its own time limits.
  const pool = new Pool('http://localhost', { socketPath, headersTimeout: 0, bodyTimeout: 0 })
  const forward: RequestListener = (req, res) => {
    const length = Number(req.headers['content-length'] ?? 0)
    const send = (body: Buffer | Readable | null) => dispatch(pool, req, res, body, clock)
    if (req.readableEnded) send(null)
    else if (req.headers['transfer-encoding'] === undefined && length <= WHOLE_BYTES)
      readWhole(req, send)
    // undici destroys a body that it could not send; without the PassThrough the client's connection would go with it.
    else send(req.pipe(new PassThrough()))
  }
  return {
    forward,
    request: (options: Dispatcher.RequestOptions) => pool.request(options),
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

export function restoreSender(req: IncomingMessage): void {
  const [address, scheme, httpVersion = '1.1'] = String(req.headers[SENDER] ?? '').split(' ')
  req.httpVersion = httpVersion
  setSender(req, { address: address === '' ? undefined : address, isEncrypted: scheme === 'https' })
  // The forwarding process closes the connection after the response; closing while it still writes would lose that.
  const { socket } = req
  socket.destroySoon = () => {
    socket.end()
    req.resume()
  }
}

function readWhole(req: IncomingMessage, send: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.once('end', () => send(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
}

function dispatch(
  pool: Pool,
  req: IncomingMessage,
  res: ServerResponse,
  body: Buffer | Readable | null,
  clock: Clock,
): void {
  if (res.destroyed) return
  let controller: Dispatcher.DispatchController | null = null
  let isAnswered = false
  const leave = () => {
    if (!isAnswered) controller?.abort(new Error('the client has disconnected'))
  }
  res.once('close', leave)
  const method = req.method as Dispatcher.HttpMethod
  pool.dispatch(
    { method, path: req.url!, headers: toRequestHeaders(req), body },
    {
      onRequestStart: (started) => {
        controller = started
        if (res.destroyed) leave()
      },
      onResponseStart: ({ rawHeaders }, status, { 'content-length': length }, message) => {
        if (status < 200) return
        res.writeHead(status, message, toAnswerHeaders(rawHeaders as readonly Buffer[]))
        // With a known length, they leave with the first part.
        if (length === undefined) res.flushHeaders()
      },
      onResponseData: (running, chunk) => {
        if (res.write(chunk)) return
        running.pause()
        res.once('drain', () => running.resume())
      },
      onResponseEnd: () => {
        isAnswered = true
        if (!req.complete) lingerAtEnd(req.socket)
        res.end()
        readRest(req)
      },
      onResponseError: (_running, error) => {
        isAnswered = true
        readRest(req)
        // The request parser accepts some bytes that must not be written.
        const isInvalid = (error as Error & { code?: string }).code === 'UND_ERR_INVALID_ARG'
        if (res.headersSent || res.destroyed) res.destroy()
        else if (isInvalid) refuseRequest(req, res, clock(), 'VALIDATION_ERROR')
        else refuseRequest(req, res, clock(), 'UNAVAILABLE', undefined, RETRY_AFTER)
      },
    },
  )
}

/** The client's connection carries further requests, and closing it with unread bytes would lose the response. */
function readRest(req: IncomingMessage): void {
  req.unpipe()
  req.resume()
}

function toRequestHeaders(req: IncomingMessage): string[] {
  const { rawHeaders, headers, httpVersion } = req
  const kept: string[] = []
  let hasHost = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (NOT_FORWARDED.has(name)) continue
    // An absolute target has replaced the first Host.
    const value = name === 'host' && !hasHost ? headers.host! : rawHeaders[i + 1]!
    hasHost ||= name === 'host'
    kept.push(rawHeaders[i]!, value)
  }
  if (!hasHost && headers.host !== undefined) kept.push('Host', headers.host)
  const scheme = isEncrypted(req) ? 'https' : 'http'
  kept.push(SENDER, `${addressOf(req) ?? ''} ${scheme} ${httpVersion}`)
  return kept
}

function toAnswerHeaders(raw: readonly Buffer[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const [name, value] = [raw[i]!.toString('latin1'), raw[i + 1]!.toString('latin1')]
    const lower = name.toLowerCase()
    if (!NOT_RETURNED.has(lower)) kept.push(name, value)
    // The server only asks for this when it is about to end.
    else if (lower === 'connection' && value === 'close') kept.push('Connection', 'close')
  }
  return kept
}
