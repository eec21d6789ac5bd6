import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from '../../src/platform/routes/principal.ts'
import { must } from '../support/calls.ts'
import { openWorld, type Member } from '../support/world.ts'

test('workspaces, members, invitations and keys over HTTP', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { config: { maxWorkspacesPerUser: 2 } })

  await t.test('a user makes as many workspaces as the settings allow', async () => {
    const owner = await world.session(await world.member())
    const create = () => owner.post('/workspaces', { name: 'One more' })
    const made = await Promise.all(Array.from({ length: 6 }, create))
    assert.deepEqual(
      made.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 403, 403, 403, 403, 403],
    )
    const { error } = (await create()).body
    assert.deepEqual(
      [error.code, error.details],
      ['FORBIDDEN', { limit: 'workspaces', max: 2, used: 2 }],
    )
  })

  await t.test('a key sees its one workspace, whole and by id', async () => {
    const owner = await world.member()
    const { status, body } = await owner.get('/workspaces')
    assert.equal(status, 200)
    assert.deepEqual([body.data.length, body.meta.total], [1, 1])
    assert.equal(body.data[0].id, owner.workspaceId)
    const read = await owner.get(`/workspaces/${owner.workspaceId}`)
    assert.deepEqual(read.body.data, body.data[0])
    const renamed = await owner.patch(`/workspaces/${owner.workspaceId}`, { name: 'Renamed' })
    assert.deepEqual([renamed.status, renamed.body.data.name], [200, 'Renamed'])
  })

  await t.test('another’s workspace is FORBIDDEN before the body is looked at', async () => {
    const [owner, stranger] = [await world.member(), await world.member()]
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    for (const principal of [stranger, viewer])
      assert.equal(
        (await principal.patch(`/workspaces/${owner.workspaceId}`, { name: 7 })).status,
        403,
      )
    assert.equal((await stranger.get(`/workspaces/${owner.workspaceId}`)).status, 403)
    assert.equal((await stranger.get('/workspaces/wsp_none')).status, 404)
    assert.equal((await owner.patch(`/workspaces/${owner.workspaceId}`, { name: 7 })).status, 400)
  })

  await t.test('members are listed for everyone and changed by admins', async () => {
    const owner = await world.member()
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    const { body } = await viewer.get('/members')
    assert.equal(body.meta.total, 2)
    assert.equal((await viewer.patch(`/members/${owner.userId}`, { role: 'viewer' })).status, 403)
    assert.equal((await owner.patch(`/members/${viewer.userId}`, { role: 'king' })).status, 400)
    const made = await owner.patch(`/members/${viewer.userId}`, { role: 'member' })
    assert.deepEqual([made.status, made.body.data.role], [200, 'member'])
    assert.equal((await viewer.delete(`/members/${owner.userId}`)).status, 403)
    assert.equal((await viewer.delete(`/members/${viewer.userId}`)).status, 204)
    assert.equal((await owner.delete(`/members/${owner.userId}`)).status, 409)
  })

  await t.test('admins invite, list and cancel', async () => {
    const owner = await world.member()
    const invited = await owner.post('/invitations', { email: 'new@example.com', role: 'member' })
    assert.equal(invited.status, 201)
    assert.equal((await owner.get('/invitations?status=pending')).body.meta.total, 1)
    const read = await owner.get(`/invitations/${invited.body.data.id}`)
    const { mailed: _, accountRequired: __, ...kept } = invited.body.data
    assert.deepEqual([read.status, read.body.data], [200, kept])
    assert.equal((await owner.delete(`/invitations/${invited.body.data.id}`)).status, 204)
    assert.equal((await owner.get('/invitations?status=canceled')).body.meta.total, 1)
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    for (const answer of [
      await viewer.get('/invitations'),
      await viewer.post('/invitations', { email: 'x@example.com', role: 'viewer' }),
      await viewer.get(`/invitations/${invited.body.data.id}`),
      await viewer.delete(`/invitations/${invited.body.data.id}`),
      await owner.post(`/invitations/${'x'.repeat(43)}/accept`),
    ])
      assert.equal(answer.status, 403)
  })

  await t.test('the confirmation of a deletion may be in the query', async () => {
    const { session, path } = await freshWorkspace('To be & deleted')
    const refusals = [await session.delete(path), await session.delete(`${path}?confirm=other`)]
    assert.deepEqual(
      refusals.map(({ status, body }) => [status, body.error.details[0].path]),
      [
        [400, 'confirm'],
        [400, 'confirm'],
      ],
    )
    await must(204, session.delete(`${path}?confirm=To+be+%26+deleted`))
    await must(404, session.get(path))
  })

  await t.test('an account without a password is deleted without a body', async () => {
    const { session, path } = await freshWorkspace('Only mine')
    assert.equal((await session.delete('/auth/user')).status, 409)
    assert.equal((await session.delete('/auth/user?workspaces=refuse')).status, 409)
    await must(200, session.get(path))
    await must(204, session.delete('/auth/user?workspaces=delete'))
    await must(401, session.get('/auth/session'))
  })

  async function freshWorkspace(name: string) {
    const session = await world.session(await world.member())
    const { id } = (await must(201, session.post('/workspaces', { name }))).body.data
    return { session, path: `/workspaces/${id}` }
  }

  await t.test('an invitation that is over says how: accepted 409, anything else 410', async () => {
    const owner = await world.member()
    const invite = async () => {
      const guest = await world.member()
      const [user] = await world.sql<{ email: string }[]>`
        select email from users where id = ${guest.userId}`
      const { email } = user!
      const { id } = (await must(201, owner.post('/invitations', { email, role: 'viewer' }))).body
        .data
      const path = `/invitations/${(await world.outbox.next(email)).token}`
      return { id, path, ...(await world.session(guest)) }
    }
    const refusals = async ({ path, post }: Awaited<ReturnType<typeof invite>>) => {
      const answers = [await post(`${path}/accept`), await post(`${path}/reject`)]
      return answers.map(({ status, body }) => `${status} ${body.error.code}`)
    }
    const [accepted, rejected, canceled] = [await invite(), await invite(), await invite()]
    await must(200, accepted.post(`${accepted.path}/accept`))
    assert.deepEqual(await refusals(accepted), ['409 CONFLICT', '409 CONFLICT'])
    await must(200, rejected.post(`${rejected.path}/reject`))
    assert.deepEqual(await refusals(rejected), ['410 GONE', '410 GONE'])
    await must(204, owner.delete(`/invitations/${canceled.id}`))
    assert.deepEqual(await refusals(canceled), ['410 GONE', '410 GONE'])
    const expired = await invite()
    world.clock.advance(14 * 86_400_000)
    const later = { ...expired, ...(await world.session(expired)) }
    assert.deepEqual(await refusals(later), ['410 GONE', '410 GONE'])
  })

  await t.test('no key may touch keys, in any role', async () => {
    const owner = await world.member()
    for (const role of ROLES) {
      const principal = await world.member({ workspaceId: owner.workspaceId, role })
      const [row] = await world.sql<
        [{ id: string }]
      >`select id from api_keys where user_id = ${principal.userId}`
      const path = `/api-keys/${row.id}`
      for (const answer of [
        await principal.get('/api-keys'),
        await principal.post('/api-keys', { name: 'x' }),
        await principal.get(path),
        await principal.patch(path, { name: 'x' }),
        await principal.post(`${path}/rotate`),
        await principal.delete(path),
      ])
        assert.deepEqual([answer.status, answer.body.error.code], [403, 'FORBIDDEN'])
    }
  })
})

test('an address gets three invitations an hour from one user and ten from all', async (t) => {
  const world = await openWorld(t)
  const invite = (principal: Member, email: string) =>
    principal.post('/invitations', { email, role: 'viewer' })
  const mailed = async (principal: Member, email: string) =>
    (await must(201, invite(principal, email))).body.data.mailed
  const user = await world.user()
  const [one, two, three, last] = await Promise.all([1, 2, 3, 4].map(() => world.member()))
  for (const principal of [one!, two!, three!]) {
    for (let n = 0; n < 3; n++) assert.equal(await mailed(principal, user.email), true)
    assert.equal((await invite(principal, user.email)).status, 429)
  }
  assert.equal(await mailed(last!, user.email), true)
  // The tenth mail is the last one; its link outlives the invitations that send none.
  let token = ''
  for (let n = 0; n < 10; n++) token = (await world.outbox.next(user.email)).token
  assert.equal(await mailed(last!, user.email), false)
  assert.equal(await mailed(last!, 'another@example.com'), true)
  await world.outbox.next('another@example.com')
  const { data } = (await must(200, user.post(`/invitations/${token}/accept`))).body
  assert.equal(data.workspaceId, last!.workspaceId)
})

test('where sign-up is closed an invitation says that it needs an account, for every address', async (t) => {
  const world = await openWorld(t, { config: { signup: 'closed' } })
  const [owner, other] = [await world.member(), await world.member()]
  const [known] = await world.sql<{ email: string }[]>`
    select email from users where id = ${other.userId}`
  for (const email of [known!.email, 'unknown@example.com']) {
    const made = await must(201, owner.post('/invitations', { email, role: 'viewer' }))
    assert.deepEqual([made.body.data.accountRequired, made.body.data.mailed], [true, true])
  }
  const open = await openWorld(t)
  const made = await (
    await open.member()
  ).post('/invitations', { email: 'x@example.com', role: 'viewer' })
  assert.equal(made.body.data.accountRequired, false)
})
