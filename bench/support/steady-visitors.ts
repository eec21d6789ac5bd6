import { sendLoad, type Measured } from './keep-alive.ts'

/**
 * Visits one link at a steady rate, in a process of its own: `steady-visitors.ts <port> <slug> <rate>`. Ends
 * with its standard input, and prints the number of visits and of answers other than a redirect.
 */
const [port = '', slug = '', rate = ''] = process.argv.slice(2)
const WINDOW_SECONDS = 0.25
const CONNECTIONS = 25

let isEnding = false
process.stdin.on('end', () => (isEnding = true)).resume()
process.stdout.write('visiting\n')

const windows: Measured[] = []
while (!isEnding)
  windows.push(
    await sendLoad({
      port: Number(port),
      connections: CONNECTIONS,
      everyMs: (CONNECTIONS * 1_000) / Number(rate),
      seconds: WINDOW_SECONDS,
      request: `GET /${slug} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      expected: 'HTTP/1.1 302',
    }),
  )
const sum = (field: 'requests' | 'failures') =>
  windows.reduce((total, window) => total + window[field], 0)
process.stdout.write(`${sum('requests')} ${sum('failures')}\n`)
