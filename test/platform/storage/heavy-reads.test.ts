import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createHeavyReads } from '../../../src/platform/storage/postgres/heavy-reads.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { PLACES } from '../../../src/platform/limits/places.ts'
import { SHARES } from '../../../src/platform/limits/times.ts'
import { ReadBounds } from '../../../src/platform/storage/postgres/read-bounds.ts'
import { REQUEST_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { asSystem } from '../../support/privileges.ts'

const isRefused = { name: 'ApiError', code: 'RATE_LIMITED' }
const principal = (userId: string, workspaceId: string) => ({ userId, workspaceId })

async function openReads(
  t: TestContext,
  {
    timeoutMs = 60_000,
    maxWaitingPerOwner = 2,
  }: { timeoutMs?: number; maxWaitingPerOwner?: number } = {},
) {
  const { postgresUrl, sql } = await freshPostgres(t)
  const readSql = openPostgres(postgresUrl, {
    role: REQUEST_ROLE,
    applicationName: 'signpost-reads',
    maxConnections: 4,
    parameters: { statement_timeout: String(timeoutMs) },
  })
  t.after(() => closePostgres(readSql))
  const reads = createHeavyReads({
    readSql,
    systemReadSql: asSystem(readSql),
    places: { ...PLACES.heavyReads, maxWaitingPerKey: maxWaitingPerOwner },
  })
  /** Statements of the pool that run; the database is this test's own. */
  const running = async () => {
    const rows = await sql`
      select from pg_stat_activity where datname = current_database()
        and application_name = 'signpost-reads' and state = 'active'`
    return rows.length
  }
  return { reads, running, readSql }
}

/** Reads that keep their place until the test ends them. */
function openGate() {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  const begun: string[] = []
  const pass = (name: string) => async () => {
    begun.push(name)
    await isOpen
    return name
  }
  return { begun, pass, open: () => open() }
}

test('the third read of a workspace waits, and those beyond the queue are refused', async (t) => {
  const { reads } = await openReads(t)
  const gate = openGate()
  const names = ['1', '2', '3', '4']
  const all = names.map((name) =>
    reads.read(principal(`usr_${name}`, 'wsp_1'), undefined, gate.pass(name)),
  )
  await assert.rejects(reads.read(principal('usr_5', 'wsp_1'), undefined, gate.pass('5')), {
    ...isRefused,
    details: { retryAfter: 1, limit: 4, window: 1 },
  })
  const other = reads.read(principal('usr_5', 'wsp_2'), undefined, gate.pass('other'))
  await eventually(async () => assert.deepEqual(gate.begun.toSorted(), ['1', '2', 'other']))
  gate.open()
  assert.deepEqual(await Promise.all([...all, other]), [...names, 'other'])
})

test('a hundred workspaces of one user share its bound', async (t) => {
  const { reads } = await openReads(t)
  const gate = openGate()
  const read = (i: number) =>
    reads.read(principal('usr_1', `wsp_${i}`), undefined, gate.pass(`own ${i}`))
  const outcomes = Promise.allSettled(Array.from({ length: 100 }, (_, i) => read(i)))
  const other = reads.read(principal('usr_2', 'wsp_other'), undefined, gate.pass('other'))
  await eventually(async () => assert.equal(gate.begun.length, 3))
  assert.ok(gate.begun.includes('other'))
  gate.open()
  assert.equal(await other, 'other')
  const answered = (await outcomes).filter(({ status }) => status === 'fulfilled')
  assert.equal(answered.length, 4)
})

test('a read whose client is gone ends in the database, and leaves its connection as it was', async (t) => {
  const { reads, running } = await openReads(t)
  const one = principal('usr_1', 'wsp_1')
  const client = new AbortController()
  const slow = () =>
    reads.read(one, client.signal, (tx) =>
      Promise.all([tx`select pg_sleep(60)`, tx`select pg_sleep(60)`]),
    )
  const all = [slow(), slow(), slow()].map((read) => assert.rejects(read))
  await eventually(async () => assert.equal(await running(), 2))
  client.abort()
  await Promise.all(all)
  // PostgreSQL sends the error before it is idle again.
  await eventually(async () => assert.equal(await running(), 0))
  // No cancel request arrives late.
  for (let i = 0; i < 20; i++) {
    const [row] = await reads.read(one, undefined, (tx) => tx<{ n: number }[]>`select 1 as n`)
    assert.equal(row!.n, 1)
  }
  await assert.rejects(reads.read(one, client.signal, (tx) => tx`select 1`))
})

test('a statement that takes too long is refused as too expensive', async (t) => {
  const { reads } = await openReads(t, { timeoutMs: 100 })
  await assert.rejects(
    reads.read(principal('usr_1', 'wsp_1'), undefined, (tx) => tx`select pg_sleep(60)`),
    { ...isRefused, message: /^This read takes more than 3 seconds of database time\./ },
  )
})

test('owners who have spent their time are slowed down, and then refused', async () => {
  const bounds = new ReadBounds({
    places: PLACES.heavyReads,
    share: { ...SHARES.databaseReads, seconds: 0.02 },
    maxReadMs: 3_000,
  })
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 60))
  const owners = ['user:1', 'workspace:1']
  await bounds.run(owners, undefined, slow)
  // In debt for longer than a pause.
  await assert.rejects(bounds.run(owners, undefined, slow), (error: unknown) => {
    const { code, details } = error as { code: string; details: Record<string, number> }
    assert.equal(code, 'RATE_LIMITED')
    assert.deepEqual([details['limit'], details['window']], [0.02, 10])
    assert.ok(details['retryAfter']! >= 4, JSON.stringify(details))
    return true
  })
  await assert.rejects(bounds.run(['user:1', 'workspace:2'], undefined, slow), isRefused)
  await bounds.run(['user:2', 'workspace:2'], undefined, slow)
})

test('an owner is not charged for a database that is unavailable', async () => {
  const bounds = new ReadBounds({
    places: PLACES.heavyReads,
    share: { ...SHARES.databaseReads, seconds: 0.02 },
    maxReadMs: 3_000,
  })
  const owners = ['user:1', 'workspace:1']
  const unavailable = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60))
    throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
  }
  for (let i = 0; i < 3; i++)
    await assert.rejects(bounds.run(owners, undefined, unavailable), { message: 'gone' })
})
