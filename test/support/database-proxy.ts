import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Owner } from './owner.ts'

/** A proxy to a database, so that tests can break the connection. */
export type Proxy = {
  /** The same database, reached through the proxy. */
  url: string
  /** Closes all connections and refuses new ones. */
  cut(): void
  restore(): void
  /** Holds the answers of the server until they are released. */
  hold(): void
  release(): void
  /** Bytes that are held. */
  heldBytes(): number
  /** Forwards requests and closes the connection in place of the next answer. */
  loseNextAnswer(): void
}

/** @param delayMs how much later each direction arrives; the handshake of TCP is not delayed */
export async function openProxy(
  t: Owner,
  databaseUrl: string,
  { delayMs = 0 } = {},
): Promise<Proxy> {
  const target = targetOf(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  let isHolding = false
  let losesAnswer = false
  let held: { to: Socket; bytes: Buffer }[] = []
  // Timers of the same duration fire in order.
  const later = (act: () => unknown) => {
    if (delayMs === 0) act()
    else setTimeout(act, delayMs)
  }

  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(target)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        later(() => other.destroy())
      })
    }
    if (delayMs === 0) client.pipe(upstream)
    else client.on('data', (bytes) => later(() => upstream.write(bytes)))
    upstream.on('data', (bytes) => {
      if (isHolding) return held.push({ to: client, bytes })
      if (!losesAnswer) return later(() => client.write(bytes))
      losesAnswer = false
      return client.destroy()
    })
    return undefined
  })
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    cut()
    server.close()
  })
  return {
    url: throughPort(databaseUrl, (server.address() as AddressInfo).port),
    cut,
    restore: () => {
      isCut = false
    },
    hold: () => {
      isHolding = true
    },
    release: () => {
      isHolding = false
      for (const { to, bytes } of held) to.write(bytes)
      held = []
    },
    heldBytes: () => held.reduce((sum, { bytes }) => sum + bytes.length, 0),
    loseNextAnswer: () => {
      losesAnswer = true
    },
  }
}

/**
 * The target of a database URL: a socket directory (`?host=/run/…`), a socket (`?socket=/run/…`), or a
 * host and a port.
 */
export function targetOf(url: string): { path: string } | { host: string; port: number } {
  const parsed = new URL(url)
  const socket = parsed.searchParams.get('socket')
  if (socket !== null) return { path: socket }
  const directory = parsed.searchParams.get('host')
  const port = Number(parsed.searchParams.get('port') ?? (parsed.port || '5432'))
  if (directory !== null) return { path: `${directory}/.s.PGSQL.${port}` }
  return { host: parsed.hostname, port }
}

function throughPort(url: string, port: number): string {
  const parsed = new URL(url)
  parsed.hostname = '127.0.0.1'
  parsed.port = String(port)
  parsed.search = ''
  return parsed.href
}
