import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

export type Load = {
  port: number
  pid: number
  connections: number
  seconds: number
  links: number
}
export type Measured = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** Processor time of the server per request; NaN where /proc is missing. */
  cpuMicros: number
}

const SCRIPT = join(import.meta.dirname, 'redirect.lua')
const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 }

/** One run of wrk on `core`. */
export async function runWrk(load: Load, core: string | null): Promise<Measured> {
  const { port, connections, seconds, links } = load
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', SCRIPT]
  const pinned = core === null ? wrk : ['taskset', '-c', core, ...wrk]
  const [command, ...args] = [...pinned, `http://127.0.0.1:${port}/`]
  const before = cpuMicros(load.pid)
  const child = spawn(command!, args, { env: { ...process.env, BENCH_LINKS: String(links) } })
  let out = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`wrk ended with ${String(code)}: ${out}`)
  const requests = Number(/(\d+) requests in/.exec(out)?.[1])
  return {
    cpuMicros: (cpuMicros(load.pid) - before) / requests,
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)?.[1]),
    p50Ms: percentile(out, '50%'),
    p99Ms: percentile(out, '99%'),
    failures: Number(/Non-2xx or 3xx responses: (\d+)/.exec(out)?.[1] ?? 0),
  }
}

function percentile(out: string, name: string): number {
  const [, value, unit] = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s|m)\\b`).exec(out) ?? []
  return Number(value) * (UNITS[unit ?? ''] ?? NaN)
}

/** User and system time that a process and its children have used; ticks of 10 ms. */
function cpuMicros(pid: number): number {
  let total = 0
  for (const one of [pid, ...childrenOf(pid)]) {
    const fields = readStat(one).split(') ')[1]?.split(' ') ?? []
    total += (Number(fields[11]) + Number(fields[12])) * 10_000
  }
  return total
}

function childrenOf(pid: number): number[] {
  const text = readProc(`/proc/${pid}/task/${pid}/children`)
  return text.split(' ').filter(Boolean).map(Number)
}

function readStat(pid: number): string {
  return readProc(`/proc/${pid}/stat`)
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The same load from this process, for machines without wrk: one request at a time per connection. */
export async function runOwn(load: Load): Promise<Measured> {
  const latencies: number[] = []
  let failures = 0
  const until = performance.now() + load.seconds * 1_000
  const startedAt = performance.now()
  const before = cpuMicros(load.pid)
  await Promise.all(Array.from({ length: load.connections }, () => oneConnection()))
  const took = (performance.now() - startedAt) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? NaN
  return {
    perSecond: latencies.length / took,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
    cpuMicros: (cpuMicros(load.pid) - before) / latencies.length,
  }

  function oneConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(load.port, '127.0.0.1')
      let sentAt = 0
      let head = ''
      const send = () => {
        sentAt = performance.now()
        const slug = `s${Math.floor(Math.random() * load.links)}`
        socket.write(`GET /${slug} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\n\r\n`)
      }
      socket.on('connect', send)
      socket.on('data', (chunk) => {
        head += chunk.toString('latin1')
        if (!head.includes('\r\n\r\n')) return
        if (!head.startsWith('HTTP/1.1 302')) failures++
        head = ''
        const now = performance.now()
        latencies.push(now - sentAt)
        if (now < until) send()
        else socket.end()
      })
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })
  }
}
