import { isSound, median, spread } from './figures.ts'
import { sendLoad } from './keep-alive.ts'
import { readTreeCpu } from './process-tree.ts'
import { startProgram } from './program-process.ts'

type Options = { rounds: number; seconds: number; connections: number; rows: number }
type Run = { perSecond: number; cpuUs: number; failures: number }

/** Compares links created by `POST /links/bulk` on one connection with `POST /links` from several. */
export async function measureBulk({ rounds, seconds, connections, rows }: Options): Promise<void> {
  await using program = await startProgram({ script: 'write-server.ts' })
  const server = { pid: program.pid, port: program.port, key: program.keys[0]! }
  const link = { name: 'Spring sale', destinationUrl: 'https://example.com/spring?sale=1' }
  const single = {
    connections,
    request: toRequest(server, '/v1/links', link),
    expected: 'HTTP/1.1 201',
    links: 1,
  }
  const bulk = {
    connections: 1,
    request: toRequest(server, '/v1/links/bulk', {
      links: Array.from({ length: rows }, () => link),
    }),
    expected: 'HTTP/1.1 200',
    links: rows,
  }
  const runs = { single: [] as Run[], bulk: [] as Run[] }
  for (let round = -1; round < rounds; round++)
    for (const [name, load] of Object.entries({ single, bulk })) {
      const run = await measure(server, load, round < 0 ? Math.min(1, seconds) : seconds)
      // The first round warms up.
      if (round >= 0) runs[name as keyof typeof runs].push(run)
    }
  const failures = [...runs.single, ...runs.bulk].reduce((sum, run) => sum + run.failures, 0)
  if (!isSound('bulk', failures)) return
  console.log(`links created, one workspace`)
  print(`one by one, ${connections} connections`, runs.single)
  print(`${rows} by request, one connection`, runs.bulk)
  const ratio = (of: keyof Run) => spread(runs.bulk.map((run, i) => run[of] / runs.single[i]![of]))
  console.log(`  bulk by single: rate × ${ratio('perSecond')}, CPU × ${ratio('cpuUs')}`)
}

function print(name: string, runs: readonly Run[]): void {
  const of = (figure: keyof Run) => median(runs.map((run) => run[figure])).toFixed(0)
  console.log(`  ${name.padEnd(30)} ${of('perSecond')} rows/s, CPU of one ${of('cpuUs')} µs`)
}

type Server = { pid: number; port: number; key: string }
type Load = { connections: number; request: string; expected: string; links: number }

async function measure(server: Server, { links, ...load }: Load, runSeconds: number): Promise<Run> {
  const before = readTreeCpu(server.pid)
  const made = await countLinks(server)
  const { requests, perSecond, failures } = await sendLoad({
    port: server.port,
    seconds: runSeconds,
    ...load,
  })
  const after = readTreeCpu(server.pid)
  const missing = made + requests * links - (await countLinks(server))
  const cpuUs = after.own + after.descendants - before.own - before.descendants
  return {
    perSecond: perSecond * links,
    cpuUs: cpuUs / (requests * links),
    failures: failures + Math.abs(missing),
  }
}

async function countLinks({ port, key }: Server): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/links?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await response.json()) as { meta: { total: number } }).meta.total
}

function toRequest({ key }: Server, path: string, body: object): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}
