import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabases } from '../support/engines.ts'
import { freshDataDir, runCli, runProgram, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs', slug: 'docs' }
const LOCKED = { ...NEW, password: 'quiet harbour lamp' }

test('four processes on shared databases are one Signpost', async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const shared = {
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    SECRET_KEY: 'one secret key for all of the four processes',
  }
  const INTERNAL_TOKEN = 'one internal token for gateway and services'
  const start = (role: string, env: Record<string, string> = {}, dataDir = freshDataDir(t)) =>
    startProgram(t, dataDir, { ...shared, ...env }, [`--role=${role}`])

  const servicesDir = freshDataDir(t)
  // The short URLs that the services write begin with the edge's address.
  const edge = await start('edge')
  const addresses = { SHORT_URL: edge.origin, PUBLIC_URL: 'https://links.example' }
  const services = await start('services', { INTERNAL_TOKEN, ...addresses }, servicesDir)
  const [gateway, worker] = await Promise.all([
    start('gateway', {
      INTERNAL_TOKEN,
      SERVICES_URL: services.origin,
      SHORT_URL: edge.origin,
    }),
    start('worker'),
  ])
  for (const { origin } of [edge, services, gateway, worker])
    await eventually(async () => assert.equal((await fetch(`${origin}/ready`)).status, 200))

  const made = await runCli(['bootstrap', '--email', 'first@example.com', '--json'], {
    ...shared,
    DATA_DIR: servicesDir,
  })
  assert.equal(made.code, 0, made.stderr)
  // As links in mails do.
  assert.match(made.stderr, / https:\/\/links\.example\/v1\/auth\/reset-password\?token=/)
  const { apiKey } = JSON.parse(made.stdout) as { apiKey: string }
  const ship = ['ship', '--dir', freshDataDir(t)]
  const refused = await runCli(ship, { ...shared, DATA_DIR: servicesDir })
  assert.match(refused.stderr, /does not serve the command ship: run it with the DATA_DIR of/)
  const owner = callsWith(apiKey, gateway.origin)

  const link = await owner.post('/links', NEW, { 'x-request-id': 'request-0001' })
  assert.equal(link.status, 201, JSON.stringify(link.body))
  assert.equal(link.headers.get('x-request-id'), 'request-0001')
  assert.equal(link.body.meta.requestId, 'request-0001')
  assert.equal(link.body.data.shortUrl, `${edge.origin}/docs`)

  // The lookup of the first visit may exceed its time.
  const visit = await eventually(async () => {
    const answer = await fetch(link.body.data.shortUrl, { redirect: 'manual' })
    assert.equal(answer.status, 302)
    return answer
  })
  assert.equal(visit.headers.get('location'), NEW.destinationUrl)
  await eventually(async () => {
    const { body } = await owner.get(`/analytics/links/${link.body.data.id}`)
    assert.equal(body.data.totalClicks, 1)
  })

  const { data: locked } = (await owner.post('/links', { ...LOCKED, slug: 'locked' })).body
  const unlocked = await eventually(async () => {
    const form = { method: 'POST', body: new URLSearchParams({ password: LOCKED.password }) }
    const answer = await fetch(locked.shortUrl, { ...form, redirect: 'manual' })
    assert.equal(answer.status, 303)
    return answer
  })
  const cookie = unlocked.headers.get('set-cookie')!.split(';')[0]!
  for (const [headers, status] of [
    [{}, 401],
    [{ cookie }, 302],
  ] as const)
    assert.equal((await fetch(locked.shortUrl, { headers, redirect: 'manual' })).status, status)

  const root = await fetch(`${edge.origin}/`, { redirect: 'manual' })
  assert.deepEqual([root.status, root.headers.get('location')], [302, '/app/'])
  await eventually(async () => assert.equal((await fetch(`${gateway.origin}/app/`)).status, 200))
  assert.equal((await fetch(`${gateway.origin}/`)).status, 404)
  for (const { origin } of [edge, services, worker])
    assert.ok((await fetch(`${origin}/app/`)).status >= 400)
  for (const { origin } of [edge, gateway])
    for (const path of ['robots.txt', 'favicon.ico', 'favicon.svg'])
      assert.equal((await fetch(`${origin}/${path}`)).status, 200, path)

  await owner.patch(`/links/${link.body.data.id}`, { destinationUrl: 'https://example.com/new' })
  await eventually(async () => {
    const moved = await fetch(`${edge.origin}/docs`, { redirect: 'manual' })
    assert.equal(moved.headers.get('location'), 'https://example.com/new')
  })

  const direct = callsWith(apiKey, services.origin)
  for (const headers of [
    {},
    { 'x-user-id': 'usr_1', 'x-workspace-id': 'wsp_1', 'x-role': 'owner' },
    { authorization: `Bearer ${INTERNAL_TOKEN}` },
  ]) {
    assert.equal((await direct.get('/links', headers)).status, 401)
    assert.equal((await direct.get('/nothing', headers)).status, 401)
    assert.equal((await direct.post('/links', NEW, headers)).status, 401)
  }
  assert.equal((await callsWith(apiKey, worker.origin).get('/links')).status, 404)
  assert.equal((await callsWith(apiKey, edge.origin).get('/links')).status, 404)
  assert.equal((await callsWith('sp_wrong', gateway.origin).get('/links')).status, 401)

  assert.equal(await services.stop(), 0)
  const down = await owner.get('/links')
  assert.equal(down.status, 503)
  assert.equal(down.body.error.code, 'UNAVAILABLE')
  assert.equal(down.headers.get('retry-after'), '1')
  assert.equal((await fetch(`${gateway.origin}/ready`)).status, 503)
  await eventually(async () => {
    const still = await fetch(`${edge.origin}/docs`, { redirect: 'manual' })
    assert.equal(still.status, 302)
  })
  for (const { stop } of [gateway, edge, worker]) assert.equal(await stop(), 0)
})

test('an unknown role, and one without its settings, end in one sentence', async (t) => {
  const cases: [args: string[], env: Record<string, string>, says: RegExp][] = [
    [['--role=everything'], {}, /one of all, edge, gateway, services, worker/],
    [['--role='], { SIGNPOST_ROLE: 'all' }, /--role=NAME/],
    [['edge'], {}, /--role=NAME/],
    [['--port=1'], {}, /--role=NAME/],
    [['--role=edge'], { SIGNPOST_ROLE: 'all' }, /edge needs DATABASE_URL, CLICKHOUSE_URL and SECR/],
    [
      [],
      { SIGNPOST_ROLE: 'gateway' },
      /gateway needs .*INTERNAL_TOKEN and PUBLIC_URL or SHORT_URL/,
    ],
    [['--role=services'], { INTERNAL_TOKEN: 'canary' }, /INTERNAL_TOKEN must be at least 32/],
  ]
  for (const [args, env, says] of cases) {
    const { code, stderr } = await runProgram(
      { DATA_DIR: freshDataDir(t), PORT: '0', ...env },
      args,
    )
    assert.equal(code, 1, stderr)
    assert.match(stderr, says)
    assert.match(stderr, /^signpost: [^\n]+\.\n$/)
    assert.doesNotMatch(stderr, /canary/)
  }
})
