import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '../test/support/processes.ts'
import { isSound } from './support/figures.ts'
import { sendLoad } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures the memory of each process of the program at rest, under redirects and some time after
 * them, beside a bare `node:http` at rest. Proportional set sizes divide shared pages, such as
 * PostgreSQL's buffers, among the processes. Linux only.
 *
 *   node bench/memory.ts [--seconds 30] [--connections 64] [--rest 15]
 */
const { seconds, connections, rest } = readOptions({ seconds: 30, connections: 64, rest: 15 })
const ROOT = join(import.meta.dirname, '..')

const bare = spawn(process.execPath, ['-e', "require('http').createServer().listen(0)"])
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
const server = spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env, stdio: 'pipe' })
try {
  const origin = await readyAt()
  const slug = await makeLink(origin)
  await sleep(Math.min(rest, 5) * 1_000)
  print('bare node:http', [bare.pid!])
  const pids = treeOf(server.pid!)
  print('at rest', pids)
  const { requests, failures } = await sendLoad({
    port: Number(new URL(origin).port),
    connections,
    seconds,
    request: `GET /${slug} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    expected: 'HTTP/1.1 302',
  })
  if (isSound('redirects', failures)) {
    print(`after ${requests} redirects in ${seconds} s`, treeOf(server.pid!))
    await sleep(rest * 1_000)
    print(`${rest} s later`, treeOf(server.pid!))
  }
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

function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid)]
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
