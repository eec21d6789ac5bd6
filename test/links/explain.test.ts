import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/world.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'

async function makeLink(t: Parameters<typeof openWorld>[0], options: object) {
  const world = await openWorld(t)
  const user = await world.member()
  const fields = { name: 'Shop', destinationUrl: 'https://example.com/shop', utmSource: 'mail' }
  const { body } = await user.post('/links', fields)
  await world.sql`update links set options = ${JSON.stringify(options as never)} where id = ${body.data.id}`
  const explain = async (visit: Record<string, string> = {}) => {
    const query = new URLSearchParams(visit)
    const answer = await user.get(`/links/${body.data.id}/explain?${query.toString()}`)
    return { status: answer.status, data: answer.body.data, error: answer.body.error }
  }
  return { world, user, id: body.data.id as string, slug: body.data.slug as string, explain }
}

const rule = {
  id: 'rul_01KAH0000000000000000000AA',
  name: 'Germany',
  enabled: true,
  conditions: { country: ['DE'], query: { source: 'ü' } },
  destinationUrl: 'https://example.de/',
}

/** A step that is no rule. */
const plain = { name: null, unmet: null }

test('an explanation names the steps up to the answer', async (t) => {
  const { explain } = await makeLink(t, {
    startsAt: '2026-01-01T00:00:00.000Z',
    rules: [rule],
    iosDeepLink: 'shop://1',
  })
  const toRule = await explain({ country: 'de', query: 'source=ü', at: '2026-02-01T00:00:00Z' })
  assert.deepEqual(toRule.data, {
    outcome: 'redirect',
    status: 302,
    location: 'https://example.de/?utm_source=mail&source=%C3%BC',
    page: null,
    route: `rule:${rule.id}`,
    steps: [
      { step: 'status', result: 'continue', detail: 'the link is active', ...plain },
      {
        step: 'startsAt',
        result: 'continue',
        detail: 'starts at 2026-01-01T00:00:00.000Z, and it is 2026-02-01T00:00:00.000Z',
        ...plain,
      },
      {
        step: `rule:${rule.id}`,
        result: 'answer',
        detail: 'Germany: all conditions hold',
        name: 'Germany',
        unmet: null,
      },
    ],
  })
  const toApp = await explain({ userAgent: IPHONE, region: 'us-ca', query: '?source=ü' })
  assert.partialDeepStrictEqual(toApp.data, {
    outcome: 'interstitial',
    status: 200,
    location: 'shop://1',
    page: 'interstitial',
    route: 'ios',
  })
  assert.deepEqual(toApp.data.steps.slice(2), [
    {
      step: `rule:${rule.id}`,
      result: 'continue',
      detail: 'Germany: needs country DE, has US',
      name: 'Germany',
      unmet: { condition: 'country', wanted: 'DE', found: 'US' },
    },
    {
      step: 'ios',
      result: 'answer',
      detail: 'for iOS; the system of the visitor is iOS',
      ...plain,
    },
  ])
  const early = await explain({ at: '2025-12-31T23:59:59.999Z' })
  assert.partialDeepStrictEqual(early.data, { outcome: 'page', status: 404, page: 'pending' })
  assert.equal(early.data.location, null)
})

test('an explanation agrees with the edge, and counts nothing', async (t) => {
  const { world, id, slug, explain } = await makeLink(t, {
    variants: [
      { id: 'var_1', name: 'A', destinationUrl: 'https://example.com/a', weight: 50 },
      { id: 'var_2', name: 'B', destinationUrl: 'https://example.com/a', weight: 50 },
    ],
    card: { title: 'T', description: null, image: null },
    expiredUrl: 'https://example.com/over',
  })
  const visit = async (userAgent: string) => {
    const { status, headers } = await world.call('GET', `/${slug}`, {
      headers: { 'user-agent': userAgent },
    })
    return { status, location: headers.get('location') }
  }
  for (const userAgent of [IPHONE, 'WhatsApp/2.23', ''])
    assert.partialDeepStrictEqual((await explain({ userAgent })).data, await visit(userAgent))
  await world.sql`update links set expires_at = ${new Date(world.clock.now + 1_000)} where id = ${id}`
  const at = new Date(world.clock.now + 1_000).toISOString()
  assert.partialDeepStrictEqual((await explain({ at })).data, {
    outcome: 'redirect',
    status: 302,
    location: 'https://example.com/over',
    route: null,
  })
  const locked = '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA'
  await world.sql`update links set password_hash = ${locked} where id = ${id}`
  assert.partialDeepStrictEqual((await explain()).data, {
    outcome: 'password',
    status: 401,
    location: null,
    page: 'password',
  })
  assert.equal((await explain({ unlocked: 'true' })).data.outcome, 'redirect')
})

test('an explanation knows the redirects that a link has served', async (t) => {
  const { world, user, explain, id } = await makeLink(t, {})
  const options = { maxClicks: 2, expiredUrl: 'https://example.com/over' }
  await world.sql`update links set options = ${JSON.stringify(options)} where id = ${id}`
  await world.sql`
    insert into link_quotas (link_id, workspace_id, max_clicks, served)
    select id, workspace_id, 2, 1 from links where id = ${id}`
  const answer = async () => {
    const { data } = await explain({ unlocked: 'true' })
    return [data.location, data.steps.at(-1).step, data.steps.at(-1).detail]
  }
  assert.deepEqual(await answer(), [
    'https://example.com/shop?utm_source=mail',
    'destination',
    'the destination of the link',
  ])
  await world.sql`update link_quotas set served = 2 where link_id = ${id}`
  assert.deepEqual(await answer(), [
    'https://example.com/over',
    'maxClicks',
    'all 2 clicks were served',
  ])
  assert.equal((await user.get(`/links/${id}`)).body.data.status, 'expired')
})

test('a visit that cannot be is refused with the field', async (t) => {
  const { explain } = await makeLink(t, {})
  for (const [visit, path] of [
    [{ country: 'XX' }, 'country'],
    [{ country: 'DEU' }, 'country'],
    [{ country: '' }, 'country'],
    [{ region: 'CA' }, 'region'],
    [{ region: 'XX-CA' }, 'region'],
    [{ region: 'US-CA', country: 'DE' }, 'region'],
    [{ language: '1' }, 'language'],
    [{ at: 'tomorrow' }, 'at'],
    [{ at: '2026-13-01T00:00:00Z' }, 'at'],
    [{ unlocked: 'maybe' }, 'unlocked'],
    [{ userAgent: 'a'.repeat(513) }, 'userAgent'],
    [{ query: 'a'.repeat(8_193) }, 'query'],
  ] as [Record<string, string>, string][]) {
    const { status, error } = await explain(visit)
    assert.equal(status, 400, JSON.stringify(visit))
    assert.equal(error.details[0].path, path, JSON.stringify(visit))
  }
  assert.equal((await explain({ language: 'de-AT,en;q=0.5', city: 'Wien' })).status, 200)
})

test('a draft is explained as the link would be, and leaves nothing behind', async (t) => {
  const world = await openWorld(t)
  const [user, stranger] = [await world.member(), await world.member()]
  const folder = (await stranger.post('/folders', { name: 'Foreign' })).body.data
  const draft = {
    destinationUrl: 'https://example.com/shop',
    slug: 'draft-shop',
    utmSource: 'mail',
    rules: [
      { name: 'Austria', conditions: { country: ['AT'] }, destinationUrl: 'https://example.at/' },
    ],
    iosDeepLink: 'shop://1',
  }
  const visits = [
    {},
    { country: 'AT' },
    { userAgent: IPHONE, query: 'a=b' },
    { at: '2027-01-01T00:00:00Z', language: 'de' },
  ]
  const explained = []
  for (const visit of visits) {
    const { status, body } = await user.post('/links/explain', { ...draft, visit })
    assert.equal(status, 200, JSON.stringify(body))
    explained.push(body.data)
  }
  assert.deepEqual(
    explained.map(({ location }: { location: string }) => location),
    [
      'https://example.com/shop?utm_source=mail',
      'https://example.at/?utm_source=mail',
      'shop://1',
      'https://example.com/shop?utm_source=mail',
    ],
  )
  for (const table of ['links', 'link_addresses', 'events']) {
    const [row] = await world.sql`
      select count(*)::integer as n from ${world.sql(table)} where workspace_id = ${user.workspaceId}`
    assert.equal(row!['n'], 0, table)
  }
  assert.equal((await user.get('/links/check?slug=draft-shop')).body.data.available, true)

  const made = (await user.post('/links', { name: 'Shop', ...draft })).body.data
  for (const [i, visit] of visits.entries()) {
    const query = new URLSearchParams(visit as Record<string, string>)
    const { body } = await user.get(`/links/${made.id}/explain?${query.toString()}`)
    assert.deepEqual(withoutRuleIds(body.data), withoutRuleIds(explained[i]))
  }

  const locked = { destinationUrl: 'https://example.com/', password: 'quiet harbour' }
  const isLocked = await user.post('/links/explain', locked)
  assert.deepEqual([isLocked.body.data.outcome, isLocked.body.data.status], ['password', 401])
  const opened = await user.post('/links/explain', { ...locked, visit: { unlocked: true } })
  assert.equal(opened.body.data.outcome, 'redirect')

  const refused: [object, string][] = [
    [{}, 'destinationUrl'],
    [{ destinationUrl: 'javascript:alert(1)' }, 'destinationUrl'],
    [{ ...draft, variants: [{ name: 'A', destinationUrl: 'x', weight: 100 }] }, 'variants'],
    [{ ...draft, status: 'blocked' }, 'status'],
    [{ ...draft, password: '' }, 'password'],
    [{ ...draft, visit: { country: 'XX' } }, 'visit.country'],
    [{ ...draft, visit: { country: 'DE', region: 'AT-9' } }, 'visit.region'],
    [{ ...draft, visit: { at: '2026-02-30' } }, 'visit.at'],
    [{ ...draft, visit: { userAgent: 'x'.repeat(600) } }, 'visit.userAgent'],
    [{ ...draft, folderId: 'fld_unknown' }, 'folderId'],
  ]
  for (const [input, path] of refused) {
    const { status, body } = await user.post('/links/explain', input)
    assert.deepEqual([status, body.error.details[0].path], [400, path], JSON.stringify(input))
  }
  const foreign = await user.post('/links/explain', { ...draft, folderId: folder.id })
  assert.equal(foreign.status, 403)
  const huge = { ...draft, metadata: { text: 'x'.repeat(300_000) } }
  assert.equal((await user.post('/links/explain', huge)).status, 413)
})

function withoutRuleIds(explanation: unknown): unknown {
  return JSON.parse(JSON.stringify(explanation).replaceAll(/rul_[0-9A-Z]+/g, 'rul_'))
}
