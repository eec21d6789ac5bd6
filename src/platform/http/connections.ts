import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const DRAIN_MS = 10_000
const IDLE_CHECK_MS = 100
/** Time in which the first request of a new connection arrives. */
const FIRST_REQUEST_MS = 500
/** Time in which a client reads the end of its connection and closes it. */
const LINGER_MS = 2_000
const STALL_MS = 30_000

/** A private field, since no public one shows how much of a long write the client has taken. */
type Written = Socket & { _handle?: { writeQueueSize: number } | null }

/**
 * The connections of one server, and their end without a reset:
 *
 *   open ──endWithAnswers──▶ each answer ends its connection ──end──▶ idle ones get the end of the stream ──▶ closed
 *
 * A client that is still reading sees the end of the stream, also when its next request crosses it: the server
 * closes its side alone and reads on until the client has closed too.
 *
 * A connection whose client takes nothing of an answer is closed, so that what the answer holds is released.
 */
export class Connections {
  readonly #server: Server
  /** With the bytes that were taken at the last check, if more waited. */
  readonly #open = new Map<Socket, number | null>()
  readonly #ended = new WeakSet<Socket>()
  /** Bytes that were read before any request: those of a handshake. */
  readonly #bytesBefore = new WeakMap<Socket, number>()
  #isEnding = false

  /**
   * @param event of the server, for a connection that can carry requests
   * @param stallMs in which a client has to take something; one that does not is cut off after once to twice that time
   */
  constructor(server: Server, event: 'connection' | 'secureConnection', stallMs = STALL_MS) {
    this.#server = server
    server.prependListener(event, (socket: Socket) => {
      this.#open.set(socket, null)
      this.#bytesBefore.set(socket, socket.bytesRead)
      socket.once('close', () => this.#open.delete(socket))
    })
    const check = setInterval(() => this.#cutStalled(), stallMs).unref()
    server.once('close', () => clearInterval(check))
  }

  /** From now on every answer says that it is the last one of its connection. */
  endWithAnswers(): void {
    this.#isEnding = true
  }

  /** Marks the answer to a request; false for one that arrived after the end of its connection. */
  admit(response: ServerResponse): boolean {
    if (!this.#isEnding) return true
    if (this.#ended.has(response.socket!)) return false
    response.shouldKeepAlive = false
    return true
  }

  /** Stops accepting, waits up to ten seconds for running requests, and ends every connection. */
  end(): Promise<void> {
    this.endWithAnswers()
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#server.closeAllConnections(), DRAIN_MS)
      // Repeated, since the body of a refused request may still arrive after its answer.
      const idle = setInterval(
        () => this.#endIdle(() => this.#server.closeIdleConnections()),
        IDLE_CHECK_MS,
      )
      const unused = setTimeout(() => this.#endUnused(), FIRST_REQUEST_MS)
      const closed = () => {
        clearTimeout(timer)
        clearTimeout(unused)
        clearInterval(idle)
        resolve()
      }
      this.#endIdle(() => this.#server.close(closed))
    })
  }

  #cutStalled(): void {
    for (const [socket, takenBefore] of this.#open) {
      const waiting = (socket as Written)._handle?.writeQueueSize ?? 0
      const taken = waiting === 0 ? null : socket.bytesWritten - waiting
      if (taken !== null && taken === takenBefore) socket.destroy()
      else this.#open.set(socket, taken)
    }
  }

  /**
   * Only node:http knows which connections are idle, and it destroys them. A destroyed socket answers
   * bytes that are still on their way with a reset, so the call of `destroy` is replaced for that moment.
   * @param destroyIdle a call of node:http that destroys every idle connection
   */
  #endIdle(destroyIdle: () => void): void {
    const idle: Socket[] = []
    for (const socket of this.#open.keys()) {
      socket.destroy = () => {
        idle.push(socket)
        return socket
      }
    }
    destroyIdle()
    for (const socket of this.#open.keys()) Reflect.deleteProperty(socket, 'destroy')
    for (const socket of idle) this.#endOne(socket)
  }

  /** One that a client opened ahead, and that carries nothing; to node:http its first request is under way. */
  #endUnused(): void {
    for (const socket of this.#open.keys())
      if (socket.bytesRead === this.#bytesBefore.get(socket)) this.#endOne(socket)
  }

  #endOne(socket: Socket): void {
    if (this.#ended.has(socket)) return
    this.#ended.add(socket)
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
