import { STATUS_CODES, type Server as HttpServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'
import { readPlainRequest, type RequestHead } from './plain-request.ts'

/** What the redirect does with a response; `ServerResponse` of node:http has it too. */
export type ResponseHead = Pick<ServerResponse, 'destroyed' | 'headersSent'> & {
  destroy(): unknown
  /** @param headers names and values in turn, or by name, with Content-Length */
  writeHead(status: number, headers: string[] | Record<string, string>): unknown
  end(): unknown
  end(body: string | Buffer): unknown
  end(body: string, encoding: 'latin1' | 'utf8'): unknown
}

/** Answers a request, now or later, or returns false to leave it to node:http. */
export type PlainHandler = (req: RequestHead, res: ResponseHead) => boolean

type Server = {
  handle: PlainHandler
  /** Serves the connection with node:http, from the next byte of the socket on. */
  serve: (socket: Socket) => void
  /** Refuses a connection that sends nothing. */
  refuseSilent: (socket: Socket) => unknown
  /** Each answer ends its connection from now on. */
  isEnding: () => boolean
  firstRequestMs: number
  keepAliveMs: number
  /** Header of an answer that keeps the connection. */
  keepAliveFields: string
}

/**
 * Answers plain requests before node:http sees them. It gets each connection at its first request that is not plain.
 * @param byNode the listeners of node:http for `event`, which are replaced
 */
export function servePlain(
  server: HttpServer,
  event: 'connection' | 'secureConnection',
  byNode: readonly Function[],
  connections: Connections,
  handle: PlainHandler,
): void {
  for (const listener of byNode) server.off(event, listener as () => void)
  const keepAliveMs = server.keepAliveTimeout
  const shared: Server = {
    handle,
    serve: (socket) => {
      connections.removePlain(socket)
      for (const listener of byNode) listener.call(server, socket)
    },
    refuseSilent: (socket) => server.emit('clientError', SILENCE, socket),
    isEnding: () => connections.isEnding,
    firstRequestMs: server.headersTimeout,
    keepAliveMs,
    keepAliveFields: `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`,
  }
  server.on(event, (socket: Socket) =>
    connections.addPlain(socket, new PlainConnection(socket, shared)),
  )
}

/** As node:http refuses a connection that sends no request in time. */
const SILENCE = Object.assign(new Error('no request came'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/
let dateSecond = 0
let dateLine = ''

/**
 * A connection that carries one plain request after the other:
 *
 *   idle ──a chunk that is one plain request──▶ busy ──answered──▶ idle
 *     └──any other chunk──▶ node:http, which gets the chunk unread and keeps the connection
 *
 * So there is never more than one request in progress, and whatever is half a request, or more than one, is node:http's.
 */
class PlainConnection {
  readonly #socket: Socket
  readonly #server: Server
  #isBusy = false
  #answers = 0
  /** Came while busy: the client pipelines. */
  #early: Buffer | null = null

  constructor(socket: Socket, server: Server) {
    this.#socket = socket
    this.#server = server
    socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('timeout', this.#onTimeout)
      .on('error', this.#onError)
      .setTimeout(server.firstRequestMs)
  }

  /** Idle after a request, as a connection that its client keeps for later. */
  get isKept(): boolean {
    return !this.#isBusy && this.#answers > 0
  }

  readonly #onData = (chunk: Buffer): void => {
    const socket = this.#socket
    if (socket.writableEnded) return
    if (this.#isBusy) {
      this.#early = this.#early === null ? chunk : Buffer.concat([this.#early, chunk])
      socket.pause()
      return
    }
    const request = readPlainRequest(chunk, socket)
    if (request === null) return this.#leave(chunk)
    this.#isBusy = true
    const response = new PlainResponse(socket, request, this.#server, this.#answered)
    if (!this.#server.handle(request, response)) this.#leave(chunk)
  }

  readonly #answered = (): void => {
    const socket = this.#socket
    this.#isBusy = false
    if (this.#answers++ === 0) socket.setTimeout(this.#server.keepAliveMs)
    if (socket.writableEnded) return undefined
    if (this.#early !== null) return this.#leave(this.#early)
    // A client that reads nothing holds one buffer of answers.
    if (!socket.writableNeedDrain) return undefined
    socket.pause()
    return void socket.once('drain', () => socket.resume())
  }

  #leave(unread: Buffer): void {
    const socket = this.#socket
    socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('timeout', this.#onTimeout)
      .off('error', this.#onError)
      .setTimeout(0)
    socket.pause()
    socket.unshift(unread)
    this.#server.serve(socket)
    socket.resume()
  }

  /** As node:http, which answers nothing more once the client has sent its end. */
  readonly #onEnd = (): void => void this.#socket.end()

  readonly #onTimeout = (): void => {
    if (this.#isBusy) return
    if (this.#answers === 0) this.#server.refuseSilent(this.#socket)
    else this.#socket.destroy()
  }

  readonly #onError = (): void => void this.#socket.destroy()
}

/** One response, in the bytes that node:http writes. */
class PlainResponse implements ResponseHead {
  readonly #socket: Socket
  readonly #isHead: boolean
  readonly #server: Server
  readonly #answered: () => void
  #head = ''
  #isLast: boolean

  constructor(socket: Socket, req: RequestHead, server: Server, answered: () => void) {
    this.#socket = socket
    this.#isHead = req.method === 'HEAD'
    this.#isLast = req.headers.connection === 'close'
    this.#server = server
    this.#answered = answered
  }

  get destroyed(): boolean {
    return this.#socket.destroyed
  }

  get headersSent(): boolean {
    return this.#head !== ''
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** @throws TypeError for a value that would end its field, or without the length of the body */
  writeHead(status: number, headers: string[] | Record<string, string>): void {
    const fields = Array.isArray(headers) ? headers : Object.entries(headers).flat()
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
    // A 304 has no body by definition (RFC 9110, 15.4.5).
    let hasLength = status === 304
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i]!
      const value = fields[i + 1]!
      if (INVALID_VALUE.test(value)) throw new TypeError(`invalid character in ${name}`)
      // Only ever to close.
      if (name === 'Connection') this.#isLast = true
      else head += `${name}: ${value}\r\n`
      hasLength ||= name === 'Content-Length'
    }
    if (!hasLength) throw new TypeError('a plain response needs Content-Length')
    this.#isLast ||= this.#server.isEnding()
    const connection = this.#isLast ? 'Connection: close\r\n' : this.#server.keepAliveFields
    this.#head = `${head}${currentDate()}${connection}\r\n`
  }

  end(body: string | Buffer = '', encoding: 'latin1' | 'utf8' = 'utf8'): void {
    const socket = this.#socket
    if (socket.destroyed || socket.writableEnded) return
    if (body.length === 0 || this.#isHead) socket.write(this.#head, 'latin1')
    else {
      socket.cork()
      socket.write(this.#head, 'latin1')
      socket.write(body, encoding)
      socket.uncork()
    }
    if (this.#isLast) socket.destroySoon()
    this.#answered()
  }
}

function currentDate(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateLine = `Date: ${new Date(second * 1000).toUTCString()}\r\n`
  }
  return dateLine
}
