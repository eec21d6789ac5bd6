import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import { openWorld, type Answer, type Member } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
const UNKNOWN = 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'

const rowOf = (answer: Answer, index: number) => answer.body.data[index]
const statuses = ({ body }: Answer) => body.data.map(({ status }: { status: string }) => status)
const refusals = ({ body }: Answer) =>
  body.data
    .filter(({ error }: { error: unknown }) => error !== null)
    .map(
      ({
        index,
        error,
      }: {
        index: number
        error: { code: string; details: { path: string }[] }
      }) => [index, error.code, error.details[0]?.path],
    )

test('links are created by the hundred', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const create = async (member: Member, links: unknown) => {
    const answer = await member.post('/links/bulk', Array.isArray(links) ? { links } : links)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  }
  const setPlan = (workspaceId: string, plan: string) =>
    sql`update workspaces set plan = ${plan} where id = ${workspaceId}`

  await t.test('each row has all that a single write gives it', async () => {
    const owner = await world.member()
    const full = {
      ...NEW,
      slug: 'Full-One',
      aliases: ['full-b', 'full-a'],
      externalId: 'crm-1',
      tags: ['b', 'a'],
      metadata: { team: 'growth', n: 1 },
      maxClicks: 3,
      startsAt: '2026-01-01T00:00:00.000Z',
      noindex: true,
      rules: [
        { name: 'R', conditions: { country: ['DE'] }, destinationUrl: 'https://example.com/de' },
      ],
      utmSource: 'news',
      status: 'archived',
      expiresAt: '2090-01-01T00:00:00.000Z',
    }
    const { body } = await create(owner, [NEW, full])
    assert.deepEqual(body.meta.total, 2)
    assert.deepEqual([body.meta.succeeded, body.meta.failed], [2, 0])
    const [plain, made] = body.data
    assert.deepEqual([plain.index, plain.status, plain.error], [0, 'created', null])
    assert.equal(made.externalId, 'crm-1')
    const { data } = (await owner.get(`/links/${made.id}`)).body
    assert.equal(data.shortUrl, made.shortUrl)
    const single = (
      await owner.post('/links', {
        ...full,
        slug: 'Full-Two',
        aliases: ['full-d', 'full-c'],
        externalId: 'crm-2',
      })
    ).body.data
    const same = (link: Record<string, unknown>) => {
      const own = ['id', 'slug', 'shortUrl', 'aliases', 'externalId', 'rules']
      return Object.fromEntries(Object.entries(link).filter(([name]) => !own.includes(name)))
    }
    assert.deepEqual(same(data), {
      ...same(single),
      archivedAt: data.archivedAt,
      updatedAt: data.updatedAt,
    })
    assert.deepEqual(data.aliases, ['full-a', 'full-b'])
    const ids = [plain.id, made.id]
    const audited = await sql`
      select target_id, changes, actor_name, request_id from audit_log
      where workspace_id = ${owner.workspaceId} and action = 'link.created' and target_id = any(${ids})`
    assert.equal(audited.length, 2)
    const events = await sql<{ data: { id: string } }[]>`
      select data::json as data from events
      where workspace_id = ${owner.workspaceId} and type = 'link.created' order by id`
    assert.deepEqual(new Set(events.map((event) => event.data.id)), new Set([...ids, single.id]))
    const quotas = await sql`select from link_quotas where link_id = ${made.id} and max_clicks = 3`
    assert.equal(quotas.length, 1)
    const changes =
      await sql`select key from link_changes where key = any(${['full-one', 'full-a'].map((key) => `\n${key}`)})`
    assert.equal(changes.length, 2)
  })

  await t.test('the list itself is a body too', async () => {
    const owner = await world.member()
    const answer = await owner.post('/links/bulk', [NEW, NEW])
    assert.deepEqual([answer.status, statuses(answer)], [200, ['created', 'created']])
    assert.notEqual(rowOf(answer, 0).shortUrl, rowOf(answer, 1).shortUrl)
  })

  await t.test('a row that fails says where and why, and the others are created', async () => {
    const owner = await world.member()
    await create(owner, [{ ...NEW, slug: 'mine', externalId: 'mine' }])
    const answer = await create(owner, [
      NEW,
      { ...NEW, destinationUrl: 'ftp://example.com' },
      { name: 'No target' },
      'text',
      { ...NEW, slug: 'a b' },
      { ...NEW, slug: 'MINE' },
      { ...NEW, externalId: 'mine' },
      { ...NEW, aliases: ['free', 'mine'] },
      { ...NEW, status: 'blocked' },
      { ...NEW, tags: ['a', 'b,c'] },
      { ...NEW, slug: 'twice', externalId: 'once' },
      { ...NEW, slug: 'Twice' },
      { ...NEW, externalId: 'once' },
      { ...NEW, aliases: ['twice'] },
      { ...NEW, folderId: 'fld_unknown' },
    ])
    assert.deepEqual(refusals(answer), [
      [1, 'VALIDATION_ERROR', 'links.1.destinationUrl'],
      [2, 'VALIDATION_ERROR', 'links.2.destinationUrl'],
      [3, 'VALIDATION_ERROR', 'links.3'],
      [4, 'VALIDATION_ERROR', 'links.4.slug'],
      [5, 'CONFLICT', 'links.5.slug'],
      [6, 'CONFLICT', 'links.6.externalId'],
      [7, 'CONFLICT', 'links.7.aliases.1'],
      [8, 'VALIDATION_ERROR', 'links.8.status'],
      [9, 'VALIDATION_ERROR', 'links.9.tags.1'],
      [11, 'CONFLICT', 'links.11.slug'],
      [12, 'CONFLICT', 'links.12.externalId'],
      [13, 'CONFLICT', 'links.13.aliases.0'],
      [14, 'VALIDATION_ERROR', 'links.14.folderId'],
    ])
    assert.deepEqual([answer.body.meta.succeeded, answer.body.meta.failed], [2, 13])
    assert.equal(rowOf(answer, 3).error.message, 'A link must be a JSON object.')
    const [left] = await sql`
      select (select count(*)::int from links where workspace_id = ${owner.workspaceId}) as links,
        (select count(*)::int from link_addresses where workspace_id = ${owner.workspaceId}) as addresses`
    assert.deepEqual(left, { links: 3, addresses: 3 })
  })

  await t.test('a slug that is reserved for another workspace is taken', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const { id } = rowOf(await create(other, [{ ...NEW, slug: 'freed' }]), 0)
    await other.delete(`/links/${id}`)
    const refused = await create(owner, [{ ...NEW, slug: 'freed' }])
    assert.deepEqual(refusals(refused), [[0, 'CONFLICT', 'links.0.slug']])
    assert.deepEqual(statuses(await create(other, [{ ...NEW, slug: 'freed' }])), ['created'])
  })

  await t.test('a group of another workspace is forbidden, row by row', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const now = new Date()
    const ids: Record<string, string> = {}
    for (const [field, prefix, table] of [
      ['folderId', 'fld', 'folders'],
      ['campaignId', 'cmp', 'campaigns'],
      ['utmTemplateId', 'utm', 'utm_templates'],
    ] as const) {
      const id = newId(prefix, Date.now())
      ids[field] = id
      const row = { id, workspaceId: other.workspaceId, name: id, createdAt: now, updatedAt: now }
      await sql`insert into ${sql(table)} ${sql(table === 'folders' ? { ...row, nameKey: id } : row)}`
    }
    const rows = Object.entries(ids).map(([field, id]) => ({ ...NEW, [field]: id }))
    const answer = await create(owner, [...rows, NEW])
    assert.deepEqual(
      refusals(answer),
      Object.keys(ids).map((field, i) => [i, 'FORBIDDEN', `links.${i}.${field}`]),
    )
    assert.deepEqual(statuses(answer).at(-1), 'created')
  })

  await t.test('requests of a wrong form are refused as a whole', async () => {
    const owner = await world.member()
    for (const [body, path] of [
      [{}, 'links'],
      [{ links: [] }, 'links'],
      [[], ''],
      [{ links: 'text' }, 'links'],
      [{ links: { 0: NEW } }, 'links'],
      ['text', ''],
      [{ items: [NEW] }, 'links'],
      [{ links: Array.from({ length: 1_001 }, () => ({})) }, 'links'],
      [Array.from({ length: 1_001 }, () => ({})), ''],
    ] as const) {
      const { status, body: answer } = await owner.post('/links/bulk', body)
      assert.deepEqual([status, answer.error.details[0].path], [400, path], JSON.stringify(answer))
    }
    const none = await world.call('POST', '/v1/links/bulk', {
      headers: { authorization: `Bearer ${owner.apiKey}` },
    })
    assert.equal(none.status, 400)
    const made = await sql`select from links where workspace_id = ${owner.workspaceId}`
    assert.equal(made.length, 0)
  })

  await t.test('rows beyond the limit of the plan fail, exactly, also in parallel', async () => {
    const owner = await world.member()
    await setPlan(owner.workspaceId, 'free')
    const first = await create(owner, [
      { ...NEW, name: '' },
      ...Array.from({ length: 10 }, () => NEW),
    ])
    assert.equal(first.body.meta.succeeded, 10)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        create(
          owner,
          Array.from({ length: 7 }, () => NEW),
        ),
      ),
    )
    const made = answers.reduce((sum, { body }) => sum + body.meta.succeeded, 0)
    assert.equal(made, 15)
    const partial = answers.find(({ body }) => body.meta.failed > 0 && body.meta.succeeded > 0)
    if (partial) assert.deepEqual(statuses(partial), statuses(partial).toSorted())
    const refused = await create(owner, [NEW])
    assert.deepEqual(rowOf(refused, 0).error, {
      code: 'PLAN_LIMIT_REACHED',
      message: 'The monthly link limit of the plan is reached.',
      details: { limit: 'links_monthly', max: 25, used: 25 },
    })
    const [used] = await sql`
      select sum(used)::int as used from usage_counters
      where workspace_id = ${owner.workspaceId} and name = 'links_monthly'`
    assert.equal(used!['used'], 25)
  })

  await t.test('capabilities are required of the rows that need them', async () => {
    const owner = await world.member()
    await setPlan(owner.workspaceId, 'free')
    const answer = await create(owner, [
      { ...NEW, password: 'quiet harbour' },
      { ...NEW, iosDeepLink: 'exampleapp://a' },
      { ...NEW, password: '********' },
      NEW,
    ])
    const codes = answer.body.data.map(
      ({ error }: { error: { code: string } | null }) => error?.code ?? null,
    )
    assert.deepEqual(codes, [
      'PLAN_CAPABILITY_REQUIRED',
      'PLAN_CAPABILITY_REQUIRED',
      'VALIDATION_ERROR',
      null,
    ])
    assert.deepEqual(rowOf(answer, 0).error.details, { capability: 'password', plan: 'free' })
  })

  await t.test('a request gives at most 25 links a password', async () => {
    const owner = await world.member()
    await setPlan(owner.workspaceId, 'business')
    const locked = { ...NEW, password: 'quiet harbour' }
    const answer = await create(owner, [
      NEW,
      { ...locked, slug: '?' },
      ...Array.from({ length: 26 }, () => locked),
    ])
    assert.deepEqual(refusals(answer), [
      [1, 'VALIDATION_ERROR', 'links.1.slug'],
      [27, 'VALIDATION_ERROR', 'links.27.password'],
    ])
    const rows = await sql<{ passwordHash: string }[]>`
      select password_hash from links
      where workspace_id = ${owner.workspaceId} and password_hash is not null`
    assert.equal(new Set(rows.map(({ passwordHash }) => passwordHash)).size, 25)
  })

  await t.test('parallel requests for the same slugs in opposite order share them', async () => {
    const [one, two] = [await world.member(), await world.member()]
    const links = Array.from({ length: 60 }, (_, i) => ({
      ...NEW,
      slug: `shared-${i}`,
      aliases: [`also-${(i * 37) % 60}`],
    }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        create(i % 2 ? one : two, i % 3 ? links : links.toReversed()),
      ),
    )
    const made = answers.reduce((sum, { body }) => sum + body.meta.succeeded, 0)
    assert.equal(made, 60)
    const [kept] = await sql`
      select (select count(*)::int from links where slug_key like 'shared-%') as links,
        (select count(*)::int from link_addresses where slug_key like 'shared-%' or slug_key like 'also-%') as addresses`
    assert.deepEqual(kept, { links: 60, addresses: 120 })
  })

  await t.test('a link of a viewer or without scope is not created', async () => {
    const owner = await world.member()
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    assert.equal((await viewer.post('/links/bulk', [NEW])).status, 403)
    assert.equal((await owner.get(`/links/${UNKNOWN}`)).status, 404)
  })
})
