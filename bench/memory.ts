import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '../test/support/processes.ts'
import { startScript, stopScript } from './support/child-process.ts'
import { isSound } from './support/figures.ts'
import { sendLoad } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'
import { readMegabytes, readProc } from './support/process-memory.ts'
import { awaitLink } from './support/program-process.ts'

/**
 * Measures the memory of each process of the program, the anonymous part in parentheses, at rest after the start, after the first account and click, under
 * redirects, some time after them, and after as many mixed requests: 60 % are redirects, 18 % new links, 18 % dispatched
 * events with one delivery each, and 4 % lists of links. Beside it is a bare `node:http` at rest. Proportional
 * set sizes divide shared pages, such as PostgreSQL's buffers, among the processes. Linux only.
 *
 *   node bench/memory.ts [--seconds 30] [--connections 64] [--rest 15] [--mixed 100000] [--starts 2]
 *
 * The program is started as `npm start` starts it, and for the second time: the first start compiles
 * all files for the later ones. The last one is measured. It prints no figure after a single failed request and ends with 1.
 */
const { seconds, connections, rest, mixed, starts } = readOptions({
  seconds: 30,
  connections: 64,
  rest: 15,
  mixed: 100_000,
  starts: 2,
})
const ROOT = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}
/** Long enough for any machine; the number of requests ends the mixed load. */
const MIXED_SECONDS = 3_600

await using stack = new AsyncDisposableStack()
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'error',
  RATE_LIMIT_API: '100000000',
  WEBHOOK_CALLS_PER_MINUTE: '100000000',
  WEBHOOK_HOST_RATE: '1000000',
  WEBHOOK_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
}
const bare = spawn(process.execPath, ['-e', "require('http').createServer().listen(0)"])
stack.defer(() => void bare.kill())
for (let i = 1; i < starts; i++) await (await start()).stop()
const { pid, origin, stop } = await start()
stack.defer(stop)
await sleep(rest * 1_000)
print('bare node:http', [bare.pid!])
print('at rest after the start', treeOf(pid))
const apiKey = await makeKey()
await post('/v1/links', { name: 'a', destinationUrl: 'https://example.com/', slug: 'a' })
await awaitLink(`${origin}/a`)
await sleep(rest * 1_000)
print('at rest after an account and a click', treeOf(pid))

const follow = { request: 'GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n', expected: 'HTTP/1.1 302' }
const port = Number(new URL(origin).port)
const redirects = await sendLoad({ port, connections, seconds, ...follow })
if (isSound('redirects', redirects.failures)) {
  print(`after ${redirects.requests} redirects in ${seconds} s`, treeOf(pid))
  await sleep(rest * 1_000)
  print(`${rest} s later`, treeOf(pid))
  const requests = await sendMixed()
  if (requests !== null) {
    print(`after ${requests} mixed requests`, treeOf(pid))
    await sleep(rest * 1_000)
    print(`${rest} s later`, treeOf(pid))
  }
}

/** @returns the number of requests; null when one failed */
async function sendMixed(): Promise<number | null> {
  const receiver = await startScript('deliver-receivers.ts', ['1'], { isPinned: false })
  const target = receiver.line.split(' ')[0]
  const url = `http://127.0.0.1:${target}/hook`
  await post('/v1/webhooks/endpoints', { url, events: ['link.updated'] })
  const link = { name: 'Spring sale', destinationUrl: 'https://example.com/spring?sale=1' }
  const event = { type: 'link.updated', payload: { text: 'x'.repeat(350) } }
  const kinds = [
    { ...follow, share: 0.6 },
    { request: toRequest('POST', '/v1/links', link), expected: 'HTTP/1.1 201', share: 0.18 },
    { request: toRequest('GET', '/v1/links'), expected: 'HTTP/1.1 200', share: 0.04 },
    {
      request: toRequest('POST', '/v1/webhooks/dispatch', event),
      expected: 'HTTP/1.1 202',
      share: 0.18,
    },
  ]
  const loads = await Promise.all(
    kinds.map(({ share, ...kind }) =>
      sendLoad({
        ...kind,
        port,
        // Beyond five requests of a workspace at a time the others wait.
        connections: Math.ceil(connections / (kind.expected === follow.expected ? 2 : 8)),
        seconds: MIXED_SECONDS,
        maxRequests: Math.round(mixed * share),
      }),
    ),
  )
  await stopScript(receiver.child)
  const sum = (key: 'requests' | 'failures') => loads.reduce((total, load) => total + load[key], 0)
  return isSound('mixed requests', sum('failures')) ? sum('requests') : null
}

async function start() {
  // As npm runs the script, on the Node of this process.
  const child = spawn('sh', ['-c', scripts.start], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  for await (const chunk of child.stderr) {
    said += String(chunk)
    const found = /is ready at (http:\S+)/.exec(said)?.[1]
    if (!found) continue
    const stopChild = async () => {
      child.kill()
      await ended
    }
    return { pid: child.pid!, origin: found, stop: stopChild }
  }
  throw new Error(said)
}

async function makeKey(): Promise<string> {
  const cli = spawn(
    process.execPath,
    ['src/cli.ts', 'bootstrap', '--email', 'a@example.com', '--json'],
    { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return (JSON.parse(await text(cli.stdout)) as { apiKey: string }).apiKey
}

async function post(path: string, body: object): Promise<void> {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

function toRequest(method: string, path: string, body?: object): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${content.length}\r\n\r\n${content}`
}

function treeOf(parent: number): number[] {
  return [parent, ...childrenOf(parent)]
}

function print(when: string, pids: readonly number[]): void {
  const sums = new Map<string, { pss: number; anonymous: number }>()
  for (const one of pids) {
    const command = readProc(one, 'cmdline')
    // A connection of PostgreSQL that has just ended.
    if (command === '') continue
    const kind = toKind(command)
    const { pss, anonymous } = sums.get(kind) ?? { pss: 0, anonymous: 0 }
    const own = readMegabytes(one)
    sums.set(kind, { pss: pss + own.pss, anonymous: anonymous + own.anonymous })
  }
  const toText = ({ pss, anonymous }: { pss: number; anonymous: number }) =>
    `${Math.round(pss)} MB (${Math.round(anonymous)})`
  const parts = Array.from(sums, ([kind, sum]) => `${kind} ${toText(sum)}`)
  const all = [...sums.values()].reduce((total, one) => ({
    pss: total.pss + one.pss,
    anonymous: total.anonymous + one.anonymous,
  }))
  console.log(`${when}: ${parts.join(', ')}; in all ${toText(all)}`)
}

function toKind(command: string): string {
  if (command.includes('clickhouse')) return 'ClickHouse'
  if (command.includes('postgres')) return 'PostgreSQL'
  const [, process] = /(server|redirect)-process\.ts/.exec(command) ?? []
  return process ?? (command.includes('launch.js') ? 'supervisor' : 'Node')
}
