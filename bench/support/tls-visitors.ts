import { once } from 'node:events'
import { connect } from 'node:tls'

const SERVERNAME = 'localhost'
const PARALLEL = 8

export type MeasuredConnections = { perSecond: number; cpuMicros: number; resumed: number }

/**
 * Opens connections with one request each for some seconds, eight at a time: as visitors who come for the first time, or who
 * return and resume the session of a visit before.
 * @param cpuOf the processor time of the server so far, in microseconds
 * @throws when a visit is not a redirect
 */
export async function visitOverTls(
  {
    port,
    path,
    seconds,
    returns,
  }: { port: number; path: string; seconds: number; returns: boolean },
  cpuOf: () => number,
): Promise<MeasuredConnections> {
  const endMs = performance.now() + seconds * 1_000
  let count = 0
  let resumed = 0
  const sessions = returns ? await Promise.all(lanes(() => visit({ port, path }))) : []
  const [startedMs, cpuBefore] = [performance.now(), cpuOf()]
  await Promise.all(
    lanes(async (lane) => {
      while (performance.now() < endMs) {
        const session = sessions[lane]?.session
        const visited = await visit({ port, path, ...(session && { session }) })
        count++
        if (visited.isResumed) resumed++
      }
    }),
  )
  const elapsedSeconds = (performance.now() - startedMs) / 1_000
  return {
    perSecond: count / elapsedSeconds,
    cpuMicros: (cpuOf() - cpuBefore) / count,
    resumed: resumed / count,
  }
}

function lanes<T>(work: (lane: number) => Promise<T>): Promise<T>[] {
  return Array.from({ length: PARALLEL }, (_, lane) => work(lane))
}

async function visit({ port, path, session }: { port: number; path: string; session?: Buffer }) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: SERVERNAME,
    rejectUnauthorized: false,
    ...(session && { session }),
  })
  let ticket: Buffer | undefined
  socket.on('session', (given: Buffer) => (ticket = given))
  let isResumed = false
  socket.once('secureConnect', () => (isResumed = socket.isSessionReused()))
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${SERVERNAME}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close')
  if (!answer.startsWith('HTTP/1.1 302 ')) throw new Error(`no redirect: ${answer.slice(0, 100)}`)
  return { session: ticket, isResumed }
}
