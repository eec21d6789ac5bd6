import { once } from 'node:events'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { startScript, stopScript } from './support/child-process.ts'
import { isSound, median, spread } from './support/figures.ts'
import { sendLoad } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'
import { readTreeCpu } from './support/process-tree.ts'
import { startProgram } from './support/program-process.ts'

/**
 * Measures what a single change costs: `POST /links`, the `shorturl` of YOURLS' API, and `POST /webhooks/dispatch` to no endpoint, to
 * one and to fifty, by one workspace and by many. The contenders take turns in each round. Beside them
 * the same process inserts and commits single rows over its driver. A request counts until its
 * deliveries have arrived, and so does their processor time.
 *
 *   node bench/write.ts [--rounds 5] [--seconds 4] [--connections 32] [--workspaces 50]
 *     [--endpoints 50] [--only links|shorturl|none|one|many] [--against <another checkout, with this script>]
 *
 * It prints no figure and ends with 1 when a single request fails or a delivery is missing.
 */
const { rounds, seconds, connections, workspaces, endpoints, only, against } = readOptions(
  { rounds: 5, seconds: 4, connections: 32, workspaces: 50, endpoints: 50 },
  { only: '', against: '' },
)
const ARRIVAL_TIMEOUT_MS = 120_000
let shortened = 0
const WARM_UP_SECONDS = Math.min(1, seconds)

type Server = {
  name: string
  child: ChildProcess
  port: number
  /** Keys of workspaces without an endpoint, with one, and of one with many. */
  keys: Record<'none' | 'one' | 'many', readonly string[]>
}
type Scenario = {
  name: string
  kind: 'links' | 'shorturl' | 'none' | 'one' | 'many'
  count: number
}
type Run = { perSecond: number; cpuUs: number; nodeUs: number }

const SCENARIOS: readonly Scenario[] = [
  { name: `link, ${workspaces} workspaces`, kind: 'links', count: workspaces },
  { name: 'link, one workspace', kind: 'links', count: 1 },
  { name: `shorturl, ${workspaces} workspaces`, kind: 'shorturl', count: workspaces },
  { name: 'shorturl, one workspace', kind: 'shorturl', count: 1 },
  { name: `dispatch to none, ${workspaces} workspaces`, kind: 'none', count: workspaces },
  { name: 'dispatch to none, one workspace', kind: 'none', count: 1 },
  { name: `dispatch to one, ${workspaces} workspaces`, kind: 'one', count: workspaces },
  { name: 'dispatch to one, one workspace', kind: 'one', count: 1 },
  { name: `dispatch to ${endpoints}, one workspace`, kind: 'many', count: 1 },
]

await using stack = new AsyncDisposableStack()
const receiver = await startScript('deliver-receivers.ts', [String(endpoints)], { isPinned: false })
stack.defer(async () => void (await stopScript(receiver.child)))
const receivers = receiver.line.split(' ').slice(0, endpoints)

const folders = { result: import.meta.dirname, ...(against && { start: join(against, 'bench') }) }
const servers: Server[] = []
for (const [name, folder] of Object.entries(folders)) servers.push(await start(name, folder))
for (const scenario of SCENARIOS) if (only === '' || only === scenario.kind) await compare(scenario)

async function compare(scenario: Scenario): Promise<void> {
  const runs = new Map<string, Run[]>(servers.map(({ name }) => [name, []]))
  const inserts = new Map<string, Run[]>(servers.map(({ name }) => [name, []]))
  const byLink: { rate: number; cpu: number }[] = []
  let failures = 0
  for (const server of servers)
    failures += (await measure(server, scenario, WARM_UP_SECONDS)).failures
  for (let round = 0; round < rounds; round++)
    for (const server of servers) {
      const run = await measure(server, scenario, seconds)
      failures += run.failures
      runs.get(server.name)!.push(run)
      inserts.get(server.name)!.push(await measureInserts(server))
      if (scenario.kind !== 'shorturl') continue
      const link = await measure(server, { ...scenario, kind: 'links' }, seconds)
      failures += link.failures
      byLink.push({ rate: run.perSecond / link.perSecond, cpu: run.cpuUs / link.cpuUs })
    }
  if (!isSound(scenario.name, failures)) return
  console.log(scenario.name)
  for (const { name } of servers) print(name, runs.get(name)!, inserts.get(name)!)
  if (byLink.length > 0)
    console.log(
      `  by POST /links: rate × ${spread(byLink.map(({ rate }) => rate))}, CPU × ${spread(byLink.map(({ cpu }) => cpu))}`,
    )
  const [result, before] = servers.map(({ name }) => runs.get(name)!)
  if (!result || !before) return
  const cpu = result.map((run, i) => run.cpuUs / before[i]!.cpuUs)
  const rate = result.map((run, i) => run.perSecond / before[i]!.perSecond)
  console.log(`  result by start: CPU × ${spread(cpu)}, rate × ${spread(rate)}`)
}

function print(name: string, runs: readonly Run[], inserts: readonly Run[]): void {
  const of = (key: keyof Run) => median(runs.map((run) => run[key]))
  const ratio = (key: keyof Run) => spread(runs.map((run, i) => run[key] / inserts[i]![key]))
  console.log(
    `  ${name.padEnd(6)} ${of('perSecond').toFixed(0)}/s, CPU of one ${of('cpuUs').toFixed(0)} µs (Node ${of('nodeUs').toFixed(0)}); by an insert: rate × ${ratio('perSecond')}, CPU × ${ratio('cpuUs')}`,
  )
}

async function measure(server: Server, { kind, count }: Scenario, runSeconds: number) {
  await takeArrivals()
  const before = readTreeCpu(server.child.pid!)
  const startedAtMs = performance.now()
  const load = await sendLoad({
    port: server.port,
    connections,
    seconds: runSeconds,
    ...toRequest(kind, server.keys[isOfLinks(kind) ? 'none' : kind].slice(0, count)),
  })
  const perRequest = { links: 0, shorturl: 0, none: 0, one: 1, many: endpoints }[kind]
  const missing = await waitForArrivals(load.requests * perRequest)
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  const after = readTreeCpu(server.child.pid!)
  const nodeUs = (after.own - before.own) / load.requests
  return {
    perSecond: load.requests / tookSeconds,
    nodeUs,
    cpuUs: nodeUs + (after.descendants - before.descendants) / load.requests,
    failures: load.failures + missing,
  }
}

/** Each request is by the next workspace. */
function toRequest(kind: Scenario['kind'], keys: readonly string[]) {
  if (kind === 'shorturl') return { request: () => toShorten(keys), expected: 'HTTP/1.1 200' }
  const [path, body] =
    kind === 'links'
      ? ['/v1/links', { name: 'Spring sale', destinationUrl: 'https://example.com/spring?sale=1' }]
      : ['/v1/webhooks/dispatch', { type: 'link.created', payload: { text: 'x'.repeat(350) } }]
  const text = JSON.stringify(body)
  const requests = keys.map(
    (key) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  )
  let next = 0
  const expected = kind === 'links' ? 'HTTP/1.1 201' : 'HTTP/1.1 202'
  return { request: () => requests[next++ % requests.length]!, expected }
}

function isOfLinks(kind: Scenario['kind']): kind is 'links' | 'shorturl' {
  return kind === 'links' || kind === 'shorturl'
}

/** Each address is new, since a known one is answered with its link. */
function toShorten(keys: readonly string[]): string {
  const url = `https://example.com/spring?sale=${process.pid}-${++shortened}`
  const password = keys[shortened % keys.length]!
  const form = {
    action: 'shorturl',
    format: 'json',
    username: 'me',
    password,
    title: 'Spring sale',
  }
  const text = String(new URLSearchParams({ ...form, url }))
  return `POST /yourls-api.php HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}

/** @returns the number of deliveries that have not arrived in time */
async function waitForArrivals(expected: number): Promise<number> {
  const startedAtMs = performance.now()
  let arrived = 0
  while (arrived < expected && performance.now() - startedAtMs < ARRIVAL_TIMEOUT_MS) {
    arrived += await takeArrivals()
    if (arrived < expected) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return Math.max(0, expected - arrived)
}

async function takeArrivals(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${receivers[0]}/stats`)
  return ((await response.json()) as { arrived: number }).arrived
}

async function measureInserts({ child }: Server): Promise<Run> {
  const before = readTreeCpu(child.pid!)
  child.stdin!.write(`${connections} ${Math.min(1, seconds)}\n`)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const [rows, tookSeconds] = line.toString().split(' ').map(Number)
  const after = readTreeCpu(child.pid!)
  const nodeUs = (after.own - before.own) / rows!
  const cpuUs = nodeUs + (after.descendants - before.descendants) / rows!
  return { perSecond: rows! / tookSeconds!, nodeUs, cpuUs }
}

async function start(name: string, folder: string): Promise<Server> {
  const script = join(folder, 'support/write-server.ts')
  const program = stack.use(await startProgram({ script, accounts: workspaces * 2 + 1 }))
  const { child, port, keys } = program
  const server = {
    name,
    child,
    port,
    keys: {
      none: keys.slice(0, workspaces),
      one: keys.slice(workspaces, -1),
      many: keys.slice(-1),
    },
  }
  for (const [i, key] of server.keys.one.entries()) await createEndpoint(server, key, i)
  for (let i = 0; i < endpoints; i++) await createEndpoint(server, server.keys.many[0]!, i)
  return server
}

async function createEndpoint({ port }: Server, key: string, i: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhooks/endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      url: `http://127.0.0.1:${receivers[i % receivers.length]}/hook`,
      events: ['link.created'],
    }),
  })
  if (response.status !== 201) throw new Error(`an endpoint answers ${response.status}`)
  await response.arrayBuffer()
}
