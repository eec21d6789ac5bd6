import {
  Agent,
  request,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from './clock.ts'
import { refuseRequest } from './http-server.ts'

/**
 * Tells the receiver who sent a request: `<address> <http|https> <HTTP version>`. Only servers on a socket that no
 * other user can enter read it.
 */
const SENDER = 'x-signpost-sender'
/**
 * Headers of a request that concern one connection (RFC 9110, 7.6.1). `Transfer-Encoding` is left to node:http, which
 * has checked it; it has also answered `Expect`.
 */
const WITHHELD = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
  SENDER,
])
const WITHHELD_ANSWER = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date'])

/**
 * Sends each request to the server on a unix socket, and its answer back, both as they arrive. One connection carries
 * one request, so that no request meets the end of a connection that was kept, and each has a sender of its own.
 */
export function createForwarding(socketPath: string, clock: Clock): RequestListener {
  const agent = new Agent({ keepAlive: false })
  return (req, res) => {
    const { method, url: path } = req
    let sent
    try {
      sent = request({ socketPath, agent, method, path, headers: toRequestHeaders(req) })
    } catch {
      // The parser of requests accepts some bytes that must not be written.
      return refuseRequest(req, res, clock(), 'VALIDATION_ERROR')
    }
    sent.once('response', (answer: IncomingMessage) => passOn(answer, res))
    sent.on('error', () => {
      // After the answer began, its own end says whether it is complete.
      if (!res.headersSent && !res.destroyed) refuseRequest(req, res, clock(), 'UNAVAILABLE')
    })
    sent.once('close', () => {
      // The client's connection carries further requests, so the rest of the body is read.
      req.unpipe(sent)
      req.resume()
    })
    res.once('close', () => sent.destroy())
    // A request without a body has no events.
    if (req.readableEnded) sent.end()
    else req.pipe(sent)
  }
}

/** Gives a forwarded request the sender that it names. Only for servers that forwarding processes alone can reach. */
export function restoreSender(req: IncomingMessage): void {
  const [address, scheme, httpVersion = '1.1'] = String(req.headers[SENDER] ?? '').split(' ')
  req.httpVersion = httpVersion
  const { socket } = req
  Object.defineProperties(socket, {
    remoteAddress: { value: address === '' ? undefined : address },
    encrypted: { value: scheme === 'https' },
  })
  // The forwarding process closes the connection once it has the answer. A close while it still writes would
  // discard the answer.
  socket.destroySoon = () => {
    socket.end()
    req.resume()
  }
}

/** Whether the client of a request uses TLS up to this server. */
export function isEncrypted({ socket }: IncomingMessage): boolean {
  return (socket as Socket & { encrypted?: boolean }).encrypted === true
}

/** As they were sent: repeated ones stay apart. */
function toRequestHeaders(req: IncomingMessage): string[] {
  const { rawHeaders, headers, httpVersion, socket } = req
  const kept: string[] = []
  let hasHost = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (WITHHELD.has(name)) continue
    // The host of an absolute target has replaced the first one.
    const value = name === 'host' && !hasHost ? headers.host! : rawHeaders[i + 1]!
    hasHost ||= name === 'host'
    kept.push(rawHeaders[i]!, value)
  }
  if (!hasHost && headers.host !== undefined) kept.push('Host', headers.host)
  const scheme = isEncrypted(req) ? 'https' : 'http'
  // `keep-alive`, so that `close` in the answer is the server's own wish.
  kept.push('Connection', 'keep-alive')
  kept.push(SENDER, `${socket.remoteAddress ?? ''} ${scheme} ${httpVersion}`)
  return kept
}

function passOn(answer: IncomingMessage, res: ServerResponse): void {
  const { rawHeaders, statusCode, statusMessage } = answer
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!WITHHELD_ANSWER.has(rawHeaders[i]!.toLowerCase()))
      kept.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  if (answer.headers.connection === 'close') kept.push('Connection', 'close')
  res.writeHead(statusCode!, statusMessage, kept)
  res.flushHeaders()
  answer.once('error', () => res.destroy())
  answer.pipe(res)
}
