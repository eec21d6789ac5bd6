import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createVisitedDashboards } from '../../src/analytics/dashboards/visited.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import { storeClicks } from '../support/clicks.ts'
import { databasesToMigrate } from '../support/engines.ts'
import { asSystem } from '../support/privileges.ts'
import { tapStatements } from '../support/statements.ts'
import { eventually, openWorld, type Answer, type Member, type World } from '../support/world.ts'

const LINK = {
  name: 'Docs',
  destinationUrl: 'https://secret-destination.example.com/docs?key=hidden',
}
const PASSWORD = 'sunrise-42'

const tokenOf = (dashboard: { url: string }) => dashboard.url.split('/').at(-1)!

async function share(member: Member, input: object = {}) {
  const { status, body } = await member.post('/dashboards', { title: 'Spring', ...input })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

function visit(
  { call }: World,
  dashboard: { url: string } | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const token = typeof dashboard === 'string' ? dashboard : tokenOf(dashboard)
  return call('GET', `/v1/public/dashboards/${token}`, { headers })
}

/** An error without what differs in every answer. */
function withoutId({ status, body }: Answer) {
  const { requestId: _, ...error } = body.error
  return { status, error }
}

/** Header values hold bytes. */
const passwordHeader = (password: string) => ({
  'x-dashboard-password': Buffer.from(password).toString('latin1'),
})

test('shared dashboards', { concurrency: false }, async (t) => {
  const world = await openWorld(t)

  await t.test('a dashboard is created, read, listed, changed and deleted', async () => {
    const owner = await world.member()
    const { data: link } = (await owner.post('/links', LINK)).body
    const made = await share(owner, { title: ' Spring ', linkId: link.id, password: PASSWORD })
    assert.deepEqual(made, {
      id: made.id,
      title: 'Spring',
      linkId: link.id,
      campaignId: null,
      folderId: null,
      days: 30,
      hasPassword: true,
      showConversions: false,
      currency: 'usd',
      doIndex: false,
      url: made.url,
      createdAt: made.createdAt,
      revokedAt: null,
      updatedAt: made.createdAt,
    })
    assert.match(made.url, new RegExp(`^${world.origin}/share/[0-9A-Za-z]{22}$`))
    world.clock.advance(1_000)
    const changed = await owner.patch(`/dashboards/${made.id}`, { days: 7, password: null })
    const { data } = changed.body
    assert.deepEqual([data.days, data.hasPassword, data.url], [7, false, made.url])
    assert.deepEqual((await owner.get(`/dashboards/${made.id}`)).body.data, data)
    const other = await share(owner)
    assert.deepEqual((await owner.get(`/dashboards?linkId=${link.id}`)).body.data, [data])
    assert.equal((await owner.get('/dashboards')).body.meta.total, 2)
    assert.equal((await owner.delete(`/dashboards/${made.id}`)).status, 204)
    assert.equal((await owner.get(`/dashboards/${made.id}`)).status, 404)
    assert.equal((await owner.get('/dashboards')).body.data[0].id, other.id)
  })

  await t.test('the audit log has no token and no password', async () => {
    const owner = await world.member()
    const made = await share(owner, { password: PASSWORD })
    await owner.patch(`/dashboards/${made.id}`, { password: 'another-1', title: 'Summer' })
    const rotated = (await owner.post(`/dashboards/${made.id}/rotate`)).body.data
    await owner.delete(`/dashboards/${made.id}`)
    const { text, body } = await owner.get(`/audit-log?targetId=${made.id}`)
    assert.deepEqual(
      body.data.map(({ action }: { action: string }) => action),
      ['dashboard.deleted', 'dashboard.rotated', 'dashboard.updated', 'dashboard.created'],
    )
    assert.deepEqual(body.data[2].changes, {
      title: { old: 'Spring', new: 'Summer' },
      password: { old: '********', new: '********' },
    })
    for (const secret of [tokenOf(made), tokenOf(rotated), PASSWORD, 'another-1'])
      assert.ok(!text.includes(secret), secret)
  })

  await t.test('wrong input is refused with its path', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const foreign = (await other.post('/links', LINK)).body.data.id
    const { id: linkId } = (await owner.post('/links', LINK)).body.data
    const { id: folderId } = (await owner.post('/folders', { name: 'One' })).body.data
    const wrong: [object, number, string?][] = [
      [{ title: '' }, 400, 'title'],
      [{ title: 'x'.repeat(256) }, 400, 'title'],
      [{ days: 0 }, 400, 'days'],
      [{ days: 3_651 }, 400, 'days'],
      [{ days: 1.5 }, 400, 'days'],
      [{ linkId: 'lnk_none' }, 400, 'linkId'],
      [{ campaignId: 'cmp_none' }, 400, 'campaignId'],
      [{ linkId, folderId }, 400, 'folderId'],
      [{ password: '' }, 400, 'password'],
      [{ password: ' padded ' }, 400, 'password'],
      [{ password: 'x'.repeat(257) }, 400, 'password'],
      [{ password: '********' }, 400, 'password'],
      [{ doIndex: 'maybe' }, 400, 'doIndex'],
      [{ currency: 'EURO' }, 400, 'currency'],
      [{ currency: 'xyz' }, 400, 'currency'],
      [{ linkId: foreign }, 403, 'linkId'],
      [{ linkId: foreign, password: PASSWORD }, 403, 'linkId'],
    ]
    for (const [input, status, path] of wrong) {
      const { status: found, body } = await owner.post('/dashboards', { title: 'Spring', ...input })
      assert.deepEqual([found, body.error.details[0]?.path], [status, path], JSON.stringify(input))
    }
    const made = await share(owner, { linkId })
    const moved = await owner.patch(`/dashboards/${made.id}`, { folderId })
    assert.deepEqual([moved.body.data.linkId, moved.body.data.folderId], [null, folderId])
    const cleared = await owner.patch(`/dashboards/${made.id}`, { folderId: null })
    assert.equal(cleared.body.data.folderId, null)
  })

  await t.test('a visitor without a credential sees the numbers of what is shared', async () => {
    const owner = await world.member()
    const made = await share(owner, { days: 7 })
    const { status, headers, body } = await visit(world, made)
    assert.equal(status, 200)
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    const { data } = body
    assert.deepEqual(Object.keys(data), [
      'title',
      'scope',
      'period',
      'metrics',
      'timeseries',
      'breakdowns',
      'topLinks',
      'updatedAt',
    ])
    assert.deepEqual(data.scope, { type: 'workspace', id: owner.workspaceId })
    assert.deepEqual(
      [data.title, data.period.days, data.timeseries.length, data.topLinks],
      ['Spring', 7, 7, []],
    )
    assert.equal(data.metrics.conversions, undefined)
    assert.equal(data.breakdowns.destination, undefined)
    await owner.patch(`/dashboards/${made.id}`, { doIndex: true, showConversions: true })
    const again = await visit(world, made)
    assert.equal(again.headers.get('x-robots-tag'), 'all')
    assert.deepEqual(
      [again.body.data.metrics.conversions, again.body.data.timeseries[0].value],
      [0, 0],
    )
  })

  await t.test('every address that opens nothing answers the same 404', async () => {
    const owner = await world.member()
    const unknown = withoutId(await visit(world, 'A'.repeat(22)))
    assert.deepEqual([unknown.status, unknown.error.code], [404, 'NOT_FOUND'])
    const { id: linkId } = (await owner.post('/links', LINK)).body.data
    const { id: folderId } = (await owner.post('/folders', { name: 'One' })).body.data
    const { id: campaignId } = (await owner.post('/campaigns', { name: 'One' })).body.data
    const ofLink = await share(owner, { linkId })
    const ofFolder = await share(owner, { folderId })
    const ofCampaign = await share(owner, { campaignId })
    const [revoked, rotated, deleted] = [await share(owner), await share(owner), await share(owner)]
    const ofForeign = [await share(owner), await share(owner), await share(owner)]
    const all = [ofLink, ofFolder, ofCampaign, revoked, rotated, deleted, ...ofForeign]
    for (const one of all) assert.equal((await visit(world, one)).status, 200)
    await owner.delete(`/links/${linkId}`)
    await owner.delete(`/folders/${folderId}`)
    await owner.delete(`/campaigns/${campaignId}`)
    const off = (await owner.patch(`/dashboards/${revoked.id}`, { revoked: true })).body.data
    assert.ok(off.revokedAt)
    const { data: renewed } = (await owner.post(`/dashboards/${rotated.id}/rotate`)).body
    await owner.delete(`/dashboards/${deleted.id}`)
    const other = await world.member()
    const targets = { link_id: LINK, campaign_id: { name: 'One' }, folder_id: { name: 'One' } }
    for (const [at, [column, input]] of Object.entries(targets).entries()) {
      const { id } = (await other.post(`/${column.replace('_id', 's')}`, input)).body.data
      await world.sql`
        update dashboards set ${world.sql(column)} = ${id} where id = ${ofForeign[at]!.id}`
    }
    // Changes of targets are effective within a second.
    for (const one of [...all, 'short', 'A'.repeat(300)])
      await eventually(async () => assert.deepEqual(withoutId(await visit(world, one)), unknown))
    assert.equal((await visit(world, renewed)).status, 200)
    await owner.patch(`/dashboards/${revoked.id}`, { revoked: false })
    assert.equal((await visit(world, revoked)).status, 200)
  })

  await t.test('a suspended workspace and a plan without the capability show nothing', async () => {
    const owner = await world.member()
    const made = await share(owner)
    const { workspaceId } = owner
    await world.sql`update workspaces set suspended_at = now() where id = ${workspaceId}`
    assert.equal((await visit(world, made)).status, 404)
    await world.sql`
      update workspaces set suspended_at = null, plan = 'unknown' where id = ${workspaceId}`
    assert.equal((await visit(world, made)).status, 404)
    await world.sql`update workspaces set plan = 'self_hosted' where id = ${workspaceId}`
    await eventually(async () => assert.equal((await visit(world, made)).status, 200))
    await world.sql`update workspaces set plan = 'unknown' where id = ${workspaceId}`
    await eventually(async () => assert.equal((await visit(world, made)).status, 404))
  })

  await t.test(
    'a password is asked for, compared, limited, and remembered by a cookie',
    async () => {
      const owner = await world.member()
      const made = await share(owner, { password: 'pässwört ☀' })
      const reasonOf = ({ status, body }: Answer) => [status, body.error?.details.reason]
      const header = (password: string) => ({
        'x-dashboard-password': Buffer.from(password).toString('latin1'),
      })
      const missing = await visit(world, made)
      assert.deepEqual(reasonOf(missing), [401, 'missing'])
      assert.equal(missing.headers.get('www-authenticate'), 'DashboardPassword')
      assert.equal(missing.headers.get('x-robots-tag'), 'noindex')
      const path = `/v1/public/dashboards/${tokenOf(made)}`
      const query = encodeURIComponent('pässwört ☀')
      for (const name of ['password', 'x-dashboard-password', 'dashboardPassword'])
        assert.deepEqual(reasonOf(await world.call('GET', `${path}?${name}=${query}`)), [
          401,
          'missing',
        ])
      assert.deepEqual(reasonOf(await visit(world, made, header('wrong'))), [401, 'wrong'])
      const opened = await visit(world, made, header('pässwört ☀'))
      assert.equal(opened.status, 200)
      const [set] = opened.headers.getSetCookie()
      assert.match(set!, /HttpOnly; SameSite=Lax; Max-Age=43200$/)
      assert.ok(set!.includes(`; Path=${path};`))
      const cookie = { cookie: set!.split(';')[0]! }
      assert.equal((await visit(world, made, cookie)).status, 200)

      const other = await share(owner, { password: 'another-1' })
      assert.deepEqual(reasonOf(await visit(world, other, cookie)), [401, 'missing'])
      // One of five a minute is used up; right ones use up none.
      for (let i = 0; i < 6; i++)
        assert.equal((await visit(world, made, header('pässwört ☀'))).status, 200)
      for (let i = 0; i < 4; i++)
        assert.deepEqual(reasonOf(await visit(world, made, header('wrong'))), [401, 'wrong'])
      const limited = await visit(world, made, header('pässwört ☀'))
      assert.deepEqual([limited.status, limited.body.error.code], [429, 'RATE_LIMITED'])
      assert.equal((await visit(world, made, cookie)).status, 200)
      await owner.patch(`/dashboards/${made.id}`, { password: 'pässwört ☀' })
      assert.deepEqual(reasonOf(await visit(world, made, cookie)), [401, 'missing'])
      world.clock.advance(12 * 3_600_000 + 1)
      assert.deepEqual(reasonOf(await visit(world, made, cookie)), [401, 'missing'])
    },
  )

  await t.test('nothing of a workspace but what is shared is in an answer', async () => {
    const owner = await world.member()
    const { workspaceId } = owner
    const { body: campaign } = await owner.post('/campaigns', { name: 'Marker campaign' })
    const { body: folder } = await owner.post('/folders', { name: 'Marker folder' })
    const groups = { campaignId: campaign.data.id, folderId: folder.data.id, tags: ['marker-tag'] }
    const make = async (name: string, rest: object = {}) =>
      (
        await owner.post('/links', {
          ...LINK,
          name,
          ...groups,
          metadata: { note: 'marker-note' },
          ...rest,
        })
      ).body.data
    const [shown, hidden] = [await make('Shown'), await make('Marker link', { password: PASSWORD })]
    const { body: other } = await owner.post('/links', { ...LINK, name: 'Marker outside' })
    await storeClicks(
      world.clickhouse,
      [shown, hidden, other.data].map(({ id: linkId }) => ({
        workspaceId,
        linkId,
        atMs: world.clock.now - 60_000,
        destination: LINK.destinationUrl,
      })),
    )
    const [user] = await world.sql<{ email: string }[]>`
      select email from users where id = ${owner.userId}`
    const secrets = [
      ...['marker', 'hidden', 'secret-destination', user!.email, owner.userId, owner.apiKey],
      ...[hidden.slug, other.data.slug, hidden.id, other.data.id],
    ]
    const ids = { linkId: shown.id, campaignId: groups.campaignId, folderId: groups.folderId }
    const visited: [input: object, clicks: number, secrets: string[]][] = [
      [{ linkId: ids.linkId }, 1, [...secrets, workspaceId, ids.campaignId, ids.folderId]],
      // The other link of both groups is a part of what is shared: its name and short URL are.
      ...(['campaignId', 'folderId'] as const).map((field): [object, number, string[]] => [
        { [field]: ids[field] },
        2,
        [
          'marker-',
          'outside',
          'secret-destination',
          user!.email,
          workspaceId,
          ids.linkId,
          hidden.id,
        ],
      ]),
      [{}, 3, ['marker-', 'secret-destination', user!.email, ...Object.values(ids), hidden.id]],
    ]
    for (const [input, clicks, absent] of visited) {
      const made = await share(owner, { ...input, showConversions: true })
      const { status, text, body } = await visit(world, made)
      assert.deepEqual([status, body.data.metrics.periodClicks], [200, clicks])
      assert.equal(body.data.metrics.totalClicks, clicks)
      assert.equal(body.data.topLinks.length, clicks)
      const folded = text.toLowerCase()
      assert.deepEqual(
        absent.filter((secret) => folded.includes(secret.toLowerCase())),
        [],
        JSON.stringify(input),
      )
    }
    await owner.delete(`/links/${hidden.id}`)
    const rest = (await visit(world, await share(owner, { days: 8 }))).body.data
    assert.deepEqual([rest.metrics.periodClicks, rest.topLinks.length], [3, 2])
  })
})

test('every token that opens nothing is refused by the same one statement', async (t) => {
  const databases = await databasesToMigrate(t)
  const tap = await tapStatements(t, databases.postgresUrl)
  const world = await openWorld(t, { databases, config: { databaseUrl: tap.url }, isPair: true })
  const owner = await world.member()
  const suspended = await world.member()
  const [revoked, rotated, ofSuspended] = [
    await share(owner, { password: PASSWORD }),
    await share(owner),
    await share(suspended),
  ]
  await owner.patch(`/dashboards/${revoked.id}`, { revoked: true })
  await owner.post(`/dashboards/${rotated.id}/rotate`)
  await world.sql`
    update workspaces set suspended_at = now() where id = ${suspended.workspaceId}`
  const seen = new Set<string>()
  for (const one of ['A'.repeat(22), revoked, rotated, ofSuspended]) {
    tap.take()
    assert.equal((await visit(world, one)).status, 404)
    const asked = tap.take().flat()
    const finds = asked.filter(({ text }) => text.includes('dashboards'))
    assert.equal(finds.length, 1)
    seen.add(finds[0]!.text)
  }
  assert.equal(seen.size, 1)
})

test('visitors of the dashboards of one workspace leave room for those of another', async (t) => {
  const world = await openWorld(t, { config: { trustedProxies: ['127.0.0.1'] } })
  const busy = await share(await world.member(), { password: PASSWORD })
  const quiet = await share(await world.member(), { password: PASSWORD })
  const visitFrom = async (made: typeof busy, ip: string) =>
    visit(world, made, { ...passwordHeader(PASSWORD), 'x-forwarded-for': ip })
  const flood = Array.from({ length: 30 }, (_, i) => visitFrom(busy, `10.0.0.${i}`))
  await Promise.race(flood)
  assert.equal((await visitFrom(quiet, '203.0.113.9')).status, 200)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)].toSorted(), [200, 429])
})

test('look-ups of one network neither delay nor refuse visitors of another', async (t) => {
  const world = await openWorld(t)
  const token = tokenOf(await share(await world.member()))
  const visited = createVisitedDashboards({
    systemSql: asSystem(world.sql),
    plans: readPlans(null),
  })
  const unknown = () => visited.find(randomBytes(11).toString('hex'), 'busy')
  const flood = Array.from({ length: 60 }, unknown)
  const waiting = visited.find(token, 'busy').then(() => 'the busy network')
  const other = visited.find(token, 'quiet').then((found) => found!.title)
  assert.equal(await Promise.race([waiting, other]), 'Spring')
  await Promise.all([...flood, waiting])
  const next = tokenOf(await share(await world.member()))
  const full = Array.from({ length: 101 }, unknown)
  const refused = visited.find(next, 'busy')
  const [found] = await Promise.all([
    visited.find(next, 'quiet'),
    assert.rejects(refused, { code: 'RATE_LIMITED' }),
    ...full,
  ])
  assert.equal(found!.title, 'Spring')
})

test('a shared dashboard through a gateway and services', async (t) => {
  const world = await openWorld(t, { isPair: true })
  const owner = await world.member()
  const made = await share(owner, { password: 'pässwört ☀' })
  const missing = await visit(world, made)
  assert.deepEqual([missing.status, missing.headers.get('x-robots-tag')], [401, 'noindex'])
  const opened = await visit(world, made, passwordHeader('pässwört ☀'))
  assert.equal(opened.status, 200)
  const [proof] = opened.headers.getSetCookie()[0]!.split(';')
  const { cookie } = await world.session(owner)
  assert.equal((await visit(world, made, { cookie: `${cookie}; ${proof}` })).status, 200)
  await owner.patch(`/dashboards/${made.id}`, { password: null, doIndex: true })
  const open = await visit(world, made)
  assert.deepEqual([open.status, open.headers.get('x-robots-tag')], [200, 'all'])
})
