import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { test, type TestContext } from 'node:test'
import { connect } from 'node:tls'
import type { ChallengeType } from '../../../src/domains/tls/order.ts'
import { openAcmeAuthority } from '../../support/acme-authority.ts'
import { databasesToMigrate } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { tapStatements } from '../../support/statements.ts'
import { eventually } from '../../support/world.ts'
import { addHost, HOST, openEdge, rowOf, sslOf, visit } from '../../support/tls-edges.ts'

/** An edge, and an authority that reaches its https alone. */
async function openWithoutPort80(t: TestContext, acmeChallenges: ChallengeType[]) {
  const reached = { httpsPort: 0 }
  const acme = await openAcmeAuthority(t, {
    httpPort: () => 9,
    httpsPort: () => reached.httpsPort,
  })
  const databases = await databasesToMigrate(t)
  const tap = await tapStatements(t, databases.postgresUrl)
  const open = async () => {
    const config = { databaseUrl: tap.url, acmeChallenges }
    const edge = await openEdge(t, acme, await freePort(), { databases, config })
    reached.httpsPort = edge.httpsPort
    return edge
  }
  return { acme, tap, open, edge: await open() }
}

/** The protocol of a handshake that offers these. */
async function handshake(port: number, servername: string, ALPNProtocols: string[]) {
  const options = { host: '127.0.0.1', port, servername, ALPNProtocols }
  const socket = connect({ ...options, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.alpnProtocol
  } finally {
    socket.destroy()
  }
}

test('a host is validated by a handshake with another edge, while visitors are served', async (t) => {
  const { acme, open, edge } = await openWithoutPort80(t, ['tls-alpn-01'])
  await open()
  const domainId = await addHost(edge)
  const answer = await eventually(() => visit(edge.httpsPort, acme))
  assert.equal(answer.status, 302)
  assert.deepEqual(
    acme.orders.map(({ validatedBy }) => validatedBy),
    ['tls-alpn-01'],
  )
  assert.deepEqual(await sslOf(edge.sql, domainId), ['active', null])
  // No validation is under way any more.
  await assert.rejects(handshake(edge.httpsPort, HOST, ['acme-tls/1']))
})

test('after a failed validation the next attempt follows within minutes, over the other port', async (t) => {
  const { acme, edge } = await openWithoutPort80(t, ['http-01', 'tls-alpn-01'])
  const domainId = await addHost(edge)
  await eventually(async () => assert.equal((await rowOf(edge.sql))?.failures, 1))
  assert.deepEqual(await sslOf(edge.sql, domainId), ['pending', null])
  edge.clock.advance(2 * 60_000)
  await eventually(() => visit(edge.httpsPort, acme))
  const types = () => acme.orders.map(({ validatedBy }) => validatedBy)
  assert.deepEqual(types(), ['http-01', 'tls-alpn-01'])
  // The renewal begins with what succeeded.
  edge.clock.advance(61 * 86_400_000)
  await eventually(() => assert.equal(acme.issued.length, 2))
  assert.deepEqual(types(), ['http-01', 'tls-alpn-01', 'tls-alpn-01'])
})

test('handshakes of validation for names without an order fail, and unknown names cause no query', async (t) => {
  const { acme, tap, edge } = await openWithoutPort80(t, ['tls-alpn-01'])
  await addHost(edge)
  await eventually(() => visit(edge.httpsPort, acme))
  tap.take()
  const names = Array.from({ length: 200 }, (_, i) => `made-up-${i}.example.com`)
  await Promise.all(
    names.map((name) => assert.rejects(handshake(edge.httpsPort, name, ['acme-tls/1']))),
  )
  await assert.rejects(handshake(edge.httpsPort, HOST, ['acme-tls/1']))
  const asked = tap
    .take()
    .flat()
    .filter(({ text }) => text.includes('tls_challenges') && text.includes('select'))
  assert.equal(asked.length, 1)
  assert.ok(!asked.flatMap(({ params }) => params).some((param) => param?.includes('made-up')))
  assert.equal(await handshake(edge.httpsPort, HOST, ['http/1.1', 'acme-tls/1']), 'http/1.1')
})

test('a first message in single bytes is answered, and a connection without one is closed', async (t) => {
  const { acme, edge } = await openWithoutPort80(t, ['tls-alpn-01'])
  await addHost(edge)
  await eventually(() => visit(edge.httpsPort, acme))
  const silent = connectTcp(edge.httpsPort, '127.0.0.1')
  const closed = once(silent, 'close')
  const slow = connectTcp(edge.httpsPort, '127.0.0.1')
  await once(slow, 'connect')
  slow.setNoDelay(true)
  // Every write is a part of its own, as over a slow network.
  const write = slow.write.bind(slow)
  slow.write = ((bytes: Buffer, ...rest: never[]) => {
    for (const byte of bytes.subarray(0, 60)) write(Buffer.of(byte))
    return write(bytes.subarray(60), ...rest)
  }) as typeof slow.write
  const socket = connect({ socket: slow, servername: HOST, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.destroy()
  await closed
})
