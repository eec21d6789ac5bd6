import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export type PostgresProxy = {
  /** The same database, reached through the proxy. */
  url: string
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Accepts connections again. */
  restore(): Promise<void>
  /** Holds the answers of the server until they are released. */
  hold(): void
  release(): void
  /** Bytes that are held. */
  heldBytes(): number
}

/** A proxy for PostgreSQL's socket, so that tests can break the connection. */
export async function openPostgresProxy(
  t: TestContext,
  postgresUrl: string,
): Promise<PostgresProxy> {
  const target = new URL(postgresUrl)
  const socketName = `.s.PGSQL.${target.searchParams.get('port') ?? (target.port || '5432')}`
  const realSocket = join(target.searchParams.get('host')!, socketName)
  const folder = mkdtempSync(join(tmpdir(), 'sp-proxy-'))
  const url = new URL(postgresUrl)
  url.searchParams.set('host', folder)
  const sockets = new Set<Socket>()
  let server: Server | null = null
  let isHolding = false
  let held: { to: Socket; chunk: Buffer }[] = []

  function relay(client: Socket): void {
    const upstream = connect(realSocket)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      if (isHolding) held.push({ to: client, chunk })
      else client.write(chunk)
    })
  }

  async function restore(): Promise<void> {
    const opened = createServer(relay)
    server = opened
    await new Promise<void>((resolve) => opened.listen(join(folder, socketName), resolve))
  }

  function cut(): void {
    server?.close()
    server = null
    for (const socket of sockets) socket.destroy()
  }

  function release(): void {
    isHolding = false
    for (const { to, chunk } of held) to.write(chunk)
    held = []
  }

  await restore()
  t.after(() => {
    cut()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: url.href,
    cut,
    restore,
    hold: () => {
      isHolding = true
    },
    release,
    heldBytes: () => held.reduce((sum, { chunk }) => sum + chunk.length, 0),
  }
}
