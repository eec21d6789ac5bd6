import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { addClicks, copyLinkRanks } from '../../../src/clicks/shipping/cursor.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
  type Sql,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../../support/engines.ts'
import { addLink, addWorkspace } from '../../support/fixtures.ts'

const LAST = new Date('2026-01-05T10:00:00.000Z')

test('counters that changed are copied once, and those of links that are gone are forgotten', async (t) => {
  const { sql, worker, click } = await openLinks(t)
  await click('lnk_1', 3)
  await click('lnk_2', 1)
  await click('lnk_1', 4)
  await sql`delete from links where id = 'lnk_2'`
  assert.deepEqual(await ranks(sql), { lnk_1: 0, lnk_3: 0 })
  assert.equal(await copyLinkRanks(worker), 3)
  assert.deepEqual(await ranks(sql), { lnk_1: 7, lnk_3: 0 })
  const [row] = await sql`select last_clicked_at from link_ranks where link_id = 'lnk_1'`
  assert.deepEqual(row!['lastClickedAt'], LAST)
  assert.equal(await copyLinkRanks(worker), 0)
})

test('a row that another transaction has locked is copied after it, and the others at once', async (t) => {
  const { sql, worker, click } = await openLinks(t)
  await click('lnk_1', 1)
  await click('lnk_2', 2)
  await inTransaction(sql, async (tx) => {
    await tx`update links set status = 'archived' where id = 'lnk_1'`
    assert.equal(await copyLinkRanks(worker), 2)
    assert.deepEqual(await ranks(sql), { lnk_1: 0, lnk_2: 2, lnk_3: 0 })
  })
  assert.equal(await copyLinkRanks(worker), 1)
  assert.deepEqual(await ranks(sql), { lnk_1: 1, lnk_2: 2, lnk_3: 0 })
  assert.equal(await copyLinkRanks(worker), 0)
})

test('of parallel copies one works, and a copy that is undone is repeated', async (t) => {
  const { sql, worker, click } = await openLinks(t)
  await click('lnk_1', 1)
  await inTransaction(worker, async (tx) => {
    await tx`select copy_link_ranks(10)`
    assert.equal(await copyLinkRanks(worker), 0)
    throw new Error('undone')
  }).catch((error: unknown) => assert.match(String(error), /undone/))
  assert.deepEqual(await ranks(sql), { lnk_1: 0, lnk_2: 0, lnk_3: 0 })
  assert.equal(await copyLinkRanks(worker), 1)
  assert.deepEqual(await ranks(sql), { lnk_1: 1, lnk_2: 0, lnk_3: 0 })
})

async function openLinks(t: TestContext) {
  const { sql, postgresUrl } = await freshPostgres(t)
  const workspaceId = await addWorkspace(sql, { id: 'wsp_1' })
  for (const id of ['lnk_1', 'lnk_2', 'lnk_3']) await addLink(sql, { id, workspaceId })
  const worker = openPostgres(postgresUrl, { role: WORKER_ROLE })
  t.after(() => closePostgres(worker))
  const click = (linkId: string, clicks: number) =>
    inTransaction(worker, (tx) =>
      addClicks(tx, [{ workspaceId, linkId, clicks, lastMs: LAST.getTime() }]),
    )
  return { sql, worker, click }
}

async function ranks(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ linkId: string; clicks: number }[]>`
    select link_id, clicks from link_ranks order by link_id`
  return Object.fromEntries(rows.map(({ linkId, clicks }) => [linkId, clicks]))
}
