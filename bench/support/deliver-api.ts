import { setTimeout as sleep } from 'node:timers/promises'
import { isSound, median, quantile } from './figures.ts'
import { sendLoad } from './keep-alive.ts'
import { readTreeCpu } from './process-tree.ts'
import { startProgram } from './program-process.ts'

const ARRIVAL_TIMEOUT_MS = 60_000

type Deps = {
  /** Ports of the receivers: one endpoint, and one workspace, for each. */
  ports: readonly number[]
  connections: number
  rounds: number
  seconds: number
  warmUpMs: number
  /** Requests a second while the latency is measured. */
  rate: number
  /** Counts the arrivals since the last call. */
  takeArrived: () => Promise<number>
  /** Waits for the numbered deliveries. @throws unless each of them arrives once */
  waitForNumbered: (count: number) => Promise<number[]>
}
type Program = { pid: number; port: number; keys: readonly string[] }
type Run = { perSecond: number; nodeUs: number; cpuUs: number; failures: number }

/**
 * Measures events that arrive through the API one by one, each for the one endpoint of its workspace:
 * requests a second and the CPU of one in all processes of the program until its delivery has arrived,
 * and then, at a steady rate, the time from the response, which follows the commit, to the receiver.
 */
export async function measureApi(deps: Deps): Promise<void> {
  const { ports, rounds, seconds, warmUpMs, rate } = deps
  const options = { script: 'write-server.ts', accounts: ports.length }
  await using program = await startProgram(options)
  for (const [i, key] of program.keys.entries()) await createEndpoint(program, key, ports[i]!)
  const runs = [await load(program, warmUpMs / 1_000, deps)]
  for (let round = 0; round < rounds; round++) runs.push(await load(program, seconds, deps))
  const latencies = await steady(program, deps)
  if (!isSound('api', runs.reduce((sum, run) => sum + run.failures, 0) + latencies.failures)) return
  const of = (key: keyof Run) => median(runs.slice(1).map((run) => run[key])).toFixed(0)
  console.log(
    `through the API, ${ports.length} workspaces: ${of('perSecond')}/s, CPU of one in all processes ${of('cpuUs')} µs (Node ${of('nodeUs')} µs)`,
  )
  console.log(
    `  at ${rate}/s, from the commit to the receiver: p50 ${quantile(latencies.ms, 0.5)} ms, p99 ${quantile(latencies.ms, 0.99)} ms`,
  )
}

async function load(
  program: Program,
  seconds: number,
  { connections, takeArrived }: Deps,
): Promise<Run> {
  await takeArrived()
  const before = readTreeCpu(program.pid)
  const startedAtMs = performance.now()
  const body = toBody({ text: 'x'.repeat(350) })
  let turn = 0
  const { requests, failures } = await sendLoad({
    port: program.port,
    connections,
    seconds,
    expected: 'HTTP/1.1 202',
    request: () =>
      `POST /v1/webhooks/dispatch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${program.keys[turn++ % program.keys.length]}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  })
  let arrived = 0
  while (arrived < requests && performance.now() - startedAtMs < ARRIVAL_TIMEOUT_MS) {
    arrived += await takeArrived()
    if (arrived < requests) await sleep(5)
  }
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  const after = readTreeCpu(program.pid)
  const nodeUs = (after.own - before.own) / requests
  return {
    perSecond: requests / tookSeconds,
    nodeUs,
    cpuUs: nodeUs + (after.descendants - before.descendants) / requests,
    failures: failures + Math.abs(requests - arrived),
  }
}

/** Sends requests at an even interval, whether or not earlier ones have been answered. */
async function steady(program: Program, { rate, seconds, waitForNumbered, takeArrived }: Deps) {
  await takeArrived()
  const count = Math.ceil(rate * seconds)
  const answeredAtMs: number[] = []
  let failures = 0
  const startedAtMs = performance.now()
  const requests: Promise<void>[] = []
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, startedAtMs + (n * 1_000) / rate - performance.now()))
    const key = program.keys[n % program.keys.length]!
    requests.push(
      post(program, '/webhooks/dispatch', key, toBody({ n })).then((status) => {
        answeredAtMs[n] = Date.now()
        if (status !== 202) failures++
      }),
    )
  }
  await Promise.all(requests)
  const arrivedAtMs = await waitForNumbered(count - failures)
  // A delivery may arrive before the client has the response.
  return { ms: arrivedAtMs.map((atMs, n) => Math.max(0, atMs - answeredAtMs[n]!)), failures }
}

async function createEndpoint(program: Program, key: string, receiver: number): Promise<void> {
  const url = `http://127.0.0.1:${receiver}/hook`
  const body = JSON.stringify({ url, events: ['link.created'] })
  const status = await post(program, '/webhooks/endpoints', key, body)
  if (status !== 201) throw new Error(`the request for an endpoint was answered with ${status}`)
}

function toBody(payload: Record<string, unknown>): string {
  return JSON.stringify({ type: 'link.created', payload })
}

async function post({ port }: Program, path: string, key: string, body: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  await response.arrayBuffer()
  return response.status
}
