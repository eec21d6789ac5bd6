import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { targetOf } from './database-proxy.ts'

export type Pooler = {
  /** The same database, reached through the pooler. */
  url: string
  /** Start-up parameters that sessions opened from now on do not get. */
  drops: Set<string>
}

/** A proxy before PostgreSQL that drops some start-up parameters, as poolers do. */
export async function openPooler(
  t: TestContext,
  postgresUrl: string,
  dropped: readonly string[],
): Promise<Pooler> {
  const drops = new Set(dropped)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(targetOf(postgresUrl))
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.once('data', (packet) => {
      upstream.write(withoutParameters(packet, drops))
      client.pipe(upstream)
    })
    upstream.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(postgresUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  url.search = ''
  return { url: url.href, drops }
}

/** Rewrites a StartupMessage: its length and the version, then zero-terminated names and values. */
function withoutParameters(packet: Buffer, drops: ReadonlySet<string>): Buffer {
  const texts = packet.subarray(8, packet.readInt32BE(0)).toString('utf8').split('\0')
  const kept: string[] = []
  for (let at = 0; texts[at]; at += 2) {
    const [name, value] = [texts[at]!, texts[at + 1]!]
    if (name === 'options') kept.push(name, withoutOptions(value, drops))
    else if (!drops.has(name)) kept.push(name, value)
  }
  const body = Buffer.from(`${kept.join('\0')}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8, 0)
  packet.copy(head, 4, 4, 8)
  return Buffer.concat([head, body])
}

/** The parameters that are sent as `-c name=value`. */
function withoutOptions(options: string, drops: ReadonlySet<string>): string {
  const kept = options.split(/ ?-c /).filter((option) => !drops.has(option.split('=')[0]!))
  return kept.map((option) => (option === '' ? '' : ` -c ${option}`)).join('')
}
