import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../support/calls.ts'
import { callServer } from '../../src/operator/socket.ts'
import { addActor, freshEmail, type Actor } from '../support/stage.ts'
import { eventually, openWorld, type World } from '../support/world.ts'

/** Runs an operation as the command line does. */
// oxlint-disable-next-line typescript/no-explicit-any
function operate(world: World, name: string, input: object): Promise<any> {
  return callServer(world.dataDir, name, input)
}

async function addOperator(world: World): Promise<Actor> {
  const actor = await addActor(world)
  await operate(world, 'operators', { add: actor.email })
  return actor
}

const rowsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)

test('what operators do', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const { session, email, userId } = await addOperator(world)

  await t.test('the command line makes an operator, and nothing else', async () => {
    const { body } = await must(200, session.get('/auth/session'))
    assert.equal(body.data.isOperator, true)
    const other = await addActor(world)
    await must(403, other.session.get('/operator/workspaces'))
    await must(200, other.session.patch('/auth/user', { isOperator: true }))
    assert.equal((await other.session.get('/auth/session')).body.data.isOperator, false)
    await operate(world, 'operators', { add: other.email })
    await must(200, other.session.get('/operator/workspaces'))
    const { operators } = await operate(world, 'operators', { remove: other.email })
    assert.deepEqual(
      operators.map((each: { email: string }) => each.email),
      [email],
    )
    await must(403, other.session.get('/operator/workspaces'))
    const types = await world.sql<{ type: string }[]>`
      select type from security_log where user_id = ${other.userId} and type like 'operator.%'
      order by created_at, id`
    assert.deepEqual(
      types.map(({ type }) => type),
      ['operator.added', 'operator.removed'],
    )
  })

  await t.test('bootstrap makes an operator only when it is told to', async () => {
    const [plain, marked] = [freshEmail(), freshEmail()]
    await operate(world, 'bootstrap', { email: plain })
    await operate(world, 'bootstrap', { email: marked, operator: true })
    const { operators } = await operate(world, 'operators', {})
    const emails = operators.map((each: { email: string }) => each.email)
    assert.ok(emails.includes(marked) && !emails.includes(plain), emails.join())
  })

  await t.test('an unknown or unverified address is not marked', async () => {
    await assert.rejects(operate(world, 'operators', { add: 'nobody@example.com' }), /no account/)
    const { email: unverified, userId: id } = await addActor(world)
    await world.sql`update users set email_verified_at = null where id = ${id}`
    await assert.rejects(operate(world, 'operators', { add: unverified }), /not verified/)
  })

  await t.test('a workspace is found by its name, its id and the address of a member', async () => {
    const owner = await world.member()
    const name = 'Zebra Crossing Ltd'
    await world.sql`update workspaces set name = ${name} where id = ${owner.workspaceId}`
    await owner.post('/links', { name: 'A', destinationUrl: 'https://example.com' })
    const [user] = await world.sql<{ email: string }[]>`
      select email from users where id = ${owner.userId}`
    for (const search of ['zebra', owner.workspaceId, user!.email]) {
      const found = await session.get(`/operator/workspaces?search=${encodeURIComponent(search)}`)
      assert.deepEqual(rowsOf(found), [owner.workspaceId])
      const [row] = found.body.data
      assert.deepEqual(
        [row.name, row.state, row.owner.email, row.members, row.links, row.clicksThisMonth],
        [name, 'active', user!.email, 1, 1, 0],
      )
    }
    const { body } = await must(200, session.get(`/operator/workspaces/${owner.workspaceId}`))
    assert.deepEqual(
      body.data.people.map((each: { email: string; role: string }) => [each.email, each.role]),
      [[user!.email, 'owner']],
    )
    await must(404, session.get('/operator/workspaces/wsp_none'))
  })

  await t.test('plan, rate limit and suspension act and are audited as by command', async () => {
    const owner = await world.member()
    const path = `/operator/workspaces/${owner.workspaceId}`
    const changed = await session.patch(path, { plan: 'pro', apiRequestsPerMinute: 700 })
    assert.deepEqual([changed.body.data.plan, changed.body.data.apiRequestsPerMinute], ['pro', 700])
    assert.equal((await session.patch(path, { plan: 'gold' })).body.error.details[0].path, 'plan')
    await must(400, session.patch(path, { apiRequestsPerMinute: 0 }))
    const suspended = await session.post(`${path}/suspend`, { reason: 'Unpaid' })
    assert.equal(suspended.body.data.state, 'suspended')
    await must(409, session.post(`${path}/suspend`, {}))
    await eventually(async () => assert.equal((await owner.get('/links')).status, 403))
    const listed = await session.get('/operator/workspaces?state=suspended')
    assert.deepEqual(rowsOf(listed), [owner.workspaceId])
    await must(200, session.post(`${path}/resume`))
    await eventually(async () => assert.equal((await owner.get('/links')).status, 200))
    const actions = await world.sql<{ action: string; actorId: string }[]>`
      select action, actor_id from audit_log
      where workspace_id = ${owner.workspaceId} and actor_type = 'system' and actor_id = 'operator'
      order by created_at, id`
    assert.deepEqual(
      actions.map(({ action }) => action),
      [
        'billing.plan_changed',
        'workspace.rate_limit_set',
        'workspace.suspended',
        'workspace.resumed',
      ],
    )
  })

  await t.test('a user is listed without a secret', async () => {
    const { body } = await must(200, session.get(`/operator/users?search=${email}`))
    assert.deepEqual(
      body.data.map((each: { id: string; isOperator: boolean }) => [each.id, each.isOperator]),
      [[userId, true]],
    )
    const owner = await world.member()
    const one = await must(200, session.get(`/operator/users/${owner.userId}`))
    assert.deepEqual(
      one.body.data.memberships.map((each: { workspaceId: string }) => each.workspaceId),
      [owner.workspaceId],
    )
    assert.doesNotMatch(one.text, /hash|secret|token/i)
  })

  await t.test('a report is read with its destination, decided and resolved', async () => {
    const owner = await world.member()
    const made = await owner.post('/links', {
      ...{ name: 'A', slug: 'reported' },
      destinationUrl: 'https://evil.example.org/page',
    })
    const url = `${world.origin}/reported`
    await must(
      202,
      world.call('POST', '/report-abuse', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url, reason: 'phishing', email: 'reporter@example.com' }),
      }),
    )
    const { body } = await must(200, session.get('/operator/abuse-reports?status=open'))
    const [report] = body.data
    assert.deepEqual(
      [report.linkId, report.destinationHost, report.email, report.status],
      [made.body.data.id, 'evil.example.org', 'reporter@example.com', 'open'],
    )
    const block = { kind: 'host', value: 'evil.example.org', reason: 'Phishing' }
    const blocked = await must(201, session.post('/operator/blocks', block))
    await eventually(async () => {
      const links = await session.get('/operator/blocks?search=EVIL')
      assert.equal(links.body.data[0].links, 1)
    })
    await must(409, session.post('/operator/blocks', block))
    const wrong = await session.post('/operator/blocks', { kind: 'host', value: 'com' })
    assert.equal(wrong.body.error.details[0].path, 'value')
    await must(204, session.post(`/operator/abuse-reports/${report.id}/resolve`))
    await must(404, session.post(`/operator/abuse-reports/${report.id}/resolve`))
    await must(204, session.delete(`/operator/blocks/${blocked.body.data.id}`))
    await eventually(async () => {
      const { data } = (await session.get('/operator/blocks?search=evil')).body
      assert.deepEqual(data, [])
    })
    await must(404, session.delete(`/operator/blocks/${blocked.body.data.id}`))
  })

  await t.test('the health names queues, repeated work and sizes', async () => {
    await eventually(async () => {
      const { data } = (await must(200, session.get('/operator/health'))).body
      assert.deepEqual(
        data.checks.toSorted((a: { name: string }, b: { name: string }) =>
          a.name.localeCompare(b.name),
        ),
        [
          { name: 'clickhouse', isOk: true },
          { name: 'postgres', isOk: true },
        ],
      )
      assert.equal(data.mail.transport, 'outbox')
      assert.ok(data.storage.postgresBytes > 0 && data.storage.diskFreeBytes > 0)
      assert.ok(data.storage.clickhouseBytes !== null)
      const blocks = data.sweeps.find(({ name }: { name: string }) => name === 'blocks')
      assert.ok(blocks.isRunning && blocks.succeededAt !== null)
    })
  })
})
