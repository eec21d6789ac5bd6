import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpired } from '../../src/links/history/expiry.ts'
import { NEVER } from '../support/never.ts'
import { asSystem } from '../support/privileges.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

async function makeLink(member: Member, fields: object = {}) {
  const { status, body } = await member.post('/links', { ...NEW, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return { id: body.data.id as string, path: `/links/${body.data.id}`, data: body.data }
}

test('restoring a deleted link', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const statusOf = async (slug: string) => (await world.call('GET', `/${slug}`)).status

  await t.test('brings it back with everything it had, everywhere', async () => {
    const owner = await world.member()
    const folder = (await owner.post('/folders', { name: 'Flyers' })).body.data
    const link = await makeLink(owner, {
      slug: 'Come-Back',
      aliases: ['come-again'],
      tags: ['spring', 'print'],
      folderId: folder.id,
      externalId: 'crm-1',
      maxClicks: 3,
      metadata: { a: [1] },
      rules: [
        { name: 'AT', conditions: { country: ['AT'] }, destinationUrl: 'https://example.at/' },
      ],
      iosDeepLink: 'shop://1',
      expiresAt: new Date(world.clock.now + 5 * HOUR_MS).toISOString(),
      password: 'quiet harbour',
      noindex: true,
    })
    await owner.patch(link.path, { name: 'Renamed' })
    await world.sql`
      insert into link_clicks (link_id, workspace_id, clicks, last_clicked_at)
      values (${link.id}, ${owner.workspaceId}, 42, now())`
    await world.sql`update link_quotas set served = 2 where link_id = ${link.id}`
    const before = (await owner.get(link.path)).body.data
    const history = (await owner.get(`${link.path}/history`)).body.data

    assert.equal((await owner.delete(link.path)).status, 204)
    assert.equal((await owner.get(link.path)).status, 404)
    assert.equal((await owner.patch(link.path, { name: 'X' })).status, 404)
    assert.equal((await owner.get(`${link.path}/history`)).status, 404)
    for (const query of [
      '',
      '?search=come',
      '?tag=spring',
      `?folderId=${folder.id}`,
      '?sortBy=clicks',
    ])
      assert.equal((await owner.get(`/links${query}`)).body.meta.total, 0, query)
    assert.equal((await owner.get('/links/count')).body.data.total, 0)
    assert.equal((await owner.get('/tags')).body.meta.total, 0)
    assert.doesNotMatch((await owner.get('/links/export.csv')).text, /Come-Back/)
    await eventually(async () => {
      assert.deepEqual([await statusOf('come-back'), await statusOf('come-again')], [404, 404])
    })

    world.clock.advance(HOUR_MS - 1)
    await deleteExpired({ sql: asSystem(world.sql), clock: () => world.clock.now }, NEVER)
    const { status, body } = await owner.post(`${link.path}/restore`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.data, before)
    assert.deepEqual((await owner.get(link.path)).body.data, before)
    assert.deepEqual((await owner.get(`${link.path}/history`)).body.data, history)
    for (const query of [
      '',
      '?search=come',
      '?tag=spring',
      `?folderId=${folder.id}`,
      '?sortBy=clicks',
    ])
      assert.deepEqual((await owner.get(`/links${query}`)).body.data, [before], query)
    assert.equal((await owner.get('/links/count')).body.data.total, 1)
    assert.deepEqual((await owner.get('/tags')).body.meta.total, 2)
    const [rank] = await world.sql`select clicks from link_ranks where link_id = ${link.id}`
    assert.equal(rank!['clicks'], 42)
    await eventually(async () => {
      assert.deepEqual([await statusOf('come-back'), await statusOf('come-again')], [401, 401])
    })
    const visit = await world.call('GET', '/come-back', {
      headers: { authorization: `Basic ${Buffer.from('x:quiet harbour').toString('base64')}` },
    })
    assert.equal(visit.headers.get('location'), NEW.destinationUrl)
    const full = await world.call('GET', '/come-back', {
      headers: { authorization: `Basic ${Buffer.from('x:quiet harbour').toString('base64')}` },
    })
    assert.equal(full.status, 410)

    const audited = (await owner.get(`/audit-log?targetId=${link.id}`)).body.data
    assert.deepEqual(
      audited.map(({ action }: { action: string }) => action),
      ['link.restored', 'link.deleted', 'link.updated', 'link.created'],
    )
    assert.doesNotMatch(JSON.stringify(audited), /argon2|harbour/)
    const events = await world.sql<{ type: string; data: string }[]>`
      select type, data from events where workspace_id = ${owner.workspaceId}`
    const created = events.filter(({ type }) => type === 'link.created')
    assert.equal(created.length, 2)
    assert.ok(created.every(({ data }) => JSON.parse(data).id === link.id))
    assert.ok(events.every(({ data }) => !/argon2|harbour|password/.test(data)))
  })

  await t.test('works once, within an hour, and not for a link that exists', async () => {
    const owner = await world.member()
    const [link, late] = [
      await makeLink(owner, { maxClicks: 1 }),
      await makeLink(owner, { maxClicks: 1 }),
    ]
    const exists = await owner.post(`${link.path}/restore`)
    assert.deepEqual([exists.status, exists.body.error.details.reason], [409, 'not_deleted'])
    for (const { path } of [link, late]) await owner.patch(path, { name: 'Second' })
    for (const { path } of [link, late]) await owner.delete(path)
    const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${link.path}/restore`)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
    world.clock.advance(HOUR_MS)
    assert.equal((await owner.post(`${late.path}/restore`)).status, 404)
    await deleteExpired({ sql: asSystem(world.sql), clock: () => world.clock.now }, NEVER)
    assert.equal((await owner.post(`${late.path}/restore`)).status, 404)
    for (const table of ['link_versions', 'link_quotas']) {
      const rows = await world.sql`select from ${world.sql(table)} where link_id = ${late.id}`
      assert.equal(rows.length, 0, table)
    }
    assert.equal((await owner.get(`${link.path}/history`)).body.meta.total, 2)
    assert.equal((await owner.post('/links/lnk_unknown/restore')).status, 404)
  })

  await t.test(
    'is refused while another link has its slug, an alias or its externalId',
    async () => {
      const owner = await world.member()
      const link = await makeLink(owner, { slug: 'wanted', aliases: ['also'], externalId: 'crm-1' })
      await owner.delete(link.path)
      const blockers: [object, string][] = [
        [{ slug: 'Wanted' }, 'slug'],
        [{ slug: 'also' }, 'aliases.0'],
        [{ externalId: 'crm-1' }, 'externalId'],
      ]
      for (const [fields, path] of blockers) {
        const blocker = await makeLink(owner, fields)
        const { status, body } = await owner.post(`${link.path}/restore`)
        assert.deepEqual([status, body.error.details[0].path], [409, path], JSON.stringify(body))
        await owner.patch(blocker.path, {
          slug: `moved-${path.replace('.', '-')}`,
          externalId: null,
        })
      }
      assert.deepEqual((await owner.post(`${link.path}/restore`)).body.data, link.data)
    },
  )

  await t.test('leaves out a folder that is gone, and costs nothing of the plan', async () => {
    const owner = await world.member()
    const folder = (await owner.post('/folders', { name: 'Gone' })).body.data
    const link = await makeLink(owner, { folderId: folder.id })
    const used = async () =>
      (
        await world.sql`
        select used from usage_counters
        where workspace_id = ${owner.workspaceId} and name = 'links_monthly'`
      )[0]?.['used']
    const before = await used()
    await owner.delete(link.path)
    await owner.delete(`/folders/${folder.id}`)
    await world.sql`
      update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    await world.sql`
      update usage_counters set used = 1000000
      where workspace_id = ${owner.workspaceId} and name = 'links_monthly'`
    const { status, body } = await owner.post(`${link.path}/restore`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.folderId, null)
    assert.ok(before === undefined || (await used()) === 1_000_000)
  })

  await t.test('needs the role member in the workspace of the link', async () => {
    const [owner, stranger] = [await world.member(), await world.member()]
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    const member = await world.member({ workspaceId: owner.workspaceId, role: 'member' })
    const link = await makeLink(owner)
    await owner.delete(link.path)
    assert.equal((await stranger.post(`${link.path}/restore`)).status, 403)
    assert.equal((await viewer.post(`${link.path}/restore`)).status, 403)
    assert.equal((await stranger.get(link.path)).status, 404)
    assert.equal((await member.post(`${link.path}/restore`)).status, 200)
  })
})
