import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { callServer } from '../../src/operator/socket.ts'
import { builtInPlans } from '../../src/platform/plans/plan.ts'
import { must, type Answer } from '../support/calls.ts'
import { freshDataDir } from '../support/program.ts'
import { callsWith, eventually, openWorld } from '../support/world.ts'

const LINK = { name: 'One', destinationUrl: 'https://example.com/' }

async function openReceiver(t: TestContext) {
  const types: string[] = []
  const server = createServer((req, res) => {
    void json(req).then((body) => {
      types.push((body as { type: string }).type)
      res.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, types }
}

async function dataOf(status: number, asked: Promise<Answer>) {
  return (await must(status, asked)).body.data
}

function refused({ status, body }: Answer, code: string, details: object): void {
  assert.deepEqual([status, body.error?.code], [403, code])
  assert.deepEqual(body.error.details, details)
}

/** As docs/plans.md says under "A plan below what is in use". */
test('what a lower plan leaves, and what it refuses', { concurrency: false }, async (t) => {
  const plansFile = join(freshDataDir(t), 'plans.json')
  // All of its requests come within a minute, more than the smallest plans allow.
  const all = builtInPlans().map((plan) => ({ ...plan, apiRequestsPerMinute: 100_000 }))
  const free = all.find(({ id }) => id === 'free')!
  const tiny = { ...free, id: 'tiny', limits: { ...free.limits, api_requests_monthly: 5 } }
  writeFileSync(plansFile, JSON.stringify({ plans: [...all, tiny] }))
  const world = await openWorld(t, {
    config: { plansFile, webhookAllowHttp: true, egressAllowedCidrs: ['127.0.0.0/8'] },
  })
  const receiver = await openReceiver(t)
  const owner = await world.member()
  const { workspaceId } = owner
  const session = await world.session(owner)
  const setPlan = (plan: string) =>
    callServer(world.dataDir, 'plan', { workspace: workspaceId, plan })
  const reached = (answer: Answer, limit: string, max: number, used: number) =>
    refused(answer, 'PLAN_LIMIT_REACHED', { limit, max, used })

  // The lookup of the first visit may exceed its time.
  const redirects = (slug: string) =>
    eventually(async () => {
      const { status } = await world.call('GET', `/${slug}`, { redirect: 'manual' })
      assert.equal(status, 302)
    })

  // More of everything than the plans below allow.
  const viewer = await world.member({ workspaceId, role: 'viewer' })
  const keys: { id: string; key: string }[] = []
  for (let n = 0; n < 3; n++)
    keys.push(await dataOf(201, session.post('/api-keys', { name: `k${n}` })))
  const links: { id: string; slug: string }[] = []
  for (let n = 0; n < 26; n++) links.push(await dataOf(201, owner.post('/links', LINK)))
  const endpoint = { url: receiver.url, events: ['link.updated'] }
  const hooks: { id: string }[] = []
  for (let n = 0; n < 6; n++)
    hooks.push(
      await dataOf(
        201,
        owner.post('/webhooks', n === 0 ? endpoint : { ...endpoint, status: 'paused' }),
      ),
    )
  const pages: { id: string; slug: string }[] = []
  for (const slug of ['one', 'two'])
    pages.push(
      await dataOf(201, owner.post('/bio-pages', { slug, title: slug, status: 'published' })),
    )
  const guest = await world.member()
  const [user] = await world.sql<{ email: string }[]>`
    select email from users where id = ${guest.userId}`
  await dataOf(201, owner.post('/invitations', { email: user!.email, role: 'viewer' }))
  const { token } = await world.outbox.next(user!.email)

  await t.test(
    'endpoints above the limit deliver and can be changed; new ones are refused',
    async () => {
      await setPlan('pro')
      reached(await owner.post('/webhooks', endpoint), 'webhook_endpoints', 5, 6)
      const path = `/webhooks/endpoints/${hooks[1]!.id}`
      assert.equal((await owner.patch(path, { status: 'active' })).status, 200)
      assert.equal((await owner.post(`${path}/secret/rotate`)).status, 200)
      assert.equal((await owner.delete(path)).status, 204)
      reached(await owner.post('/webhooks', endpoint), 'webhook_endpoints', 5, 5)
      assert.equal((await owner.get('/webhooks')).body.data.length, 5)
      assert.equal((await owner.patch(`/links/${links[0]!.id}`, { name: 'Pro' })).status, 200)
      await eventually(async () => assert.deepEqual(receiver.types, ['link.updated']))
    },
  )

  await t.test(
    'without webhooks in the plan they deliver until they are paused or deleted, and can be read',
    async () => {
      await setPlan('free')
      assert.equal((await owner.patch(`/links/${links[0]!.id}`, { name: 'Free' })).status, 200)
      await eventually(async () => assert.equal(receiver.types.length, 2))
      const details = { capability: 'webhooks', plan: 'free' }
      const path = `/webhooks/endpoints/${hooks[0]!.id}`
      assert.equal((await owner.get('/webhooks')).body.data.length, 5)
      assert.equal((await owner.get('/webhooks/deliveries')).body.meta.total, 2)
      assert.equal((await owner.patch(path, { status: 'paused' })).status, 200)
      refused(await owner.patch(path, { status: 'active' }), 'PLAN_CAPABILITY_REQUIRED', details)
      refused(await owner.post(`${path}/test`), 'PLAN_CAPABILITY_REQUIRED', details)
      assert.equal((await owner.delete(path)).status, 204)
    },
  )

  await t.test('keys work and can be changed; a new one waits for room', async () => {
    for (const { key } of keys)
      assert.equal((await callsWith(key, world.origin).get('/links')).status, 200)
    const path = `/api-keys/${keys[0]!.id}`
    assert.equal((await session.patch(path, { name: 'renamed' })).status, 200)
    assert.equal((await session.post(`${path}/rotate`)).status, 200)
    // Three, and the one of bootstrap.
    reached(await session.post('/api-keys', { name: 'x' }), 'api_keys', 2, 5)
    for (const { id } of keys) assert.equal((await session.delete(`/api-keys/${id}`)).status, 204)
  })

  await t.test(
    'members keep their roles; no user is invited, or joins by an earlier invitation',
    async () => {
      assert.equal((await viewer.get('/links')).status, 200)
      assert.equal((await owner.patch(`/members/${viewer.userId}`, { role: 'admin' })).status, 200)
      reached(
        await owner.post('/invitations', { email: 'x@example.com', role: 'viewer' }),
        'members',
        1,
        2,
      )
      const guests = await world.session(guest)
      reached(await guests.post(`/invitations/${token}/accept`), 'members', 1, 2)
      assert.equal((await owner.get('/invitations?status=pending')).body.meta.total, 1)
    },
  )

  await t.test(
    'links redirect and can be changed and deleted; this month brings no new one',
    async () => {
      const { slug, id } = links[0]!
      await redirects(slug)
      reached(await owner.post('/links', LINK), 'links_monthly', 25, 26)
      assert.equal((await owner.delete(`/links/${id}`)).status, 204)
      reached(await owner.post('/links', LINK), 'links_monthly', 25, 26)
    },
  )

  await t.test('pages are served and can be changed; a new one waits for room', async () => {
    const { id, slug } = pages[0]!
    await eventually(async () => assert.equal((await world.call('GET', `/p/${slug}`)).status, 200))
    assert.equal((await owner.patch(`/bio-pages/${id}`, { title: 'Free' })).status, 200)
    const page = { slug: 'three', title: 'three' }
    reached(await owner.post('/bio-pages', page), 'bio_pages', 1, 2)
    assert.equal((await owner.delete(`/bio-pages/${id}`)).status, 204)
    reached(await owner.post('/bio-pages', page), 'bio_pages', 1, 1)
  })

  await t.test(
    'the audit log is written, and read again under a plan that includes it',
    async () => {
      refused(await owner.get('/audit-log'), 'PLAN_CAPABILITY_REQUIRED', {
        capability: 'audit_log',
        plan: 'free',
      })
      await setPlan('business')
      const { body } = await owner.get('/audit-log?action=link.deleted')
      assert.deepEqual([body.meta.total, body.data[0].target.id], [1, links[0]!.id])
    },
  )

  await t.test(
    'requests of a month that are used up: redirects, sign-ins and the bill go on',
    async () => {
      await setPlan('tiny')
      // A key is cached until the process is notified of the other plan.
      await eventually(async () => {
        const { status, body } = await owner.get('/links')
        assert.deepEqual([status, body.error?.code], [403, 'PLAN_LIMIT_REACHED'])
        assert.equal(body.error.details.limit, 'api_requests_monthly')
      })
      const { slug } = links[1]!
      await redirects(slug)
      assert.equal((await session.get('/auth/session')).status, 200)
      assert.equal((await session.get('/plans')).status, 200)
      const { usage } = await dataOf(200, session.get('/billing/usage'))
      assert.equal(usage.api_requests_monthly.limit, 5)
      // Nothing is sold here, and the request came as far as to be told so.
      for (const answer of [
        await session.post('/billing/checkout', { plan: 'pro' }),
        await session.post('/billing/portal'),
      ])
        assert.deepEqual([answer.status, answer.body.error.code], [409, 'CONFLICT'])
    },
  )
})
