import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { announceDomain } from '../../src/links/link/addresses.ts'
import { inTransaction, type Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { databasesToMigrate } from '../support/engines.ts'
import { addDomain, addLink, freshFolder } from '../support/fixtures.ts'
import { freePort } from '../support/free-port.ts'
import { tapStatements } from '../support/statements.ts'
import { eventually, openWorld } from '../support/world.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const TOKEN = 'metrics-token-of-a-test'
const HOST = 'go.example.com'
const NAMES = 1_000
const CADDY = 'caddy'
const HAS_CADDY = spawnSync(CADDY, ['version']).status === 0

async function announce(sql: Sql, ...ids: string[]): Promise<void> {
  await inTransaction(sql, async (tx) => {
    for (const id of ids) await announceDomain(tx, id)
  })
}

test('a proxy may order certificates for domains that are served, and for no other name', async (t) => {
  const { sql, origin, member, clock } = await openWorld(t)
  const { workspaceId } = await member()
  const ask = async (query: string) =>
    (await fetch(`${origin}/internal/tls-ask${query}`, { signal: t.signal })).status
  const misconfigured = (hostname: string, hours: number) => ({
    workspaceId,
    hostname,
    status: 'misconfigured' as const,
    misconfiguredSince: new Date(clock.now - hours * HOUR_MS),
  })
  await announce(
    sql,
    await addDomain(sql, { workspaceId, hostname: HOST }),
    await addDomain(sql, misconfigured('grace.example.com', 71)),
    await addDomain(sql, misconfigured('over.example.com', 73)),
    await addDomain(sql, { workspaceId, hostname: 'pending.example.com', status: 'pending' }),
    await addDomain(sql, { workspaceId, hostname: 'failed.example.com', status: 'failed' }),
  )
  await eventually(async () => assert.equal(await ask(`?domain=${HOST}`), 200))
  for (const name of ['GO.Example.com', 'grace.example.com'])
    assert.equal(await ask(`?domain=${name}`), 200, name)
  for (const query of [
    ...['over', 'pending', 'failed', 'unknown', '*'].map((name) => `?domain=${name}.example.com`),
    ...['?domain=localhost', '?domain=127.0.0.1', `?domain=${HOST}&domain=${HOST}`],
    ...[`?domain=${HOST}:443`, '?domain=', '', `?Domain=${HOST}`],
  ])
    assert.equal(await ask(query), 404, query)
  clock.advance(2 * HOUR_MS)
  assert.equal(await ask('?domain=grace.example.com'), 404)
})

test('strangers learn nothing without the token; Caddy elsewhere sends it as a password', async (t) => {
  const port = await freePort()
  const config = { publicUrl: 'https://links.example', metricsToken: TOKEN, port }
  const { sql, member } = await openWorld(t, { config })
  const { workspaceId } = await member()
  await announce(sql, await addDomain(sql, { workspaceId, hostname: HOST }))
  const ask = async (name: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}/internal/tls-ask?domain=${name}`, { headers })).status
  const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` })
  await eventually(async () => assert.equal(await ask(HOST), 200))
  const visitor = { 'x-forwarded-for': '203.0.113.9' }
  assert.equal(await ask(HOST, visitor), 403)
  assert.equal(await ask('unknown.example', visitor), 403)
  for (const wrong of [basic(`caddy:${TOKEN}x`), basic('caddy'), { authorization: 'Bearer x' }])
    assert.equal(await ask(HOST, { ...visitor, ...wrong }), 403)
  for (const right of [basic(`caddy:${TOKEN}`), { authorization: `Bearer ${TOKEN}` }]) {
    assert.equal(await ask(HOST, { ...visitor, ...right }), 200)
    assert.equal(await ask('unknown.example', { ...visitor, ...right }), 404)
  }
})

test('a process without an edge knows no domain', async (t) => {
  const { sql, origin, member } = await openWorld(t, { isPair: true })
  const { workspaceId } = await member()
  await announce(sql, await addDomain(sql, { workspaceId, hostname: HOST }))
  assert.equal((await fetch(`${origin}/internal/tls-ask?domain=${HOST}`)).status, 404)
})

test('a thousand names that visitors make up cause no query', async (t) => {
  const databases = await databasesToMigrate(t)
  const tap = await tapStatements(t, databases.postgresUrl)
  const { sql, origin, member } = await openWorld(t, {
    databases,
    config: { databaseUrl: tap.url },
  })
  const { workspaceId } = await member()
  await announce(sql, await addDomain(sql, { workspaceId, hostname: HOST }))
  const ask = async (name: string) =>
    (await fetch(`${origin}/internal/tls-ask?domain=${name}`)).status
  await eventually(async () => assert.equal(await ask(HOST), 200))
  tap.take()
  for (let i = 0; i < NAMES; i += 50) {
    const names = Array.from({ length: 50 }, (_, n) => `made-up-${i + n}.example.com`)
    assert.deepEqual(new Set(await Promise.all(names.map(ask))), new Set([404]))
  }
  assert.equal(await ask(HOST), 200)
  const sent = tap.take().flat()
  const caused = sent.filter(({ params }) => params.some((param) => param?.includes('made-up')))
  assert.deepEqual(caused, [])
  // The statements of the parts that work by themselves; a query per name would be as many more.
  assert.ok(sent.length < NAMES, `${sent.length} statements`)
})

test(
  'the Caddyfile of the documentation gives a domain its certificate at the first visit',
  {
    skip: !HAS_CADDY && 'needs caddy',
  },
  async (t) => {
    const port = await freePort()
    const world = await openWorld(t, { config: { publicUrl: 'https://links.example.com', port } })
    const { sql } = world
    const { workspaceId } = await world.member()
    const domainId = await addDomain(sql, { workspaceId, hostname: HOST })
    await addLink(sql, {
      workspaceId,
      domainId,
      slug: 'a',
      destinationUrl: 'https://example.com/a',
    })
    await announce(sql, domainId)
    const ports = await startCaddy(t, port)
    await eventually(async () => {
      assert.deepEqual(await visit(ports.https, HOST, '/a'), [302, 'https://example.com/a'])
    }, 20_000)
    await assert.rejects(visit(ports.https, 'unknown.example.com', '/a'), /alert|reset|closed/i)
  },
)

/** Starts Caddy with the documented configuration; only ports and the issuer differ. */
async function startCaddy(t: TestContext, signpost: number) {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const [, documented] = /```caddyfile\n(.*?)```/s.exec(page)!
  const ports = { http: await freePort(), https: await freePort() }
  const own = `admin off\nlocal_certs\nskip_install_trust\nhttp_port ${ports.http}\nhttps_port ${ports.https}`
  const folder = freshFolder()
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    documented!.replace('{\n', `{\n${own}\n`).replaceAll('127.0.0.1:3000', `127.0.0.1:${signpost}`),
  )
  const caddy = spawn(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: 'ignore',
  })
  t.after(async () => {
    if (caddy.exitCode !== null) return
    caddy.kill()
    await once(caddy, 'exit')
  })
  return ports
}

/** Status and Location for a visitor of a host, whose certificate has another issuer than those of the public. */
function visit(
  port: number,
  host: string,
  path: string,
): Promise<[number | undefined, string | undefined]> {
  const options = { port, path, servername: host, headers: { host }, agent: false }
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      resolve([answer.statusCode, answer.headers.location])
    })
    sent.on('error', reject).end()
  })
}
