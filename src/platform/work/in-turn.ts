import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of a connection that may wait for their turn; the last of them ends the connection. */
const MAX_WAITING = 16
const LINGER_MS = 2_000

/** There is no public field. The result says how to read the body: 0, as usual. */
type Parsed = Socket & { parser?: { onIncoming: () => number } | null }

const waitingOn = new WeakMap<Socket, number>()

/** A client that sends many requests and reads nothing holds one response at most. Requests beyond the bound are ignored. */
export function handleInTurn(
  req: IncomingMessage,
  res: ServerResponse,
  handle: RequestListener,
): void {
  // node:http assigns the connection in order.
  if (res.socket !== null) return handle(req, res)
  const { socket } = req
  const waiting = (waitingOn.get(socket) ?? 0) + 1
  waitingOn.set(socket, waiting)
  if (waiting === MAX_WAITING) endAfter(socket, res)
  res.once('socket', () => {
    waitingOn.set(socket, waitingOn.get(socket)! - 1)
    // node:http does not expect a response within the event.
    process.nextTick(() => {
      if (!res.destroyed) handle(req, res)
    })
  })
}

function endAfter(socket: Socket, answer: ServerResponse): void {
  answer.shouldKeepAlive = false
  const { parser } = socket as Parsed
  if (parser) parser.onIncoming = () => 0
  lingerAtEnd(socket)
}

/** Closing both directions while the client still sends would discard responses that it has not read. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
