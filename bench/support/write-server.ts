import { createInterface } from 'node:readline'
import { openPostgres, closePostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { toEmbeddedUrl } from './embedded-url.ts'
import { openProgram, readArguments } from './open-program.ts'

/**
 * The whole program in a process of its own, whose rates no bench reaches:
 * `write-server.ts <data directory> <number of accounts> [<SETTING=value> …]`. Webhooks may call this machine.
 * Prints its port and the API key of each account. For each line `<connections> <seconds>` of its standard input
 * it inserts and commits single rows over its own driver, and prints the rows and the seconds.
 */
const POOL = 10
const given = readArguments(process.argv.slice(2))
const settings = {
  WEBHOOK_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
  RATE_LIMIT_API: '100000000',
  WEBHOOK_CALLS_PER_MINUTE: '100000000',
  WEBHOOK_HOST_RATE: '1000000',
  ...given.settings,
}
await using program = await openProgram({ ...given, settings })
process.stdout.write(program.line)

const sql = openPostgres(given.settings.DATABASE_URL ?? toEmbeddedUrl(given.dataDir), {
  maxConnections: POOL,
})
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
await closePostgres(sql)
