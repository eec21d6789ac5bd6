import { isSound, median, spread } from './support/figures.ts'
import { sendLoad, type Measured } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'
import { awaitLink, startProgram } from './support/program-process.ts'

/**
 * Measures the answer of a shared dashboard to visitors, beside the answer with the same numbers to an API key, in
 * turn; the figure is the median of the rounds' ratios. Both are counted from `clicks` clicks on `links` links.
 *
 *   node bench/shared-dashboard.ts [--rounds 7] [--seconds 3] [--connections 32] [--links 50] [--clicks 20000]
 */
const { rounds, seconds, connections, links, clicks } = readOptions({
  rounds: 7,
  seconds: 3,
  connections: 32,
  links: 50,
  clicks: 20_000,
})

const DAYS = 30
const DEADLINE_MS = 60_000
const LOOK_EVERY_MS = 200

await using program = await startProgram({ settings: { RATE_LIMIT_API: '1000000000' } })
const { origin, port } = program
const authorization = `Bearer ${program.keys[0]}`
await fill()
const { url } = await post<{ url: string }>('/dashboards', { title: 'Bench', days: DAYS })
const ask = (path: string, header: string) => () =>
  sendLoad({
    port,
    connections,
    seconds,
    request: `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`,
    expected: 'HTTP/1.1 200',
  })
const contenders = [
  {
    name: 'key',
    ask: ask(`/v1/analytics/summary?days=${DAYS}`, `Authorization: ${authorization}\r\n`),
  },
  { name: 'visitor', ask: ask(`/v1/public/dashboards/${url.split('/').at(-1)}`, '') },
]
const results = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]))
// The first round warms up; the order turns so that each is first equally often.
for (let round = 0; round <= rounds; round++)
  for (const [at] of contenders.entries()) {
    const one = contenders[(at + round) % contenders.length]!
    const asked = await one.ask()
    if (round > 0) results.get(one.name)!.push(asked)
  }
const base = results.get('key')!
for (const [name, runs] of results) print(name, runs)

/** Makes links, follows them, and waits until their clicks are counted. */
async function fill(): Promise<void> {
  const slugs = Array.from({ length: links }, (_, at) => `bench-${at}`)
  for (const slug of slugs)
    await post('/links', { name: slug, slug, destinationUrl: 'https://example.com/' })
  for (const slug of slugs) await awaitLink(`${origin}/${slug}`)
  let sent = 0
  const { failures, requests } = await sendLoad({
    port,
    connections: 8,
    seconds: DEADLINE_MS / 1_000,
    maxRequests: clicks,
    request: () => `GET /${slugs[sent++ % links]} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    expected: 'HTTP/1.1 302',
  })
  if (failures > 0) throw new Error(`${failures} of ${requests} clicks failed`)
  const deadline = performance.now() + DEADLINE_MS
  while ((await countClicks()) < requests) {
    if (performance.now() > deadline) throw new Error('the clicks were not counted in time')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function countClicks(): Promise<number> {
  const answer = await fetch(`${origin}/v1/analytics/overview?includeBots=true`, {
    headers: { authorization },
  })
  const { data } = (await answer.json()) as { data: { totalClicks: number } }
  return data.totalClicks
}

async function post<Data>(path: string, body: object): Promise<Data> {
  const answer = await fetch(`${origin}/v1${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(`POST ${path} answers ${answer.status}`)
  return ((await answer.json()) as { data: Data }).data
}

function print(name: string, runs: readonly Measured[]): void {
  const failures = runs.reduce((sum, run) => sum + run.failures, 0)
  if (!isSound(name, failures)) return
  console.log(
    [
      name.padEnd(8),
      `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s`.padStart(9),
      `ratio ${spread(runs.map((run, at) => run.perSecond / base[at]!.perSecond))}`,
      `p50 ${median(runs.map((run) => run.p50Ms)).toFixed(2)} ms`,
      `p99 ${median(runs.map((run) => run.p99Ms)).toFixed(2)} ms`,
    ].join('  '),
  )
}
