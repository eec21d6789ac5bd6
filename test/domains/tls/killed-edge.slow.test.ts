import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAcmeAuthority, type AcmeAuthority } from '../../support/acme-authority.ts'
import { databasesToMigrate } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { freshDataDir, startProgram } from '../../support/program.ts'
import { eventually } from '../../support/world.ts'
import {
  addHost,
  HOST,
  openEdge,
  rowOf,
  SECRET_KEY,
  sslOf,
  visit,
} from '../../support/tls-edges.ts'

const LEASE_MS = 300_000

/** Stages of an order at which its edge is killed, and how the authority keeps the order there. */
const STAGES = {
  validation: {
    hold: (acme: AcmeAuthority, isHeld: boolean) => (acme.isValidationHeld = isHeld),
    isReached: ({ orders: [order] }: AcmeAuthority) => order?.validation === 'processing',
  },
  issuance: {
    hold: (acme: AcmeAuthority, isHeld: boolean) => (acme.isIssuanceHeld = isHeld),
    isReached: ({ orders: [order] }: AcmeAuthority) => order?.status === 'processing',
  },
}

for (const [stage, { hold, isReached }] of Object.entries(STAGES))
  test(`an edge is killed during ${stage}: another one completes its order, the only one`, async (t) => {
    const port = await freePort()
    const acme = await openAcmeAuthority(t, { httpPort: () => port })
    hold(acme, true)
    const databases = await databasesToMigrate(t)
    const killed = await startProgram(t, freshDataDir(t), {
      DATABASE_URL: databases.postgresUrl,
      CLICKHOUSE_URL: databases.clickhouseUrl,
      HTTPS_PORT: String(await freePort()),
      ACME_DIRECTORY: acme.directory,
      ACME_AGREE_TOS: 'true',
      SECRET_KEY,
      // Nothing answers there: the domain stays verified.
      DNS_SERVERS: '127.0.0.1:9',
    })
    // Answers the validation, and orders nothing.
    const other = await openEdge(t, acme, port, { databases, config: { httpsPort: null } })
    const domainId = await addHost(other)
    await eventually(() => assert.ok(isReached(acme)), 60_000)
    assert.equal(await killed.stop('SIGKILL'), 'SIGKILL')
    const { holder, orderUrl } = (await rowOf(other.sql))!
    assert.ok(holder, 'the lease stays')
    assert.ok(orderUrl)
    const next = await openEdge(t, acme, await freePort(), { databases })
    hold(acme, false)
    await eventually(() => assert.match(acme.orders[0]!.status, /ready|valid/))
    assert.equal((await rowOf(other.sql))!.chain, null, 'the lease has not ended')
    next.clock.advance(LEASE_MS + 60_000)
    const answer = await eventually(() => visit(next.httpsPort, acme))
    assert.equal(answer.location, 'https://example.com/a')
    assert.deepEqual(await sslOf(other.sql, domainId), ['active', null])
    assert.deepEqual(
      acme.orders.map(({ hostname }) => hostname),
      [HOST],
    )
    assert.deepEqual(acme.issued, [HOST])
  })
