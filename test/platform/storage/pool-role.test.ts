import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  closePostgres,
  inSnapshot,
  inWorkspace,
  openPostgres,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../../support/engines.ts'
import { openPooler } from '../../support/pooler.ts'
import { asTenant } from '../../support/privileges.ts'
import { listen } from '../../../src/platform/storage/postgres/listen.ts'

const REFUSED = { name: 'OperatorError', message: /DATABASE_URL .* drops .* role or search_path/ }

test('a session without its role or search path runs no query of its pool', async (t) => {
  const { postgresUrl } = await freshPostgres(t)
  for (const dropped of ['role', 'search_path'])
    for (const role of [REQUEST_ROLE, WORKER_ROLE]) {
      const pooler = await openPooler(t, postgresUrl, [dropped])
      const sql = openPostgres(pooler.url, { role, maxConnections: 2 })
      t.after(() => closePostgres(sql))
      // More than the pool has connections: those that wait are refused as well.
      const asked = await Promise.allSettled(
        Array.from({ length: 5 }, async (_, at) => sql`select ${at}::int`),
      )
      for (const { status, ...rest } of asked) {
        assert.equal(status, 'rejected', `${role} without ${dropped}`)
        assert.throws(() => {
          throw (rest as PromiseRejectedResult).reason
        }, REFUSED)
      }
      await assert.rejects(
        listen(sql, ['anything'], () => {}),
        REFUSED,
      )
      await assert.rejects(
        inWorkspace(asTenant(sql), 'wsp_1', (tx) => tx`select 1`),
        REFUSED,
      )
      pooler.drops.clear()
      const [row] = await sql<{ role: string }[]>`select current_user::text as role`
      assert.equal(row!.role, role)
    }
})

test('each connection proves its role, not the first alone', async (t) => {
  const { postgresUrl, sql: admin } = await freshPostgres(t)
  const pooler = await openPooler(t, postgresUrl, [])
  const sql = openPostgres(pooler.url, { role: WORKER_ROLE, applicationName: 'proved' })
  t.after(() => closePostgres(sql))
  await sql`select 1`
  pooler.drops.add('role')
  const asked = Array.from({ length: 3 }, async () => sql`select pg_sleep(0.2)`)
  const statuses = (await Promise.allSettled(asked)).map(({ status }) => status)
  // The first connection goes on; what it did not take was refused.
  assert.deepEqual(statuses.toSorted(), ['fulfilled', 'rejected', 'rejected'])
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'proved'`
  await assert.rejects(async () => {
    for (;;) await sql`select 1`.catch(ignoreLoss)
  }, REFUSED)
})

test('a transaction proves its role: under another one it reads and writes nothing', async (t) => {
  const { postgresUrl, sql: admin } = await freshPostgres(t)
  await admin`create table notes (text text)`
  await admin`grant all on notes to ${admin(REQUEST_ROLE)}`
  const sql = openPostgres(postgresUrl, { role: REQUEST_ROLE, maxConnections: 1 })
  t.after(() => closePostgres(sql))
  for (const change of ['set role none', `set search_path = pg_catalog, public`]) {
    // As a pooler in transaction mode does, which gives each transaction any session.
    await sql.unsafe(change)
    const outcomes: string[] = []
    const work = async (tx: Parameters<Parameters<typeof inWorkspace>[2]>[0]) => {
      // A statement that is sent at once, and one that is sent after the refusal.
      for (const text of ['first', 'second']) {
        const sent = tx`insert into notes values (${text}) returning text`
        outcomes.push(
          await sent.then(
            () => 'written',
            () => 'refused',
          ),
        )
      }
    }
    await assert.rejects(inWorkspace(asTenant(sql), 'wsp_1', work), REFUSED)
    await assert.rejects(inSnapshot(sql, 'wsp_1', work), REFUSED)
    assert.deepEqual(outcomes, Array(4).fill('refused'))
    assert.equal((await admin`select 1 from notes`).length, 0)
    await sql.unsafe('reset search_path')
    await sql.unsafe('reset role')
  }
  const [row] = await inWorkspace(
    sql,
    'wsp_1',
    (tx) => tx<{ id: string }[]>`select current_setting('signpost.workspace_id') as id`,
  )
  assert.equal(row!.id, 'wsp_1')
})

/** @throws what is not the loss of a connection */
function ignoreLoss(error: Error & { code?: string }): void {
  // The socket may end before or after the answer of the server was read.
  if (
    !/^(57P01|ECONNRESET|EPIPE)$/.test(error.code ?? '') &&
    !error.message.startsWith('Connection terminated')
  )
    throw error
}
