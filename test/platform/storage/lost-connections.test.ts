import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  closePostgres,
  inTransaction,
  openPostgres,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { openProxy } from '../../support/database-proxy.ts'
import { freshPostgres } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'

/** An uncaught exception, which a lost connection must never cause, also fails the test that is running. */

type Loss = 'the backend is ended' | 'the connection is cut'
const LOSSES: readonly Loss[] = ['the backend is ended', 'the connection is cut']

/** One connection, which can be lost in one way or the other and is let through again afterwards. */
async function openVictim(t: TestContext, loss: Loss) {
  const { sql: admin, postgresUrl } = await freshPostgres(t)
  await admin`create table notes (text text)`
  const proxy = await openProxy(t, postgresUrl)
  const sql = openPostgres(proxy.url, {
    maxConnections: 1,
    applicationName: 'victim',
  })
  t.after(() => closePostgres(sql))
  const backends = () => admin<{ pid: number; state: string; query: string }[]>`
    select pid, state, query from pg_stat_activity where application_name = 'victim'
      and datname = current_database()`
  return {
    sql,
    /** Once the backend is in this state, with a statement that holds this text. */
    async lose(state: 'active' | 'idle in transaction', text: string) {
      await eventually(async () => {
        const [backend] = await backends()
        assert.equal(backend?.state, state)
        assert.ok(backend.query.includes(text), backend.query)
      })
      // A backend that sleeps does not notice that its client is gone.
      if (loss === 'the connection is cut') proxy.cut()
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'victim' and datname = current_database()`
      await eventually(async () => assert.deepEqual([...(await backends())], []))
      proxy.restore()
    },
    notes: async () =>
      (await admin<{ text: string }[]>`select text from notes`).map(({ text }) => text),
  }
}

for (const loss of LOSSES) {
  test(`a transaction ends with its connection, and no later statement fails: ${loss}`, async (t) => {
    const { sql, lose, notes } = await openVictim(t, loss)
    const transaction = inTransaction(sql, async (tx) => {
      await tx`insert into notes values ('before')`
      await tx`select pg_sleep(60)`
    })
    const ended = assert.rejects(transaction, { code: /^(CONNECTION_CLOSED|57P01)$/ })
    await lose('active', 'pg_sleep')
    await ended
    // The first statement after the loss: the error of the lost connection is not its own.
    const [row] = await sql<{ answer: number }[]>`select 42 as answer`
    assert.equal(row!.answer, 42)
    assert.deepEqual(await notes(), [])
  })

  test(`what a transaction still sends after its connection was lost is refused: ${loss}`, async (t) => {
    const { sql, lose, notes } = await openVictim(t, loss)
    let goOn = () => {}
    const pause = new Promise<void>((resolve) => (goOn = resolve))
    const later: Promise<unknown>[] = []
    const transaction = inTransaction(sql, async (tx) => {
      await tx`insert into notes values (${'first'})`
      await pause
      for (const text of ['second', 'third']) {
        const sent = tx`insert into notes values (${text})`
        later.push(sent.then(() => 'done').catch(() => 'refused'))
        await sent.catch(() => {})
      }
    })
    const ended = assert.rejects(transaction, { code: /^(CONNECTION_CLOSED|57P01)$/ })
    await lose('idle in transaction', 'insert')
    goOn()
    await ended
    assert.deepEqual(await Promise.all(later), ['refused', 'refused'])
    assert.equal((await sql`select 1`).length, 1)
    assert.deepEqual(await notes(), [])
  })

  test(`statements that wait in a transaction are refused with it: ${loss}`, async (t) => {
    const { sql, lose } = await openVictim(t, loss)
    let waiting: Promise<unknown>[] = []
    const transaction = inTransaction(sql, async (tx) => {
      // With a parameter, so that those behind it wait until the server has described it.
      await tx`select set_config('signpost.note', ${'x'}, true)`
      waiting = [
        tx`select pg_sleep(60)`,
        ...['a', 'b', 'c'].map((text) => tx`select ${text}::text`),
      ]
      await Promise.all(waiting)
    })
    const ended = assert.rejects(transaction, { code: /^(CONNECTION_CLOSED|57P01)$/ })
    await lose('active', 'pg_sleep')
    await ended
    const outcomes = await Promise.allSettled(waiting)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected', 'rejected'],
    )
  })
}

test('of connections that are lost together, none is lost for good', async (t) => {
  const { postgresUrl } = await freshPostgres(t)
  const proxy = await openProxy(t, postgresUrl)
  const sql = openPostgres(proxy.url, { maxConnections: 3 })
  t.after(() => closePostgres(sql))
  const all = (work: () => Promise<unknown>) => Promise.all([work(), work(), work()])
  for (let round = 0; round < 5; round++) {
    await all(async () => sql`select pg_sleep(0.05)`)
    // Two are at work and one is idle. A statement that is sent again at once is given the next
    // connection, which is lost a moment later: the statement stays in its buffer.
    const losses = [sql`select pg_sleep(60)`, sql`select pg_sleep(60)`].map((sent) =>
      sent.catch(async () => sql`select 1`).catch(() => 'lost again'),
    )
    await setTimeout(50)
    proxy.cut()
    proxy.restore()
    await Promise.all(losses)
    const answers = await all(async () => sql`select pg_sleep(0.05)`)
    assert.equal(answers.length, 3)
  }
})
