import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { completeCampaigns } from '../../src/links/campaigns/campaigns.ts'
import { createOutbox } from '../../src/webhooks/delivery/outbox.ts'
import { NEVER } from '../support/never.ts'
import { asSystem } from '../support/privileges.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

type Row = Record<string, unknown>

test('campaigns that end', { concurrency: false }, async (t) => {
  const secretKey = 'a'.repeat(64)
  const world = await openWorld(t, { config: { secretKey }, pace: 5 })
  const other = await openWorld(t, { config: { secretKey, ...world.urls }, pace: 5 })
  other.clock.now = world.clock.now
  const advance = (ms: number) => {
    for (const { clock } of [world, other]) clock.advance(ms)
  }
  const at = (ms: number) => new Date(world.clock.now + ms).toISOString()
  const make = async (member: Member, fields: object) => {
    const { status, body } = await member.post('/campaigns', { name: 'Spring', ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  const read = async (member: Member, id: string) =>
    (await member.get(`/campaigns/${id}`)).body.data
  const eventsOf = (id: string) => world.sql<{ data: string }[]>`
    select data from events where type = 'campaign.completed' and data like ${`{"id":"${id}"%`}`
  const auditOf = async (member: Member, id: string) => {
    const { body } = await member.get(`/audit-log?targetId=${id}`)
    return body.data.map(({ action, actor }: Row & { actor: Row }) => [action, actor.type])
  }

  await t.test(
    'two workers complete each campaign once, with its audit row and its event',
    async () => {
      const owner = await world.member()
      const ids: string[] = []
      for (let i = 0; i < 30; i++)
        ids.push(
          (await make(owner, { endsAt: at(HOUR_MS), status: i % 2 ? 'active' : 'paused' })).id,
        )
      advance(HOUR_MS)
      await eventually(async () => {
        const { body } = await owner.get('/campaigns?status=completed')
        assert.equal(body.meta.total, 30)
      })
      for (const id of ids) {
        const campaign = await read(owner, id)
        assert.equal(campaign.completedAt, at(0))
        assert.deepEqual(
          (await eventsOf(id)).map(({ data }) => JSON.parse(data)),
          [campaign],
        )
        assert.deepEqual(await auditOf(owner, id), [
          ['campaign.completed', 'system'],
          ['campaign.created', 'api_key'],
        ])
      }
    },
  )

  await t.test('drafts and archived campaigns are left alone, and a moved end counts', async () => {
    const owner = await world.member()
    const draft = await make(owner, { status: 'draft', endsAt: at(HOUR_MS) })
    const archived = await make(owner, { status: 'archived', endsAt: at(HOUR_MS) })
    const later = await make(owner, { endsAt: at(HOUR_MS) })
    const never = await make(owner, { endsAt: at(HOUR_MS) })
    const ended = await make(owner, { endsAt: at(HOUR_MS) })
    await owner.patch(`/campaigns/${later.id}`, { endsAt: at(2 * HOUR_MS) })
    await owner.patch(`/campaigns/${never.id}`, { endsAt: null })
    advance(HOUR_MS)
    await eventually(async () => assert.equal((await read(owner, ended.id)).status, 'completed'))
    const statusesOf = async () => {
      const rows = await Promise.all(
        [draft, archived, later, never].map(({ id }) => read(owner, id)),
      )
      return rows.map(({ status }) => status)
    }
    assert.deepEqual(await statusesOf(), ['draft', 'archived', 'active', 'active'])
    advance(HOUR_MS)
    await eventually(async () =>
      assert.deepEqual(await statusesOf(), ['draft', 'archived', 'completed', 'active']),
    )
  })

  await t.test(
    'a campaign that was made active again ends again, without a second event',
    async () => {
      const owner = await world.member()
      const { id } = await make(owner, { endsAt: at(HOUR_MS) })
      advance(HOUR_MS)
      await eventually(async () => assert.equal((await read(owner, id)).status, 'completed'))
      await owner.patch(`/campaigns/${id}`, { status: 'active', endsAt: at(HOUR_MS) })
      assert.equal((await read(owner, id)).completedAt, null)
      advance(HOUR_MS)
      await eventually(async () => assert.equal((await read(owner, id)).status, 'completed'))
      assert.equal((await eventsOf(id)).length, 1)
      assert.deepEqual(
        (await auditOf(owner, id)).map(([action]: string[]) => action),
        ['campaign.completed', 'campaign.updated', 'campaign.completed', 'campaign.created'],
      )
    },
  )

  await t.test('a completion that fails half-way leaves nothing, and is made up for', async () => {
    const owner = await world.member()
    const { id } = await make(owner, { endsAt: at(HOUR_MS), status: 'draft' })
    const clock = () => world.clock.now + 2 * HOUR_MS
    const deps = {
      systemSql: asSystem(world.sql),
      clock,
      audit: createAudit(clock),
      publish: createOutbox(clock),
    }
    await world.sql`update campaigns set status = 'active' where id = ${id}`
    const failing = () => Promise.reject(new Error('no disk'))
    await assert.rejects(completeCampaigns({ ...deps, publish: failing }, NEVER), /no disk/)
    assert.equal((await read(owner, id)).status, 'active')
    assert.equal((await auditOf(owner, id)).length, 1)
    await completeCampaigns(deps, NEVER)
    assert.equal((await read(owner, id)).status, 'completed')
    assert.equal((await eventsOf(id)).length, 1)
  })
})
