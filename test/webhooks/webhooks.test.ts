import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../src/webhooks/events.ts'
import { openWorld, type Answer, type Member, type World } from '../support/world.ts'

// An address, so that no name has to be resolved; nothing is sent while endpoints are paused.
const UNUSED_URL = 'https://192.0.43.8/hook'
const PAUSED = { url: UNUSED_URL, events: ['link.created'], status: 'paused' }
const ENDPOINT_FIELDS = [
  'id',
  'workspaceId',
  'url',
  'description',
  'events',
  'status',
  'failureCount',
  'lastFailureAt',
  'lastSuccessAt',
  'createdBy',
  'createdAt',
  'updatedAt',
  'standardHeaders',
  'failureEmail',
  'droppedClicks',
  'disableAfterHours',
  'autoPausedAt',
  'previousSecretValidUntil',
  'headers',
]
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function assertError(answer: Answer, status: number, code: string, path?: string): void {
  const { error } = answer.body ?? {}
  assert.deepEqual([answer.status, error?.code], [status, code], JSON.stringify(answer.body))
  if (path !== undefined) assert.equal(error.details[0].path, path)
}

async function create(owner: Member, changes: object = {}) {
  const answer = await owner.post('/webhooks/endpoints', { ...PAUSED, ...changes })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}

async function emailOf({ sql }: World, { userId }: Member): Promise<string> {
  const [row] = await sql<{ email: string }[]>`select email from users where id = ${userId}`
  return row!.email
}

test('endpoints: routes, fields and what is refused', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const stranger = await world.member()
  const email = await emailOf(world, owner)

  await t.test('an endpoint is answered with every field of the spec, then ours', async () => {
    for (const path of ['/webhooks/endpoints', '/webhooks']) {
      const made = await owner.post(path, { url: UNUSED_URL, events: ['*'], status: 'paused' })
      assert.equal(made.status, 201)
      const { secret, ...endpoint } = made.body.data
      assert.deepEqual(Object.keys(endpoint), ENDPOINT_FIELDS)
      assert.match(secret, /^whsec_[A-Za-z0-9_-]{43}$/)
      assert.equal(endpoint.workspaceId, owner.workspaceId)
      assert.equal(endpoint.createdBy, owner.userId)
      assert.match(endpoint.createdAt, TIME)
      const nulls = [endpoint.description, endpoint.lastFailureAt, endpoint.lastSuccessAt]
      assert.deepEqual(nulls, [null, null, null])
      assert.deepEqual([endpoint.failureCount, endpoint.droppedClicks], [0, 0])
      assert.equal(made.body.meta.requestId, made.headers.get('x-request-id'))
      const read = await owner.get(`/webhooks/endpoints/${endpoint.id}`)
      assert.deepEqual([read.status, read.body.data], [200, endpoint])
    }
    const lists = await Promise.all(
      ['/webhooks', '/webhooks/endpoints'].map((path) => owner.get(path)),
    )
    assert.deepEqual(lists[0]!.body.data, lists[1]!.body.data)
    assert.equal(lists[0]!.body.data.length, 2)
    assert.deepEqual(Object.keys(lists[0]!.body.data[0]), ENDPOINT_FIELDS)
    assert.deepEqual((await stranger.get('/webhooks')).body.data, [])
  })

  await t.test('status is active unless it says paused, and PATCH moves it both ways', async () => {
    const active = await owner.post('/webhooks/endpoints', {
      url: UNUSED_URL,
      events: ['domain.failed'],
    })
    assert.equal(active.body.data.status, 'active')
    const { id } = active.body.data
    for (const status of ['paused', 'active', 'paused']) {
      const changed = await owner.patch(`/webhooks/endpoints/${id}`, { status })
      assert.deepEqual([changed.status, changed.body.data.status], [200, status])
    }
    assert.equal((await create(owner)).status, 'paused')
  })

  const long = (characters: number) => '😀'.repeat(characters)
  const refused: [string, object, string][] = [
    ['no URL', { url: undefined }, 'url'],
    ['an invalid URL', { url: 'receiver' }, 'url'],
    ['http://', { url: 'http://192.0.43.8/' }, 'url'],
    ['another scheme', { url: 'ftp://192.0.43.8/' }, 'url'],
    ['credentials', { url: 'https://user:pass@192.0.43.8/' }, 'url'],
    ['a user name', { url: 'https://user@192.0.43.8/' }, 'url'],
    ['loopback', { url: 'https://127.0.0.1/' }, 'url'],
    ['loopback as a number', { url: 'https://2130706433/' }, 'url'],
    ['loopback mapped into IPv6', { url: 'https://[::ffff:7f00:1]/' }, 'url'],
    ['localhost', { url: 'https://localhost:3000/' }, 'url'],
    ['a private range', { url: 'https://10.1.2.3/' }, 'url'],
    ['the address of metadata', { url: 'https://169.254.169.254/latest' }, 'url'],
    ['a port of another protocol', { url: 'https://192.0.43.8:25/' }, 'url'],
    ['a number as URL', { url: 7 }, 'url'],
    ['a long URL', { url: `${UNUSED_URL}/${'a'.repeat(2_048)}` }, 'url'],
    ['no events', { events: undefined }, 'events'],
    ['an empty list of events', { events: [] }, 'events'],
    ['an unknown event', { events: ['link.created', 'link.moved'] }, 'events.1'],
    ['a name of the language', { events: ['constructor'] }, 'events.0'],
    ['an event that is a number', { events: [1] }, 'events.0'],
    ['events as a text', { events: '*' }, 'events'],
    ['501 characters', { description: long(501) }, 'description'],
    ['a number as description', { description: 5 }, 'description'],
    ['a NUL character', { description: 'a\0b' }, 'description'],
    ['an unknown status', { status: 'disabled' }, 'status'],
    ['null as status', { status: null }, 'status'],
    ['an invalid address', { failureEmail: 'no-address' }, 'failureEmail'],
    ['two addresses', { failureEmail: `${email},${email}` }, 'failureEmail'],
    ['an address of no member', { failureEmail: 'stranger@example.com' }, 'failureEmail'],
    [
      'an address with an invisible character',
      { failureEmail: 'a\u202e@example.com' },
      'failureEmail',
    ],
    ['a text for a flag', { standardHeaders: 'true' }, 'standardHeaders'],
    ['no hour before a pause', { disableAfterHours: 0 }, 'disableAfterHours'],
    ['more than a month before a pause', { disableAfterHours: 721 }, 'disableAfterHours'],
    ['a part of an hour', { disableAfterHours: 1.5 }, 'disableAfterHours'],
    ['a text for hours', { disableAfterHours: '24' }, 'disableAfterHours'],
  ]
  await t.test('an invalid endpoint is refused, at creation and by PATCH', async () => {
    const { id } = await create(owner)
    const before = await owner.get(`/webhooks/endpoints/${id}`)
    for (const [what, changes, path] of refused) {
      const made = await owner.post('/webhooks/endpoints', { ...PAUSED, ...changes })
      assertError(made, 400, 'VALIDATION_ERROR', path)
      assert.ok(made.body.error.message.endsWith('.'), what)
      // Left out, a field stays as it is.
      if (Object.values(changes)[0] === undefined) continue
      assertError(
        await owner.patch(`/webhooks/endpoints/${id}`, changes),
        400,
        'VALIDATION_ERROR',
        path,
      )
    }
    const blocked = await owner.post('/webhooks/endpoints', { ...PAUSED, url: 'https://10.0.0.1/' })
    assert.match(blocked.body.error.message, /EGRESS_ALLOWED_CIDRS/)
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', 'metadata.google.internal']) {
      const never = await owner.post('/webhooks/endpoints', { ...PAUSED, url: `https://${host}/` })
      assertError(never, 400, 'VALIDATION_ERROR', 'url')
      assert.match(never.body.error.message, /^[^_]*no setting opens them\.$/)
    }
    assert.deepEqual((await owner.get(`/webhooks/endpoints/${id}`)).body.data, before.body.data)
  })

  await t.test('what is borderline is taken', async () => {
    const taken: [object, string, unknown][] = [
      [{ description: long(500) }, 'description', long(500)],
      [{ description: null }, 'description', null],
      [{ description: '' }, 'description', ''],
      [{ events: ['link.created', '*', 'link.created'] }, 'events', ['link.created', '*']],
      [{ events: EVENT_TYPES }, 'events', EVENT_TYPES],
      [{ url: ' https://192.0.43.8 ' }, 'url', 'https://192.0.43.8/'],
      [
        { url: 'https://192.0.43.8:8443/a%20b?c=%64#e' },
        'url',
        'https://192.0.43.8:8443/a%20b?c=%64#e',
      ],
      [{ failureEmail: email.toUpperCase() }, 'failureEmail', email],
      [{ failureEmail: null }, 'failureEmail', null],
      [{ standardHeaders: true }, 'standardHeaders', true],
      [{ color: 'red' }, 'color', undefined],
    ]
    for (const [changes, field, value] of taken) {
      const made = await create(owner, changes)
      assert.deepEqual(made[field], value)
      const patched = await owner.patch(`/webhooks/endpoints/${(await create(owner)).id}`, changes)
      assert.deepEqual([patched.status, patched.body.data[field]], [200, value])
    }
  })

  await t.test(
    'PATCH replaces what it names, null clears, and nothing else can be named',
    async () => {
      const made = await create(owner, {
        description: 'first',
        events: ['link.created', 'link.updated'],
      })
      const path = `/webhooks/endpoints/${made.id}`
      world.clock.advance(1_000)
      const changed = await owner.patch(path, { events: ['link.deleted'], description: null })
      assert.deepEqual(changed.body.data.events, ['link.deleted'])
      assert.equal(changed.body.data.description, null)
      assert.equal(changed.body.data.url, made.url)
      assert.ok(changed.body.data.updatedAt > made.updatedAt)

      const forbidden = {
        id: 'whe_other',
        workspaceId: stranger.workspaceId,
        secret: 'mine',
        secretSealed: '\\x00',
        createdBy: stranger.userId,
        createdAt: '2020-01-01T00:00:00.000Z',
        deletedAt: '2020-01-01T00:00:00.000Z',
        failureCount: 9,
        droppedClicks: 9,
      }
      world.clock.advance(1_000)
      const same = await owner.patch(path, forbidden)
      assert.deepEqual([same.status, same.body.data], [200, changed.body.data])
      const { body } = await owner.get(`${path}/secret`)
      assert.equal(body.data.secret, made.secret)
    },
  )

  await t.test('PATCH that changes nothing writes nothing', async () => {
    const { id, events, url, description } = await create(owner, { description: 'same' })
    const rows = () => world.sql`
      select (select xmin::text from webhook_endpoints where id = ${id}) as endpoint,
        (select array_agg(xmin::text) from webhook_subscriptions where endpoint_id = ${id}) as subscriptions,
        (select count(*) from audit_log where target_id = ${id}) as audited`
    const before = await rows()
    for (const body of [{}, { events, url, description }, { status: 'paused' }, { url: ` ${url}` }])
      assert.equal((await owner.patch(`/webhooks/endpoints/${id}`, body)).status, 200)
    assert.deepEqual(await rows(), before)
    await owner.patch(`/webhooks/endpoints/${id}`, { description: 'other' })
    const after = await rows()
    assert.deepEqual(after[0]!['subscriptions'], before[0]!['subscriptions'])
    assert.equal(Number(after[0]!['audited']), 2)
  })

  await t.test('a deleted endpoint is gone at once, from every route', async () => {
    const { id } = await create(owner)
    const path = `/webhooks/endpoints/${id}`
    const sent = await owner.post(`${path}/test`)
    const delivery = `/webhooks/deliveries/${sent.body.data.id}`
    assert.equal((await owner.get(delivery)).status, 200)
    const deleted = await owner.delete(path)
    assert.deepEqual([deleted.status, deleted.body], [204, undefined])
    assert.ok(deleted.headers.get('x-request-id'))
    const answers = await Promise.all([
      owner.get(path),
      owner.patch(path, { status: 'active' }),
      owner.delete(path),
      owner.get(`${path}/secret`),
      owner.post(`${path}/secret/rotate`),
      owner.post(`${path}/test`),
      owner.post(`${path}/replay`, { since: '2026-01-01T00:00:00.000Z' }),
      owner.get(delivery),
      owner.post(`${delivery}/retry`),
      stranger.get(path),
      stranger.get(delivery),
    ])
    for (const answer of answers) assertError(answer, 404, 'NOT_FOUND')
    const listed = await owner.get(`/webhooks/deliveries?endpointId=${id}`)
    assert.deepEqual([listed.body.data, listed.body.meta.total], [[], 0])
    const all = await owner.get('/webhooks/deliveries')
    assert.deepEqual([all.body.data, all.body.meta.total], [[], 0])
    assertError(
      await owner.post('/webhooks/deliveries/retry', { endpointId: id }),
      400,
      'VALIDATION_ERROR',
      'endpointId',
    )
  })
})

test('webhooks: who may do what, and where the secret is shown', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const stranger = await world.member()
  const { id, secret } = await create(owner)
  const sent = await owner.post(`/webhooks/endpoints/${id}/test`)
  // Ids of tests can be guessed and are answered otherwise; other ids cannot.
  const deliveryId = 'del_of_owner'
  await world.sql`update webhook_queue set id = ${deliveryId} where id = ${sent.body.data.id}`
  const since = { since: '2026-01-01T00:00:00.000Z' }
  const own = `/webhooks/endpoints/${id}`
  const reads: [string, string][] = [
    ['GET', '/webhooks'],
    ['GET', '/webhooks/endpoints'],
    ['GET', own],
    ['GET', '/webhooks/events'],
    ['GET', '/webhooks/deliveries'],
    ['GET', `/webhooks/deliveries/${deliveryId}`],
  ]
  const writes: [string, string, unknown?][] = [
    ['POST', '/webhooks', PAUSED],
    ['POST', '/webhooks/endpoints', PAUSED],
    ['PATCH', own, { description: 'changed' }],
    ['GET', `${own}/secret`],
    ['POST', `${own}/secret/rotate`],
    ['POST', `${own}/test`],
    ['POST', `${own}/replay`, since],
    ['POST', '/webhooks/dispatch', { type: 'link.created' }],
    ['POST', '/webhooks/deliveries/retry', {}],
    ['GET', '/webhooks/listen?waitSeconds=0'],
  ]
  const ask = (principal: Member, method: string, path: string, body?: unknown) =>
    method === 'GET'
      ? principal.get(path)
      : method === 'PATCH'
        ? principal.patch(path, body)
        : method === 'DELETE'
          ? principal.delete(path)
          : principal.post(path, body)

  await t.test('viewers and members read, admins and owners do the rest', async () => {
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const member = await world.member({ workspaceId: owner.workspaceId, role })
      for (const [method, path] of reads)
        assert.equal((await ask(member, method, path)).status, 200, `${role} ${method} ${path}`)
      for (const [method, path, body] of writes) {
        const answer = await ask(member, method, path, body)
        if (role === 'admin') assert.ok(answer.status < 300, `${path} ${answer.status}`)
        else assertError(answer, 403, 'FORBIDDEN')
      }
      if (role === 'admin') continue
      assertError(await member.delete(own), 403, 'FORBIDDEN')
      const retry = `/webhooks/deliveries/${deliveryId}/retry`
      assertError(await member.post(retry), 403, 'FORBIDDEN')
      // The role comes before what is sent.
      assertError(await member.post('/webhooks/endpoints', { url: 7 }), 403, 'FORBIDDEN')
    }
  })

  await t.test('an id of another workspace is forbidden, an unknown one is not found', async () => {
    const paths = [...reads, ...writes, ['DELETE', own] as [string, string]].filter(
      ([, path]) => path.includes(id) || path.includes(deliveryId),
    )
    assert.equal(paths.length, 8)
    for (const [method, path, body] of paths as [string, string, unknown?][]) {
      assertError(await ask(stranger, method, path, body), 403, 'FORBIDDEN')
      const unknown = path.replace(id, 'whe_0').replace(deliveryId, 'del_0')
      assertError(await ask(stranger, method, unknown, body), 404, 'NOT_FOUND')
    }
    const retry = `/webhooks/deliveries/${deliveryId}/retry`
    assertError(await stranger.post(retry), 403, 'FORBIDDEN')
    assertError(await stranger.get(`/webhooks/deliveries?endpointId=${id}`), 403, 'FORBIDDEN')
    const body = { endpointId: id }
    assertError(await stranger.post('/webhooks/deliveries/retry', body), 403, 'FORBIDDEN')
    const anonymous = await world.call('GET', `/v1${own}`)
    assertError(anonymous, 401, 'UNAUTHORIZED')
  })

  await t.test('the secret is in three answers and nowhere else', async () => {
    const shown = await owner.get(`${own}/secret`)
    const current = shown.body.data.secret
    assert.deepEqual(Object.keys(shown.body.data), ['id', 'secret'])
    assert.notEqual(current, secret)
    const rotated = await owner.post(`${own}/secret/rotate`)
    assert.equal(rotated.status, 200)
    assert.deepEqual(Object.keys(rotated.body.data), ['id', 'secret', 'previousSecretValidUntil'])
    const created = await create(owner)
    const secrets = [secret, current, rotated.body.data.secret, created.secret]
    assert.equal(new Set(secrets).size, 4)

    const others = await Promise.all([
      ...reads.map(([, path]) => owner.get(path)),
      owner.patch(own, { description: 'no secret' }),
      owner.post(`${own}/test`),
      owner.post('/webhooks/dispatch', { type: 'link.created' }),
      owner.post(`${own}/replay`, since),
      owner.get('/webhooks/listen?waitSeconds=0'),
      owner.get('/audit-log?limit=100'),
      owner.get('/security-log?limit=100'),
      owner.post(`${own}/secret/rotate?secret=${secret}`, { secret }),
    ])
    const last = others.pop()!.body.data.secret
    for (const { status, body } of others) {
      assert.ok(status < 300, JSON.stringify(body))
      for (const each of [...secrets, last, 'whsec_'])
        assert.ok(!JSON.stringify(body).includes(each), JSON.stringify(body))
    }
    // Nor in any table: neither in the clear nor as the bytes of it.
    const tables = await world.sql<{ name: string }[]>`
      select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`
    for (const { name } of tables) {
      const [row] = await world.sql<{ n: number }[]>`
        select count(*) as n from ${world.sql(name)} as t
        where t::text like '%whsec_%' or t::text like ${`%${Buffer.from('whsec_').toString('hex')}%`}`
      assert.equal(row!.n, 0, name)
    }
  })

  await t.test(
    'every change has its audit row, every look at a secret its security row',
    async () => {
      const fresh = await create(owner)
      const path = `/webhooks/endpoints/${fresh.id}`
      await owner.patch(path, { description: 'audited' })
      await owner.get(`${path}/secret`)
      await owner.post(`${path}/secret/rotate`)
      await owner.post(`${path}/test`)
      await owner.delete(path)
      const rows = await world.sql<{ action: string; changes: Record<string, unknown> }[]>`
      select action, changes from audit_log where target_id = ${fresh.id} order by id`
      const actions = ['created', 'updated', 'secret_viewed', 'secret_rotated', 'tested', 'deleted']
      assert.deepEqual(
        rows.map((row) => row.action).toSorted(),
        actions.map((action) => `webhook.${action}`).toSorted(),
      )
      const updated = rows.find((row) => row.action === 'webhook.updated')
      assert.deepEqual(updated!.changes, { description: { old: null, new: 'audited' } })
      const noted = await world.sql<{ type: string }[]>`
      select type from security_log where details ->> 'endpointId' = ${fresh.id} order by type`
      assert.deepEqual(
        noted.map((row) => row.type),
        ['webhook.secret_rotated', 'webhook.secret_viewed'],
      )
    },
  )
})

test('webhooks and plans', async (t) => {
  const world = await openWorld(t)

  await t.test('sixty creations at once make exactly the five that the plan allows', async () => {
    const owner = await world.member()
    await world.sql`update workspaces set plan = 'pro' where id = ${owner.workspaceId}`
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => owner.post('/webhooks/endpoints', PAUSED)),
    )
    const made = answers.filter((answer) => answer.status === 201)
    assert.equal(made.length, 5)
    for (const answer of answers)
      if (answer.status !== 201) {
        assertError(answer, 403, 'PLAN_LIMIT_REACHED')
        assert.equal(answer.body.error.details.limit, 'webhook_endpoints')
      }
    assert.equal((await owner.get('/webhooks')).body.data.length, 5)
    await owner.delete(`/webhooks/endpoints/${made[0]!.body.data.id}`)
    assert.equal((await owner.post('/webhooks', PAUSED)).status, 201)
    assertError(await owner.post('/webhooks', PAUSED), 403, 'PLAN_LIMIT_REACHED')
    // Invalid fields are reported first.
    assertError(await owner.post('/webhooks', { ...PAUSED, events: [] }), 400, 'VALIDATION_ERROR')
  })

  await t.test(
    'without webhooks in the plan every request that would send is refused, after all other checks',
    async () => {
      const owner = await world.member()
      const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
      const { id } = await create(owner)
      const sent = await owner.post(`/webhooks/endpoints/${id}/test`)
      await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
      const own = `/webhooks/endpoints/${id}`
      const delivery = `/webhooks/deliveries/${sent.body.data.id}`
      const answers = await Promise.all([
        owner.post('/webhooks', PAUSED),
        owner.post('/webhooks/endpoints', PAUSED),
        owner.patch(own, { status: 'active' }),
        owner.patch(own, { description: 'changed' }),
        owner.post(`${own}/test`),
        owner.post(`${own}/replay`, { since: '2026-01-01T00:00:00.000Z' }),
        owner.post(`${delivery}/retry`),
        owner.post('/webhooks/deliveries/retry', {}),
        owner.post('/webhooks/dispatch', { type: 'link.created' }),
        owner.get('/webhooks/listen?waitSeconds=0'),
      ])
      for (const answer of answers) assertError(answer, 403, 'PLAN_CAPABILITY_REQUIRED')
      assert.equal(answers[0]!.body.error.details.capability, 'webhooks')

      assertError(await owner.get('/webhooks/endpoints/whe_0'), 404, 'NOT_FOUND')
      assertError(await viewer.patch(own, {}), 403, 'FORBIDDEN')
      assertError(
        await owner.patch(own, { url: 'http://example.com' }),
        400,
        'VALIDATION_ERROR',
        'url',
      )
      assertError(await owner.post(`${own}/test`, { eventType: 'x' }), 400, 'VALIDATION_ERROR')
      assertError(await owner.post('/webhooks/dispatch', { type: 'x' }), 400, 'VALIDATION_ERROR')
      const filter = { endpointId: 'whe_0' }
      assertError(await owner.post('/webhooks/deliveries/retry', filter), 400, 'VALIDATION_ERROR')
    },
  )

  await t.test(
    'without webhooks in the plan endpoints can be read, paused and deleted',
    async () => {
      const owner = await world.member()
      const made = await create(owner, { status: 'active' })
      const own = `/webhooks/endpoints/${made.id}`
      const sent = await owner.post(`${own}/test`)
      await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
      const paths = [
        '/webhooks',
        '/webhooks/endpoints',
        own,
        `${own}/secret`,
        '/webhooks/deliveries',
        `/webhooks/deliveries/${sent.body.data.id}`,
        '/webhooks/events',
      ]
      for (const path of paths) assert.equal((await owner.get(path)).status, 200, path)
      const more = { status: 'paused', description: 'and more than that' }
      assertError(await owner.patch(own, more), 403, 'PLAN_CAPABILITY_REQUIRED')
      const paused = await owner.patch(own, { status: 'paused', events: PAUSED.events })
      assert.deepEqual([paused.status, paused.body.data.status], [200, 'paused'])
      assertError(await owner.patch(own, { status: 'active' }), 403, 'PLAN_CAPABILITY_REQUIRED')
      assert.equal((await owner.post(`${own}/secret/rotate`)).status, 200)
      assert.equal((await owner.delete(own)).status, 204)
    },
  )
})

test('a failure mail goes to no address but that of an admin or owner', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { workspaceId } = owner
  const stranger = await world.member()
  const admin = await world.member({ workspaceId, role: 'admin' })
  const member = await world.member({ workspaceId, role: 'member' })
  const unverified = await world.member({ workspaceId, role: 'admin' })
  await world.sql`update users set email_verified_at = null where id = ${unverified.userId}`
  const suspended = await world.member({ workspaceId, role: 'admin' })
  await world.sql`update users set suspended_at = now() where id = ${suspended.userId}`
  const { id } = await create(owner, { failureEmail: await emailOf(world, admin) })

  const refusals = new Set<string>()
  for (const failureEmail of [
    'never-registered@example.com',
    'no address',
    await emailOf(world, stranger),
    await emailOf(world, member),
    await emailOf(world, unverified),
    await emailOf(world, suspended),
  ]) {
    const made = await owner.post('/webhooks/endpoints', { ...PAUSED, failureEmail })
    const patched = await owner.patch(`/webhooks/endpoints/${id}`, { failureEmail })
    for (const answer of [made, patched]) {
      assertError(answer, 400, 'VALIDATION_ERROR', 'failureEmail')
      refusals.add(JSON.stringify([answer.body.error.message, answer.body.error.details]))
    }
  }
  assert.equal(refusals.size, 1, 'the answers tell the addresses apart')
  const { body } = await owner.get(`/webhooks/endpoints/${id}`)
  assert.equal(body.data.failureEmail, await emailOf(world, admin))
})
