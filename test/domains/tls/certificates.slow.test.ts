import assert from 'node:assert/strict'
import { connect } from 'node:tls'
import { test } from 'node:test'
import { openAcmeAuthority } from '../../support/acme-authority.ts'
import { databasesToMigrate } from '../../support/engines.ts'
import { addDomain } from '../../support/fixtures.ts'
import { freePort } from '../../support/free-port.ts'
import { freshDataDir, startProgram } from '../../support/program.ts'
import { tapStatements } from '../../support/statements.ts'
import { eventually } from '../../support/world.ts'
import {
  addHost,
  HOST,
  openEdge,
  openFirstEdge,
  rowOf,
  SECRET_KEY,
  sslOf,
  visit,
} from '../../support/tls-edges.ts'
import { IS_LONG } from '../../support/long.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/platform/core/clock.ts'

const NAMES = IS_LONG ? 10_000 : 300

test('a verified domain gets a certificate, and its links open over https', async (t) => {
  const { acme, edge } = await openFirstEdge(t, (authority) => (authority.wrongNonces = 3))
  const domainId = await addHost(edge)
  const { serial, ...answer } = await eventually(() => visit(edge.httpsPort, acme))
  assert.deepEqual(answer, { status: 302, location: 'https://example.com/a' })
  assert.ok(serial)
  assert.deepEqual(await sslOf(edge.sql, domainId), ['active', null])
  assert.deepEqual(acme.issued, [HOST])
  const sealed = await edge.sql<{ key: Buffer }[]>`
    select key_sealed as key from tls_certificates union all select key_sealed from tls_accounts`
  assert.equal(sealed.length, 2)
  for (const { key } of sealed) assert.ok(!key.includes('PRIVATE KEY'))
  const [left] = await edge.sql`select count(*)::int as challenges from tls_challenges`
  assert.deepEqual(left, { challenges: 0 })
})

test('unverified and unknown names get no order, and their handshakes cause no query', async (t) => {
  const port = await freePort()
  const acme = await openAcmeAuthority(t, { httpPort: () => port })
  const databases = await databasesToMigrate(t)
  const tap = await tapStatements(t, databases.postgresUrl)
  const config = { databaseUrl: tap.url }
  // The statements of what polls are counted too.
  const edge = await openEdge(t, acme, port, { databases, config, pace: 1 })
  const { workspaceId } = await edge.member()
  await addDomain(edge.sql, { workspaceId, hostname: 'pending.example.com', status: 'pending' })
  await addHost(edge)
  await eventually(() => visit(edge.httpsPort, acme))
  tap.take()
  for (let i = 0; i < NAMES; i += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        assert.rejects(visit(edge.httpsPort, acme, `made-up-${i + n}.example.com`)),
      ),
    )
  await assert.rejects(visit(edge.httpsPort, acme, 'pending.example.com'))
  const sent = tap.take().flat()
  const named = sent.filter(({ params }) =>
    params.some((param) => /made-up|pending\./.test(String(param))),
  )
  assert.deepEqual(named, [])
  // The statements of the parts that work by themselves; a query per name would be as many more.
  assert.ok(sent.length < NAMES, `${sent.length} statements`)
  assert.deepEqual(
    acme.orders.map(({ hostname }) => hostname),
    [HOST],
  )
})

test('a certificate is renewed after two thirds of its time, without a pause of https', async (t) => {
  const { acme, edge } = await openFirstEdge(t)
  await addHost(edge)
  const first = await eventually(() => visit(edge.httpsPort, acme))
  const { nextAttemptAt, notAfter } = (await rowOf(edge.sql))!
  assert.ok(nextAttemptAt <= new Date(notAfter.getTime() - 30 * DAY_MS + HOUR_MS))
  assert.ok(nextAttemptAt >= new Date(notAfter.getTime() - 34 * DAY_MS))
  edge.clock.advance(61 * DAY_MS)
  await eventually(() => assert.deepEqual(acme.issued, [HOST, HOST]))
  assert.equal((await visit(edge.httpsPort, acme)).serial, first.serial, 'that of the memory')
})

test('a refusal is followed by a pause of hours, and by what the authority names', async (t) => {
  const { acme, edge } = await openFirstEdge(
    t,
    (authority) => (authority.refusal = { type: 'rateLimited', retryAfter: 5 * 3_600 }),
  )
  const domainId = await addHost(edge)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 1))
  const { nextAttemptAt, lastError } = (await rowOf(edge.sql))!
  assert.match(lastError, /^rateLimited: /)
  assert.equal(nextAttemptAt.getTime(), edge.clock.now + 5 * HOUR_MS)
  assert.deepEqual(await sslOf(edge.sql, domainId), ['failed', 'rate_limited'])
  acme.refusal = null
  edge.clock.advance(5 * HOUR_MS)
  await eventually(() => visit(edge.httpsPort, acme))
  assert.deepEqual(await sslOf(edge.sql, domainId), ['active', null])
})

test('a host that the authority cannot validate in any way is not ordered again at once', async (t) => {
  const other = await freePort()
  const acme = await openAcmeAuthority(t, { httpPort: () => other })
  const edge = await openEdge(t, acme, await freePort())
  const domainId = await addHost(edge)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 1))
  assert.deepEqual(await sslOf(edge.sql, domainId), ['pending', null])
  edge.clock.advance(2 * 60_000)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 2))
  assert.deepEqual(await sslOf(edge.sql, domainId), ['failed', 'wrong_answer'])
  const { nextAttemptAt, lastError, orderUrl } = (await rowOf(edge.sql))!
  assert.equal(lastError, 'unauthorized: another answer')
  assert.equal(orderUrl, null)
  const waitMs = nextAttemptAt.getTime() - edge.clock.now
  assert.ok(waitMs >= 20 * MINUTE_MS && waitMs <= 25 * MINUTE_MS, `${waitMs} ms`)
  const types = acme.orders.map(({ validatedBy }) => validatedBy)
  assert.deepEqual(types, ['http-01', 'tls-alpn-01'])
})

test('a record that is created after the first attempt leads to a certificate within minutes', async (t) => {
  let httpPort = await freePort()
  const acme = await openAcmeAuthority(t, { httpPort: () => httpPort })
  const port = await freePort()
  const edge = await openEdge(t, acme, port, { config: { acmeChallenges: ['http-01'] } })
  const domainId = await addHost(edge)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 1))
  assert.equal((await sslOf(edge.sql, domainId))[0], 'failed')
  httpPort = port
  edge.clock.advance(13 * MINUTE_MS)
  await eventually(() => visit(edge.httpsPort, acme))
  assert.deepEqual(await sslOf(edge.sql, domainId), ['active', null])
})

test('an authority that refuses each nonce is asked again within minutes, for the same order', async (t) => {
  const { acme, edge } = await openFirstEdge(t, (authority) => (authority.wrongNonces = 5))
  const domainId = await addHost(edge)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 1))
  assert.match((await rowOf(edge.sql))!.lastError, /refused 5 nonces in a row/)
  assert.deepEqual(await sslOf(edge.sql, domainId), ['pending', null])
  edge.clock.advance(2 * MINUTE_MS)
  await eventually(() => visit(edge.httpsPort, acme))
  assert.equal(acme.orders.length, 1)
})

test('an authority that is down is asked again within minutes', async (t) => {
  const { acme, edge } = await openFirstEdge(t, (authority) => (authority.isBroken = true))
  const domainId = await addHost(edge)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 1))
  assert.deepEqual(await sslOf(edge.sql, domainId), ['pending', null])
  acme.isBroken = false
  edge.clock.advance(2 * 60_000)
  await eventually(() => visit(edge.httpsPort, acme))
})

test('an edge goes on with the order of one that has ended: one order, one certificate', async (t) => {
  const { acme, databases, edge } = await openFirstEdge(
    t,
    (authority) => (authority.isValidationHeld = true),
  )
  await addHost(edge)
  await eventually(() => assert.equal(acme.orders[0]?.validation, 'processing'))
  // As after a kill: the lease stays.
  const [before] = await edge.sql`select holder, lease_until from tls_certificates`
  const { now } = edge.clock
  const { port } = new URL(edge.origin)
  await edge.stop()
  await edge.sql`update tls_certificates set ${edge.sql({ holder: before!.holder ?? 'gone', leaseUntil: new Date(now + 300_000) } as never)}`
  const second = await openEdge(t, acme, Number(port), { databases })
  acme.isValidationHeld = false
  second.clock.advance(60_000)
  await eventually(() => assert.equal(acme.orders[0]!.status, 'ready'))
  assert.deepEqual(acme.issued, [], 'the lease of the first has not ended')
  second.clock.advance(300_000)
  await eventually(() => visit(second.httpsPort, acme))
  assert.equal(acme.orders.length, 1)
  assert.deepEqual(acme.issued, [HOST])
})

test('two edges order once, and both answer the authority and serve the certificate', async (t) => {
  const { acme, databases, edge } = await openFirstEdge(t)
  const second = await openEdge(t, acme, await freePort(), { databases })
  await addHost(edge)
  await eventually(() => visit(edge.httpsPort, acme))
  await eventually(() => visit(second.httpsPort, acme))
  assert.equal(acme.orders.length, 1)
})

test('every process of a server answers the authority and serves the certificate, which one orders', async (t) => {
  const port = await freePort()
  const acme = await openAcmeAuthority(t, { httpPort: () => port })
  const databases = await databasesToMigrate(t)
  const httpsPort = await freePort()
  const program = await startProgram(t, freshDataDir(t), {
    DATABASE_URL: databases.postgresUrl,
    CLICKHOUSE_URL: databases.clickhouseUrl,
    PORT: String(port),
    HTTPS_PORT: String(httpsPort),
    EDGE_PROCESSES: '3',
    ACME_DIRECTORY: acme.directory,
    ACME_AGREE_TOS: 'true',
    SECRET_KEY,
    // Nothing answers there: the domain stays verified.
    DNS_SERVERS: '127.0.0.1:9',
  })
  // Orders nothing.
  const config = { httpsPort: null }
  await addHost(await openEdge(t, acme, await freePort(), { databases, config }))
  await eventually(() => visit(httpsPort, acme), 60_000)
  const counts = /^signpost_edge_process_redirects_total\{process="\d"\} [1-9]/gm
  await eventually(async () => {
    const visits = Array.from({ length: 24 }, () => visit(httpsPort, acme))
    for (const { status } of await Promise.all(visits)) assert.equal(status, 302)
    const metrics = await (await fetch(`${program.origin}/metrics`)).text()
    assert.equal(metrics.match(counts)?.length, 3)
  })
  assert.deepEqual(acme.issued, [HOST])
})

test('an expired certificate is shown as failed, also while the authority cannot be reached', async (t) => {
  const { acme, edge } = await openFirstEdge(t)
  const domainId = await addHost(edge)
  await eventually(() => visit(edge.httpsPort, acme))
  acme.isBroken = true
  edge.clock.advance(61 * DAY_MS)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 1))
  assert.deepEqual(await sslOf(edge.sql, domainId), ['active', null])
  edge.clock.advance(31 * DAY_MS)
  await eventually(async () =>
    assert.deepEqual(await sslOf(edge.sql, domainId), ['failed', 'unreachable']),
  )
  acme.isBroken = false
  edge.clock.advance(DAY_MS)
  await eventually(async () => assert.deepEqual(await sslOf(edge.sql, domainId), ['active', null]))
})

test('the host of PUBLIC_URL gets a certificate too, of no workspace', async (t) => {
  const port = await freePort()
  const acme = await openAcmeAuthority(t, { httpPort: () => port })
  const config = { publicUrl: 'https://links.example.com' }
  const edge = await openEdge(t, acme, port, { config })
  const ready = await eventually(() => visit(edge.httpsPort, acme, 'links.example.com', '/health'))
  assert.equal(ready.status, 200)
  const row = await rowOf(edge.sql, 'links.example.com')
  assert.equal(row!.ownerId, null)
  assert.deepEqual(acme.issued, ['links.example.com'])
})

test('bytes that are no TLS, and a client without a name, get no answer', async (t) => {
  const { acme, edge } = await openFirstEdge(t)
  await addHost(edge)
  await eventually(() => visit(edge.httpsPort, acme))
  await assert.rejects(fetch(`http://127.0.0.1:${edge.httpsPort}/a`))
  const socket = connect({ host: '127.0.0.1', port: edge.httpsPort, rejectUnauthorized: false })
  await assert.rejects(
    new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject)),
  )
})
