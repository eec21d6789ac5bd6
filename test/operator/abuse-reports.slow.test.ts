import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteOldReports } from '../../src/operator/abuse/reports.ts'
import { asSystem } from '../support/privileges.ts'
import { openWorld, type World } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const TRUSTED = { trustedProxies: ['1'], shortUrl: 'https://links.example.com' }
let network = 0

/** Sends a report as JSON from a network of its own. */
function send(world: World, body: unknown, address = `198.51.100.${++network}`) {
  return world.call('POST', '/report-abuse', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
  })
}

function sendForm(world: World, fields: Record<string, string>) {
  return world.call('POST', '/report-abuse', {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      'x-forwarded-for': `198.51.100.${++network}`,
    },
  })
}

test('reports of abuse', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { config: TRUSTED })
  const owner = await world.member()
  const stored = (url: string) =>
    world.sql`select * from abuse_reports where url = ${url} order by created_at`
  const create = async (slug: string) =>
    (await owner.post('/links', { name: 'A', slug, destinationUrl: 'https://example.com/a' })).body
      .data

  await t.test('a report is answered alike, whether or not the link exists', async () => {
    const link = await create('bad')
    const answers = []
    for (const url of [
      link.shortUrl,
      'https://links.example.com/none',
      'https://other.example/bad',
    ]) {
      const { status, body, headers } = await send(world, { url, reason: 'phishing' })
      answers.push([status, body.data, Object.keys(body.meta), headers.get('content-type')])
    }
    assert.deepEqual(answers[0], [
      202,
      { status: 'received' },
      ['requestId'],
      'application/json; charset=utf-8',
    ])
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
    const [known] = await stored(link.shortUrl)
    assert.deepEqual([known!['linkId'], known!['workspaceId']], [link.id, owner.workspaceId])
    for (const url of ['https://links.example.com/none', 'https://other.example/bad'])
      assert.equal((await stored(url))[0]!['linkId'], null)
  })

  await t.test('the link is found in every spelling of its URL', async () => {
    const { id } = await create('Spring-Sale')
    const domain = await addDomain(world, owner.workspaceId, 'go.example.org')
    await world.sql`
      insert into link_addresses ${world.sql({ domainId: domain, slugKey: 'sale', workspaceId: owner.workspaceId, linkId: id, slug: 'sale' })}`
    for (const url of [
      ...['https://links.example.com/Spring-Sale?qr=1', 'links.example.com/spring-sale'],
      ...['http://LINKS.example.com:8080/spring-sale/', ' https://links.example.com/spring-sale+ '],
      ...['https://localhost/spring-sale', 'https://go.example.org/SALE'],
    ]) {
      assert.equal((await send(world, { url, reason: 'spam' })).status, 202, url)
      assert.equal((await stored(url.trim()))[0]!['linkId'], id, url)
    }
    await send(world, { url: 'https://go.example.org/spring-sale', reason: 'spam' })
    assert.equal((await stored('https://go.example.org/spring-sale'))[0]!['linkId'], null)
  })

  await t.test('bad input is refused with the path of its field', async () => {
    const good = { url: 'https://links.example.com/a', reason: 'spam' }
    const rows: [body: unknown, path: string][] = [
      [{ reason: 'spam' }, 'url'],
      [{ ...good, url: '' }, 'url'],
      [{ ...good, url: 'file:///etc/passwd' }, 'url'],
      [{ ...good, url: 'https://user:secret@links.example.com/a' }, 'url'],
      [{ ...good, url: 'x'.repeat(2_049) }, 'url'],
      [{ url: good.url }, 'reason'],
      [{ ...good, reason: 'ugly' }, 'reason'],
      [{ ...good, details: 'x'.repeat(2_001) }, 'details'],
      [{ ...good, details: 'a\u0007b' }, 'details'],
      [{ ...good, email: 'not an address' }, 'email'],
      [{ ...good, email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    ]
    for (const [body, path] of rows) {
      const { status, body: answer } = await send(world, body)
      assert.deepEqual([status, answer.error?.details[0].path], [400, path], JSON.stringify(body))
    }
    assert.equal((await send(world, [])).status, 400)
    const large = { ...good, details: 'x'.repeat(20_000) }
    assert.equal((await send(world, large)).status, 413)
    const text = await world.call('POST', '/report-abuse', { body: 'url=a' })
    assert.equal(text.status, 415)
    assert.equal((await world.call('DELETE', '/report-abuse')).status, 405)
  })

  await t.test('the page has a form that works without script', async () => {
    const page = await world.call(
      'GET',
      '/report-abuse?url=%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
    )
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type')!, /^text\/html/)
    assert.match(
      page.headers.get('content-security-policy')!,
      /default-src 'none'.*form-action 'self'/,
    )
    assert.doesNotMatch(page.text, /<script/)
    const url = 'https://links.example.com/from-the-form'
    const sent = await sendForm(world, {
      url,
      reason: 'malware',
      details: 'two\r\nlines',
      email: '',
    })
    assert.equal(sent.status, 202)
    assert.match(sent.text, /<h1>Thanks for your report<\/h1>/)
    const [row] = await stored(url)
    assert.deepEqual([row!['details'], row!['email']], ['two\r\nlines', null])
    const refused = await sendForm(world, { url: '', reason: 'malware' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /<h1>That didn&#39;t work<\/h1>/)
  })

  await t.test('admins read the reports about their links, without the reporter', async () => {
    const link = await create('reported')
    const url = link.shortUrl
    await send(world, {
      url,
      reason: 'phishing',
      details: 'Asks for a PIN',
      email: 'me@example.com',
    })
    const { status, body, text } = await owner.get(`/abuse-reports?linkId=${link.id}`)
    assert.equal(status, 200)
    assert.equal(body.meta.total, 1)
    const { id, createdAt, ...report } = body.data[0]
    assert.match(id, /^abr_/)
    assert.ok(Date.parse(createdAt))
    assert.deepEqual(report, {
      workspaceId: owner.workspaceId,
      linkId: link.id,
      url,
      reason: 'phishing',
      details: 'Asks for a PIN',
      status: 'open',
      resolvedAt: null,
    })
    assert.doesNotMatch(text, /me@example\.com/)
    await world.sql`update abuse_reports set resolved_at = now() where id = ${id}`
    const listed = async (filter: string) =>
      (await owner.get(`/abuse-reports?linkId=${link.id}&status=${filter}`)).body.meta.total
    assert.deepEqual([await listed('open'), await listed('resolved')], [0, 1])
    const other = await world.member()
    assert.equal((await other.get('/abuse-reports')).body.meta.total, 0)
    assert.equal((await other.get(`/abuse-reports?linkId=${link.id}`)).status, 403)
    const member = await world.member({ workspaceId: owner.workspaceId, role: 'member' })
    assert.equal((await member.get('/abuse-reports')).status, 403)
  })

  await t.test('a network sends ten reports an hour, and an IPv6 network is a /64', async () => {
    const report = { url: 'https://links.example.com/many', reason: 'spam' }
    for (let i = 0; i < 10; i++)
      assert.equal((await send(world, report, `2001:db8:1:2::${i}`)).status, 202)
    const refused = await send(world, report, '2001:db8:1:2:ffff::1')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await stored(report.url)).length, 10)
    assert.equal((await send(world, report, '2001:db8:1:3::1')).status, 202)
  })
})

test('reports of many networks or of one link keep no new network from its first', async (t) => {
  const world = await openWorld(t, { config: TRUSTED })
  const report = (url: string, address: string) => send(world, { url, reason: 'spam' }, address)
  const stored = async () => (await world.sql`select from abuse_reports`).length
  for (let i = 0; i < 60; i++)
    await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        await send(world, { url: '', reason: 'spam' }, `10.1.0.${i}`)
        await report(`https://links.example.com/made-up-${i}-${n}`, `10.1.0.${i}`)
      }),
    )
  assert.equal(await stored(), 360, 'the first of 60 networks, and 300 further ones')
  const real = 'https://links.example.com/phishing'
  assert.equal((await report('https://links.example.com/b', '10.1.1.1')).status, 202)
  assert.equal((await report('https://links.example.com/c', '10.1.1.1')).status, 429)
  const statuses = []
  for (let i = 0; i < 100; i++) statuses.push((await report(real, `10.2.0.${i}`)).status)
  assert.deepEqual([...new Set(statuses)], [202])
  assert.equal(await stored(), 381, 'twenty of one link')
  assert.equal((await report('https://links.example.com/d', '10.3.0.1')).status, 202)
  assert.equal(await stored(), 382)
  // Reports beyond those of its link have taken no room of others.
  for (let i = 0; i < 217; i++)
    assert.equal((await report(`https://links.example.com/e${i}`, `10.4.0.${i}`)).status, 202)
  for (let i = 0; i < 2; i++) await report(`https://links.example.com/f${i}`, `10.5.0.${i}`)
  assert.equal((await report('https://links.example.com/g', '10.6.0.1')).status, 429)
})

test('reports are kept for 90 days, and 100,000 of them', async (t) => {
  const world = await openWorld(t, { config: TRUSTED })
  const add = (id: string, ageDays: number) =>
    world.sql`
      insert into abuse_reports ${world.sql({ id, url: 'https://a.example/', reason: 'spam', createdAt: new Date(world.clock.now - ageDays * DAY_MS) })}`
  for (const [id, age] of [
    ['old', 91],
    ['third', 89],
    ['second', 2],
    ['first', 1],
  ] as const)
    await add(id, age)
  const sweep = async (maxKept?: number) => {
    const deps = { systemSql: asSystem(world.sql), clock: () => world.clock.now }
    await deleteOldReports(deps, new AbortController().signal, maxKept)
    const rows = await world.sql<{ id: string }[]>`select id from abuse_reports order by id`
    return rows.map(({ id }) => id)
  }
  assert.deepEqual(await sweep(), ['first', 'second', 'third'])
  assert.deepEqual(await sweep(2), ['first', 'second'])
})

async function addDomain(world: World, workspaceId: string, hostname: string): Promise<string> {
  const id = `dom_${hostname}`
  const now = new Date()
  await world.sql`
    insert into domains ${world.sql({ id, workspaceId, hostname, token: 'a', status: 'verified', nextCheckAt: now, createdAt: now, updatedAt: now })}`
  return id
}
