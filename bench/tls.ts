import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '../test/support/certificates.ts'
import { hasCommand, startScript, stopScript } from './support/child-process.ts'
import { startNginx } from './support/nginx.ts'
import { openDatabases } from './support/databases.ts'
import { median, spread } from './support/figures.ts'
import { fillLinks, PREFIXES } from './support/links.ts'
import { readOptions } from './support/options.ts'
import { cpuMicros } from './support/redirect-client.ts'
import { visitOverTls, type MeasuredConnections } from './support/tls-visitors.ts'

/**
 * Measures redirects of visitors who open a TLS connection for each: for the first time, and with the session of a visit
 * before. Beside it a bare `node:https` and, where it is installed, nginx, each with a certificate of the same kind (P-256)
 * and a fixed 302, in turn, in each round; the server has one core and the visitors another.
 *
 *   node bench/tls.ts [--rounds 5] [--seconds 3]
 *
 * It prints no figure and ends with 1 when a single request fails.
 */
const { rounds, seconds } = readOptions({ rounds: 5, seconds: 3 })
const LINKS = 1_000

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const databases = stack.use(await openDatabases())
await fillLinks(databases.sql, { plain: LINKS, variants: 0, rules: 0, tracked: 0, branded: 0 })
mkdirSync(join(folder, 'edge'))

const contenders = [
  { name: 'bare', ...(await start(['bare-tls'])) },
  {
    name: 'edge',
    ...(await start(['edge-tls', databases.url, String(LINKS), join(folder, 'edge'), 'plain'])),
  },
]
if (hasCommand('nginx')) {
  const { port, child, stop } = await startNginx(folder, selfSigned(['localhost']))
  stack.defer(stop)
  contenders.push({ name: 'nginx', port, pid: child.pid! })
}
const path = `/${PREFIXES.plain}0`
const results = new Map<string, MeasuredConnections[]>()
for (let round = 0; round <= rounds; round++)
  for (const returns of [false, true])
    for (const [i] of contenders.entries()) {
      const { name, port, pid } = contenders[(i + round) % contenders.length]!
      const measured = await visitOverTls({ port, path, seconds, returns }, () => cpuMicros(pid))
      // The first round warms up.
      if (round > 0)
        results.set(toKey(name, returns), [...(results.get(toKey(name, returns)) ?? []), measured])
    }
for (const returns of [false, true])
  for (const { name } of contenders) {
    const runs = results.get(toKey(name, returns))!
    const bare = results.get(toKey('bare', returns))!
    console.log(
      [
        toKey(name, returns).padEnd(14),
        `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s`.padStart(8),
        `ratio to bare ${spread(runs.map((run, i) => run.perSecond / bare[i]!.perSecond))}`,
        `cpu ${median(runs.map((run) => run.cpuMicros)).toFixed(0)} µs`,
        `resumed ${(100 * median(runs.map((run) => run.resumed))).toFixed(0)} %`,
      ].join('  '),
    )
  }

function toKey(name: string, returns: boolean): string {
  return `${name} ${returns ? 'returning' : 'new'}`
}

async function start(args: readonly string[]): Promise<{ port: number; pid: number }> {
  const { line, child } = await startScript('redirect-server.ts', args)
  stack.defer(async () => void (await stopScript(child)))
  return { port: Number(line), pid: child.pid! }
}
