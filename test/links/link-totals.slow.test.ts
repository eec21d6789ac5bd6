import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import {
  closePostgres,
  inWorkspace,
  openPostgres,
  type Sql,
  type TenantSql,
  type Tx,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../support/engines.ts'
import { addWorkspace } from '../support/fixtures.ts'
import { openWorld } from '../support/world.ts'

const WORKSPACES = ['wsp_1', 'wsp_2']
const WRITERS = 8
const WRITES = 60
/** Sessions end in the middle of their work so often. */
const KILL_EVERY_MS = 15

test('the number of links is exact after parallel writes, some undone and some cut off', async (t) => {
  const { sql, postgresUrl } = await twoWorkspaces(t)
  const pool = openPostgres(postgresUrl, {
    role: REQUEST_ROLE,
    maxConnections: WRITERS,
    applicationName: 'writers',
  })
  t.after(() => closePostgres(pool))
  let isOver = false
  const killing = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, KILL_EVERY_MS))
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'writers' and datname = current_database()
        order by random() limit 1`
    }
  })()
  const writes = { done: 0, failed: 0 }
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let n = 0; n < WRITES; n++)
        await writeAtRandom(pool).then(
          () => writes.done++,
          () => writes.failed++,
        )
    }),
  )
  isOver = true
  await killing
  assert.ok(writes.done > WRITES && writes.failed > WRITES / 10, JSON.stringify(writes))
  await assertExact(sql)
  await sql`delete from links`
  await assertExact(sql)
})

test('a write waits for no other write of its workspace', async (t) => {
  const { sql, postgresUrl } = await twoWorkspaces(t)
  const pool = openPostgres(postgresUrl, {
    role: REQUEST_ROLE,
    maxConnections: 3,
    parameters: { lock_timeout: '1000' },
  })
  t.after(() => closePostgres(pool))
  await inWorkspace(pool, 'wsp_1', async (outer) => {
    await addMany(outer, 'wsp_1', 2)
    await inWorkspace(pool, 'wsp_1', async (inner) => {
      await addMany(inner, 'wsp_1', 3)
      await inWorkspace(pool, 'wsp_1', (third) => addMany(third, 'wsp_1', 1))
    })
  })
  await assertExact(sql)
  const rows = await sql`select links from link_counts`
  assert.equal(rows.length, 3)
  for (let n = 0; n < 5; n++) await inWorkspace(pool, 'wsp_1', (tx) => addMany(tx, 'wsp_1', 1))
  assert.equal((await sql`select links from link_counts`).length, 3)
})

test('a workspace that is deleted with its links takes their number with it', async (t) => {
  const { sql } = await twoWorkspaces(t)
  for (const id of WORKSPACES) await addMany(sql, id, 5)
  await sql`delete from workspaces where id = 'wsp_1'`
  await assertExact(sql)
  assert.equal((await sql`select from link_counts where workspace_id = 'wsp_1'`).length, 0)
})

test('the total of a list follows every change of a link', async (t) => {
  const owner = await (await openWorld(t)).member()
  const totals = async () => {
    const queries = ['', '?includeArchived=true']
    const answers = await Promise.all(queries.map((query) => owner.get(`/links${query}`)))
    return answers.map(({ body }) => body.meta.total)
  }
  assert.deepEqual(await totals(), [0, 0])
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const input = { name: `Link ${n}`, destinationUrl: 'https://example.com/' }
    ids.push((await owner.post('/links', input)).body.data.id)
  }
  assert.deepEqual(await totals(), [3, 3])
  await owner.patch(`/links/${ids[0]}`, { status: 'archived' })
  assert.deepEqual(await totals(), [2, 3])
  await owner.patch(`/links/${ids[0]}`, { name: 'Renamed' })
  await owner.patch(`/links/${ids[1]}`, { status: 'paused' })
  assert.deepEqual(await totals(), [2, 3])
  await owner.patch(`/links/${ids[0]}`, { status: 'active' })
  await owner.delete(`/links/${ids[2]}`)
  assert.deepEqual(await totals(), [2, 2])
})

async function twoWorkspaces(t: TestContext) {
  const databases = await freshPostgres(t)
  for (const id of WORKSPACES) await addWorkspace(databases.sql, { id })
  return databases
}

/** One transaction of some writes, of which one in five is undone. */
async function writeAtRandom(pool: TenantSql): Promise<void> {
  const workspaceId = WORKSPACES[randomInt(2)]!
  await inWorkspace(pool, workspaceId, async (tx) => {
    for (let n = randomInt(1, 4); n > 0; n--) {
      const count = randomInt(1, 6)
      const some = tx`(select id from links order by random() limit ${count} for update skip locked)`
      const kind = randomInt(4)
      if (kind === 0) await tx`delete from links where id in ${some}`
      else if (kind === 1)
        await tx`
          update links set status = case when random() < 0.5 then 'archived' else 'active' end
          where id in ${some}`
      else await addMany(tx, workspaceId, count)
    }
    if (randomInt(5) === 0) throw new Error('undone')
  })
}

let made = 0

async function addMany(sql: Sql | Tx, workspaceId: string, count: number): Promise<void> {
  const from = made + 1
  made += count
  await sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at,
      updated_at)
    select 'lnk_' || i, ${workspaceId}, 'A link', 's' || i, 's' || i, 'https://example.com/', 'usr_1',
      now(), now()
    from generate_series(${from}::int, ${from + count - 1}::int) as i`
}

async function assertExact(sql: Sql): Promise<void> {
  const links = await sql`
    select workspace_id, status = 'archived' as is_archived, count(*) as links
    from links group by 1, 2 order by 1, 2`
  const counted = await sql`
    select workspace_id, is_archived, sum(links)::bigint as links
    from link_counts group by 1, 2 having sum(links) <> 0 order by 1, 2`
  assert.deepEqual([...counted], [...links])
  const different = await sql`
    select id from links l full join link_ranks r on r.link_id = l.id
    where (l.workspace_id, l.status = 'archived') is distinct from (r.workspace_id, r.is_archived)`
  assert.deepEqual([...different], [])
}
