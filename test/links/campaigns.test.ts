import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../support/calls.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

type Row = Record<string, unknown>

test('campaigns', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const at = (ms: number) => new Date(world.clock.now + ms).toISOString()
  const make = async (member: Member, fields: object = {}) => {
    const { status, body } = await member.post('/campaigns', { name: 'Spring', ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  const refused = async (member: Member, fields: object) => {
    const { status, body } = await member.post('/campaigns', { name: 'Spring', ...fields })
    return [status, body.error?.details[0].path]
  }
  const eventsOf = (member: Member) => world.sql<{ data: string }[]>`
    select data from events where workspace_id = ${member.workspaceId} and type = 'campaign.completed'`

  await t.test('a campaign has defaults, and every field that is written', async () => {
    const owner = await world.member()
    const made = await make(owner)
    assert.deepEqual(made, {
      id: made.id,
      workspaceId: owner.workspaceId,
      name: 'Spring',
      description: null,
      status: 'active',
      startsAt: null,
      endsAt: null,
      goal: null,
      utmSource: null,
      utmMedium: null,
      utmCampaign: null,
      utmTerm: null,
      utmContent: null,
      tags: [],
      linkCount: 0,
      clicks: 0,
      completedAt: null,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
    })
    world.clock.advance(1_000)
    const fields = {
      name: 'Autumn',
      description: 'Two\nlines',
      status: 'draft',
      startsAt: at(DAY_MS),
      endsAt: at(2 * DAY_MS),
      goal: { metric: 'uniqueVisitors', target: 5_000 },
      utmSource: 'poster',
      utmMedium: 'print',
      utmCampaign: 'autumn',
      utmTerm: 'leaves',
      utmContent: 'red',
      tags: ['print', 'b'],
    }
    const { body } = await owner.patch(`/campaigns/${made.id}`, fields)
    assert.deepEqual(body.data, { ...made, ...fields, updatedAt: at(0) })
    assert.deepEqual((await owner.get(`/campaigns/${made.id}`)).body.data, body.data)
    const empty = { description: ' ', utmSource: ' ', tags: null, goal: null, endsAt: null }
    const emptied = await owner.patch(`/campaigns/${made.id}`, empty)
    assert.partialDeepStrictEqual(emptied.body.data, {
      ...{ description: null, utmSource: null, tags: [], goal: null, endsAt: null },
      utmMedium: 'print',
    })
    assert.equal((await owner.delete(`/campaigns/${made.id}`)).status, 204)
    assert.equal((await owner.get(`/campaigns/${made.id}`)).status, 404)
    const log = await owner.get(`/audit-log?targetId=${made.id}`)
    assert.deepEqual(
      log.body.data.map(({ action }: Row) => action),
      ['campaign.deleted', 'campaign.updated', 'campaign.updated', 'campaign.created'],
    )
  })

  await t.test('bad values are refused with their path', async () => {
    const owner = await world.member()
    const cases: [object, string][] = [
      [{ name: ' ' }, 'name'],
      [{ name: undefined }, 'name'],
      [{ status: 'ended' }, 'status'],
      [{ status: null }, 'status'],
      [{ startsAt: at(DAY_MS), endsAt: at(0) }, 'endsAt'],
      [{ startsAt: at(DAY_MS), endsAt: at(DAY_MS) }, 'endsAt'],
      [{ status: 'draft', startsAt: at(-DAY_MS), endsAt: at(-2 * DAY_MS) }, 'endsAt'],
      [{ endsAt: at(-1) }, 'endsAt'],
      [{ endsAt: 'soon' }, 'endsAt'],
      [{ startsAt: '0000-01-01T00:00:00Z' }, 'startsAt'],
      [{ goal: { metric: 'likes', target: 1 } }, 'goal.metric'],
      [{ goal: { metric: 'clicks', target: 0 } }, 'goal.target'],
      [{ goal: { metric: 'clicks', target: 1.5 } }, 'goal.target'],
      [{ goal: { metric: 'clicks' } }, 'goal.target'],
      [{ goal: 'clicks' }, 'goal'],
      [{ tags: ['a', 'b,c'] }, 'tags.1'],
      [{ utmSource: 'x'.repeat(256) }, 'utmSource'],
      [{ description: 'x'.repeat(2_001) }, 'description'],
    ]
    for (const [fields, path] of cases)
      assert.deepEqual(await refused(owner, fields), [400, path], JSON.stringify(fields))
    assert.equal((await owner.get('/campaigns')).body.meta.total, 0)
    const made = await make(owner, { startsAt: at(DAY_MS), endsAt: at(2 * DAY_MS) })
    const { body } = await owner.patch(`/campaigns/${made.id}`, { startsAt: at(3 * DAY_MS) })
    assert.equal(body.error.details[0].path, 'endsAt')
  })

  await t.test(
    'links and their clicks are counted, for the campaign that they are in',
    async () => {
      const owner = await world.member()
      const [one, two] = [await make(owner), await make(owner)]
      const ids: string[] = []
      for (const campaignId of [one.id, one.id, two.id])
        ids.push((await owner.post('/links', { ...LINK, campaignId })).body.data.id)
      for (const [i, clicks] of [3, 4, 5].entries())
        await world.sql`
        insert into link_clicks (link_id, workspace_id, clicks)
        values (${ids[i]!}, ${owner.workspaceId}, ${clicks})`
      await owner.patch(`/links/${ids[0]}`, { status: 'archived' })
      const countsOf = async () => {
        const { body } = await owner.get('/campaigns?sortOrder=asc&sortBy=createdAt')
        const rows = new Map(body.data.map((row: Row) => [row.id, row])) as Map<string, Row>
        return [one, two].map(({ id }) => [rows.get(id)!.linkCount, rows.get(id)!.clicks])
      }
      assert.deepEqual(await countsOf(), [
        [2, 7],
        [1, 5],
      ])
      const { data } = (await owner.patch(`/campaigns/${one.id}`, { name: 'Counted' })).body
      assert.deepEqual([data.linkCount, data.clicks], [2, 7])
      await owner.patch(`/links/${ids[1]}`, { campaignId: two.id })
      await owner.delete(`/links/${ids[0]}`)
      assert.deepEqual(await countsOf(), [
        [0, 0],
        [2, 9],
      ])
    },
  )

  await t.test('the list is filtered, searched, sorted and paged', async () => {
    const owner = await world.member()
    for (const [i, name] of ['Zebra', 'apple', 'Äpfel'].entries()) {
      const [status, endsAt] = [
        i === 0 ? 'paused' : 'active',
        i === 1 ? null : at((3 - i) * DAY_MS),
      ]
      await make(owner, { name, status, endsAt })
      world.clock.advance(1)
    }
    const namesOf = async (query: string) => {
      const { status, body } = await owner.get(`/campaigns?${query}`)
      assert.equal(status, 200, query)
      return [body.meta.total, ...body.data.map(({ name }: Row) => name)]
    }
    assert.deepEqual(await namesOf(''), [3, 'Äpfel', 'apple', 'Zebra'])
    assert.deepEqual(await namesOf('sortBy=name&sortOrder=asc'), [3, 'Äpfel', 'apple', 'Zebra'])
    assert.deepEqual(await namesOf('sortBy=endsAt'), [3, 'Zebra', 'Äpfel', 'apple'])
    assert.deepEqual(await namesOf('status=active&limit=1'), [2, 'Äpfel'])
    assert.deepEqual(await namesOf('search=APP'), [1, 'apple'])
    assert.deepEqual(await namesOf('limit=1&offset=1'), [3, 'apple'])
    assert.equal((await owner.get('/campaigns?status=ended')).status, 400)
  })

  await t.test('a campaign is completed by a PATCH, and its event is sent once', async () => {
    const owner = await world.member()
    const { id } = await make(owner, { endsAt: at(DAY_MS) })
    const change = async (fields: object) => {
      world.clock.advance(1_000)
      const { status, body } = await owner.patch(`/campaigns/${id}`, fields)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    }
    const completed = await change({ status: 'completed' })
    assert.equal(completed.completedAt, at(0))
    assert.deepEqual(
      (await eventsOf(owner)).map(({ data }) => JSON.parse(data)),
      [completed],
    )
    assert.deepEqual(await change({ status: 'completed' }), completed)
    const archived = await change({ status: 'archived' })
    assert.equal(archived.completedAt, completed.completedAt)
    assert.equal((await change({ status: 'completed' })).completedAt, completed.completedAt)
    assert.equal((await change({ status: 'active' })).completedAt, null)
    assert.equal((await change({ status: 'completed' })).completedAt, at(0))
    assert.equal((await eventsOf(owner)).length, 1)
  })

  await t.test('parallel completions publish one event', async () => {
    const owner = await world.member()
    const { id } = await make(owner)
    const requests = Array.from({ length: 8 }, () =>
      owner.patch(`/campaigns/${id}`, { status: 'completed' }),
    )
    for (const { status } of await Promise.all(requests)) assert.equal(status, 200)
    assert.equal((await eventsOf(owner)).length, 1)
    await make(owner, { status: 'completed' })
    assert.equal((await eventsOf(owner)).length, 2)
  })

  await t.test(
    'a completed campaign is made active again only with an end in the future',
    async () => {
      const owner = await world.member()
      const { id } = await make(owner, { endsAt: at(DAY_MS), status: 'draft' })
      world.clock.advance(2 * DAY_MS)
      for (const status of ['active', 'paused']) {
        const { body } = await owner.patch(`/campaigns/${id}`, { status })
        assert.deepEqual(
          body.error?.details.map(({ path, code }: Row) => [path, code]),
          [['endsAt', 'past']],
        )
      }
      const { body } = await owner.patch(`/campaigns/${id}`, {
        status: 'active',
        endsAt: at(DAY_MS),
      })
      assert.equal(body.data.status, 'active')
      const past = await owner.patch(`/campaigns/${id}`, { endsAt: at(-DAY_MS) })
      assert.equal(past.status, 400)
    },
  )

  await t.test('a plan bounds the campaigns, and a deletion gives its place back', async () => {
    const owner = await world.member()
    await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    const first = await make(owner)
    const { status, body } = await owner.post('/campaigns', { name: 'Second' })
    assert.deepEqual([status, body.error.code], [403, 'PLAN_LIMIT_REACHED'])
    assert.deepEqual(body.error.details, { limit: 'campaigns', max: 1, used: 1 })
    await owner.delete(`/campaigns/${first.id}`)
    await make(owner)
  })
})

test('UTM templates', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const make = async (member: Member, fields: object = {}) => {
    const { status, body } = await member.post('/utm-templates', { name: 'Mail', ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }

  await t.test('a template is created, read, listed, changed and deleted', async () => {
    const owner = await world.member()
    const made = await make(owner, { utmSource: ' news ', utmMedium: '', utmTerm: null })
    assert.deepEqual(made, {
      id: made.id,
      workspaceId: owner.workspaceId,
      name: 'Mail',
      utmSource: 'news',
      utmMedium: null,
      utmCampaign: null,
      utmTerm: null,
      utmContent: null,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
    })
    world.clock.advance(1_000)
    const { data } = (
      await owner.patch(`/utm-templates/${made.id}`, { utmSource: null, utmTerm: 'x' })
    ).body
    assert.deepEqual([data.utmSource, data.utmTerm, data.name], [null, 'x', 'Mail'])
    assert.deepEqual((await owner.get(`/utm-templates/${made.id}`)).body.data, data)
    assert.deepEqual((await owner.get('/utm-templates?search=AI')).body.data, [data])
    assert.equal((await owner.delete(`/utm-templates/${made.id}`)).status, 204)
    assert.equal((await owner.get(`/utm-templates/${made.id}`)).status, 404)
  })

  await t.test('bad values are refused with their path', async () => {
    const owner = await world.member()
    for (const [fields, path] of [
      [{ name: 'x'.repeat(51) }, 'name'],
      [{ name: '' }, 'name'],
      [{ utmContent: 'x'.repeat(256) }, 'utmContent'],
      [{ utmSource: 7 }, 'utmSource'],
    ] as const) {
      const { status, body } = await owner.post('/utm-templates', { name: 'Mail', ...fields })
      assert.deepEqual([status, body.error.details[0].path], [400, path])
    }
  })

  await t.test('a plan bounds the templates, and a deletion gives its place back', async () => {
    const owner = await world.member()
    await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    const made = [await make(owner), await make(owner), await make(owner)]
    const { body } = await owner.post('/utm-templates', { name: 'Fourth' })
    assert.deepEqual(body.error.details, { limit: 'utm_templates', max: 3, used: 3 })
    await owner.delete(`/utm-templates/${made[0].id}`)
    await make(owner)
  })

  await t.test(
    'a link keeps the values that it took over when their source changes or is deleted',
    async () => {
      const owner = await world.member()
      const template = await make(owner, { utmSource: 'news' })
      const campaign = (
        await owner.post('/campaigns', {
          name: 'Spring',
          utmCampaign: 'spring',
          utmSource: 'other',
        })
      ).body.data
      const link = (
        await owner.post('/links', {
          ...LINK,
          slug: 'kept',
          campaignId: campaign.id,
          utmTemplateId: template.id,
        })
      ).body.data
      const visit = async () => {
        const { headers } = await fetch(`${world.origin}/kept`, { redirect: 'manual' })
        return headers.get('location')
      }
      const expected = 'https://example.com/docs?utm_source=news&utm_campaign=spring'
      assert.equal(await visit(), expected)
      await owner.patch(`/utm-templates/${template.id}`, { utmSource: 'later' })
      await owner.patch(`/campaigns/${campaign.id}`, { utmCampaign: 'later', utmTerm: 'later' })
      await owner.patch(`/links/${link.id}`, { name: 'Renamed' })
      assert.equal(await visit(), expected)
      await owner.delete(`/utm-templates/${template.id}`)
      await owner.delete(`/campaigns/${campaign.id}`)
      const { data } = (await owner.patch(`/links/${link.id}`, { name: 'Again' })).body
      assert.equal(data.campaignId, null)
      assert.equal(await visit(), expected)
    },
  )
})

test('a UTM value of 255 emoji is one label, which finds its clicks', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const value = '🎈'.repeat(255)
  const link = { ...LINK, slug: 'balloon', utmSource: value }
  await must(201, owner.post('/links', link))
  const visit = async (query = '') =>
    (await fetch(`${world.origin}/balloon${query}`, { redirect: 'manual' })).headers.get('location')
  assert.equal(await visit(), `https://example.com/docs?utm_source=${encodeURIComponent(value)}`)
  // The redirect passes a longer value on, and its label has the length of a link's.
  const longer = `${value}🎈x`
  assert.ok((await visit(`?utm_source=${encodeURIComponent(longer)}`))!.includes('%F0%9F%8E%88x'))
  const numbersOf = async (utmSource: string) => {
    const filter = `utmSource=${encodeURIComponent(utmSource)}`
    return (await must(200, owner.get(`/analytics/overview?${filter}`))).body.data
  }
  for (const filter of [value, longer])
    await eventually(async () => {
      const { periodClicks, breakdowns } = await numbersOf(filter)
      assert.equal(periodClicks, 2)
      assert.deepEqual(breakdowns.utmSource, { [value]: 2 })
    })
  assert.equal((await numbersOf('🎈'.repeat(254))).periodClicks, 0)
})
