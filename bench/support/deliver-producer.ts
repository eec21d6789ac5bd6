import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/platform/core/clock.ts'
import { newId } from '../../src/platform/core/ids.ts'
import { fanOut } from '../../src/webhooks/delivery/outbox.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
} from '../../src/platform/storage/postgres/postgres.ts'
import { PRODUCER } from './delivery-database.ts'

/**
 * Publishes events one by one at a steady rate, each in its own transaction and for one workspace in
 * turn, in a process of its own: `deliver-producer.ts <database url> <rate> <workspace ids>`. Prints a
 * line once it publishes. Ends with its standard input, and then prints the number of events.
 */
const [url = '', rate = '', ids = ''] = process.argv.slice(2)
const workspaceIds = ids.split(',')
const everyMs = 1_000 / Number(rate)
const sql = openPostgres(url, { maxConnections: 4, applicationName: PRODUCER })
let isStopped = false
let published = 0

async function publishOne(n: number): Promise<void> {
  const row = {
    id: newId('evt', Date.now()),
    workspaceId: workspaceIds[n % workspaceIds.length]!,
    type: 'link.created',
    data: JSON.stringify({ id: 'lnk_1', note: 'n'.repeat(120) }),
  }
  await inTransaction(sql, (tx) => fanOut(tx, systemClock, [row]))
}

async function publishSteadily(): Promise<void> {
  const commits: Promise<void>[] = []
  const startedAtMs = performance.now()
  while (!isStopped) {
    const dueAtMs = startedAtMs + published * everyMs
    await sleep(Math.max(0, dueAtMs - performance.now()))
    commits.push(publishOne(published++))
  }
  await Promise.all(commits)
}

// Statements are planned on every connection before the engine is measured.
await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.05)`))
const publishing = publishSteadily()
process.stdout.write('publishing\n')
process.stdin.resume()
await new Promise((resolve) => process.stdin.on('end', resolve))
isStopped = true
await publishing
await closePostgres(sql)
process.stdout.write(`${published}\n`)
