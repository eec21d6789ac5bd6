import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { systemClock } from '../src/base/clock.ts'
import { createEgressGuard } from '../src/egress/guard.ts'
import { newId } from '../src/base/ids.ts'
import { openLog } from '../src/base/log.ts'
import { createEgressAgent, toPublicReason } from '../src/egress/agent.ts'
import { createSecrets } from '../src/base/secrets.ts'
import { createAttempt } from '../src/delivery/attempt.ts'
import { Engine } from '../src/delivery/engine.ts'
import { HostRate } from '../src/delivery/host-rate.ts'
import { MAX_IN_FLIGHT } from '../src/delivery/fair-share.ts'
import { DELIVERIES_CHANNEL, fanOut } from '../src/delivery/outbox.ts'
import { createListener } from '../src/storage/listen.ts'
import { inTransaction, openPostgres, type SystemSql } from '../src/storage/postgres.ts'
import { openDeliveryDatabase, type Endpoint } from './support/delivery-database.ts'
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
 *     [--pairs 5] [--backlog 1000000] [--naive-loops 10] [--only throughput|latency|isolation|idle]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    receivers: { type: 'string', default: '50' },
    rate: { type: 'string', default: '1000' },
    pairs: { type: 'string', default: '5' },
    backlog: { type: 'string', default: '1000000' },
    'naive-loops': { type: 'string', default: '10' },
    only: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const WARM_UP_SECONDS = 2.5
/** The queue must not run empty while it is measured. */
const MOST_PER_SECOND = 15_000
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
for (const [name, part] of Object.entries(parts))
  if (values.only === undefined || values.only === name) await part()

async function throughput(rounds: number): Promise<void> {
  const runs = { signpost: [] as Run[], naive: [] as Run[], undici: [] as Run[] }
  for (let round = 0; round < rounds; round++) {
    runs.undici.push(await measure(floor))
    await database.clear()
    const rows = (WARM_UP_SECONDS + seconds) * MOST_PER_SECOND
    await database.queue(endpoints, Math.ceil(rows / endpoints.length))
    runs.naive.push(await measure(naive))
    runs.signpost.push(await measure(runEngine))
  }
  console.log(`${endpoints.length} receivers, ${rounds} rounds of ${seconds} s`)
  for (const [name, each] of Object.entries(runs)) {
    const of = (key: keyof Run) => median(each.map((run) => run[key])).toFixed(0)
    console.log(
      `  ${name.padEnd(9)} ${of('perSecond')}/s, CPU of one: node ${of('nodeUs')} µs, PostgreSQL ${of('postgresUs')} µs, receivers ${of('receiversUs')} µs`,
    )
  }
  const ratio = (to: Run[]) =>
    median(runs.signpost.map((run, i) => run.perSecond / to[i]!.perSecond)).toFixed(2)
  console.log(`  signpost: ${ratio(runs.undici)} of undici alone, ${ratio(runs.naive)} × naive`)
}

/** Deliveries a second, and the microseconds of CPU that each of them took. */
type Run = { perSecond: number; nodeUs: number; postgresUs: number; receiversUs: number }

/** What arrives in the time, and what it takes, once it has begun to. */
async function measure(work: (signal: AbortSignal) => Promise<void>): Promise<Run> {
  const stopping = new AbortController()
  const working = work(stopping.signal)
  await sleep(WARM_UP_SECONDS * 1_000)
  const before = await stats()
  const [node, postgres] = [process.cpuUsage(), database.cpuMs()]
  const startedAt = performance.now()
  await sleep(seconds * 1_000)
  const after = await stats()
  const used = process.cpuUsage(node)
  const tookMs = performance.now() - startedAt
  const postgresMs = database.cpuMs() - postgres
  stopping.abort()
  await working
  return {
    perSecond: (after.arrived * 1_000) / tookMs,
    nodeUs: (used.user + used.system) / after.arrived,
    postgresUs: (postgresMs * 1_000) / after.arrived,
    receiversUs: (after.cpuUs - before.cpuUs) / after.arrived,
  }
}

/** With the index that its one question wants, and that Signpost does without. */
async function naive(signal: AbortSignal): Promise<void> {
  await database.owner`create index naive_due on webhook_queue (due_at)`
  await deliverNaively(database.plainSql, secrets, Number(values['naive-loops']), signal)
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
  const engine = new Engine({
    sql: database.sql,
    secrets,
    attempt: createAttempt({ dispatcher: agent, reasonOf: toPublicReason }),
    clock: systemClock,
    log,
    registry: new Registry(),
    // All receivers are on this machine.
    hostRate: new HostRate(1_000_000),
    schedule: [30, 120, 600, 1_800, 3_600],
    onRetries: () => {},
  })
  const listener = createListener({
    name: 'bench',
    channel: DELIVERIES_CHANNEL,
    openSql: () => openPostgres(database.url, { maxConnections: 1 }) as SystemSql,
    onChange: (endpointIds) => engine.wake(endpointIds),
    onConnected: () => engine.wake(),
    onConfirmed: () => {},
    onDisconnected: () => {},
    log,
  })
  await Promise.all([engine.run(signal), listener.run(signal)])
}

/**
 * Events at a steady rate, each for one endpoint in turn. Those of the first seconds, in which
 * connections are opened and statements planned, are not measured.
 * @returns milliseconds from the commit of each to its arrival
 */
async function steady(rate: number, to: readonly Endpoint[]): Promise<number[]> {
  const everyMs = 10
  let turn = 0
  await stats()
  const startedAt = performance.now()
  const commits: Promise<unknown>[] = []
  const committedAtMs: number[] = []
  let published = 0
  for (;;) {
    const elapsedMs = performance.now() - startedAt
    if (elapsedMs >= (WARM_UP_SECONDS + seconds) * 1_000) break
    const isMeasured = elapsedMs >= WARM_UP_SECONDS * 1_000
    const due = Math.floor((elapsedMs * rate) / 1_000) - published
    published += due
    const mine = Array.from({ length: due }, () =>
      isMeasured ? committedAtMs.push(NaN) - 1 : null,
    )
    const rows = mine.map((n) => ({
      id: newId('evt', Date.now()),
      workspaceId: to[turn++ % to.length]!.workspaceId,
      type: 'link.created' as const,
      data: JSON.stringify({ id: 'lnk_1', note: 'n'.repeat(120), ...(n !== null && { n }) }),
    }))
    if (due > 0)
      commits.push(
        inTransaction(database.owner, (tx) => fanOut(tx, systemClock, rows)).then(() => {
          for (const n of mine) if (n !== null) committedAtMs[n] = Date.now()
        }),
      )
    await sleep(everyMs)
  }
  await Promise.all(commits)
  await sleep(1_000)
  const { marked } = await stats()
  if (marked.length < committedAtMs.length)
    console.log(
      `  ${committedAtMs.length - marked.length} have not arrived a second after the last`,
    )
  // A worker may hear of a commit before whoever made it does.
  return marked.map(([n, atMs]) => Math.max(0, atMs - committedAtMs[n]!))
}

async function latency(rate: number): Promise<void> {
  await database.clear()
  const latencies = await whileRunning(() => steady(rate, endpoints))
  console.log(
    `${rate}/s, from the commit to the receiver: p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms, longest ${quantile(latencies, 1)} ms`,
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

type Stats = {
  arrived: number
  /** Of deliveries that carry a number: which, and when. */
  marked: [n: number, atMs: number][]
  cpuUs: number
}

/** @returns what came since it was last asked, and the CPU that receivers took so far */
async function stats(): Promise<Stats> {
  const answer = await agent.request({
    origin: `http://127.0.0.1:${ports[0]}`,
    path: '/stats',
    method: 'GET',
  })
  return (await answer.body.json()) as Stats
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
