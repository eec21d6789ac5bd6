import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { ulid } from '../../src/platform/core/ids.ts'
import { createSignClick, SP_ID_PURPOSE } from '../../src/platform/facts/click-identity.ts'
import { deleteExpiredDeepLinks } from '../../src/conversions/deferred/found.ts'
import { must } from '../support/calls.ts'
import { asSystem } from '../support/privileges.ts'
import { callsWith, eventually, openWorld, type Answer, type Member } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const SECRET_KEY = 'a secret key of the tests of deep links'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const NO_MATCH = {
  matched: false,
  method: null,
  confidence: 0,
  clickId: null,
  link: null,
  deepLink: null,
  metadata: null,
  clickedAt: null,
}

const sign = createSignClick(createSecrets(SECRET_KEY).keyFor(SP_ID_PURPOSE))
let addresses = 0
const freshAddress = () => `198.41.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`

type Link = { id: string; slug: string; shortUrl: string; domain: string }

async function openDeferred(t: TestContext) {
  const config = {
    secretKey: SECRET_KEY,
    trustedProxies: ['127.0.0.1', '::1'],
    deferredMatchesPerDay: 1_000,
    // Many resolves at once, from one key.
    rateLimitIngestion: 100_000,
  }
  const world = await openWorld(t, { isClockReal: true, config })
  const { sql } = world
  const member = await world.member()
  const addLink = async (fields: object = {}, owner: Member = member): Promise<Link> => {
    const body = {
      name: 'App',
      destinationUrl: 'https://example.com/app',
      iosDeepLink: 'https://apps.apple.com/app/id1',
      androidDeepLink: 'https://example.com/android',
      metadata: { campaign: 'spring' },
      ...fields,
    }
    return (await must(201, owner.post('/links', body))).body.data
  }
  /** Visits a link as a phone, and waits for the click. */
  const visit = async (
    { id, slug }: Link,
    headers: Record<string, string>,
    { isStored = true } = {},
  ): Promise<string> => {
    const clicksOf = () => sql<{ clicks: number }[]>`
      select coalesce(sum(clicks), 0)::bigint as clicks from link_clicks where link_id = ${id}`
    const [before] = await clicksOf()
    const answer = await eventually(async () => {
      const all = { 'user-agent': IPHONE, 'accept-language': 'de-DE', ...headers }
      const found = await fetch(`${world.origin}/${slug}`, { headers: all, redirect: 'manual' })
      assert.equal(found.status, 302)
      return found
    })
    assert.ok(answer.headers.get('location'))
    await eventually(async () => {
      const [now] = await clicksOf()
      assert.ok(now!.clicks > before!.clicks)
    })
    const [row] = await sql<{ clickId: string }[]>`
      select click_id from deep_link_clicks where link_id = ${id} order by click_id desc limit 1`
    assert.equal(row !== undefined, isStored)
    return row?.clickId ?? ''
  }
  const resolve = (body: unknown, address = freshAddress(), key = member.apiKey): Promise<Answer> =>
    world.call('POST', '/v1/deferred/resolve', {
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-forwarded-for': address,
      },
      body: JSON.stringify(body),
    })
  return { world, sql, member, addLink, visit, resolve }
}

test('POST /deferred/resolve', { concurrency: false }, async (t) => {
  const { world, sql, member, addLink, visit, resolve } = await openDeferred(t)
  const phone = (ip: string, more: Record<string, string> = {}) => ({
    'x-forwarded-for': ip,
    ...more,
  })
  const hint = { platform: 'ios', language: 'de-DE' }
  const dataOf = async (answer: Promise<Answer>) => (await must(200, answer)).body.data

  await t.test('a signed click answers once, with the deep link of the platform', async () => {
    const link = await addLink()
    const clickId = ulid(Date.now())
    const spId = sign(clickId, link.id)
    const data = await dataOf(resolve({ clickId: spId, platform: 'ios' }))
    assert.deepEqual(data, {
      matched: true,
      method: 'click_id',
      confidence: 1,
      clickId,
      link: {
        id: link.id,
        slug: link.slug,
        domain: link.domain,
        destinationUrl: 'https://example.com/app',
      },
      deepLink: 'https://apps.apple.com/app/id1',
      metadata: { campaign: 'spring' },
      clickedAt: data.clickedAt,
    })
    assert.deepEqual(await dataOf(resolve({ clickId: spId, platform: 'ios' })), NO_MATCH)
    for (const [platform, deepLink] of [
      ['android', 'https://example.com/android'],
      [undefined, 'https://example.com/app'],
    ] as const) {
      const other = sign(ulid(Date.now()), link.id)
      assert.equal((await dataOf(resolve({ clickId: other, platform }))).deepLink, deepLink)
    }
  })

  await t.test('a click answers one of fifty requests at once', async () => {
    const link = await addLink()
    const clickId = sign(ulid(Date.now()), link.id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => dataOf(resolve({ clickId, platform: 'ios' }))),
    )
    assert.equal(answers.filter(({ matched }) => matched).length, 1)

    const ip = freshAddress()
    await visit(link, phone(ip))
    const phones = await Promise.all(Array.from({ length: 50 }, () => dataOf(resolve(hint, ip))))
    assert.equal(phones.filter(({ matched }) => matched).length, 1)
  })

  await t.test('a bare id finds its click; a forged or unknown one finds none', async () => {
    const link = await addLink()
    const clickId = await visit(link, phone(freshAddress()))
    const forged = `${sign(clickId, link.id).slice(0, -1)}_`
    const unknown = sign(ulid(Date.now()), link.id)
    const wrong = `${unknown.slice(0, -11)}AAAAAAAAAAA`
    for (const each of [ulid(Date.now()), wrong, 'not a click', `${clickId.slice(0, -1)}!`])
      assert.deepEqual(await dataOf(resolve({ clickId: each })), NO_MATCH, each)
    // As the bare id in it.
    await eventually(async () => {
      const data = await dataOf(resolve({ clickId: forged }))
      assert.deepEqual([data.method, data.clickId, data.link?.id], ['click_id', clickId, link.id])
    })
    assert.deepEqual(await dataOf(resolve({ clickId })), NO_MATCH)
  })

  await t.test('an id older than thirty days finds none', async () => {
    const link = await addLink()
    const old = sign(ulid(Date.now() - 30 * DAY_MS - 1), link.id)
    assert.deepEqual(await dataOf(resolve({ clickId: old })), NO_MATCH)
    const young = sign(ulid(Date.now() - 29 * DAY_MS), link.id)
    assert.equal((await dataOf(resolve({ clickId: young }))).matched, true)
  })

  await t.test('a link alone has no click, and answers again', async () => {
    const link = await addLink()
    const own = new URL(`${world.origin}/${link.slug}`)
    for (const body of [
      { deepLink: own.href, platform: 'ios' },
      { url: `${own.href}?utm_source=app`, platform: 'ios' },
      { deepLink: `/${link.slug}`, domain: own.host, platform: 'ios' },
    ]) {
      const data = await dataOf(resolve(body))
      assert.deepEqual(
        [data.method, data.confidence, data.clickId, data.clickedAt, data.link?.id],
        ['click_id', 0.9, null, null, link.id],
        JSON.stringify(body),
      )
    }
    const installReferrer = `deepLink=${encodeURIComponent(own.href)}`
    for (const text of [installReferrer, encodeURIComponent(installReferrer), own.href]) {
      const data = await dataOf(resolve({ installReferrer: text, platform: 'android' }))
      assert.deepEqual([data.method, data.clickId], ['referrer', null], text)
      assert.equal(data.deepLink, 'https://example.com/android')
    }
    for (const deepLink of [`${world.origin}/no-such-link`, 'app://open/1', 'text', world.origin])
      assert.deepEqual(await dataOf(resolve({ deepLink })), NO_MATCH, deepLink)
  })

  await t.test('a link alone does not disclose a destination that is protected', async () => {
    const before = new Date(Date.now() + DAY_MS).toISOString()
    for (const fields of [
      { password: 'open sesame' },
      { maxClicks: 5 },
      { startsAt: before },
      { status: 'paused' },
    ]) {
      const link = await addLink(fields)
      const deepLink = `${world.origin}/${link.slug}`
      assert.deepEqual(await dataOf(resolve({ deepLink })), NO_MATCH, JSON.stringify(fields))
      // A click proves that the visitor was let through.
      const clickId = sign(ulid(Date.now()), link.id)
      assert.equal((await dataOf(resolve({ clickId }))).matched, true)
    }
  })

  await t.test(
    'the referrer goes before the id, the id before the URL, and all before the phone',
    async () => {
      const [one, two, three, four] = [
        await addLink(),
        await addLink(),
        await addLink(),
        await addLink(),
      ]
      const ip = freshAddress()
      await visit(four, phone(ip))
      const all = {
        ...hint,
        installReferrer: `deepLink=${encodeURIComponent(`${world.origin}/${one.slug}`)}&sp_id=${sign(ulid(Date.now()), one.id)}`,
        clickId: sign(ulid(Date.now()), two.id),
        deepLink: `${world.origin}/${three.slug}`,
      }
      const { installReferrer, clickId, ...rest } = all
      const found = async (body: object) => {
        const data = await dataOf(resolve(body, ip))
        return [data.method, data.link.id]
      }
      assert.deepEqual(await found(all), ['referrer', one.id])
      assert.deepEqual(await found({ ...rest, clickId }), ['click_id', two.id])
      assert.deepEqual(await found(rest), ['click_id', three.id])
      // The referrer of an installation without a link.
      const organic = 'utm_source=google-play&utm_medium=organic'
      assert.deepEqual(await found({ ...hint, installReferrer: organic }), ['fingerprint', four.id])
      // A click that has answered is not replaced by a guess.
      await visit(four, phone(ip))
      assert.deepEqual(await dataOf(resolve({ ...hint, installReferrer }, ip)), NO_MATCH)
    },
  )

  await t.test('the one click of the same address, platform and language answers', async () => {
    const link = await addLink()
    const ip = freshAddress()
    const clickId = await visit(link, phone(ip))
    for (const body of [
      { platform: 'android', language: 'de' },
      { platform: 'ios', language: 'fr' },
      { platform: 'ios', language: 'x' },
    ])
      assert.deepEqual(await dataOf(resolve(body, ip)), NO_MATCH, JSON.stringify(body))
    assert.deepEqual(await dataOf(resolve(hint, freshAddress())), NO_MATCH)
    const stranger = await world.member()
    assert.deepEqual(await dataOf(resolve(hint, ip, stranger.apiKey)), NO_MATCH)
    const data = await dataOf(resolve({ platform: 'ios', language: 'de-AT' }, ip))
    assert.deepEqual(
      [data.method, data.confidence, data.clickId, data.link?.id],
      ['fingerprint', 0.6, clickId, link.id],
    )
    assert.deepEqual(await dataOf(resolve(hint, ip)), NO_MATCH)
  })

  await t.test('of two clicks none is the right one', async () => {
    const ip = freshAddress()
    await visit(await addLink(), phone(ip))
    await visit(await addLink(), phone(ip))
    assert.deepEqual(await dataOf(resolve(hint, ip)), NO_MATCH)
  })

  await t.test('an address with two user agents in a day is shared', async () => {
    const link = await addLink()
    const ip = freshAddress()
    await visit(link, phone(ip))
    await visit(link, phone(ip, { 'user-agent': ANDROID }))
    assert.deepEqual(await dataOf(resolve(hint, ip)), NO_MATCH)
    assert.deepEqual(await dataOf(resolve({ ...hint, platform: 'android' }, ip)), NO_MATCH)
  })

  await t.test(
    'private addresses and visitors with a privacy signal are never recognized',
    async () => {
      const link = await addLink()
      await visit(link, phone('10.1.2.3'), { isStored: false })
      assert.deepEqual(await dataOf(resolve(hint, '10.1.2.3')), NO_MATCH)
      const ip = freshAddress()
      await visit(link, phone(ip, { 'sec-gpc': '1' }), { isStored: false })
      assert.deepEqual(await dataOf(resolve(hint, ip)), NO_MATCH)
    },
  )

  await t.test(
    'a phone is recognized for a day, and not when clicks of a day are missing',
    async () => {
      const link = await addLink()
      const ip = freshAddress()
      const clickId = await visit(link, phone(ip))
      const setAge = (ms: number) => sql`
      update deep_link_clicks set clicked_at = ${new Date(Date.now() - ms)}
      where click_id = ${clickId}`
      const setClicks = (clicks: number) => sql`
      update deep_link_keys set clicks = ${clicks} where workspace_id = ${member.workspaceId}`
      await setAge(DAY_MS)
      assert.deepEqual(await dataOf(resolve(hint, ip)), NO_MATCH)
      await setAge(DAY_MS - 60_000)
      await setClicks(50_001)
      assert.deepEqual(await dataOf(resolve(hint, ip)), NO_MATCH)
      await setClicks(50_000)
      assert.equal((await dataOf(resolve(hint, ip))).clickId, clickId)
      await setClicks(10)
    },
  )

  await t.test('a blocked or deleted link answers nothing', async () => {
    const [blocked, deleted] = [await addLink(), await addLink()]
    await sql`update links set status = 'blocked' where id = ${blocked.id}`
    await must(204, member.delete(`/links/${deleted.id}`))
    for (const { id, slug } of [blocked, deleted]) {
      const clickId = sign(ulid(Date.now()), id)
      assert.deepEqual(await dataOf(resolve({ clickId })), NO_MATCH)
      assert.deepEqual(await dataOf(resolve({ deepLink: `${world.origin}/${slug}` })), NO_MATCH)
    }
  })

  await t.test(
    'a link of another workspace is a 403, its click as unknown as any other',
    async () => {
      const other = await world.member()
      const link = await addLink({}, other)
      const clickId = await visit(link, phone(freshAddress()))
      for (const body of [
        { clickId: sign(clickId, link.id) },
        { deepLink: `${world.origin}/${link.slug}` },
        { installReferrer: `deepLink=${encodeURIComponent(`${world.origin}/${link.slug}`)}` },
      ]) {
        const { status, body: answer } = await resolve(body)
        assert.equal(status, 403, JSON.stringify(body))
        assert.equal(answer.error.code, 'FORBIDDEN')
      }
      assert.deepEqual(await dataOf(resolve({ clickId })), NO_MATCH)
    },
  )

  await t.test('a request that could never match is a 400 with its path', async () => {
    for (const [body, path] of [
      [{}, 'platform'],
      [{ platform: 'ios' }, 'language'],
      [{ language: 'de' }, 'platform'],
      [{ timezone: 'Europe/Berlin', screenWidth: 390 }, 'platform'],
      [{ platform: 'windows', language: 'de' }, 'platform'],
      [{ clickId: 7 }, 'clickId'],
      [{ clickId: '' }, 'clickId'],
      [{ deepLink: '' }, 'deepLink'],
      [{ installReferrer: 'x'.repeat(2_049) }, 'installReferrer'],
    ] as const) {
      const { status, body: answer } = await resolve(body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(answer.error.details[0].path, path, JSON.stringify(body))
    }
  })

  await t.test('an answer is repeated to the same Idempotency-Key', async () => {
    const link = await addLink()
    const body = { clickId: sign(ulid(Date.now()), link.id) }
    const again = () => member.post('/deferred/resolve', body, { 'idempotency-key': 'first-start' })
    const first = await dataOf(again())
    assert.equal(first.matched, true)
    assert.deepEqual(await dataOf(again()), first)
  })

  await t.test('a key for apps has the scope deferred:write alone', async () => {
    const session = await world.session(member)
    const link = await addLink()
    const keyWith = async (scope: string) => {
      const { body } = await must(201, session.post('/api-keys', { name: 'App', scopes: [scope] }))
      return body.data.key as string
    }
    const body = { clickId: sign(ulid(Date.now()), link.id) }
    assert.equal((await resolve(body, undefined, await keyWith('links:write'))).status, 403)
    const key = await keyWith('deferred:write')
    assert.equal((await resolve(body, undefined, key)).status, 200)
    assert.equal((await callsWith(key, world.origin).get('/links')).status, 403)
  })

  await t.test('keys end after two days, and clicks with them; matches after thirty', async () => {
    const link = await addLink()
    const ip = freshAddress()
    await visit(link, phone(ip))
    const counts = async () => {
      const [row] = await sql<{ keys: number; clicks: number; matches: number }[]>`
        select (select count(*) from deep_link_keys) as keys,
          (select count(*) from deep_link_clicks) as clicks,
          (select count(*) from deep_link_matches) as matches`
      return row!
    }
    const sweep = (atMs: number) =>
      deleteExpiredDeepLinks(
        { sql: asSystem(sql), clock: () => atMs },
        new AbortController().signal,
      )
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
    await sweep(midnight + 2 * DAY_MS - 1)
    const before = await counts()
    assert.ok(before.keys > 0 && before.clicks > 0 && before.matches > 0)
    await sweep(midnight + 2 * DAY_MS)
    const after = await counts()
    assert.deepEqual([after.keys, after.clicks], [0, 0])
    await sweep(Date.now() + 31 * DAY_MS)
    assert.equal((await counts()).matches, 0)
  })
})

test('matches of a workspace are bounded in a day', async (t) => {
  const config = { secretKey: SECRET_KEY, deferredMatchesPerDay: 2 }
  const world = await openWorld(t, { config })
  const [member, other] = [await world.member(), await world.member()]
  const destinationUrl = 'https://example.com/app'
  const match = async (owner: Member) => {
    const { body } = await must(201, owner.post('/links', { name: 'App', destinationUrl }))
    const clickId = sign(ulid(world.clock.now), body.data.id)
    return owner.post('/deferred/resolve', { clickId })
  }
  assert.equal((await match(member)).body.data.matched, true)
  assert.equal((await match(member)).body.data.matched, true)
  assert.equal((await match(member)).status, 429)
  assert.equal((await match(other)).status, 200)
})

test('a plan without deep links resolves none', async (t) => {
  const world = await openWorld(t)
  const member = await world.member()
  await world.sql`update workspaces set plan = 'free' where id = ${member.workspaceId}`
  const answer = await member.post('/deferred/resolve', { clickId: ulid(world.clock.now) })
  assert.deepEqual([answer.status, answer.body.error.code], [403, 'PLAN_CAPABILITY_REQUIRED'])
  // An invalid request is refused before the plan is checked.
  assert.equal((await member.post('/deferred/resolve', {})).status, 400)
})
