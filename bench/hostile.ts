import { startScript, stopScript } from './support/child-process.ts'
import { isSound, median, spread } from './support/figures.ts'
import { joinMeasured, sendLoad, type Measured } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'
import { awaitLink, startProgram } from './support/program-process.ts'

/**
 * Measures what a hostile account costs a well-behaved one: lists, new links and redirects of the
 * latter, alone and beside each kind of flood in turn. A pair consists of several short windows of
 * each side in turn, so that a busy neighbor of the machine slows both sides; the figure is the
 * median over the pairs of the p99 beside the flood by the p99 alone. After a single failed request
 * of the well-behaved account the bench prints no figure and ends with 1.
 *
 *   node bench/hostile.ts [--pairs 5] [--windows 6] [--seconds 2] [--links 8000] [--percent 100]
 *     [--only searches|dispatch|polls|guesses|mails]
 *
 * With a smaller `percent` a flood has fewer requests at a time, and fewer endpoints.
 */
const { pairs, windows, seconds, links, percent, only } = readOptions(
  { pairs: 5, windows: 6, seconds: 2, links: 8_000, percent: 100 },
  { only: '' },
)
const KINDS = ['searches', 'dispatch', 'polls', 'guesses', 'mails']
const DESTINATION_CHARS = 7_000
/** Shorter for a run that only shows that the bench works. */
const SETTLE_MS = Math.min(2_000, seconds * 1_000)

await using stack = new AsyncDisposableStack()
// Webhooks may call this machine; limits are the default ones.
const settings = { WEBHOOK_ALLOW_HTTP: 'true', EGRESS_ALLOWED_CIDRS: '127.0.0.0/8' }
const { port, origin, keys } = stack.use(await startProgram({ accounts: 2, settings }))
const [honestKey = '', hostileKey = ''] = keys

await createLinks(honestKey, Math.min(100, links), 60)
await awaitLink(`${origin}/honest-1`)
await createLinks(hostileKey, links, DESTINATION_CHARS)
for (const kind of only === '' ? KINDS : [only]) await compare(kind)

type Latencies = Record<'lists' | 'creates' | 'redirects', Measured>

async function compare(kind: string): Promise<void> {
  const flood = [0, 0, 0]
  const measured: { alone: Latencies; beside: Latencies }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const alone: Latencies[] = []
    const beside: Latencies[] = []
    for (let window = 0; window < windows; window++) {
      alone.push(await behave())
      beside.push(await behaveBeside(kind, flood))
      // Statements and deliveries of the flood that are still under way belong to no window.
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    }
    measured.push({ alone: joinWindows(alone), beside: joinWindows(beside) })
  }
  print(kind, flood, measured)
}

async function behaveBeside(kind: string, flood: number[]): Promise<Latencies> {
  const args = [origin, hostileKey, kind, String(percent)]
  const { child } = await startScript('hostile-account.ts', args, { isPinned: false })
  const beside = await behave()
  const counts = (await stopScript(child)).split(' ').map(Number)
  counts.forEach((count, i) => (flood[i]! += count))
  return beside
}

function joinWindows(ofWindows: Latencies[]): Latencies {
  const together = (name: keyof Latencies) => joinMeasured(ofWindows.map((window) => window[name]))
  return {
    lists: together('lists'),
    creates: together('creates'),
    redirects: together('redirects'),
  }
}

function print(
  kind: string,
  flood: number[],
  measured: { alone: Latencies; beside: Latencies }[],
): void {
  const runs = measured.flatMap(({ alone, beside }) => [alone, beside].flatMap(Object.values))
  const failures = runs.reduce((sum, run: Measured) => sum + run.failures, 0)
  if (!isSound(`the well-behaved account beside ${kind}`, failures)) return
  const [accepted, refused, failed] = flood
  console.log(`${kind}: ${accepted} accepted, ${refused} refused, ${failed} failed`)
  for (const name of ['lists', 'creates', 'redirects'] as const) {
    const before = measured.map(({ alone }) => alone[name].p99Ms)
    const after = measured.map(({ beside }) => beside[name].p99Ms)
    const ratios = after.map((p99Ms, i) => p99Ms / before[i]!)
    console.log(
      `  ${name.padEnd(10)} p99 × ${spread(ratios)}, ${median(before).toFixed(1)} → ${median(after).toFixed(1)} ms`,
    )
  }
}

/** Sends the requests of the well-behaved account, of three kinds at once, at a steady pace. */
async function behave(): Promise<Latencies> {
  const key = `Host: localhost\r\nAuthorization: Bearer ${honestKey}\r\n`
  const body = JSON.stringify({ name: 'New', destinationUrl: 'https://example.com/new' })
  const ask = (connections: number, everyMs: number, request: string, expected: string) =>
    sendLoad({ port, connections, everyMs, seconds, request, expected })
  const [lists, creates, redirects] = await Promise.all([
    ask(2, 100, `GET /v1/links?limit=20 HTTP/1.1\r\n${key}\r\n`, 'HTTP/1.1 200'),
    ask(
      2,
      50,
      `POST /v1/links HTTP/1.1\r\n${key}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      'HTTP/1.1 201',
    ),
    ask(4, 10, 'GET /honest-1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'HTTP/1.1 302'),
  ])
  return { lists, creates, redirects }
}

async function createLinks(key: string, count: number, chars: number): Promise<void> {
  let next = 0
  const createOn = async () => {
    for (let i = next++; i < count; i = next++) {
      const slug = chars < 100 ? { slug: `honest-${i}` } : {}
      const answer = await fetch(`${origin}/v1/links`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...slug,
          name: `Link ${i}`,
          destinationUrl: `https://example.com/${'a'.repeat(chars)}`,
        }),
      })
      if (answer.status !== 201) throw new Error(`a link answers ${answer.status}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 16 }, createOn))
}
