import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { closePostgres, openPostgres, type Tx } from '../../src/storage/postgres.ts'
import { refusalOf, requires, writeParts, type Part } from '../../src/storage/statement-parts.ts'
import { REQUEST_ROLE } from '../../src/storage/roles.ts'
import { freshPostgres } from '../support/engines.ts'
import { addWorkspace } from '../support/fixtures.ts'

/** One connection of the request role, so that a transaction that is left open shows at once. */
async function openNotes(t: TestContext) {
  const { sql: admin, postgresUrl } = await freshPostgres(t)
  await addWorkspace(admin, { id: 'wsp_1' })
  await addWorkspace(admin, { id: 'wsp_2' })
  await admin`create table notes (workspace_id text not null, text text primary key)`
  await admin`select wall_off('notes')`
  await admin.unsafe(`grant select, insert on notes to ${REQUEST_ROLE}`)
  const sql = openPostgres(postgresUrl, { role: REQUEST_ROLE, maxConnections: 1 })
  t.after(() => closePostgres(sql))
  const notes = async () =>
    (await admin<{ text: string }[]>`select text from notes order by text`).map(({ text }) => text)
  return { admin, sql, notes }
}

let serial = 0

function insertNote(tx: Tx, text: string, workspaceId = 'wsp_1'): Part {
  const name = tx.unsafe(`note_${++serial}`)
  return {
    ctes: tx`${name} as (insert into notes values (${workspaceId}, ${text}) returning text)`,
    columns: tx`(select text from ${name}) as ${name}`,
  }
}

test('the parts of a statement are written together, or none of them', async (t) => {
  const { sql, notes } = await openNotes(t)
  for (let i = 0; i < 3; i++)
    await writeParts(sql, 'wsp_1', (tx) => [
      insertNote(tx, `first ${i}`),
      insertNote(tx, `other ${i}`),
    ])
  assert.equal((await notes()).length, 6)
  await assert.rejects(
    writeParts(sql, 'wsp_1', (tx) => [insertNote(tx, 'new'), insertNote(tx, 'first 1')]),
    { code: '23505' },
  )
  assert.equal((await notes()).length, 6)
})

test('a part that refuses undoes the statement and gives its reason', async (t) => {
  const { sql, notes } = await openNotes(t)
  const write = (isAllowed: boolean) =>
    writeParts(sql, 'wsp_1', (tx) => [
      insertNote(tx, 'written'),
      {
        ctes: tx`asked as (select ${isAllowed}::boolean as is_allowed)`,
        columns: requires(tx, tx`(select is_allowed from asked)`, 'not_allowed'),
      },
    ])
  // The first statement of a connection is prepared before it runs; the second one is not.
  for (let i = 0; i < 2; i++)
    await assert.rejects(write(false), (error) => refusalOf(error) === 'not_allowed')
  assert.deepEqual(await notes(), [])
  await write(true)
  assert.deepEqual(await notes(), ['written'])
})

test('a statement of parts writes rows of its own workspace alone', async (t) => {
  const { sql, notes } = await openNotes(t)
  await assert.rejects(
    writeParts(sql, 'wsp_1', (tx) => [insertNote(tx, 'mine'), insertNote(tx, 'theirs', 'wsp_2')]),
    { code: '42501' },
  )
  assert.deepEqual(await notes(), [])
})

test('after each outcome the connection is free for the next transaction', async (t) => {
  const { admin, sql, notes } = await openNotes(t)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) =>
      writeParts(sql, 'wsp_1', (tx) => {
        if (i % 5 === 0) throw new Error('before its statement')
        return [insertNote(tx, `note ${i % 20}`)]
      }),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 16)
  assert.equal((await notes()).length, 16)
  const states = await admin<{ state: string }[]>`
    select state from pg_stat_activity where datname = current_database() and state like '%transaction%'`
  assert.deepEqual([...states], [])
})

test('a connection that is lost during a statement of parts fails it, and the next one works', async (t) => {
  const { admin, sql, notes } = await openNotes(t)
  await writeParts(sql, 'wsp_1', (tx) => [insertNote(tx, 'before')])
  const lost = writeParts(sql, 'wsp_1', (tx) => [
    { ctes: tx`slept as (select pg_sleep(60) as nothing)`, columns: tx`(select 1 from slept)` },
    insertNote(tx, 'lost'),
  ])
  const failed = assert.rejects(lost, { code: /^(CONNECTION_CLOSED|57P01)$/ })
  let ended = 0
  while (ended === 0) {
    const rows = await admin<{ isEnded: boolean }[]>`
      select pg_terminate_backend(pid) as is_ended from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%pg_sleep(60)%'
        and pid <> pg_backend_pid()`
    ended = rows.length
  }
  await failed
  await writeParts(sql, 'wsp_1', (tx) => [insertNote(tx, 'after')])
  assert.deepEqual(await notes(), ['after', 'before'])
})
