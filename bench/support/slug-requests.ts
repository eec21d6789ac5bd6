import { once } from 'node:events'
import { connect } from 'node:net'
import { hostOf, hostOfDomain, PREFIXES } from './links.ts'

/**
 * Asks for slugs at a steady rate, a few on a connection before their answers, so that this process costs little:
 * `slug-requests.ts <port> <rate> unknown <hosts>` for random slugs on so many branded hosts, and
 * `slug-requests.ts <port> <rate> known <links>` for the links of the branded host. Ends with its standard input, and
 * prints the number of answers, of those with status 503, and the seconds that it took.
 */
const [port = '', rate = '', kind = '', count = ''] = process.argv.slice(2)
const CONNECTIONS = 50
const EVERY_MS = 1
const MAX_AT_ONCE = 5
/** Of a connection; a server that is slower than the rate gets fewer requests. */
const MAX_UNANSWERED = 50
const STATUS = /HTTP\/1\.1 \d{3} /g
/** The longest beginning of a status line that the end of a chunk can cut off. */
const STATUS_CHARS = 12

let sent = 0
let answers = 0
let unavailable = 0
let isEnding = false
process.stdin.on('end', () => (isEnding = true)).resume()

const connections = await Promise.all(Array.from({ length: CONNECTIONS }, openConnection))
process.stdout.write('asking\n')
const startedAt = performance.now()
let turn = 0
const timer = setInterval(sendDue, EVERY_MS)
await Promise.all(connections.map(({ closed }) => closed))
clearInterval(timer)
const seconds = (performance.now() - startedAt) / 1_000
process.stdout.write(`${answers} ${unavailable} ${seconds.toFixed(3)}\n`)

/** Spreads the requests that are due over the connections, in turn. */
function sendDue(): void {
  if (isEnding) return connections.forEach((connection) => connection.endOnceAnswered())
  let due = Math.floor(((performance.now() - startedAt) * Number(rate)) / 1_000) - sent
  for (let tried = 0; due > 0 && tried < CONNECTIONS; tried++) {
    const taken = connections[turn++ % CONNECTIONS]!.send(Math.min(due, MAX_AT_ONCE))
    sent += taken
    due -= taken
  }
}

async function openConnection() {
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  let unanswered = 0
  let rest = ''
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1')
    rest = text.slice(-STATUS_CHARS)
    // No page contains a status line.
    const statuses = text.match(STATUS) ?? []
    unanswered -= statuses.length
    answers += statuses.length
    unavailable += statuses.filter((status) => status.endsWith('503 ')).length
  })
  /** @returns the number of requests that were sent */
  const send = (wanted: number): number => {
    const taken = Math.min(wanted, MAX_UNANSWERED - unanswered)
    unanswered += taken
    if (taken > 0) socket.write(Array.from({ length: taken }, toRequest).join(''))
    return taken
  }
  const endOnceAnswered = () => {
    if (unanswered === 0) socket.end()
  }
  return { send, endOnceAnswered, closed: once(socket, 'close') }
}

function toRequest(): string {
  const chosen = Math.floor(Math.random() * Number(count))
  const [host, slug] =
    kind === 'known'
      ? [hostOf('branded'), PREFIXES.branded + chosen]
      : [hostOfDomain(chosen), Math.random().toString(36).slice(2, 10)]
  return `GET /${slug} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
}
