import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openApp } from '../../src/app/app.ts'
import { openLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { loginUrl } from '../../src/storage/embedded/postgres-logins.ts'
import { findRuntimeDir } from '../../src/storage/embedded/runtime-dir.ts'
import { openPostgres } from '../../src/storage/postgres.ts'

/**
 * The whole program with embedded databases, in a process of its own, whose rates no bench reaches:
 * `write-server.ts <data directory> <number of accounts>`. Webhooks may call this machine. Prints its
 * port and the API key of each account. For each line `<connections> <seconds>` of its standard input
 * it inserts and commits single rows over its own driver, and prints the rows and the seconds.
 */
const [dataDir = '', accounts = '1'] = process.argv.slice(2)
const POOL = 10
/** Part of the name of the socket of the embedded PostgreSQL. */
const PORT = 5432
const config = {
  ...readConfig({
    WEBHOOK_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_API: '100000000',
    WEBHOOK_CALLS_PER_MINUTE: '100000000',
    WEBHOOK_HOST_RATE: '1000000',
  }),
  port: 0,
  dataDir,
}
const app = await openApp(config, { log: openLog('error', process.stderr) })
const stop = new AbortController()
const running = app.run(stop.signal)
const keys: string[] = []
for (let i = 0; i < Number(accounts); i++)
  keys.push((await app.bootstrap.create({ email: `user${i}@example.com` })).apiKey)
process.stdout.write(`${new URL(app.origin).port} ${keys.join(' ')}\n`)

const socketDir = join(findRuntimeDir(dataDir)!, 'postgres')
const sql = openPostgres(loginUrl(socketDir, PORT), { maxConnections: POOL })
await sql`create table if not exists bench_rows (id bigserial primary key, name text not null)`
for await (const line of createInterface(process.stdin)) {
  const [connections, seconds] = line.split(' ').map(Number)
  const startedAtMs = performance.now()
  let rows = 0
  const insertOn = async () => {
    while (performance.now() - startedAtMs < seconds! * 1_000) {
      await sql`insert into bench_rows (name) values (${'a row of one write'})`
      rows++
    }
  }
  await Promise.all(Array.from({ length: connections! }, insertOn))
  process.stdout.write(`${rows} ${(performance.now() - startedAtMs) / 1_000}\n`)
}
await sql.end()
stop.abort()
await running
await app[Symbol.asyncDispose]()
