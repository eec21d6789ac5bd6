import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import { openWorld, type Member } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
const UTM = {
  utmSource: 'news',
  utmMedium: 'mail',
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
}

test(
  'links in folders and campaigns, with tags and an id of another system',
  { concurrency: false },
  async (t) => {
    const world = await openWorld(t)
    const now = new Date()
    const row = (workspaceId: string) => ({ workspaceId, createdAt: now, updatedAt: now })
    const addFolder = async (workspaceId: string) => {
      const id = newId('fld', Date.now())
      await world.sql`insert into folders ${world.sql({ id, name: id, nameKey: id, ...row(workspaceId) })}`
      return id
    }
    const addUtm = async (
      table: 'campaigns' | 'utm_templates',
      workspaceId: string,
      utm: object,
    ) => {
      const id = newId(table === 'campaigns' ? 'cmp' : 'utm', Date.now())
      await world.sql`insert into ${world.sql(table)} ${world.sql({ id, name: id, ...row(workspaceId), ...utm })}`
      return id
    }
    const make = async (member: Member, fields: object) => {
      const { status, body } = await member.post('/links', { ...NEW, ...fields })
      assert.equal(status, 201, JSON.stringify(body))
      return body.data
    }
    const ids = async (member: Member, query: string) => {
      const { status, body } = await member.get(`/links?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.meta.total, body.data.length)
      return body.data.map(({ id }: { id: string }) => id)
    }

    await t.test('a link is found by each of its groups, and by them all', async () => {
      const owner = await world.member()
      const folderId = await addFolder(owner.workspaceId)
      const campaignId = await addUtm('campaigns', owner.workspaceId, {})
      const groups = { folderId, campaignId, externalId: 'crm-1', tags: ['b', 'a', ' b '] }
      const link = await make(owner, groups)
      await make(owner, { tags: ['other'] })
      assert.deepEqual(link.tags, ['b', 'a'])
      assert.deepEqual(
        [link.folderId, link.campaignId, link.externalId],
        [folderId, campaignId, 'crm-1'],
      )
      for (const query of [
        `folderId=${folderId}`,
        `campaignId=${campaignId}`,
        'externalId=crm-1',
        'tag=a',
        'tags=a,b,nothing',
        'tags=b,a&tagsMode=all',
        'tag=a&tags=b&tagsMode=all&sortBy=name',
        `folderId=${folderId}&tag=b&search=docs`,
      ])
        assert.deepEqual(await ids(owner, query), [link.id], query)
      for (const query of ['tags=nothing', 'tags=a,nothing&tagsMode=all', 'tags=,&tagsMode=all'])
        assert.deepEqual(await ids(owner, query), [], query)
      const { body } = await owner.patch(`/links/${link.id}`, { tags: ['c'], folderId: null })
      assert.deepEqual([body.data.tags, body.data.folderId], [['c'], null])
      assert.deepEqual(await ids(owner, 'tag=a'), [])
      assert.deepEqual(await ids(owner, 'tag=c'), [link.id])
      await owner.delete(`/links/${link.id}`)
      assert.deepEqual(await ids(owner, 'tag=c'), [])
      const left = await world.sql`select from link_tags where link_id = ${link.id}`
      assert.equal(left.length, 0)
    })

    await t.test(
      'UTM values come from the request, else the template, else the campaign',
      async () => {
        const owner = await world.member()
        const campaignId = await addUtm('campaigns', owner.workspaceId, { ...UTM, utmTerm: 'term' })
        const utmTemplateId = await addUtm('utm_templates', owner.workspaceId, {
          utmSource: 'template',
        })
        const link = await make(owner, { campaignId, utmTemplateId, utmMedium: 'explicit' })
        assert.deepEqual(
          [link.utmSource, link.utmMedium, link.utmTerm, link.utmContent],
          ['template', 'explicit', 'term', null],
        )
        const without = await make(owner, { campaignId, utmTerm: null })
        assert.deepEqual([without.utmSource, without.utmTerm], ['news', null])
        const own = await make(owner, { utmSource: 'own' })
        const { body } = await owner.patch(`/links/${own.id}`, { campaignId })
        assert.deepEqual([body.data.utmSource, body.data.utmMedium], ['own', 'mail'])
        const templated = await owner.patch(`/links/${own.id}`, { utmTemplateId })
        assert.equal(templated.body.data.utmSource, 'template')
      },
    )

    await t.test(
      'an unknown group is refused with its path, and one of another workspace is forbidden',
      async () => {
        const [owner, other] = [await world.member(), await world.member()]
        const foreign = {
          folderId: await addFolder(other.workspaceId),
          campaignId: await addUtm('campaigns', other.workspaceId, {}),
          utmTemplateId: await addUtm('utm_templates', other.workspaceId, {}),
        }
        const link = await make(owner, {})
        for (const [field, id] of Object.entries(foreign)) {
          for (const answer of [
            await owner.post('/links', { ...NEW, [field]: id }),
            await owner.patch(`/links/${link.id}`, { [field]: id }),
          ])
            assert.deepEqual([answer.status, answer.body.error.details[0].path], [403, field])
          const unknown = await owner.post('/links', { ...NEW, [field]: 'x_unknown' })
          assert.deepEqual([unknown.status, unknown.body.error.details[0].path], [400, field])
          if (field === 'utmTemplateId') continue
          assert.equal((await owner.get(`/links?${field}=${id}`)).status, 403)
          assert.deepEqual(await ids(owner, `${field}=x_unknown`), [])
        }
      },
    )

    await t.test('an externalId is unique in its workspace', async () => {
      const [owner, other] = [await world.member(), await world.member()]
      const link = await make(owner, { externalId: 'one' })
      await make(other, { externalId: 'one' })
      const second = await make(owner, { externalId: 'two' })
      for (const answer of [
        await owner.post('/links', { ...NEW, externalId: 'one' }),
        await owner.patch(`/links/${second.id}`, { externalId: 'one' }),
      ])
        assert.deepEqual([answer.status, answer.body.error.details[0].path], [409, 'externalId'])
      assert.equal((await owner.patch(`/links/${link.id}`, { externalId: null })).status, 200)
      await make(owner, { externalId: 'one' })
    })

    await t.test('tags with a comma, or too many of them, are refused with the path', async () => {
      const owner = await world.member()
      for (const [tags, path] of [
        [['ok', 'a,b'], 'tags.1'],
        [['x'.repeat(51)], 'tags.0'],
        [[' '], 'tags.0'],
        [Array.from({ length: 51 }, (_, i) => `t${i}`), 'tags'],
      ] as const) {
        const { status, body } = await owner.post('/links', { ...NEW, tags })
        assert.deepEqual([status, body.error.details[0].path], [400, path])
      }
    })

    await t.test('a rollback takes off what the campaign has set', async () => {
      const owner = await world.member()
      const campaignId = await addUtm('campaigns', owner.workspaceId, UTM)
      const link = await make(owner, { utmSource: 'own' })
      const changed = (await owner.patch(`/links/${link.id}`, { campaignId })).body.data
      assert.deepEqual([changed.utmSource, changed.utmMedium], ['own', 'mail'])
      const historyId = (await owner.get(`/links/${link.id}/history`)).body.data.at(-1).id
      const { body } = await owner.post(`/links/${link.id}/rollback`, { historyId })
      assert.partialDeepStrictEqual(body.data, {
        ...{ campaignId: null, utmSource: 'own', utmMedium: null, utmCampaign: null },
      })
    })

    await t.test('a rollback restores tags, and leaves out a folder that is gone', async () => {
      const owner = await world.member()
      const folderId = await addFolder(owner.workspaceId)
      const link = await make(owner, { folderId, tags: ['a'] })
      await owner.patch(`/links/${link.id}`, { folderId: null, tags: [] })
      await world.sql`delete from folders where id = ${folderId}`
      const history = (await owner.get(`/links/${link.id}/history`)).body.data
      const historyId = history.at(-1).id
      const { status, body } = await owner.post(`/links/${link.id}/rollback`, { historyId })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([body.data.folderId, body.data.tags], [null, ['a']])
    })
  },
)
