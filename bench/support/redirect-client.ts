import { join } from 'node:path'
import { spawnPinned } from './child-process.ts'
import { sendLoad, type Figures } from './keep-alive.ts'
import { hostOf, PREFIXES, type LinkKind } from './links.ts'
import { readTreeCpu } from './process-tree.ts'

export type RedirectLoad = {
  port: number
  pid: number
  connections: number
  seconds: number
  links: number
  kind: LinkKind
  isTls: boolean
}
/** With the processor time of the server per request; NaN where /proc is missing. */
export type MeasuredRedirects = Figures & { cpuMicros: number }

const SCRIPT = join(import.meta.dirname, 'redirect.lua')
/** Addresses of visitors, which the requests for links with rules name as a proxy does. */
const ADDRESSES = 10_000
const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 }

/** Asks for random links, by wrk on the second core or from this process. */
export async function followLinks(load: RedirectLoad, byWrk: boolean): Promise<MeasuredRedirects> {
  const before = cpuMicros(load.pid)
  const measured = byWrk ? await runWrk(load) : await runOwn(load)
  return { ...measured, cpuMicros: (cpuMicros(load.pid) - before) / measured.requests }
}

async function runWrk({
  port,
  connections,
  seconds,
  links,
  kind,
  isTls,
}: RedirectLoad): Promise<Figures> {
  const child = spawnPinned(1, [
    'env',
    `BENCH_LINKS=${links}`,
    `BENCH_PREFIX=${PREFIXES[kind]}`,
    `BENCH_HOST=${hostOf(kind)}`,
    `BENCH_ADDRESSES=${kind === 'rules' ? ADDRESSES : 0}`,
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '-s',
    SCRIPT,
    `${isTls ? 'https://localhost' : 'http://127.0.0.1'}:${port}/`,
  ])
  let out = ''
  child.stdout!.on('data', (chunk) => (out += String(chunk)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`wrk ended with ${String(code)}: ${out}`)
  return {
    requests: Number(/(\d+) requests in/.exec(out)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)?.[1]),
    p50Ms: percentile(out, '50%'),
    p99Ms: percentile(out, '99%'),
    failures: countWrkFailures(out),
  }
}

/** Responses other than 2xx and 3xx, and errors of the sockets. */
function countWrkFailures(out: string): number {
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(out)
  const counts = [/Non-2xx or 3xx responses: (\d+)/.exec(out)?.[1], ...(errors?.slice(1) ?? [])]
  return counts.reduce((sum, count) => sum + Number(count ?? 0), 0)
}

function percentile(out: string, name: string): number {
  const [, value, unit] = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s|m)\\b`).exec(out) ?? []
  return Number(value) * (UNITS[unit ?? ''] ?? Number.NaN)
}

/** The requests of `redirect.lua`: the headers that a browser sends. */
function runOwn({
  port,
  connections,
  seconds,
  links,
  kind,
  isTls,
}: RedirectLoad): Promise<Figures> {
  const choose = (count: number) => Math.floor(Math.random() * count)
  const slug = () => PREFIXES[kind] + choose(links)
  const forwarded = () => (kind === 'rules' ? toForwarded(choose(ADDRESSES)) : '')
  return sendLoad({
    port,
    connections,
    seconds,
    isTls,
    request: () =>
      `GET /${slug()} HTTP/1.1\r\nHost: ${hostOf(kind)}\r\n${forwarded()}${BROWSER}\r\n`,
    expected: 'HTTP/1.1 302',
  })
}

const BROWSER = `User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r
Accept-Language: en-GB,en;q=0.9,de;q=0.8\r
Accept-Encoding: gzip, deflate, br\r
Referer: https://news.example.org/today\r
`

/** Spread over the public addresses, so that many countries are among them. */
function toForwarded(i: number): string {
  const address = [16 + (i % 160), (i * 7) % 256, (i * 13) % 256, 1 + (i % 250)].join('.')
  return `X-Forwarded-For: ${address}\r\n`
}

/** Processor time of a server so far. */
export function cpuMicros(pid: number): number {
  const { own, descendants } = readTreeCpu(pid)
  return own + descendants
}
