import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

const DRAIN_MS = 10_000
const IDLE_CHECK_MS = 100
const FIRST_REQUEST_MS = 500
const LINGER_MS = 2_000
const STALL_MS = 30_000

/** No public field shows how much of a long write the client has taken. */
type Written = Socket & { _handle?: { writeQueueSize: number } | null }

/**
 * Ends the connections of a server without a reset: it closes only its own side and keeps reading until the client
 * has closed too, so that a client sees the end even if its next request crosses it. A connection whose client takes
 * nothing of a response is cut, to free its memory.
 */
export class Connections {
  readonly #server: Server
  /** With the bytes taken at the last check, if more were waiting. */
  readonly #open = new Map<Socket, number | null>()
  readonly #ended = new WeakSet<Socket>()
  readonly #bytesBefore = new WeakMap<Socket, number>()
  readonly #plain = new Map<Socket, { readonly isKept: boolean }>()
  #isEnding = false

  /** @param stallMs a client that takes nothing is cut off after one to two times this */
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

  get isEnding(): boolean {
    return this.#isEnding
  }

  addPlain(socket: Socket, plain: { readonly isKept: boolean }): void {
    this.#plain.set(socket, plain)
    socket.once('close', () => this.#plain.delete(socket))
  }

  /** node:http serves the connection from now on. */
  removePlain(socket: Socket): void {
    this.#plain.delete(socket)
  }

  endWithAnswers(): void {
    this.#isEnding = true
  }

  admit(response: ServerResponse): boolean {
    if (!this.#isEnding) return true
    if (this.#ended.has(response.socket!)) return false
    response.shouldKeepAlive = false
    return true
  }

  end(): Promise<void> {
    this.endWithAnswers()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#server.closeAllConnections()
        for (const socket of this.#plain.keys()) socket.destroy()
      }, DRAIN_MS)
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
   * Only node:http knows which connections are idle, and it destroys them, which resets bytes on their way. So
   * `destroy` is replaced for the call.
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
    for (const [socket, { isKept }] of this.#plain) if (isKept) this.#endOne(socket)
  }

  /** To node:http, a connection without its first request is not idle. */
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

export const CHUNK_BYTES = 64 * 1024

export function* toChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** Sends each part when the reader has taken the one before, since TLS copies all that it is given. */
export function toChunkStream(bytes: Buffer): Readable {
  return Readable.from(toChunks(bytes), { objectMode: false, highWaterMark: CHUNK_BYTES })
}
