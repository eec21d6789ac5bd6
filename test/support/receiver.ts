import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { TestContext } from 'node:test'
import { answer } from './receiver-scripts.ts'

export type ReceivedRequest = {
  method: string
  path: string
  /** Names in lower case; of doubled ones the last. */
  headers: Readonly<Record<string, string>>
  /** The bytes up to and with the empty line. */
  head: Buffer
  /** Empty for a script that runs at the head. */
  body: Buffer
  /** performance.now() of the last byte that belongs to the request. */
  arrivedAtMs: number
  socketId: number
  /** 1 for the first request on its socket. */
  turn: number
}

/** The operations that a script has. */
export type Exchange = {
  request: ReceivedRequest
  /** Ends with the socket. */
  signal: AbortSignal
  /** False when the socket is gone; waits while the client does not read. */
  write(data: string | Uint8Array): Promise<boolean>
  /** Sends FIN. */
  end(): void
  /** Sends RST. */
  reset(): void
}

/**
 * `at: 'head'` runs before the body is read. The rest of the connection belongs to the script; a
 * next request on the same socket runs its path's script again.
 */
export type Script = { at?: 'head' | 'body'; run(exchange: Exchange): void | Promise<void> }

export type Connection = {
  id: number
  openedAtMs: number
  closedAtMs: number | null
  bytesWritten(): number
}

export type Receiver = {
  origin: string
  port: number
  url(path: string): string
  /** Complete requests (to the head, for scripts at the head), in order of arrival. */
  requests: ReceivedRequest[]
  requestsOf(path: string): ReceivedRequest[]
  /** Every accepted TCP connection. */
  connections: Connection[]
  openConnections(): number
  /** Sets the script of a path, without its query. Other paths answer 200 "ok". */
  on(path: string, script: Script): void
  /** Ends the connections and refuses new ones. */
  close(): Promise<void>
}

type Options = {
  /** TLS, with these options of node:tls; `host` is what its certificate names. */
  tls?: TlsOptions
  /** The host in `origin`: a name that the client can resolve. Default 127.0.0.1. */
  host?: string
  /** URLs say https, and the port does not speak TLS. */
  isTlsSilent?: boolean
  /** Sent as soon as a connection is accepted, before any request is read. */
  banner?: string
}

/**
 * An HTTP receiver made of bare sockets, so that it can misbehave in every way: each path has a
 * script. It understands requests with content-length or without a body. On loopback only;
 * closed after the test.
 */
export async function openReceiver(t: TestContext, options: Options = {}): Promise<Receiver> {
  const scripts = new Map<string, Script>()
  const requests: ReceivedRequest[] = []
  const connections: Connection[] = []
  const sockets = new Set<Socket>()

  function accept(socket: Socket): void {
    const connection: Connection = {
      id: connections.length + 1,
      openedAtMs: performance.now(),
      closedAtMs: null,
      bytesWritten: () => socket.bytesWritten,
    }
    connections.push(connection)
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      connection.closedAtMs = performance.now()
    })
    // Reads without answering: a socket that is not read does not notice that the client left.
    if (options.isTlsSilent === true) socket.resume()
    else serve({ socket, socketId: connection.id, banner: options.banner, scripts, requests })
  }

  const isSecure = options.tls !== undefined
  const server: Server = isSecure ? createTlsServer(options.tls!, accept) : createTcpServer(accept)
  if (isSecure) server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const scheme = isSecure || options.isTlsSilent === true ? 'https' : 'http'
  const origin = `${scheme}://${options.host ?? '127.0.0.1'}:${port}`

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  t.after(close)

  return {
    origin,
    port,
    url: (path) => `${origin}${path}`,
    requests,
    requestsOf: (path) => requests.filter((request) => request.path === path),
    connections,
    openConnections: () => sockets.size,
    on: (path, script) => void scripts.set(path, script),
    close,
  }
}

type Served = {
  socket: Socket
  socketId: number
  banner: string | undefined
  scripts: ReadonlyMap<string, Script>
  requests: ReceivedRequest[]
}

/** Reads one request after the other. While a script runs, later bytes wait. */
function serve({ socket, socketId, banner, scripts, requests }: Served): void {
  const closed = new AbortController()
  socket.on('close', () => closed.abort())
  if (banner !== undefined) socket.write(banner)
  let received = Buffer.alloc(0)
  let turn = 0
  let isBusy = false

  async function next(): Promise<void> {
    if (isBusy) return
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const request = parseHead(received.subarray(0, headEnd + 4), socketId, turn + 1)
    const script = scripts.get(request.path.split('?')[0]!) ?? answer(200)
    if (script.at !== 'head') {
      const bodyEnd = request.head.length + Number(request.headers['content-length'] ?? 0)
      if (received.length < bodyEnd) return
      request.body = received.subarray(request.head.length, bodyEnd)
      received = received.subarray(bodyEnd)
    }
    turn++
    request.arrivedAtMs = performance.now()
    requests.push(request)
    isBusy = true
    // The rest of a body that is not read stays in the kernel's buffer.
    if (script.at === 'head') socket.pause()
    await script.run({ request, signal: closed.signal, ...operationsOn(socket) })
    isBusy = script.at === 'head'
    await next()
  }

  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    next().catch((error: unknown) => socket.destroy(error as Error))
  })
}

function operationsOn(socket: Socket): Pick<Exchange, 'write' | 'end' | 'reset'> {
  return {
    end: () => void socket.end(),
    reset: () => void (socket.destroyed ? null : socket.resetAndDestroy()),
    write(data) {
      if (!socket.writable) return Promise.resolve(false)
      return new Promise((resolve) => {
        socket.write(data, (error) => resolve(error === undefined || error === null))
      })
    },
  }
}

function parseHead(head: Buffer, socketId: number, turn: number): ReceivedRequest {
  const [requestLine = '', ...lines] = head.toString('latin1').trimEnd().split('\r\n')
  const [method = '', path = ''] = requestLine.split(' ')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { method, path, headers, head, body: Buffer.alloc(0), arrivedAtMs: 0, socketId, turn }
}
