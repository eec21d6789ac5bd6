import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'

/**
 * One account that sends as many requests as it can, until its standard input ends:
 * `hostile-account.ts <origin> <API key> <kind> <percent>`. Prints a line once it sends, and at the end the
 * numbers of requests that were accepted, refused (4xx) and failed (5xx).
 */
// An attacker computes on machines of its own: what this process computes must not count as a cost.
setPriority(constants.priority.PRIORITY_LOW)
const [origin = '', apiKey = '', kind = '', percent = '100'] = process.argv.slice(2)
const toShare = (count: number) => Math.ceil((count * Number(percent)) / 100)
const ENDPOINTS = toShare(100)
/** The wait after a refused request; Retry-After is ignored. */
const PAUSE_MS = 100

let isStopped = false
let serial = 0
const seen = { accepted: 0, refused: 0, failed: 0 }

const KEYED = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const OPEN = { 'content-type': 'application/json' }

async function ask(method: string, path: string, headers: object, body?: object) {
  return fetch(`${origin}/v1${path}`, {
    method,
    headers: { ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
}

async function send(...request: Parameters<typeof ask>): Promise<number> {
  const answer = await ask(...request)
  await answer.arrayBuffer()
  return answer.status
}

const { data } = (await (await ask('GET', '/webhooks/listen?waitSeconds=0', KEYED)).json()) as {
  data: { cursor: string }
}

const SEARCH = `${'a'.repeat(199)}c`
const PAYLOAD = { text: 'x'.repeat(100_000) }

/** Parallel requests of each kind, and the request itself. */
const KINDS: Record<string, [parallel: number, ask: () => Promise<number>]> = {
  searches: [20, () => send('GET', `/links?search=${SEARCH}&sortBy=name`, KEYED)],
  dispatch: [
    20,
    () => send('POST', '/webhooks/dispatch', KEYED, { type: 'link.created', payload: PAYLOAD }),
  ],
  polls: [400, () => send('GET', `/webhooks/listen?waitSeconds=8&cursor=${data.cursor}`, KEYED)],
  guesses: [
    200,
    () =>
      send('POST', '/auth/sign-in/email', OPEN, {
        email: `user${serial++}@example.com`,
        password: 'not the right password',
      }),
  ],
  mails: [
    20,
    () =>
      send('POST', '/auth/sign-up/email', OPEN, {
        name: 'Hostile',
        email: `user${serial++ % 50}@example.com`,
        password: 'quiet harbour lamp',
      }),
  ],
}

const [parallel, flood] = KINDS[kind]!
const receiver = createServer((req, res) => {
  req.resume()
  res.writeHead(204).end()
}).listen(0, '127.0.0.1')
await new Promise((resolve) => receiver.once('listening', resolve))
if (kind === 'dispatch') {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  for (let i = 0; i < ENDPOINTS; i++)
    await send('POST', '/webhooks/endpoints', KEYED, { url, events: ['*'] })
}

async function askOn(): Promise<void> {
  while (!isStopped) {
    const status = await flood().catch(() => 0)
    if (isStopped) return
    if (status >= 200 && status < 300) seen.accepted++
    else if (status >= 400 && status < 500) seen.refused++
    else seen.failed++
    if (status < 200 || status >= 300) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

const asking = Array.from({ length: toShare(parallel) }, askOn)
process.stdout.write('asking\n')
process.stdin.resume()
await new Promise((resolve) => process.stdin.on('end', resolve))
isStopped = true
process.stdout.write(`${seen.accepted} ${seen.refused} ${seen.failed}\n`)
void asking
process.exit(0)
