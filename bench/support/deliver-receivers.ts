import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Receivers on loopback, in a process of their own: `deliver-receivers.ts <count> [<seconds>]`. Prints their
 * ports, the last of which never responds, but closes a connection after so many seconds. `GET /stats` of any port returns the number of arrivals at
 * all ports since the last call, and of those that carry an `n` also `n` and the time. Ends with its
 * standard input.
 */
const count = Number(process.argv[2])
const silenceMs = Number(process.argv[3] ?? Infinity) * 1_000
let marked: [n: number, atMs: number][] = []
let arrived = 0

function receive(req: IncomingMessage, res: ServerResponse): void {
  if (req.method === 'GET') {
    const { user, system } = process.cpuUsage()
    res.end(JSON.stringify({ arrived, marked, cpuUs: user + system }))
    marked = []
    arrived = 0
    return
  }
  let body = ''
  req.setEncoding('latin1')
  req.on('data', (chunk: string) => (body += chunk))
  req.on('end', () => {
    arrived++
    const at = body.indexOf('"n":')
    if (at !== -1) marked.push([Number.parseInt(body.slice(at + 4), 10), Date.now()])
    res.end('ok')
  })
}

function keepSilent(req: IncomingMessage): void {
  req.resume()
  if (silenceMs < Infinity) setTimeout(() => req.socket.destroy(), silenceMs)
}

const ports: number[] = []
for (let i = 0; i <= count; i++) {
  const server = createServer(i < count ? receive : keepSilent)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ports.push((server.address() as AddressInfo).port)
}
process.stdout.write(`${ports.join(' ')}\n`)
process.stdin.on('end', () => process.exit(0))
process.stdin.resume()
