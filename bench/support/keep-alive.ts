import { connect } from 'node:net'

export type Asked = { perSecond: number; p50Ms: number; p99Ms: number; failures: number }
type Options = {
  port: number
  connections: number
  seconds: number
  /** The bytes of a whole request, and what its answer begins with. */
  request: string
  expected: string
  /** The least time between two requests of a connection; without it the next one follows the answer. */
  everyMs?: number
}

/** Sends one request after the other on each connection, paced when `everyMs` says so. */
export async function askFor(options: Options): Promise<Asked> {
  const latencies: number[] = []
  let failures = 0
  const startedAt = performance.now()
  const until = startedAt + options.seconds * 1_000
  await Promise.all(Array.from({ length: options.connections }, oneConnection))
  const took = (performance.now() - startedAt) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return { perSecond: latencies.length / took, p50Ms: at(0.5), p99Ms: at(0.99), failures }

  function oneConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(options.port, '127.0.0.1')
      let sentAt = 0
      let received = ''
      const send = () => {
        received = ''
        sentAt = performance.now()
        socket.write(options.request)
      }
      socket.on('connect', send)
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        if (!isWhole(received)) return
        const now = performance.now()
        latencies.push(now - sentAt)
        if (!received.startsWith(options.expected)) failures++
        if (now >= until) socket.end()
        else if (options.everyMs === undefined) send()
        else setTimeout(send, Math.max(0, options.everyMs - (now - sentAt)))
      })
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })
  }
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0)
  return answer.length >= headEnd + 4 + length
}
