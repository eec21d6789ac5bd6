import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

/**
 * What the whole program takes of memory, process by process: at rest, under redirects, and a while
 * after them, beside a bare `node:http` at rest. Proportional set sizes: pages that processes share,
 * PostgreSQL's buffers above all, are divided among them. Linux only.
 *
 *   node bench/memory.ts [--seconds 30] [--connections 64]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    connections: { type: 'string', default: '64' },
  },
})
const ROOT = join(import.meta.dirname, '..')

const bare = spawn(process.execPath, ['-e', "require('http').createServer().listen(0)"])
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
const server = spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env, stdio: 'pipe' })
try {
  const origin = await readyAt()
  const slug = await makeLink(origin)
  await sleep(5_000)
  print('bare node:http', [bare.pid!])
  const pids = treeOf(server.pid!)
  print('at rest', pids)
  const answered = await visit(`${origin}/${slug}`)
  print(`after ${answered} redirects in ${values.seconds} s`, treeOf(server.pid!))
  await sleep(15_000)
  print('15 s later', treeOf(server.pid!))
} finally {
  bare.kill()
  server.kill()
  await new Promise((resolve) => server.on('close', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}

async function readyAt(): Promise<string> {
  let said = ''
  for await (const chunk of server.stderr) {
    said += String(chunk)
    const origin = /is ready at (http:\S+)/.exec(said)?.[1]
    if (origin) return origin
  }
  throw new Error(said)
}

async function makeLink(origin: string): Promise<string> {
  const cli = spawn(
    process.execPath,
    ['src/cli.ts', 'bootstrap', '--email', 'a@example.com', '--json'],
    { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let out = ''
  for await (const chunk of cli.stdout) out += String(chunk)
  const { apiKey } = JSON.parse(out) as { apiKey: string }
  const answer = await fetch(`${origin}/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a', destinationUrl: 'https://example.com/', slug: 'a' }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  return 'a'
}

async function visit(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const end = performance.now() + Number(values.seconds) * 1_000
  let answered = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request(url, { agent }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
  await Promise.all(
    Array.from({ length: Number(values.connections) }, async () => {
      for (; performance.now() < end; answered++) await one()
    }),
  )
  agent.destroy()
  return answered
}

function treeOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return [pid, ...children.map(Number).flatMap(treeOf)]
}

function print(when: string, pids: readonly number[]): void {
  const sums = new Map<string, number>()
  for (const pid of pids) {
    const kind = kindOf(pid)
    sums.set(kind, (sums.get(kind) ?? 0) + megabytesOf(pid))
  }
  const parts = Array.from(sums, ([kind, megabytes]) => `${kind} ${Math.round(megabytes)} MB`)
  console.log(`${when}: ${parts.join(', ')}`)
}

function kindOf(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  if (command.includes('clickhouse')) return 'ClickHouse'
  return command.includes('postgres') ? 'PostgreSQL' : 'Node'
}

function megabytesOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1_024
}
