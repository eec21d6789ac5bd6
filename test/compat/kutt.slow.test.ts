import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import Kutt from 'kutt'
import { eventually, openWorld, type World } from '../support/world.ts'

/** The client has another constructor than Node's import of it says. */
const Client = ((Kutt as unknown as { default?: typeof Kutt }).default ?? Kutt) as typeof Kutt

function connect(world: World, key: string) {
  return new Client().set('api', `${world.origin}/api/v2`).set('key', key).set('timeout', 20_000)
}

type Period = {
  views: number[]
  total: number
  stats: Record<'browser' | 'os' | 'country' | 'referrer', { name: string; value: number }[]>
}
type Stats = Record<'lastDay' | 'lastWeek' | 'lastMonth' | 'lastYear', Period> &
  Record<'id' | 'address' | 'target' | 'updatedAt', string> & { visit_count: number }

async function open(t: TestContext) {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  return { world, owner, kutt: connect(world, owner.apiKey) }
}

/** What the client throws of a refusal. */
async function refusalOf(call: Promise<unknown>): Promise<[status: number, message: string]> {
  const error = await call.then(
    () => assert.fail('it was answered'),
    (refused: Error) => refused,
  )
  return [(error.cause as { status: number }).status, error.message]
}

test('links and their numbers, domains, the user and health', async (t) => {
  const { world, owner, kutt } = await open(t)
  assert.equal(await kutt.health().check(), true)
  const links = kutt.links()
  const made = await links.create({
    target: 'example.com/spring',
    customurl: 'spring',
    description: 'Spring sale',
    expire_in: '2 days',
    password: 'quiet harbour',
  })
  const { id, created_at, updated_at, expire_in, ...shown } = made as typeof made & {
    expire_in: string
  }
  assert.ok(created_at instanceof Date && updated_at instanceof Date)
  const hours = (Date.parse(expire_in) - Date.now()) / 3_600_000
  assert.ok(hours > 47.9 && hours <= 48)
  assert.deepEqual(shown, {
    address: 'spring',
    target: 'http://example.com/spring',
    link: `${world.origin}/spring`,
    domain: new URL(world.origin).host,
    description: 'Spring sale',
    password: true,
    banned: false,
    visit_count: 0,
  })
  const changed = await links.update(id, {
    target: 'https://example.com/summer',
    address: 'summer',
    description: 'Summer sale',
  })
  assert.deepEqual(
    [changed.address, changed.target, changed.description, changed.password],
    ['summer', 'https://example.com/summer', 'Summer sale', true],
  )

  const plain = await links.create({ target: 'https://example.com/' })
  assert.equal(plain.description, 'https://example.com/')
  const again = await links.create({ target: 'https://example.com/', reuse: true })
  assert.equal(again.id, plain.id)
  assert.notEqual((await links.create({ target: 'https://example.com/' })).id, plain.id)
  const page = await links.list({ skip: 1, limit: 2 })
  assert.deepEqual([page.total, page.skip, page.limit, page.data.length], [3, 1, 2, 2])
  assert.equal((await links.list()).limit, 10)
  const found = await fetch(`${world.origin}/api/v2/links?search=Summer`, {
    headers: { 'x-api-key': owner.apiKey },
  })
  assert.equal(((await found.json()) as { total: number }).total, 1)

  await fetch(plain.link, { redirect: 'manual', headers: { referer: 'https://news.example.com/' } })
  const readStats = async () => {
    const response = await fetch(`${world.origin}/api/v2/links/${plain.id}/stats`, {
      headers: { 'x-api-key': owner.apiKey },
    })
    return (await response.json()) as Stats
  }
  await eventually(async () => assert.equal((await readStats()).visit_count, 1), 20_000)
  // Each period is a question of its own, whose answer may be a second old.
  await eventually(async () => {
    const { lastDay, lastWeek, lastMonth, lastYear } = await readStats()
    const totals = [lastDay, lastWeek, lastMonth, lastYear].map(({ total }) => total)
    assert.deepEqual(totals, [1, 1, 1, 1])
  }, 20_000)
  const stats = await readStats()
  assert.deepEqual([stats.id, stats.address, stats.target], [plain.id, plain.address, plain.target])
  for (const [name, count] of [
    ['lastDay', 24],
    ['lastWeek', 7],
    ['lastMonth', 30],
    ['lastYear', 12],
  ] as const) {
    const { views, total, stats: labels } = stats[name]
    assert.deepEqual([views.length, views.at(-1), total], [count, 1, 1], name)
    assert.deepEqual(labels.referrer, [{ name: 'news.example.com', value: 1 }])
    assert.deepEqual(Object.keys(labels), ['browser', 'os', 'country', 'referrer'])
  }
  assert.match(stats.updatedAt, /Z$/)

  const domain = await kutt
    .domains()
    .create({ address: 'go.example.com', homepage: 'https://example.com/' })
  assert.deepEqual(
    [domain.address, domain.homepage, domain.banned],
    ['go.example.com', 'https://example.com/', false],
  )
  const onDomain = await links.create({ target: 'https://example.com/', domain: 'go.example.com' })
  assert.equal((onDomain as unknown as { domain: string }).domain, 'go.example.com')
  const { domains } = await kutt.users().info()
  assert.deepEqual(
    domains.map((each) => each.id),
    [domain.id],
  )
  assert.match(await links.remove(onDomain.id), /deleted/)
  assert.match(await kutt.domains().remove(domain.id), /deleted/)
  assert.equal((await links.list()).total, 3)
})

test('every refusal has a text and a status of its own', async (t) => {
  const { world, owner, kutt } = await open(t)
  const target = 'https://example.com/'
  await kutt.links().create({ target, customurl: 'taken' })
  const other = await world.member()
  const foreign = await connect(world, other.apiKey).links().create({ target })
  const session = await world.session(owner)
  const { body } = await session.post('/api-keys', { name: 'Reader', scopes: ['links:read'] })
  const reader = connect(world, body.data.key)
  const links = kutt.links()
  for (const [call, status, message] of [
    [() => connect(world, 'wrong').links().list(), 401, /key/],
    [() => connect(world, '').users().info(), 401, /key/],
    [() => reader.links().create({ target }), 403, /scope/],
    [() => reader.users().info(), 403, /scope/],
    [() => links.create({ target, customurl: 'taken' }), 400, /^Custom URL is already in use\.$/],
    [() => links.create({ target: 'http://' }), 400, /^target must/],
    [() => links.create({ target: '' }), 400, /^target is required/],
    [() => links.create({ target, customurl: 'admin' }), 400, /reserved/],
    [() => links.create({ target, expire_in: 'soon' }), 400, /^Expire format/],
    [() => links.create({ target, domain: 'go.example.org' }), 400, /domain/],
    [() => links.remove('lnk_unknown'), 404, /does not exist/],
    [() => links.remove('..'), 404, /./],
    [() => links.remove(foreign.id), 403, /another workspace/],
    [() => links.update(foreign.id, { target, address: 'mine' }), 403, /another workspace/],
    [() => kutt.domains().create({ address: '' }), 400, /address/],
  ] as const) {
    const [actual, text] = await refusalOf(call())
    assert.equal(actual, status, text)
    assert.match(text, message)
  }
  // The client sends DELETE for the numbers of a link, which Kutt does not know either.
  assert.equal((await refusalOf(links.stats(foreign.id)))[0], 404)
  const huge = await refusalOf(links.create({ target, description: 'x'.repeat(300_000) }))
  assert.equal(huge[0], 413)
})

test('too many requests are refused as such', async (t) => {
  const world = await openWorld(t, { config: { rateLimitApi: 5 } })
  const { apiKey } = await world.member()
  const links = connect(world, apiKey).links()
  const refusals: number[] = []
  for (let i = 0; i < 8; i++)
    await links
      .list()
      .catch((error: Error) => refusals.push((error.cause as { status: number }).status))
  assert.ok(refusals.length >= 1)
  assert.deepEqual(new Set(refusals), new Set([429]))
})
