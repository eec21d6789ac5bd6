import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type * as Logging from '../../src/platform/core/log.ts'
import type * as HostsModule from '../../src/redirect/hosts/hosts.ts'
import type * as Resolve from '../../src/redirect/links/resolve.ts'
import type * as Postgres from '../../src/platform/storage/postgres/postgres.ts'

/**
 * Prints the bytes of heap that cached plain links take in the resolver of a checkout:
 * `link-memory.ts <checkout> <database url> <links>`. Ends with its standard input.
 */
const [root = '', databaseUrl = '', links = '0'] = process.argv.slice(2)
const load = (file: string) => import(join(root, 'src', file))
const { Resolver } = (await load('redirect/links/resolve.ts')) as typeof Resolve
const { Hosts } = (await load('redirect/hosts/hosts.ts')) as typeof HostsModule
const { openPostgres } = (await load('platform/storage/postgres/postgres.ts')) as typeof Postgres
const { openLog } = (await load('platform/core/log.ts')) as typeof Logging

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const open = (maxConnections: number) => openPostgres(databaseUrl, { maxConnections }) as never
const resolver = new Resolver({
  sql: open(4),
  openChangesSql: () => open(1),
  hosts: new Hosts([], Date.now),
  sharedOrigin: () => 'http://localhost',
  clock: Date.now,
  log: openLog('warn', process.stderr),
  maxLinks: Number(links),
  budgetMs: 60_000,
})
void resolver.service.run(new AbortController().signal)
while (!resolver.stats().isConnected) await new Promise((resolve) => setTimeout(resolve, 20))
// Compiles what reads links, and grows the pool.
await cache(0, 1)
const before = measure()
await cache(1, Number(links))
const size = measure() - before
const { cachedLinks } = resolver.stats()
if (cachedLinks !== Number(links)) throw new Error(`${cachedLinks} of ${links} links are cached`)
process.stdout.write(`${size}\n`)
process.stdin.on('end', () => process.exit()).resume()

async function cache(from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1_000) {
    const keys = Array.from({ length: Math.min(1_000, to - at) }, (_, i) => `\ns${at + i}`)
    await Promise.all(
      keys.map((key) => new Promise<unknown>((done) => resolver.resolve(key, done))),
    )
  }
}

function measure(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
