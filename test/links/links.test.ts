import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

/** The spec's fields of a link, in its order. */
const SPEC_FIELDS =
  'id workspaceId name slug domainId destinationUrl iosDeepLink androidDeepLink expiresAt password ' +
  'redirectType status campaignId utmSource utmMedium utmCampaign utmTerm utmContent metadata ' +
  'createdAt updatedAt'

test('links', { concurrency: false }, async (t) => {
  const world = await openWorld(t)

  await t.test(
    'a link made with a name and a destination has every field of the spec',
    async () => {
      const owner = await world.member()
      const { status, body } = await owner.post('/links', NEW)
      assert.equal(status, 201)
      assert.equal(Object.keys(body.data).slice(0, 21).join(' '), SPEC_FIELDS)
      assert.match(body.data.id, /^lnk_[0-9A-Z]{26}$/)
      assert.match(body.data.slug, /^[23456789abcdefghjkmnpqrstuvwxyz]{7}$/)
      assert.equal(body.data.workspaceId, owner.workspaceId)
      assert.equal(body.data.destinationUrl, NEW.destinationUrl)
      assert.equal(body.data.redirectType, 302)
      assert.equal(body.data.status, 'active')
      const nullables = ['domainId', 'iosDeepLink', 'androidDeepLink', 'expiresAt', 'password']
      for (const name of [...nullables, 'campaignId', 'utmSource', 'utmTerm', 'metadata'])
        assert.equal(body.data[name], null, name)
      assert.match(body.data.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.equal(body.data.shortUrl, `${world.origin}/${body.data.slug}`)
    },
  )

  await t.test('what a link was made with is what every read shows', async () => {
    const owner = await world.member()
    const metadata = { z: 1, a: { deep: [true, null, 'ü'] } }
    const input = {
      ...NEW,
      slug: 'Spring-Sale',
      expiresAt: new Date(world.clock.now + DAY_MS).toISOString(),
      redirectType: 301,
      status: 'paused',
      utmSource: ' news ',
      utmContent: '',
      metadata,
    }
    const { body: made } = await owner.post('/links', input)
    const { body: read } = await owner.get(`/links/${made.data.id}`)
    assert.deepEqual(read.data, made.data)
    assert.equal(read.data.slug, 'Spring-Sale')
    assert.equal(read.data.utmSource, 'news')
    assert.equal(read.data.utmContent, null)
    assert.equal(JSON.stringify(read.data.metadata), JSON.stringify(metadata))
  })

  await t.test('every field may be said with its null or default value', async () => {
    const owner = await world.member()
    const { body: made } = await owner.post('/links', NEW)
    const { status, body } = await owner.patch(`/links/${made.data.id}`, made.data)
    assert.equal(status, 200)
    assert.deepEqual(body.data, made.data)
    const nulls = Object.fromEntries(
      Object.keys(made.data)
        .filter((name) => name !== 'name' && name !== 'destinationUrl')
        .map((name) => [name, null]),
    )
    assert.equal((await owner.post('/links', { ...nulls, ...NEW })).status, 201)
  })

  await t.test(
    'a domain that the workspace does not have is refused with its path, never stored',
    async () => {
      const owner = await world.member()
      const refused = {
        domainId: 'dom_1',
        domain: 'other.example',
      }
      for (const [name, value] of Object.entries(refused)) {
        const { status, body } = await owner.post('/links', { ...NEW, [name]: value })
        assert.equal(status, 400, name)
        assert.equal(body.error.details[0].path, name)
      }
      assert.equal((await owner.get('/links')).body.meta.total, 0)
    },
  )

  await t.test('bad values are refused with the path of the field', async () => {
    const owner = await world.member()
    const bad: [string, unknown][] = [
      ['name', ''],
      ['name', '   '],
      ['name', 'x'.repeat(256)],
      ['name', 7],
      ['name', 'bell\u0007'],
      ['name', null],
      ['destinationUrl', 'example.com'],
      ['destinationUrl', '//evil.example'],
      ['destinationUrl', 'javascript:alert(1)'],
      ['destinationUrl', 'JaVa\nScRiPt:alert(1)'],
      ['destinationUrl', 'data:text/html,x'],
      ['destinationUrl', 'https://user:pw@example.com/'],
      ['destinationUrl', 'https://example.com@evil.example/'],
      ['destinationUrl', `https://example.com/${'x'.repeat(8_200)}`],
      ['destinationUrl', `${world.origin}/other`],
      ['slug', 'a b'],
      ['slug', '../etc'],
      ['slug', 'x'.repeat(191)],
      ['slug', '_hidden'],
      ['slug', 'v1'],
      ['slug', 'Admin/x'],
      ['slug', 'favicon.ico'],
      ['redirectType', 303],
      ['redirectType', '302'],
      ['status', 'expired'],
      ['status', 'blocked'],
      ['expiresAt', 'tomorrow'],
      ['expiresAt', '+300000-01-01T00:00:00Z'],
      ['expiresAt', '0001-01-01T00:00:00Z'],
      ['expiresAt', '2016-12-31T23:59:60Z'],
      ['expiresAt', '2026-01-01T00:00:00+02'],
      ['utmSource', 'x'.repeat(256)],
      ['metadata', ['a']],
      ['metadata', 'a'],
      ['metadata', { text: 'x'.repeat(10_001) }],
    ]
    for (const [name, value] of bad) {
      const { status, body } = await owner.post('/links', { ...NEW, [name]: value })
      assert.equal(status, 400, `${name} = ${JSON.stringify(value)?.slice(0, 60)}`)
      assert.equal(body.error.code, 'VALIDATION_ERROR')
      assert.equal(body.error.details[0].path, name)
    }
    for (const missing of ['name', 'destinationUrl']) {
      const { status, body } = await owner.post('/links', { ...NEW, [missing]: undefined })
      assert.equal(status, 400)
      assert.equal(body.error.details[0].path, missing)
    }
  })

  await t.test(
    'null empties what may be empty, and leaves slug, status and redirect type as they are',
    async () => {
      const owner = await world.member()
      const expiresAt = new Date(world.clock.now + DAY_MS).toISOString()
      const { body: made } = await owner.post('/links', {
        ...NEW,
        slug: 'kept-by-null',
        status: 'paused',
        redirectType: 301,
        expiresAt,
        utmSource: 'news',
        metadata: { a: 1 },
      })
      const nulls = { slug: null, status: null, redirectType: null }
      const { status, body: same } = await owner.patch(`/links/${made.data.id}`, nulls)
      assert.deepEqual([status, same.data], [200, made.data])
      const empty = { expiresAt: null, utmSource: null, metadata: null }
      const { body } = await owner.patch(`/links/${made.data.id}`, empty)
      assert.deepEqual({ ...body.data, updatedAt: '' }, { ...made.data, ...empty, updatedAt: '' })
      for (const name of ['name', 'destinationUrl'])
        assert.equal((await owner.patch(`/links/${made.data.id}`, { [name]: null })).status, 400)
    },
  )

  await t.test('a link keeps a slug that was reserved after it was made', async () => {
    const owner = await world.member()
    assert.equal((await owner.post('/links', { ...NEW, slug: 'Billing/events/x' })).status, 400)
    const { body: made } = await owner.post('/links', { ...NEW, slug: 'old/events/x' })
    await world.sql`
      update links set slug = 'billing/events/x', slug_key = 'billing/events/x'
      where id = ${made.data.id}`
    const path = `/links/${made.data.id}`
    const { body: read } = await owner.get(path)
    const { status, body } = await owner.patch(path, { ...read.data, name: 'Renamed' })
    assert.deepEqual([status, body.data.slug], [200, 'billing/events/x'])
    assert.equal((await owner.patch(path, { slug: 'billing/events/y' })).status, 400)
    assert.equal((await owner.delete(path)).status, 204)
  })

  await t.test('the audit log tells which slug and destination came and went', async () => {
    const owner = await world.member()
    const { body: made } = await owner.post('/links', { ...NEW, slug: 'spring' })
    await owner.delete(`/links/${made.data.id}`)
    const changes = async (action: string) => {
      const { body } = await owner.get(`/audit-log?action=${action}`)
      return body.data.map((row: { changes: unknown }) => row.changes)
    }
    assert.deepEqual(await changes('link.created'), [
      {
        slug: { old: null, new: 'spring' },
        destinationUrl: { old: null, new: NEW.destinationUrl },
      },
    ])
    assert.deepEqual(await changes('link.deleted'), [
      {
        slug: { old: 'spring', new: null },
        destinationUrl: { old: NEW.destinationUrl, new: null },
      },
    ])
    const events = await world.sql<{ data: string }[]>`
      select data from events where workspace_id = ${owner.workspaceId}`
    for (const { data } of events)
      assert.deepEqual(
        [JSON.parse(data).changes, JSON.parse(data).previous],
        [undefined, undefined],
      )
  })

  await t.test('a hundred parallel creates of one slug make one link', async () => {
    const owner = await world.member()
    const input = { ...NEW, slug: 'race' }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => owner.post('/links', input)),
    )
    const statuses = answers.map((answer) => answer.status).toSorted()
    assert.deepEqual(statuses, [201, ...Array.from({ length: 99 }, () => 409)])
    const refusal = answers.find((answer) => answer.status === 409)!
    assert.equal(refusal.body.error.code, 'CONFLICT')
    assert.equal(refusal.body.error.details[0].path, 'slug')
  })

  await t.test('slugs that differ in case alone are one slug', async () => {
    const owner = await world.member()
    assert.equal((await owner.post('/links', { ...NEW, slug: 'CamelCase' })).status, 201)
    assert.equal((await owner.post('/links', { ...NEW, slug: 'camelcase' })).status, 409)
  })

  await t.test('a patch changes what it names and tells what changed', async () => {
    const owner = await world.member()
    const { body: made } = await owner.post('/links', { ...NEW, utmSource: 'a' })
    world.clock.advance(1_000)
    const { status, body } = await owner.patch(`/links/${made.data.id}`, {
      destinationUrl: 'https://example.com/new',
      utmSource: null,
      status: 'archived',
      ignored: 'field',
    })
    assert.equal(status, 200)
    assert.equal(body.data.destinationUrl, 'https://example.com/new')
    assert.equal(body.data.name, NEW.name)
    assert.equal(body.data.utmSource, null)
    assert.equal(body.data.archivedAt, new Date(world.clock.now).toISOString())
    assert.equal(body.data.updatedAt, new Date(world.clock.now).toISOString())

    const [audited] = await world.sql<{ changes: { utmSource: unknown }; actorType: string }[]>`
      select changes, actor_type from audit_log
      where workspace_id = ${owner.workspaceId} and action = 'link.updated'`
    assert.deepEqual(audited!.changes.utmSource, { old: 'a', new: null })
    assert.equal(audited!.actorType, 'api_key')
    const [event] = await world.sql<{ data: string }[]>`
      select data from events where workspace_id = ${owner.workspaceId} and type = 'link.updated'`
    const data = JSON.parse(event!.data)
    assert.deepEqual(data.changes.toSorted(), [
      'archivedAt',
      'destinationUrl',
      'status',
      'utmSource',
    ])
    assert.equal(data.previous.destinationUrl, NEW.destinationUrl)
    assert.equal(data.id, made.data.id)
  })

  await t.test(
    'every write leaves one audit row and one event; a refused one leaves none',
    async () => {
      const owner = await world.member()
      const trail = async () => {
        const [audits, events] = await Promise.all([
          world.sql`select action from audit_log where workspace_id = ${owner.workspaceId} and action like 'link.%' order by id`,
          world.sql`select type from events where workspace_id = ${owner.workspaceId} order by id`,
        ])
        return {
          audits: audits.map((row) => row['action']),
          events: events.map((row) => row['type']),
        }
      }
      const { body } = await owner.post('/links', { ...NEW, slug: 'trail' })
      await owner.post('/links', { ...NEW, slug: 'trail' })
      await owner.post('/links', { ...NEW, slug: 'trail 2' })
      await owner.patch(`/links/${body.data.id}`, { name: 'Docs' })
      world.clock.advance(10)
      await owner.patch(`/links/${body.data.id}`, { name: 'Other' })
      world.clock.advance(10)
      await owner.delete(`/links/${body.data.id}`)
      await owner.delete(`/links/${body.data.id}`)
      const expected = ['link.created', 'link.updated', 'link.deleted']
      assert.deepEqual(await trail(), { audits: expected, events: expected })
    },
  )

  await t.test(
    'a deleted link is gone, and its slug stays with its workspace for 30 days',
    async () => {
      const [owner, other] = [await world.member(), await world.member()]
      const input = { ...NEW, slug: 'mine' }
      const { body } = await owner.post('/links', input)
      assert.equal((await owner.delete(`/links/${body.data.id}`)).status, 204)
      assert.equal((await owner.get(`/links/${body.data.id}`)).status, 404)
      assert.equal((await other.post('/links', input)).status, 409)
      world.clock.advance(31 * DAY_MS)
      assert.equal((await other.post('/links', input)).status, 201)
    },
  )

  await t.test('a renamed link frees its old slug for its own workspace alone', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const { body } = await owner.post('/links', { ...NEW, slug: 'before' })
    assert.equal((await owner.patch(`/links/${body.data.id}`, { slug: 'after' })).status, 200)
    assert.equal((await other.post('/links', { ...NEW, slug: 'before' })).status, 409)
    assert.equal((await owner.post('/links', { ...NEW, slug: 'before' })).status, 201)
    assert.equal((await owner.patch(`/links/${body.data.id}`, { slug: 'before' })).status, 409)
  })

  await t.test(
    'a link past its expiry reads as expired, and a later expiry revives it',
    async () => {
      const owner = await world.member()
      const expiresAt = new Date(world.clock.now + 1_000).toISOString()
      const { body: made } = await owner.post('/links', { ...NEW, expiresAt })
      world.clock.advance(1_000)
      assert.equal((await owner.get(`/links/${made.data.id}`)).body.data.status, 'expired')
      assert.equal((await owner.get('/links?status=expired')).body.meta.total, 1)
      assert.equal((await owner.get('/links?status=active')).body.meta.total, 0)
      const later = new Date(world.clock.now + 1_000).toISOString()
      // As a client does that sends back what it has read.
      const { body: read } = await owner.get(`/links/${made.data.id}`)
      const { body } = await owner.patch(`/links/${made.data.id}`, {
        ...read.data,
        expiresAt: later,
      })
      assert.equal(body.data.status, 'active')
    },
  )

  await t.test(
    "another workspace's link is forbidden, and an unknown one is not found",
    async () => {
      const [owner, other] = [await world.member(), await world.member()]
      const { body } = await owner.post('/links', NEW)
      const path = `/links/${body.data.id}`
      for (const answer of [
        await other.get(path),
        await other.patch(path, { name: 'Mine' }),
        await other.delete(path),
      ]) {
        assert.equal(answer.status, 403)
        assert.equal(answer.body.error.code, 'FORBIDDEN')
        assert.doesNotMatch(JSON.stringify(answer.body), /example\.com/)
      }
      assert.equal((await owner.get(path)).body.data.name, 'Docs')
      assert.equal((await other.get('/links')).body.meta.total, 0)
      assert.equal((await owner.get('/links/lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV')).status, 404)
      assert.equal((await owner.get(`/links/${'x'.repeat(200)}`)).status, 404)
    },
  )

  await t.test('a viewer reads and may not write', async () => {
    const owner = await world.member()
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    const { body } = await owner.post('/links', NEW)
    const path = `/links/${body.data.id}`
    assert.equal((await viewer.get(path)).status, 200)
    for (const answer of [
      await viewer.post('/links', NEW),
      await viewer.patch(path, { name: 'x' }),
      await viewer.delete(path),
    ])
      assert.equal(answer.status, 403)
    // The role is judged before the shape of the body.
    assert.equal((await viewer.post('/links', {})).status, 403)
  })

  await t.test('a plan limit holds under sixty parallel creates', async () => {
    const owner = await world.member()
    // The plan's requests a minute are as few as these creates.
    await world.sql`
      update workspaces set plan = 'free', api_requests_per_minute = 1000
      where id = ${owner.workspaceId}`
    const answers = await Promise.all(Array.from({ length: 60 }, () => owner.post('/links', NEW)))
    assert.equal(answers.filter((answer) => answer.status === 201).length, 25)
    const refusal = answers.find((answer) => answer.status === 403)!
    assert.equal(refusal.body.error.code, 'PLAN_LIMIT_REACHED')
    assert.deepEqual(refusal.body.error.details, { limit: 'links_monthly', max: 25, used: 25 })
    world.clock.advance(32 * DAY_MS)
    assert.equal((await owner.post('/links', NEW)).status, 201)
  })
})

test('lists', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const names = ['Alpha', 'beta 100%', 'Gamma_x', 'Delta', 'Epsilon']
  for (const [i, name] of names.entries()) {
    const destinationUrl = `https://example.com/${i}`
    await owner.post('/links', { name, destinationUrl, slug: `slug-${names.length - i}` })
    world.clock.advance(1_000)
  }
  const listed = async (query: string) => {
    const { body } = await owner.get(`/links?${query}`)
    return { names: body.data.map((link: { name: string }) => link.name), meta: body.meta }
  }

  await t.test('the newest comes first, fifty to a page', async () => {
    const { names: got, meta } = await listed('')
    assert.deepEqual(got, names.toReversed())
    const page = { total: 5, limit: 50, offset: 0, nextCursor: null }
    assert.deepEqual({ ...meta, requestId: '' }, { requestId: '', ...page })
  })

  await t.test('pages neither repeat nor skip', async () => {
    const pages = await Promise.all([0, 2, 4].map((offset) => listed(`limit=2&offset=${offset}`)))
    assert.deepEqual(
      pages.flatMap((page) => page.names),
      names.toReversed(),
    )
    assert.equal(pages[0]!.meta.total, 5)
  })

  await t.test(
    'a limit above 100 is clamped; zero, negative and other text are refused',
    async () => {
      for (const limit of ['101', '11914277304947164', '9'.repeat(400), `${'0'.repeat(20)}101`])
        assert.equal((await listed(`limit=${limit}`)).meta.limit, 100, limit)
      assert.equal((await listed(`limit=${'0'.repeat(20)}2`)).meta.limit, 2)
      for (const query of [`offset=${'9'.repeat(20)}`, `limit=-${'9'.repeat(20)}`, 'limit=-0'])
        assert.equal((await owner.get(`/links?${query}`)).status, 400, query)
      for (const query of ['limit=0', 'limit=-1', 'limit=abc', 'limit=1.5', 'limit=', 'offset=-1'])
        assert.equal((await owner.get(`/links?${query}`)).status, 400, query)
      for (const time of [
        '2016-12-31T23:59:60Z',
        '0000-01-01T00:00:00Z',
        '2026-01-01T00:00:00%2B02',
      ])
        for (const name of ['createdFrom', 'createdTo'])
          assert.equal((await owner.get(`/links?${name}=${time}`)).status, 400, time)
      for (const query of ['limit=0x10', 'limit=1e2', 'offset=%201', 'limit=%2B5'])
        assert.equal((await owner.get(`/links?${query}`)).status, 400, query)
      for (const query of ['sortBy=password', 'sortOrder=up', 'status=on', 'limit=1&limit=2'])
        assert.equal((await owner.get(`/links?${query}`)).status, 400, query)
    },
  )

  await t.test('links sort by what is asked', async () => {
    assert.deepEqual((await listed('sortBy=slug&sortOrder=asc')).names, names.toReversed())
    assert.deepEqual((await listed('sortBy=createdAt&sortOrder=asc')).names, names)
    for (const field of ['updatedAt', 'name', 'clicks', 'lastClickedAt', 'expiresAt'])
      assert.equal((await listed(`sortBy=${field}`)).names.length, 5, field)
  })

  await t.test(
    'a search looks into names, slugs and destinations, and knows no wildcards',
    async () => {
      assert.deepEqual((await listed('search=ALPHA')).names, ['Alpha'])
      assert.deepEqual((await listed('search=slug-1')).names, ['Epsilon'])
      assert.deepEqual((await listed('search=example.com/3')).names, ['Delta'])
      assert.deepEqual((await listed('search=100%25')).names, ['beta 100%'])
      assert.deepEqual((await listed('search=_')).names, ['Gamma_x'])
      assert.deepEqual((await listed('search=%5C')).names, [])
    },
  )

  await t.test('archived links are hidden until asked for', async () => {
    const { body } = await owner.get('/links?search=Delta')
    await owner.patch(`/links/${body.data[0].id}`, { status: 'archived' })
    assert.equal((await listed('')).meta.total, 4)
    assert.equal((await listed('includeArchived=true')).meta.total, 5)
    assert.deepEqual((await listed('status=archived')).names, ['Delta'])
  })

  await t.test('a filter by something that no link has matches nothing', async () => {
    for (const filter of ['campaignId=cmp_x', 'domainId=dom_x', 'tag=x', 'folderId=x'])
      assert.equal((await listed(filter)).meta.total, 0, filter)
  })

  await t.test('a time range is half open', async () => {
    const { body } = await owner.get('/links?sortBy=createdAt&sortOrder=asc&includeArchived=true')
    const [first, second, third] = body.data
    const { status, body: refusal } = await owner.get('/links?createdFrom=2026-11-21')
    assert.deepEqual(
      [status, refusal.error.message],
      [
        400,
        'createdFrom must be a time with its zone, such as 2026-01-31T12:00:00Z; it is "2026-11-21".',
      ],
    )
    const range = `createdFrom=${first.createdAt}&createdTo=${third.createdAt}`
    assert.deepEqual((await listed(range)).names.toSorted(), [first.name, second.name].toSorted())
  })
})
