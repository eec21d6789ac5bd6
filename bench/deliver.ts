import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { systemClock } from '../src/base/clock.ts'
import { createEgressGuard } from '../src/base/egress.ts'
import { newId } from '../src/base/ids.ts'
import { openLog } from '../src/base/log.ts'
import { createEgressAgent, toPublicReason } from '../src/base/safe-fetch.ts'
import { createSecrets } from '../src/base/secrets.ts'
import { createAttempt } from '../src/delivery/attempt.ts'
import { createEngine } from '../src/delivery/engine.ts'
import { MAX_IN_FLIGHT } from '../src/delivery/lanes.ts'
import { DELIVERIES_CHANNEL, fanOut } from '../src/delivery/outbox.ts'
import { createListener } from '../src/storage/listen.ts'
import { inTransaction, openPostgres } from '../src/storage/postgres.ts'
import { openDeliveryDatabase } from './support/delivery-database.ts'
import type { Endpoint } from './support/delivery-database.ts'
import { deliverNaively } from './support/naive-deliveries.ts'

/**
 * How many webhooks a second are delivered from the queue to the log, how soon the first attempt
 * follows its commit, and whether others' trouble is felt. Receivers are in a process of their own;
 * the engine shares the machine with them and with PostgreSQL.
 *
 * Beside it in every round: deliveries as one writes them in an afternoon, and as the floor undici
 * alone, which sends requests of the same size to the same receivers and writes nothing down.
 *
 *   node bench/deliver.ts [--seconds 20] [--rounds 3] [--receivers 50] [--rate 1000]
 *     [--pairs 5] [--backlog 1000000] [--only throughput|latency|isolation|idle]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    receivers: { type: 'string', default: '50' },
    rate: { type: 'string', default: '1000' },
    pairs: { type: 'string', default: '5' },
    backlog: { type: 'string', default: '1000000' },
    only: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const MOST_PER_SECOND = 9_000
const NAIVE_LOOPS = 10
const SILENT_ENDPOINTS = 100
const PAIR_RATE = 300
const IDLE_ENDPOINTS = 10_000

await using stack = new AsyncDisposableStack()
const secrets = createSecrets('bench')
const database = stack.use(await openDeliveryDatabase(secrets))
const ports = await startReceivers(Number(values.receivers))
const silentPort = ports.pop()!
const urlOf = (port: number) => `http://127.0.0.1:${port}/hook`
const endpoints = await database.endpoints(ports.map(urlOf))
const agent = createEgressAgent(createEgressGuard({ allowedCidrs: ['127.0.0.0/8'] }), {
  connections: MAX_IN_FLIGHT,
})
stack.defer(() => agent.destroy())

const parts = {
  throughput: () => throughput(Number(values.rounds)),
  latency: () => latency(Number(values.rate)),
  isolation: () => isolation(Number(values.pairs), Number(values.backlog)),
  idle,
}
for (const [name, measure] of Object.entries(parts))
  if (values.only === undefined || values.only === name) await measure()

async function throughput(rounds: number): Promise<void> {
  const rates = { signpost: [] as number[], naive: [] as number[], undici: [] as number[] }
  let cpu = ''
  for (let round = 0; round < rounds; round++) {
    rates.undici.push(await perSecond(floor))
    await database.clear()
    await database.queue(endpoints, Math.ceil((seconds * MOST_PER_SECOND) / endpoints.length))
    rates.naive.push(await perSecond(naive))
    const [node, postgres] = [process.cpuUsage(), database.cpuMs()]
    const rate = await perSecond(runEngine)
    const used = process.cpuUsage(node)
    const each = rate * seconds
    cpu = `node ${((used.user + used.system) / each).toFixed(0)} µs, PostgreSQL ${(((database.cpuMs() - postgres) * 1000) / each).toFixed(0)} µs`
    rates.signpost.push(rate)
  }
  const ratio = (to: number[]) => median(rates.signpost.map((rate, i) => rate / to[i]!)).toFixed(2)
  console.log(`${endpoints.length} receivers, ${rounds} rounds of ${seconds} s`)
  for (const [name, each] of Object.entries(rates))
    console.log(`  ${name.padEnd(9)} ${median(each).toFixed(0)}/s`)
  console.log(`  signpost: ${ratio(rates.undici)} of undici alone, ${ratio(rates.naive)} × naive`)
  console.log(`  CPU for one delivery: ${cpu}`)
}

/** What arrives in a second, once it has begun to. */
async function perSecond(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const stopping = new AbortController()
  const working = work(stopping.signal)
  await sleep(2_500)
  await stats()
  const startedAt = performance.now()
  await sleep(seconds * 1_000)
  const { arrived } = await stats()
  const rate = (arrived * 1_000) / (performance.now() - startedAt)
  stopping.abort()
  await working
  return rate
}

/** With the index that its one question wants, and that Signpost does without. */
async function naive(signal: AbortSignal): Promise<void> {
  await database.owner`create index naive_due on webhook_queue (due_at)`
  await deliverNaively(database.sql, secrets, NAIVE_LOOPS, signal)
  await database.owner`drop index naive_due`
}

async function floor(signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ id: 'del_1', data: { note: 'n'.repeat(300) } })
  const headers = { 'content-type': 'application/json' }
  await Promise.all(
    Array.from({ length: 256 }, async (_, i) => {
      const origin = `http://127.0.0.1:${ports[i % ports.length]}`
      while (!signal.aborted) {
        const answer = await agent.request({ origin, path: '/hook', method: 'POST', headers, body })
        await answer.body.text()
      }
    }),
  )
}

async function runEngine(signal: AbortSignal): Promise<void> {
  const log = openLog('warn', process.stderr)
  const engine = createEngine({
    sql: database.sql,
    secrets,
    attempt: createAttempt({ dispatcher: agent, reasonOf: toPublicReason }),
    clock: systemClock,
    log,
    registry: new Registry(),
    schedule: [30, 120, 600, 1_800, 3_600],
    onRetries: () => {},
  })
  const listener = createListener({
    name: 'bench',
    channel: DELIVERIES_CHANNEL,
    openSql: () => openPostgres(database.url, { maxConnections: 1 }),
    onChange: engine.wake,
    onHearing: () => engine.wake(),
    onHeard: () => {},
    onDeaf: () => {},
    log,
  })
  await Promise.all([engine.service.run(signal), listener.run(signal)])
}

/** Events at a steady rate, each for one endpoint in turn; @returns milliseconds from before the commit. */
async function steady(rate: number, to: readonly Endpoint[]): Promise<number[]> {
  const everyMs = 10
  let turn = 0
  await stats()
  const startedAt = performance.now()
  const commits: Promise<unknown>[] = []
  let published = 0
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedAt) * rate) / 1_000) - published
    published += due
    const data = JSON.stringify({ id: 'lnk_1', atMs: Date.now(), note: 'n'.repeat(120) })
    const rows = Array.from({ length: due }, () => ({
      id: newId('evt', Date.now()),
      workspaceId: to[turn++ % to.length]!.workspaceId,
      type: 'link.created' as const,
      data,
    }))
    if (due > 0) commits.push(inTransaction(database.owner, (tx) => fanOut(tx, systemClock, rows)))
    await sleep(everyMs)
  }
  await Promise.all(commits)
  await sleep(1_000)
  const { latenciesMs } = await stats()
  if (latenciesMs.length < published)
    console.log(`  ${published - latenciesMs.length} have not arrived a second after the last`)
  return latenciesMs
}

async function latency(rate: number): Promise<void> {
  await database.clear()
  const latencies = await whileRunning(() => steady(rate, endpoints))
  console.log(
    `${rate}/s, from before the commit to the receiver: p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms, longest ${quantile(latencies, 1)} ms`,
  )
}

async function isolation(pairs: number, backlog: number): Promise<void> {
  if (pairs === 0) return
  const silent = await database.endpoints(
    Array.from({ length: SILENT_ENDPOINTS }, () => urlOf(silentPort)),
  )
  const healthy = endpoints.slice(1)
  const ratios: number[] = []
  const seen: string[] = []
  for (let i = 0; i < pairs; i++) {
    await database.clear()
    const quiet = quantile(await whileRunning(() => steady(PAIR_RATE, healthy)), 0.99)
    await database.queue(silent, 200)
    await database.queue(endpoints.slice(0, 1), backlog)
    const noisy = quantile(
      await whileRunning(async () => {
        await sleep(3_000)
        return steady(PAIR_RATE, healthy)
      }),
      0.99,
    )
    ratios.push(noisy / quiet)
    seen.push(`${quiet} → ${noisy}`)
  }
  console.log(
    `${PAIR_RATE}/s beside ${SILENT_ENDPOINTS} silent endpoints and a backlog of ${backlog}: p99 × ${median(ratios).toFixed(2)} (ms: ${seen.join(', ')})`,
  )
}

async function idle(): Promise<void> {
  await database.clear()
  await database.endpoints(Array.from({ length: IDLE_ENDPOINTS }, () => urlOf(silentPort)))
  await whileRunning(async () => {
    await sleep(4_000)
    const [node, postgres] = [process.cpuUsage(), database.cpuMs()]
    await sleep(seconds * 1_000)
    const used = process.cpuUsage(node)
    console.log(
      `idle beside ${IDLE_ENDPOINTS} endpoints: node ${((used.user + used.system) / seconds / 10_000).toFixed(2)} % of a core, PostgreSQL ${((database.cpuMs() - postgres) / seconds / 10).toFixed(2)} %`,
    )
  })
}

async function whileRunning<T>(work: () => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const running = runEngine(stopping.signal)
  await sleep(1_000)
  const result = await work()
  stopping.abort()
  await running
  return result
}

async function stats(): Promise<{ arrived: number; latenciesMs: number[] }> {
  const answer = await agent.request({
    origin: `http://127.0.0.1:${ports[0]}`,
    path: '/stats',
    method: 'GET',
  })
  return (await answer.body.json()) as { arrived: number; latenciesMs: number[] }
}

async function startReceivers(count: number): Promise<number[]> {
  const script = join(import.meta.dirname, 'support/deliver-receivers.ts')
  const child = spawn(process.execPath, [script, String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  stack.defer(() => void child.stdin.end())
  return new Promise((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim().split(' ').map(Number))),
  )
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}
