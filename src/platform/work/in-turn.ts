import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait behind the one that is being answered. The last of them ends the connection. */
const MAX_WAITING = 16
/** Time for a client to read the last answer and close. */
const LINGER_MS = 2_000

/** A private field, since there is no public one. It says how the body of a request is read: 0, as usual. */
type Parsed = Socket & { parser?: { onIncoming: () => number } | null }

const waitingOn = new WeakMap<Socket, number>()

/**
 * Handles a request as soon as the requests before it on its connection are answered, so that a client that sends many
 * and reads nothing holds one answer at most. What it sends beyond the bound is never looked at.
 */
export function handleInTurn(
  req: IncomingMessage,
  res: ServerResponse,
  handle: RequestListener,
): void {
  // node:http gives an answer the connection in its turn.
  if (res.socket !== null) return handle(req, res)
  const { socket } = req
  const waiting = (waitingOn.get(socket) ?? 0) + 1
  waitingOn.set(socket, waiting)
  if (waiting === MAX_WAITING) endWith(socket, res)
  res.once('socket', () => {
    waitingOn.set(socket, waitingOn.get(socket)! - 1)
    // node:http is not done with the event yet, and expects no answer in it.
    process.nextTick(() => {
      if (!res.destroyed) handle(req, res)
    })
  })
}

/** Makes an answer the last one of its connection. Later requests are read and dropped. */
function endWith(socket: Socket, answer: ServerResponse): void {
  answer.shouldKeepAlive = false
  const { parser } = socket as Parsed
  if (parser) parser.onIncoming = () => 0
  lingerAtEnd(socket)
}

/** Closing both directions while the client still sends would discard answers that it has not read. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
