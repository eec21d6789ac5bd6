import { setInterval, setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { systemClock } from '../src/platform/core/clock.ts'
import { createEgressGuard } from '../src/platform/egress/guard.ts'
import { newId } from '../src/platform/core/ids.ts'
import { openLog } from '../src/platform/core/log.ts'
import { createEgressAgent } from '../src/platform/egress/agent.ts'
import { createSecrets } from '../src/platform/core/secrets.ts'
import { createAttempt } from '../src/webhooks/delivery/attempt.ts'
import { Engine } from '../src/webhooks/delivery/engine.ts'
import { HostRate } from '../src/webhooks/delivery/host-rate.ts'
import { MAX_IN_FLIGHT } from '../src/webhooks/delivery/fair-share.ts'
import { DELIVERIES_CHANNEL, fanOut } from '../src/webhooks/delivery/outbox.ts'
import { createListener } from '../src/platform/storage/postgres/listen.ts'
import { Notices } from '../src/platform/storage/postgres/notices.ts'
import { inTransaction, openPostgres } from '../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../src/platform/storage/postgres/roles.ts'
import { startScript, stopScript } from './support/child-process.ts'
import { measureApi } from './support/deliver-api.ts'
import { openDeliveryDatabase, type Endpoint } from './support/delivery-database.ts'
import { isSound, median, quantile, spread } from './support/figures.ts'
import { deliverNaively } from './support/naive-deliveries.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures how many webhooks a second are delivered from the queue to the log, how soon the first
 * attempt follows its commit, and how much failing endpoints slow down others. Receivers run in a
 * separate process; the engine shares the machine with them and with PostgreSQL.
 *
 * Each round also runs a naive engine and, as the floor, undici alone, which sends requests of the
 * same size to the same receivers and stores nothing.
 *
 *   node bench/deliver.ts [--seconds 20] [--rounds 3] [--receivers 50] [--rate 1000]
 *     [--pairs 5] [--backlog 1000000] [--naive-loops 10] [--idle-endpoints 10000] [--warm-up 2.5]
 *     [--only throughput|latency|isolation|idle|single|api] [--single-rate 200] [--queued-rate 15000]
 *     [--silent-endpoints 100] [--silent-backlog 200] [--pair-rate 300] [--connections 32]
 *     [--silence 60]
 *
 * The queue is filled with `queued-rate` deliveries for each second in which it is measured, since it must not
 * run empty. A silent endpoint closes a connection after `silence` seconds: longer than any attempt lasts.
 */
const options = readOptions(
  {
    seconds: 20,
    rounds: 3,
    receivers: 50,
    rate: 1_000,
    pairs: 5,
    backlog: 1_000_000,
    'naive-loops': 10,
    'idle-endpoints': 10_000,
    'warm-up': 2.5,
    'single-rate': 200,
    'queued-rate': 15_000,
    'silent-endpoints': 100,
    'silent-backlog': 200,
    'pair-rate': 300,
    silence: 60,
    connections: 32,
  },
  { only: '' },
)
const { seconds } = options
const warmUpMs = options['warm-up'] * 1_000
const queuedRows = Math.ceil((options['warm-up'] + seconds) * options['queued-rate'])
const silentEndpoints = options['silent-endpoints']
const pairRate = options['pair-rate']
const ARRIVAL_TIMEOUT_MS = 120_000
/** Of the same size as a delivery. */
const BARE_REQUEST = {
  path: '/hook',
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'del_1', data: { note: 'n'.repeat(300) } }),
} as const

await using stack = new AsyncDisposableStack()
const secrets = createSecrets('bench')
const database = stack.use(await openDeliveryDatabase(secrets))
const ports = await startReceivers(options.receivers)
const silentPort = ports.pop()!
const urlOf = (port: number) => `http://127.0.0.1:${port}/hook`
const endpoints = await database.endpoints(ports.map(urlOf))
const agent = createEgressAgent(createEgressGuard({ allowedCidrs: ['127.0.0.0/8'] }), {
  connections: MAX_IN_FLIGHT,
})
stack.defer(() => agent.destroy())

const parts = {
  throughput: () => measureThroughput(options.rounds),
  latency: () => measureLatency(options.rate),
  isolation: () => measureIsolation(options.pairs, options.backlog),
  idle: measureIdle,
  single: () => measureSingle(options.rounds, options['single-rate']),
  api: () =>
    measureApi({
      ports,
      connections: options.connections,
      rounds: options.rounds,
      seconds,
      warmUpMs,
      rate: options['single-rate'],
      takeArrived: async () => (await stats()).arrived,
      waitForNumbered: arrivals,
    }),
}
for (const [name, part] of Object.entries(parts))
  if (options.only === '' || options.only === name) await part()

async function measureThroughput(rounds: number): Promise<void> {
  const runs = { signpost: [] as Run[], naive: [] as Run[], undici: [] as Run[] }
  let failures = 0
  for (let round = 0; round < rounds; round++) {
    runs.undici.push(await measure(sendBare))
    await database.clear()
    await database.queue(endpoints, Math.ceil(queuedRows / endpoints.length))
    runs.naive.push(await measure(deliverByNaiveEngine))
    runs.signpost.push(await measure(runEngine))
    failures += await database.failures(endpoints)
  }
  if (!isSound('deliveries', failures)) return
  console.log(`${endpoints.length} receivers, ${rounds} rounds of ${seconds} s`)
  for (const [name, ofRounds] of Object.entries(runs)) {
    const of = (key: keyof Run) => median(ofRounds.map((run) => run[key])).toFixed(0)
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

/**
 * Cost of a delivery that comes alone, beside that of one of a full queue: events are published one by one
 * by a process of its own, whose CPU, and that of its connections, does not count. undici alone, in both ways, shows what of it
 * is the cost of a process that works on one request at a time.
 */
async function measureSingle(rounds: number, rate: number): Promise<void> {
  const full: Run[] = []
  const single: Run[] = []
  const bare: Run[] = []
  const bareSingle: Run[] = []
  let failures = 0
  for (let round = 0; round < rounds; round++) {
    await database.clear()
    await database.queue(endpoints, Math.ceil(queuedRows / endpoints.length))
    full.push(await measure(runEngine))
    failures += await database.failures(endpoints)
    await database.clear()
    single.push(await whileRunning(() => measureArrivingOneByOne(rate)))
    failures += await database.failures(endpoints)
    bare.push(await measure(sendBare))
    bareSingle.push(await measure((signal) => sendBareOneByOne(rate, signal)))
  }
  if (!isSound('deliveries', failures)) return
  console.log(`one by one at ${rate}/s beside a full queue, ${rounds} rounds of ${seconds} s`)
  const rows = { full, single, 'undici alone, full': bare, 'undici alone, single': bareSingle }
  for (const [name, runs] of Object.entries(rows)) {
    const of = (key: keyof Run) => median(runs.map((run) => run[key])).toFixed(0)
    console.log(
      `  ${name.padEnd(20)} ${of('perSecond')}/s, CPU of one: node ${of('nodeUs')} µs, PostgreSQL ${of('postgresUs')} µs`,
    )
  }
  const ratio = (of: (run: Run) => number) => spread(single.map((run, i) => of(run) / of(full[i]!)))
  const bareRatio = spread(bareSingle.map((run, i) => run.nodeUs / bare[i]!.nodeUs))
  console.log(
    `  single: ${ratio(({ nodeUs, postgresUs }) => nodeUs + postgresUs)} × the CPU of one of a full queue, node ${ratio(({ nodeUs }) => nodeUs)}, PostgreSQL ${ratio(({ postgresUs }) => postgresUs)}; undici alone: ${bareRatio} ×`,
  )
}

/** @throws unless every event is delivered and written down */
async function measureArrivingOneByOne(rate: number): Promise<Run> {
  const workspaceIds = endpoints.map(({ workspaceId }) => workspaceId).join(',')
  const script = [database.url, String(rate), workspaceIds]
  const producer = await startScript('deliver-producer.ts', script, { isPinned: false })
  await sleep(warmUpMs)
  const before = await stats()
  const [node, postgres] = [process.cpuUsage(), await database.cpuMsOfEngine()]
  const startedAtMs = performance.now()
  await sleep(seconds * 1_000)
  const after = await statsWithArrivals()
  const tookMs = performance.now() - startedAtMs
  const used = process.cpuUsage(node)
  const postgresMs = (await database.cpuMsOfEngine()) - postgres
  const published = Number(await stopScript(producer.child))
  for (const deadline = performance.now() + ARRIVAL_TIMEOUT_MS; ; await sleep(50)) {
    const { logged, queued } = await database.counts()
    if (logged === published && queued === 0) break
    if (performance.now() > deadline)
      throw new Error(`${published} events were published, ${logged} deliveries are in the log`)
  }
  return {
    perSecond: (after.arrived * 1_000) / tookMs,
    nodeUs: (used.user + used.system) / after.arrived,
    postgresUs: (postgresMs * 1_000) / after.arrived,
    receiversUs: (after.cpuUs - before.cpuUs) / after.arrived,
  }
}

/** Counts what arrives, and the CPU that it takes, after the warm-up. */
async function measure(work: (signal: AbortSignal) => Promise<void>): Promise<Run> {
  const stopping = new AbortController()
  const working = work(stopping.signal)
  await sleep(warmUpMs)
  const before = await stats()
  const [node, postgres] = [process.cpuUsage(), database.cpuMs()]
  const startedAt = performance.now()
  await sleep(seconds * 1_000)
  const after = await statsWithArrivals()
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

/** With the index that its one query needs, and that Signpost does without. */
async function deliverByNaiveEngine(signal: AbortSignal): Promise<void> {
  await database.owner`create index naive_due on webhook_queue (due_at)`
  await deliverNaively(database.plainSql, secrets, options['naive-loops'], signal)
  await database.owner`drop index naive_due`
}

/** @throws on a response other than 200 */
async function sendBare(signal: AbortSignal): Promise<void> {
  await Promise.all(
    Array.from({ length: 256 }, async (_, i) => {
      while (!signal.aborted) await sendBareRequest(i)
    }),
  )
}

/** @throws on a response other than 200 */
async function sendBareOneByOne(rate: number, signal: AbortSignal): Promise<void> {
  const sent: Promise<void>[] = []
  for await (const _ of setInterval(1_000 / rate)) {
    if (signal.aborted) break
    sent.push(sendBareRequest(sent.length))
  }
  await Promise.all(sent)
}

async function sendBareRequest(turn: number): Promise<void> {
  const origin = `http://127.0.0.1:${ports[turn % ports.length]}`
  const answer = await agent.request({ origin, ...BARE_REQUEST })
  await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`a receiver sent ${answer.statusCode}`)
}

async function runEngine(signal: AbortSignal): Promise<void> {
  const log = openLog('warn', process.stderr)
  const engine = new Engine({
    sql: database.sql,
    secrets,
    attempt: createAttempt({ dispatcher: agent }),
    clock: systemClock,
    log,
    registry: new Registry(),
    // All receivers are on this machine.
    hostRate: new HostRate(1_000_000),
    schedule: [30, 120, 600, 1_800, 3_600],
    onRetry: () => {},
  })
  const notices = new Notices(null)
  notices.subscribe(DELIVERIES_CHANNEL, {
    onNotice: (endpointIds) => engine.wake(endpointIds),
    onConnected: () => engine.wake(),
  })
  const listenerSql = openPostgres(database.url, { maxConnections: 1, role: WORKER_ROLE })
  const listener = createListener({ sql: listenerSql, notices, log })
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
    if (elapsedMs >= warmUpMs + seconds * 1_000 && committedAtMs.length > 0) break
    const isMeasured = elapsedMs >= warmUpMs
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
  const arrivedAtMs = await arrivals(committedAtMs.length)
  // A worker may receive the notification of a commit before its client gets the response.
  return arrivedAtMs.map((atMs, n) => Math.max(0, atMs - committedAtMs[n]!))
}

/** @throws unless every delivery from 0 to `count` arrives, and arrives once */
async function arrivals(count: number): Promise<number[]> {
  const arrivedAtMs: number[] = []
  let arrived = 0
  const deadline = performance.now() + ARRIVAL_TIMEOUT_MS
  while (arrived < count && performance.now() < deadline) {
    for (const [n, atMs] of (await stats()).marked) {
      if (arrivedAtMs[n] !== undefined) throw new Error(`delivery ${n} arrived twice`)
      arrivedAtMs[n] = atMs
      arrived++
    }
    await sleep(50)
  }
  if (arrived < count) throw new Error(`${count - arrived} of ${count} deliveries did not arrive`)
  return arrivedAtMs
}

async function measureLatency(rate: number): Promise<void> {
  await database.clear()
  const latencies = await whileRunning(() => steady(rate, endpoints))
  if (!isSound('deliveries', await database.failures(endpoints))) return
  console.log(
    `${rate}/s, from the commit to the receiver: p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms, longest ${quantile(latencies, 1)} ms`,
  )
}

async function measureIsolation(pairs: number, backlog: number): Promise<void> {
  const silent = await database.endpoints(
    Array.from({ length: silentEndpoints }, () => urlOf(silentPort)),
  )
  const healthy = endpoints.slice(1)
  const ratios: number[] = []
  const seen: string[] = []
  let failures = 0
  for (let i = 0; i < pairs; i++) {
    await database.clear()
    const quiet = quantile(await whileRunning(() => steady(pairRate, healthy)), 0.99)
    await database.queue(silent, options['silent-backlog'])
    await database.queue(endpoints.slice(0, 1), backlog)
    const noisy = quantile(
      await whileRunning(async () => {
        await sleep(warmUpMs)
        return steady(pairRate, healthy)
      }),
      0.99,
    )
    failures += await database.failures(endpoints)
    ratios.push(noisy / quiet)
    seen.push(`${quiet} → ${noisy}`)
  }
  if (!isSound('deliveries', failures)) return
  console.log(
    `${pairRate}/s beside ${silentEndpoints} silent endpoints and a backlog of ${backlog}: p99 × ${median(ratios).toFixed(2)} (ms: ${seen.join(', ')})`,
  )
}

async function measureIdle(): Promise<void> {
  const count = options['idle-endpoints']
  await database.clear()
  await database.endpoints(Array.from({ length: count }, () => urlOf(silentPort)))
  await whileRunning(async () => {
    await sleep(warmUpMs)
    const [node, postgres] = [process.cpuUsage(), database.cpuMs()]
    await sleep(seconds * 1_000)
    const used = process.cpuUsage(node)
    console.log(
      `idle beside ${count} endpoints: node ${((used.user + used.system) / seconds / 10_000).toFixed(2)} % of a core, PostgreSQL ${((database.cpuMs() - postgres) / seconds / 10).toFixed(2)} %`,
    )
  })
}

async function whileRunning<T>(work: () => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const running = runEngine(stopping.signal)
  await sleep(warmUpMs)
  const result = await work()
  stopping.abort()
  await running
  return result
}

type Stats = {
  arrived: number
  /** Deliveries that carry a number, with the time of their arrival. */
  marked: [n: number, atMs: number][]
  cpuUs: number
}

/** @returns the arrivals since the last call, and the CPU that the receivers took so far */
async function stats(): Promise<Stats> {
  const answer = await agent.request({
    origin: `http://127.0.0.1:${ports[0]}`,
    path: '/stats',
    method: 'GET',
  })
  return (await answer.body.json()) as Stats
}

/** The same, and at least one arrival: in a short run a slow machine may have none in time. */
async function statsWithArrivals(): Promise<Stats> {
  const deadline = performance.now() + ARRIVAL_TIMEOUT_MS
  for (;;) {
    const found = await stats()
    if (found.arrived > 0) return found
    if (performance.now() > deadline) throw new Error('no delivery arrives')
    await sleep(10)
  }
}

async function startReceivers(count: number): Promise<number[]> {
  const args = [String(count), String(options.silence)]
  const { line, child } = await startScript('deliver-receivers.ts', args, { isPinned: false })
  stack.defer(async () => void (await stopScript(child)))
  return line.split(' ').map(Number)
}
