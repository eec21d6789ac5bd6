import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createClientAddress } from '../../src/platform/facts/client-address.ts'
import { createLinkPasswordHashing } from '../../src/platform/work/password-hashing.ts'
import { eventually, until } from '../support/eventually.ts'
import { openEdgeWorld, type EdgeWorld } from '../support/edge-world.ts'
import { changeLink, makeLink } from '../support/edge-links.ts'
import { hashCheaply } from '../support/fixtures.ts'

const PASSWORD = 'quiet harbour lamp'
const SECRETS = createSecrets('the secret key of this test')
const hashing = createLinkPasswordHashing(SECRETS, 'hashes')
const DESTINATION = 'https://destination.example/secret-page'
const LIFE_MS = 12 * 3_600_000
const JSON_CLIENT = ['Accept: application/json']
const FORM = 'Content-Type: application/x-www-form-urlencoded'
const BOTS = [
  'curl/8.5.0',
  'Slackbot-LinkExpanding 1.0',
  'Googlebot/2.1',
  'facebookexternalhit/1.1',
]

/** An edge whose visitors name their network themselves. */
async function openLocked(t: TestContext, { isHashCostReal = false } = {}) {
  if (!isHashCostReal) hashCheaply(t)
  const passwordHash = await hashing.hash(PASSWORD)
  const world = await openEdgeWorld(t, {
    secrets: SECRETS,
    edge: { clientAddress: createClientAddress(['1']) },
  })
  let links = 0
  const lock = async (columns: Parameters<typeof makeLink>[1] = {}) =>
    makeLink(world.sql, {
      slug: `locked-${++links}`,
      destinationUrl: DESTINATION,
      passwordHash,
      ...columns,
    })
  return { ...world, lock }
}

function post({ ask }: EdgeWorld, path: string, body: string, headers: string[] = [FORM]) {
  return ask(path, [...headers, `Content-Length: ${Buffer.byteLength(body)}`], 'POST', body)
}

function guess(world: EdgeWorld, path: string, password: string, network = '203.0.113.9') {
  const body = new URLSearchParams({ password }).toString()
  return post(world, path, body, [FORM, ...JSON_CLIENT, `X-Forwarded-For: ${network}`])
}

/** A Cookie header with what an answer has set. */
function cookieOf({ headers }: { headers: Map<string, string> }): string {
  return `Cookie: ${headers.get('set-cookie')!.split(';')[0]}`
}

function reasonOf({ body }: { body: string }): unknown {
  return JSON.parse(body).error.details.reason
}

function basic(password: string): string {
  return `Authorization: Basic ${Buffer.from(`any user:${password}`).toString('base64')}`
}

test('a visitor without the password gets a page that tells nothing about the link', async (t) => {
  const world = await openLocked(t)
  const { ask, clicks, lock } = world
  for (const columns of [{}, { redirectType: 301 }, { redirectType: 308 }]) {
    const { slug } = await lock(columns)
    for (const agent of ['Mozilla/5.0 Firefox/145.0', ...BOTS])
      for (const method of ['GET', 'HEAD'])
        for (const accept of ['text/html', 'application/json']) {
          const headers = [`User-Agent: ${agent}`, `Accept: ${accept}`]
          const answer = await ask(`/${slug}?pw=${encodeURIComponent(PASSWORD)}`, headers, method)
          assert.equal(answer.status, 401)
          assert.equal(answer.headers.get('www-authenticate'), 'LinkPassword')
          assert.equal(answer.headers.get('cache-control'), 'private, no-store')
          assert.equal(answer.headers.get('x-robots-tag'), 'noindex')
          assert.doesNotMatch(answer.head + answer.body, /destination\.example|secret-page/)
          if (method === 'HEAD') assert.equal(answer.body, '')
          else if (accept === 'text/html') assert.match(answer.body, /<form method="post">/)
          else
            assert.partialDeepStrictEqual(JSON.parse(answer.body), {
              error: { code: 'PASSWORD_REQUIRED', details: { reason: 'missing' } },
            })
        }
  }
  assert.deepEqual(clicks(), [])
})

test('the page is sandboxed with forms alone, and its form may lead to any site', async (t) => {
  const { ask, lock } = await openLocked(t)
  const { slug } = await lock()
  const { headers, body } = await ask(`/${slug}`, ['Accept: text/html'])
  const policy = headers.get('content-security-policy')!
  assert.match(policy, /(^|; )default-src 'none'/)
  assert.match(policy, /; sandbox allow-forms(;|$)/)
  assert.match(policy, /; form-action http: https:(;|$)/)
  assert.match(policy, /; frame-ancestors 'none'(;|$)/)
  assert.doesNotMatch(body, /<script| on\w+=|alert/)
  assert.match(body, /<label for="password">Password<\/label>/)
})

test('the right password is answered with a cookie and the short URL, whose visit is the click', async (t) => {
  const world = await openLocked(t)
  const { ask, clicks, lock } = world
  const { slug, id } = await lock({ redirectType: 308 })
  const unlocked = await guess(world, `/${slug}?size=m`, PASSWORD)
  assert.equal(unlocked.status, 303)
  assert.equal(unlocked.headers.get('location'), `/${slug}?size=m`)
  assert.equal(unlocked.headers.get('cache-control'), 'private, no-store')
  assert.equal(unlocked.body, '')
  assert.match(
    unlocked.headers.get('set-cookie')!,
    new RegExp(
      `^signpost_unlock=${id}\\.[0-9a-z]+\\.[\\w-]{43}; Path=/${slug}; Max-Age=43200; HttpOnly; SameSite=Lax$`,
    ),
  )
  assert.equal(clicks().length, 0)
  const cookie = cookieOf(unlocked)
  assert.doesNotMatch(cookie, /quiet|harbour|argon2/)
  assert.equal((await ask(`/${slug}`, [cookie], 'HEAD')).status, 308)
  assert.equal(clicks().length, 0)
  const answer = await ask(`/${slug}?size=m`, [cookie])
  assert.equal(answer.status, 308)
  assert.equal(answer.headers.get('location'), `${DESTINATION}?size=m`)
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  assert.deepEqual(
    clicks().map(({ linkId }) => linkId),
    [id],
  )
})

test('a slug in another spelling and script keeps its cookie on its own path', async (t) => {
  const world = await openLocked(t)
  const { slug } = await world.lock({ slug: 'Grüße/an' })
  const path = `/${slug.split('/').map(encodeURIComponent).join('/')}`
  for (const asked of [path, `${path}/`, '/gr%c3%bc%c3%9fe/an']) {
    const unlocked = await guess(world, asked, PASSWORD)
    assert.equal(unlocked.status, 303, `${asked} ${unlocked.head}${unlocked.body}`)
    const cookiePath = /; Path=\/[Gg]r%C3%BC%C3%9Fe\/an;/
    assert.match(unlocked.headers.get('set-cookie')!, cookiePath, asked)
  }
})

test('a cookie is worth nothing when it is changed, old, of another link or of another password', async (t) => {
  const world = await openLocked(t)
  const { ask, clock, lock, sql } = world
  const [link, other] = [await lock(), await lock()]
  const unlocked = await guess(world, `/${link.slug}`, PASSWORD)
  const cookie = cookieOf(unlocked)
  const value = cookie.slice('Cookie: signpost_unlock='.length)
  const [id, expiry, signature] = value.split('.') as [string, string, string]
  const otherSignature = signature.startsWith('A') ? 'B' : 'A'
  const later = (Number.parseInt(expiry, 36) + 1).toString(36)
  const visit = async (path: string, header: string) => (await ask(path, [header])).status

  assert.equal(await visit(`/${link.slug}`, cookie), 302)
  assert.equal(
    await visit(`/${link.slug}`, `Cookie: a=b; signpost_unlock=x; ${cookie.slice(8)}; c=d`),
    302,
  )
  assert.equal(await visit(`/${other.slug}`, cookie), 401, 'another link')
  const forged = [
    `${other.id}.${expiry}.${signature}`,
    `${id}.${later}.${signature}`,
    `${id}.${expiry}.${otherSignature}${signature.slice(1)}`,
    `${id}.${expiry}.${signature}A`,
    `${id}.${expiry}.`,
    `${id}.${expiry}`,
    `${id}..${signature}`,
    `${id}.zzzzzzzzzzzz.${signature}`,
    `${id}.${expiry}.${signature}.x`,
    id,
    '',
    'null',
    encodeURIComponent(value).replace('.', '%2E'),
  ]
  for (const each of forged)
    assert.equal(await visit(`/${other.slug}`, `Cookie: signpost_unlock=${each}`), 401, each)
  for (const each of forged.slice(1))
    assert.equal(await visit(`/${link.slug}`, `Cookie: signpost_unlock=${each}`), 401, each)
  assert.equal(await visit(`/${link.slug}`, `Cookie: x_signpost_unlock=${value}`), 401, 'the name')

  clock.now += LIFE_MS
  assert.equal(await visit(`/${link.slug}`, cookie), 401, 'after 12 hours')
  const fresh = cookieOf(await guess(world, `/${link.slug}`, PASSWORD))
  assert.equal(await visit(`/${link.slug}`, fresh), 302)
  clock.now -= LIFE_MS + 60_000
  assert.equal(await visit(`/${link.slug}`, fresh), 401, 'from the future')
  clock.now += LIFE_MS + 60_000
  await changeLink(sql, link, { passwordHash: await hashing.hash(PASSWORD) })
  await eventually(async () => assert.equal(await visit(`/${link.slug}`, fresh), 401))
  await changeLink(sql, link, { passwordHash: null })
  await eventually(async () => assert.equal((await ask(`/${link.slug}`)).status, 302))
})

test('on https the cookie is for https alone', async (t) => {
  const world = await openEdgeWorld(t, { secrets: SECRETS, edge: { isHttps: () => true } })
  const { slug } = await makeLink(world.sql, {
    passwordHash: await hashing.hash(PASSWORD),
  })
  const unlocked = await guess(world, `/${slug}`, PASSWORD)
  assert.match(unlocked.headers.get('set-cookie')!, /^__Secure-signpost_unlock=.*; Secure$/)
  const cookie = cookieOf(unlocked)
  assert.equal((await world.ask(`/${slug}`, [cookie])).status, 302)
  assert.equal((await world.ask(`/${slug}`, [cookie.replace('__Secure-', '')])).status, 401)
})

test('a script sends the password as Basic authentication, with any user name', async (t) => {
  const world = await openLocked(t)
  const { ask, clicks, lock } = world
  const { slug } = await lock()
  const answer = await ask(`/${slug}`, [basic(PASSWORD)])
  assert.equal(answer.status, 302)
  assert.equal(answer.headers.get('location'), DESTINATION)
  assert.equal(clicks().length, 1)
  const wrong = await ask(`/${slug}`, [basic('seven grey herons'), ...JSON_CLIENT])
  assert.deepEqual([wrong.status, reasonOf(wrong)], [401, 'wrong'])
  const headers = [
    'Bearer abc',
    'Basic',
    'Basic %%%',
    'Basic bm9jb2xvbg==',
    'Basic dXNlcjo=',
    'Basic /w==',
  ]
  for (const each of headers) {
    const missing = await ask(`/${slug}`, [`Authorization: ${each}`, ...JSON_CLIENT])
    assert.deepEqual([missing.status, reasonOf(missing)], [401, 'missing'], each)
  }
  assert.equal(clicks().length, 1)
})

test('a HEAD request is no attempt, even with the right password', async (t) => {
  const world = await openLocked(t)
  const { slug } = await world.lock()
  for (let i = 0; i < 10; i++)
    assert.equal((await world.ask(`/${slug}`, [basic(PASSWORD)], 'HEAD')).status, 401)
  assert.equal(world.unlock.stats().runs, 0)
  assert.equal((await guess(world, `/${slug}`, PASSWORD, '127.0.0.1')).status, 303)
})

test('five wrong passwords of a network are checked, then the right one is refused as well', async (t) => {
  const world = await openLocked(t)
  const { ask, lock } = world
  const [{ slug }, other] = [await lock(), await lock()]
  const holder = cookieOf(await guess(world, `/${slug}`, PASSWORD, '198.51.100.1'))
  const statuses = []
  for (let i = 0; i < 6; i++)
    statuses.push((await guess(world, `/${slug}`, `wrong ${i}`, `2001:db8::${i}`)).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429], 'a network of IPv6 is a /64')
  const runs = world.unlock.stats().runs
  const refused = await guess(world, `/${slug}`, PASSWORD, '2001:db8::1')
  assert.equal(refused.status, 429)
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds > 0 && seconds <= 60)
  assert.partialDeepStrictEqual(JSON.parse(refused.body), {
    error: { code: 'RATE_LIMITED', details: { retryAfter: seconds, limit: 5, window: 60 } },
  })
  const headers = [basic(PASSWORD), 'X-Forwarded-For: 2001:db8::1', 'Accept: text/html']
  const page = await ask(`/${slug}`, headers)
  assert.equal(page.status, 429)
  assert.match(page.body, /Too many attempts/)
  assert.equal(world.unlock.stats().runs, runs, 'without a hash')
  assert.equal((await ask(`/${slug}`, [holder, 'X-Forwarded-For: 2001:db8::1'])).status, 302)
  assert.equal((await guess(world, `/${other.slug}`, PASSWORD, '2001:db8::1')).status, 303)
  assert.equal((await guess(world, `/${slug}`, PASSWORD, '2001:db8:1::1')).status, 303)
})

test('thirty wrong passwords from everywhere are checked; right ones use up nothing', async (t) => {
  const world = await openLocked(t)
  const { slug } = await world.lock()
  const holder = cookieOf(await guess(world, `/${slug}`, PASSWORD, '198.51.100.1'))
  for (let i = 0; i < 31; i++)
    assert.equal((await guess(world, `/${slug}`, PASSWORD, '198.51.100.1')).status, 303)
  const statuses = []
  for (let i = 0; i < 31; i++)
    statuses.push((await guess(world, `/${slug}`, 'x'.repeat(257), `203.0.113.${i}`)).status)
  assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 401), 429])
  assert.equal((await guess(world, `/${slug}`, PASSWORD, '198.51.100.1')).status, 429)
  assert.equal((await world.ask(`/${slug}`, [holder])).status, 302)
})

test('a form is read if it is one, within its bounds', async (t) => {
  const world = await openLocked(t)
  const { slug } = await world.lock()
  const path = `/${slug}`
  const rows: [headers: string[], body: string, status: number, reason?: string][] = [
    [['Content-Type: application/json'], '{"password":"x"}', 415],
    [['Content-Type: multipart/form-data; boundary=x'], 'password=x', 415],
    [['Content-Type: text/plain'], 'password=x', 415],
    [[], 'password=x', 415],
    [[`${FORM}; charset=iso-8859-1`], 'password=x', 415],
    [[FORM, 'Content-Encoding: gzip'], 'password=x', 415],
    [[FORM], `password=${'x'.repeat(4_096)}`, 413],
    [[FORM], `a=${'x'.repeat(4_094)}`, 401, 'missing'],
    [[FORM], 'password=%ff', 400],
    [[FORM], 'password=50%off', 400],
    [[FORM], 'password=a&password=b', 400],
    [[FORM], '&'.repeat(4_096), 401, 'missing'],
    [[FORM], 'password=', 401, 'missing'],
    [[FORM], 'password', 401, 'missing'],
    [[FORM], '', 401, 'missing'],
    [[FORM], 'Password=x', 401, 'missing'],
    [[FORM], 'password=%00', 401, 'wrong'],
    [[`${FORM}; charset=UTF-8`], 'a=1&password=%F0%9F%A6%8A&b', 401, 'wrong'],
  ]
  for (const [headers, body, status, reason] of rows) {
    const answer = await post(world, path, body, [...headers, ...JSON_CLIENT])
    assert.equal(answer.status, status, `${headers.join()} ${body.slice(0, 40)}`)
    if (reason !== undefined) assert.equal(reasonOf(answer), reason, body.slice(0, 40))
  }
  const encoded = 'password=quiet+harbour%20lamp&submit=Open'
  assert.equal((await post(world, path, encoded)).status, 303)
  const invalid = Buffer.concat([Buffer.from('password='), Buffer.from([0xff, 0xfe])])
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${FORM}\r\n`
  const sent = await world.send(
    Buffer.concat([Buffer.from(`${head}Content-Length: 11\r\n\r\n`), invalid]),
  )
  assert.match(sent, /^HTTP\/1\.1 400 /)
})

test('a body without a length is refused at the limit, not at its end', async (t) => {
  const world = await openLocked(t)
  const { slug } = await world.lock()
  const head = `POST /${slug} HTTP/1.1\r\nHost: localhost\r\n${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const answer = await world.send(`${head}1001\r\n${'x'.repeat(4_097)}\r\n`)
  assert.match(answer, /^HTTP\/1\.1 413 /)
  assert.match(answer, /\r\nConnection: close\r\n/i)
  const whole = await world.send(
    `${head.replace('\r\nTransfer', '\r\nConnection: close\r\nTransfer')}1b\r\npassword=quiet+harbour+lamp\r\n0\r\n\r\n`,
  )
  assert.match(whole, /^HTTP\/1\.1 303 /)
})

test('a POST is for links with a password; at any other address it is not allowed', async (t) => {
  const world = await openLocked(t)
  const { lock, sql } = world
  const plain = await makeLink(sql)
  const paused = await lock({ status: 'paused' })
  const locked = await lock()
  for (const path of ['/', '/unknown', `/${plain.slug}`, `/${paused.slug}`, '/a//b', '/%00'])
    assert.equal((await guess(world, path, PASSWORD)).status, 405, path)
  const put = await world.ask(`/${locked.slug}`, [], 'PUT')
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD'])
  const expired = await lock({ expiresAt: new Date(0) })
  const away = await guess(world, `/${expired.slug}`, PASSWORD)
  assert.deepEqual([away.status, away.headers.get('set-cookie')], [303, undefined])
  assert.equal((await world.ask(`/${expired.slug}`)).status, 410)
})

test('two hundred guesses at once take two hashes at a time, and redirects do not wait', async (t) => {
  const world = await openLocked(t, { isHashCostReal: true })
  const links = await Promise.all(Array.from({ length: 20 }, () => world.lock()))
  const plain = await makeLink(world.sql)
  await world.ask(`/${plain.slug}`)
  let most = { running: 0, waiting: 0 }
  const sample = setInterval(() => {
    const { running, waiting } = world.unlock.stats()
    most = { running: Math.max(most.running, running), waiting: Math.max(most.waiting, waiting) }
  }, 1)
  const guesses = links.flatMap(({ slug }, i) =>
    Array.from({ length: 10 }, (_, j) =>
      guess(world, `/${slug}`, 'y'.repeat(255), `10.0.${i}.${j}`),
    ),
  )
  await until(() => world.unlock.stats().waiting > 2, 'guesses wait')
  assert.equal((await world.ask(`/${plain.slug}`)).status, 302)
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  clearInterval(sample)
  assert.deepEqual([...new Set(statuses)].toSorted(), [401, 429])
  assert.ok(most.running <= 2, String(most.running))
  assert.ok(most.waiting <= 16, String(most.waiting))
  assert.deepEqual(world.unlock.stats(), { ...world.unlock.stats(), waiting: 0, running: 0 })
})
