import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../../src/platform/core/errors.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createHashLinkPassword } from '../../src/links/write/password.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { toPrincipal } from '../support/fixtures.ts'
import { eventually, openWorld, type World } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
const MASK = '********'
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/

async function hashOf({ sql }: World, id: string): Promise<string | null> {
  const [row] = await sql<{ passwordHash: string | null }[]>`
    select password_hash from links where id = ${id}`
  return row!.passwordHash
}

async function visit({ origin }: World, slug: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${origin}/${slug}`, { redirect: 'manual', headers })
  return answer.status
}

function basic(password: string) {
  return { authorization: `Basic ${Buffer.from(`x:${password}`).toString('base64')}` }
}

test('the password of a link', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { isHashCostReal: true })

  await t.test('is stored as a hash, shown as a mask, and asked for within a second', async () => {
    const owner = await world.member()
    const made = await owner.post('/links', { ...NEW, password: 'quiet harbour lamp' })
    assert.equal(made.status, 201)
    const { id, slug, password } = made.body.data
    assert.equal(password, MASK)
    assert.match((await hashOf(world, id))!, PHC)
    assert.equal((await owner.get(`/links/${id}`)).body.data.password, MASK)
    assert.equal((await owner.get('/links')).body.data[0].password, MASK)
    await eventually(async () => {
      assert.equal(await visit(world, slug), 401)
      assert.equal(await visit(world, slug, basic('quiet harbour lamp')), 302)
    })
    const cleared = await owner.patch(`/links/${id}`, { password: null })
    assert.equal(cleared.body.data.password, null)
    assert.equal(await hashOf(world, id), null)
    await eventually(async () => assert.equal(await visit(world, slug), 302), 1_000)
    await owner.patch(`/links/${id}`, { password: 'seven grey herons' })
    await eventually(async () => assert.equal(await visit(world, slug), 401), 1_000)
  })

  await t.test('stays the same when a client sends the link back as it was read', async () => {
    const owner = await world.member()
    const made = await owner.post('/links', { ...NEW, password: 'quiet harbour lamp' })
    const { id } = made.body.data
    const before = await hashOf(world, id)
    const same = await owner.patch(`/links/${id}`, made.body.data)
    assert.deepEqual(same.body.data, made.body.data)
    const renamed = await owner.patch(`/links/${id}`, { name: 'New', password: MASK })
    assert.equal(renamed.body.data.password, MASK)
    assert.equal(await hashOf(world, id), before)
    await owner.patch(`/links/${id}`, { password: null })
    const without = await owner.patch(`/links/${id}`, { password: MASK })
    assert.equal(without.body.data.password, null)
  })

  await t.test('has 1 to 256 bytes, and is not the mask of a password', async () => {
    const owner = await world.member()
    const { body } = await owner.post('/links', NEW)
    const bad: unknown[] = ['', 'x'.repeat(257), 'ü'.repeat(129), 7, true, ['a'], { a: 1 }]
    for (const password of [...bad, MASK]) {
      const refused = await owner.post('/links', { ...NEW, password })
      assert.equal(refused.status, 400, JSON.stringify(password))
      assert.equal(refused.body.error.details[0].path, 'password')
      const answer = JSON.stringify(refused.body)
      if (String(password).length > 8) assert.ok(!answer.includes(String(password)))
    }
    for (const password of bad) {
      const refused = await owner.patch(`/links/${body.data.id}`, { password })
      assert.equal(refused.status, 400, JSON.stringify(password))
    }
    for (const password of ['x', 'x'.repeat(256), 'ü'.repeat(128), '  ', MASK.slice(1)])
      assert.equal((await owner.post('/links', { ...NEW, password })).status, 201, password)
  })

  await t.test('needs the capability of the plan, and its removal does not', async () => {
    const owner = await world.member()
    const { body } = await owner.post('/links', { ...NEW, password: 'quiet harbour lamp' })
    await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    const path = `/links/${body.data.id}`
    for (const refused of [
      await owner.post('/links', { ...NEW, password: 'seven grey herons' }),
      await owner.patch(path, { password: 'seven grey herons' }),
    ]) {
      assert.equal(refused.status, 403)
      assert.equal(refused.body.error.code, 'PLAN_CAPABILITY_REQUIRED')
      assert.equal(refused.body.error.details.capability, 'password')
    }
    const invalid = await owner.patch(path, { password: 'seven grey herons', name: ' ' })
    assert.equal(invalid.body.error.details[0].path, 'name', 'a bad request is 400 on every plan')
    assert.equal((await owner.patch(path, { name: 'New', password: MASK })).status, 200)
    assert.equal((await owner.patch(path, { password: null })).body.data.password, null)
  })

  await t.test('is not what a rollback brings back', async () => {
    const owner = await world.member()
    const made = await owner.post('/links', { ...NEW, password: 'quiet harbour lamp' })
    const path = `/links/${made.body.data.id}`
    for (const change of [{ name: 'New' }, { password: 'seven grey herons' }, { password: null }]) {
      world.clock.advance(1)
      await owner.patch(path, change)
    }
    const history = (await owner.get(`${path}/history`)).body.data
    assert.deepEqual(history[1].changes, { password: { old: MASK, new: MASK } })
    const first = history.at(-1).id
    const rolledBack = await owner.post(`${path}/rollback`, { historyId: first })
    assert.partialDeepStrictEqual(rolledBack.body.data, { name: NEW.name, password: null })
    assert.equal(await hashOf(world, made.body.data.id), null)
  })

  await t.test('appears by its name alone in the audit log and in events', async () => {
    const owner = await world.member()
    const { body } = await owner.post('/links', NEW)
    const path = `/links/${body.data.id}`
    const changes = ['quiet harbour lamp', 'seven grey herons', null]
    for (const password of changes) {
      world.clock.advance(1)
      await owner.patch(path, { password })
    }
    const audited = await world.sql<{ changes: object }[]>`
      select changes from audit_log where workspace_id = ${owner.workspaceId}
        and action = 'link.updated' order by id`
    assert.deepEqual(
      audited.map((row) => row.changes),
      [
        { password: { old: null, new: MASK } },
        { password: { old: MASK, new: MASK } },
        { password: { old: MASK, new: null } },
      ],
    )
    const events = await world.sql<{ data: string }[]>`
      select data from events where workspace_id = ${owner.workspaceId}
        and type = 'link.updated' order by id`
    assert.equal(events.length, 3)
    for (const event of events) {
      const data = JSON.parse(event.data)
      assert.deepEqual([data.changes, data.previous], [['password'], {}])
      assert.ok(!('password' in data))
    }
  })
})

/** Every row of every table as text, without the column that has the hash. */
async function readAllRows(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`
  const texts = await Promise.all(
    tables.map(
      ({ name }) => sql`select (to_jsonb(r) - 'password_hash')::text as row from ${sql(name)} r`,
    ),
  )
  return texts.flatMap((rows) => rows.map((row) => String(row['row']))).join('\n')
}

test('neither a password nor its hash reaches a log, an answer or another column', async (t) => {
  let logged = ''
  const log = openLog('trace', { write: (line) => void (logged += line) })
  const world = await openWorld(t, { log })
  const owner = await world.member()
  const passwords = ['a canary in the mine', 'another canary flew', 'a canary as a guess']
  const [first, second, wrong] = passwords as [string, string, string]
  const key = { 'idempotency-key': 'canary' }
  const made = await owner.post('/links', { ...NEW, password: first }, key)
  const { id, slug } = made.body.data
  const hashes = [await hashOf(world, id)]
  let answers = ''
  const keep = ({ body }: { body: unknown }) => (answers += JSON.stringify(body))
  keep(made)
  keep(await owner.post('/links', { ...NEW, password: first }, key))
  keep(await owner.patch(`/links/${id}`, { password: second }))
  hashes.push(await hashOf(world, id))
  for (const path of ['/links', `/links/${id}`, '/audit-log']) keep(await owner.get(path))
  await eventually(async () => assert.equal(await visit(world, slug, basic(second)), 302))
  for (const password of [wrong, second]) {
    const form = { method: 'POST', body: new URLSearchParams({ password }), redirect: 'manual' }
    const answer = await fetch(`${world.origin}/${slug}`, form as RequestInit)
    answers += `${await answer.text()}${answer.headers.get('set-cookie')}`
  }
  assert.equal(await visit(world, slug, basic(wrong)), 401)
  const rows = await readAllRows(world.sql)
  assert.ok(rows.includes(id) && logged.length > 100)
  for (const secret of [...passwords, ...hashes])
    for (const [place, text] of Object.entries({ logged, answers, rows }))
      assert.ok(!text.includes(secret!), `${secret} in ${place}`)
})

test('the hashes of one workspace are bounded, and do not delay another workspace', async () => {
  const hash = createHashLinkPassword(createSecrets('a secret key of this test'))
  const one = toPrincipal('usr_1', 'wsp_1')
  const works = Array.from({ length: 40 }, () => hash(one, 'x'))
  const settled = Promise.allSettled(works)
  const order: string[] = []
  void works[5]!.then(() => order.push('the sixth of the first'))
  await hash(toPrincipal('usr_2', 'wsp_2'), 'x').then(() => order.push('the second workspace'))
  await works[5]
  assert.equal(order[0], 'the second workspace')
  const refused = (await settled).flatMap((each) =>
    each.status === 'rejected' ? [each.reason as ApiError] : [],
  )
  assert.equal(refused.length, 40 - 17)
  assert.ok(refused.every(({ code }) => code === 'RATE_LIMITED'))
})
