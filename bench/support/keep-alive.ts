import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type Load = {
  port: number
  connections: number
  seconds: number
  /** Over TLS, with any certificate. */
  isTls?: boolean
  /** The bytes of a whole request, and the beginning of the response to it. */
  request: string | (() => string)
  expected: string
  /** The least time between two requests of a connection; without it the next one follows the response. */
  everyMs?: number
  /** The load ends after so many requests, or after its seconds. */
  maxRequests?: number
  /** Ends the load before its seconds, at the next response of each connection. */
  signal?: AbortSignal
}
export type Figures = {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
}
/** Figures with the latencies behind them, sorted, one per response. */
export type Measured = Figures & { latenciesMs: number[] }

/** Sends one request after the other on each connection, paced when `everyMs` says so. */
export async function sendLoad(load: Load): Promise<Measured> {
  const latencies: number[] = []
  let failures = 0
  let sent = 0
  const { maxRequests = Infinity } = load
  const startedAt = performance.now()
  const until = startedAt + load.seconds * 1_000
  await Promise.all(Array.from({ length: load.connections }, useConnection))
  const took = (performance.now() - startedAt) / 1_000
  return describe(latencies, latencies.length / took, failures)

  function useConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const address = { port: load.port, host: '127.0.0.1' }
      const socket = load.isTls
        ? connectTls({ ...address, servername: 'localhost', rejectUnauthorized: false })
        : connect(address)
      let sentAt = 0
      let received = ''
      let isFinished = false
      const send = () => {
        received = ''
        sent++
        sentAt = performance.now()
        socket.write(typeof load.request === 'string' ? load.request : load.request())
      }
      socket.on(load.isTls ? 'secureConnect' : 'connect', send)
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        if (!isWhole(received)) return
        const now = performance.now()
        latencies.push(now - sentAt)
        if (!received.startsWith(load.expected)) failures++
        isFinished = now >= until || sent >= maxRequests || load.signal?.aborted === true
        if (isFinished) socket.end()
        else if (load.everyMs === undefined) send()
        else setTimeout(send, Math.max(0, load.everyMs - (now - sentAt)))
      })
      socket.on('close', () => {
        // The server closed it before the end.
        if (!isFinished) failures++
        resolve()
      })
      socket.on('error', reject)
    })
  }
}

/**
 * Sends a load for as long as the work takes, on the same connections throughout: the first requests of connections wait for
 * each other, and a load in short windows would consist of many of them.
 */
export async function sendLoadDuring<Result>(
  load: Omit<Load, 'seconds' | 'signal'>,
  work: () => Promise<Result>,
): Promise<{ measured: Measured; result: Result }> {
  const ending = new AbortController()
  const sending = sendLoad({ ...load, seconds: Infinity, signal: ending.signal })
  try {
    const result = await work()
    ending.abort()
    return { measured: await sending, result }
  } finally {
    ending.abort()
    await sending
  }
}

/** The figures over the requests of several runs of the same load. */
export function joinMeasured(runs: readonly Measured[]): Measured {
  const seconds = runs.reduce((sum, run) => sum + run.requests / run.perSecond, 0)
  const latencies = runs.flatMap((run) => run.latenciesMs)
  const failures = runs.reduce((sum, run) => sum + run.failures, 0)
  return describe(latencies, latencies.length / seconds, failures)
}

function describe(latencies: number[], perSecond: number, failures: number): Measured {
  const latenciesMs = latencies.toSorted((a, b) => a - b)
  const requests = latenciesMs.length
  const at = (share: number) => latenciesMs[Math.floor(requests * share)] ?? Number.NaN
  return { requests, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), failures, latenciesMs }
}

function isWhole(response: string): boolean {
  const headEnd = response.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(response)?.[1] ?? 0)
  return response.length >= headEnd + 4 + length
}
