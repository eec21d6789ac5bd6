import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openProxy, type Proxy } from '../support/database-proxy.ts'
import { edgeKnows } from '../support/edge-knows.ts'
import { freshDatabases } from '../support/engines.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs', slug: 'docs' }
const INTERNAL_TOKEN = 'one internal token for gateway and services'

/** Databases behind proxies that can be cut, and the settings that name them. */
async function openDistant(t: TestContext) {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const postgres = await openProxy(t, postgresUrl)
  const clickhouse = await openProxy(t, clickhouseUrl)
  const env = {
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    SECRET_KEY: 'one secret key for all of these processes',
  }
  return { env, postgres, clickhouse }
}

function setAway(proxies: readonly Proxy[], isAway: boolean): void {
  for (const proxy of proxies)
    if (isAway) proxy.cut()
    else proxy.restore()
}

async function readReady(origin: string) {
  const answer = await fetch(`${origin}/ready`)
  const { data } = (await answer.json()) as {
    data: { roles: Record<string, string>; checks: Record<string, string> }
  }
  return { code: answer.status, ...data }
}

const visit = (origin: string) => fetch(`${origin}/docs`, { redirect: 'manual' })

/** A data directory whose last server knew the link. */
async function leaveSnapshot(t: TestContext, env: Record<string, string>) {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir, env)
  const apiKey = await bootstrapKey({
    ...env,
    DATA_DIR: dataDir,
  })
  const calls = callsWith(apiKey, program.origin)
  const link = await calls.post('/links', LINK)
  assert.equal(link.status, 201)
  await edgeKnows(program.origin, calls, 'docs')
  assert.equal(await program.stop(), 0)
  return { dataDir, apiKey, linkId: link.body.data.id as string }
}

test('a start without both databases redirects known links, and their clicks are counted later', async (t) => {
  const { env, postgres, clickhouse } = await openDistant(t)
  const { dataDir, apiKey, linkId } = await leaveSnapshot(t, env)

  setAway([postgres, clickhouse], true)
  const program = await startProgram(t, dataDir, env)
  assert.match(program.output().stderr, /waits for its databases/)
  for (let i = 0; i < 20; i++) {
    const answer = await visit(program.origin)
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.get('location'), LINK.destinationUrl)
  }
  const owner = callsWith(apiKey, program.origin)
  const refused = await owner.get('/links')
  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.code, 'UNAVAILABLE')
  const ready = await readReady(program.origin)
  assert.equal(ready.code, 200)
  assert.deepEqual(
    [
      ready.roles['edge'],
      ready.roles['services'],
      ready.checks['postgres'],
      ready.checks['clickhouse'],
    ],
    ['ready', 'not_ready', 'failing', 'failing'],
  )

  const metrics = await (await fetch(`${program.origin}/metrics`)).text()
  assert.match(
    metrics,
    /^signpost_clicks_unshipped_age_seconds 0\.\d*[1-9]|^signpost_clicks_unshipped_age_seconds [1-9]/m,
  )
  assert.match(metrics, /^signpost_clicks_unshipped_bytes [1-9]/m)
  assert.match(metrics, /^signpost_check_ok\{check="clickhouse"\} 0$/m)

  setAway([postgres, clickhouse], false)
  await eventually(async () => {
    const { body } = await owner.get(`/links/${linkId}`)
    assert.equal(body.data.clicks, 20)
  }, 60_000)
  await eventually(async () => {
    assert.equal((await readReady(program.origin)).roles['services'], 'ready')
    const after = await (await fetch(`${program.origin}/metrics`)).text()
    assert.match(after, /^signpost_clicks_unshipped_age_seconds 0$/m)
  })
  assert.equal(
    program.output().stdout.match(/a database is unavailable/g)?.length,
    2,
    'logged once a minute by each process',
  )
  assert.equal(await program.stop(), 0)
})

test('a process that is added while both databases are away redirects what the first one knows', async (t) => {
  const { env, postgres, clickhouse } = await openDistant(t)
  const { dataDir } = await leaveSnapshot(t, env)

  setAway([postgres, clickhouse], true)
  const program = await startProgram(t, dataDir, { ...env, EDGE_PROCESSES: '2' })
  const answered = async (number: number) => {
    const metrics = await (await fetch(`${program.origin}/metrics`)).text()
    const count = new RegExp(
      `^signpost_edge_process_redirects_total\\{process="${number}"\\} (\\d+)$`,
      'm',
    )
    return Number(count.exec(metrics)![1])
  }
  const statuses = new Set<number>()
  await eventually(async () => {
    const visits = Array.from({ length: 24 }, () => visit(program.origin))
    for (const { status } of await Promise.all(visits)) statuses.add(status)
    assert.ok(statuses.size > 1 || (await answered(2)) > 0)
  })
  assert.deepEqual([...statuses], [302])
  setAway([postgres, clickhouse], false)
  assert.equal(await program.stop(), 0)
})

test('an edge without a snapshot is not ready, and the other roles wait for PostgreSQL alone', async (t) => {
  const { env, postgres, clickhouse } = await openDistant(t)
  const start = (role: string, own: Record<string, string> = {}) =>
    startProgram(t, freshDataDir(t), { ...env, ...own }, [`--role=${role}`])
  // The first start of an installation needs both.
  assert.equal(await (await start('worker')).stop(), 0)
  setAway([postgres, clickhouse], true)
  const edge = await start('edge')
  const ready = await readReady(edge.origin)
  assert.equal(ready.code, 503)
  assert.deepEqual([ready.checks['journal'], ready.checks['links']], ['ok', 'failing'])
  assert.equal((await visit(edge.origin)).status, 503)
  // The tables are those of this version, so that ClickHouse is needed by analytics alone.
  setAway([postgres], false)
  const services = await start('services', { INTERNAL_TOKEN, SHORT_URL: edge.origin })
  const gateway = await start('gateway', {
    INTERNAL_TOKEN,
    SERVICES_URL: services.origin,
    SHORT_URL: edge.origin,
  })
  for (const { origin } of [edge, services, gateway])
    await eventually(async () => assert.equal((await readReady(origin)).code, 200), 60_000)
  assert.equal((await readReady(services.origin)).checks['clickhouse'], 'failing')
  assert.equal((await visit(edge.origin)).status, 404)
  for (const { stop } of [gateway, services, edge]) assert.equal(await stop(), 0)
})

test('what a running server repeats while both databases are away is logged once a minute', async (t) => {
  const { env, postgres, clickhouse } = await openDistant(t)
  const { dataDir } = await leaveSnapshot(t, env)
  const program = await startProgram(t, dataDir, env)
  await eventually(async () => assert.equal((await visit(program.origin)).status, 302))

  setAway([postgres, clickhouse], true)
  assert.equal((await visit(program.origin)).status, 302)
  await eventually(async () => {
    const metrics = await (await fetch(`${program.origin}/metrics`)).text()
    const age = /^signpost_clicks_unshipped_age_seconds (\S+)$/m.exec(metrics)![1]
    assert.ok(Number(age) > 5, 'the outage lasts five seconds')
  }, 20_000)
  const repeated = Map.groupBy(
    program.output().stdout.match(/"msg":"[^"]*(?:trying again|unconfirmed)[^"]*"/g) ?? [],
    (message) => message,
  )
  assert.ok(repeated.size > 3, 'several parts try again')
  // LISTEN has a connection for each channel, and webhooks have two loops, each with a line of its own.
  const often = [...repeated].filter(
    ([message, { length }]) => !message.includes('LISTEN') && length > 2,
  )
  assert.deepEqual(
    often.map(([message, { length }]) => `${length} times ${message}`),
    [],
  )
  setAway([postgres, clickhouse], false)
  assert.equal(await program.stop(), 0)
})
