import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAcmeAuthority } from '../support/acme-authority.ts'
import { openDnsServer } from '../support/dns-server.ts'
import { freshDatabases } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'
import { visit } from '../support/tls-edges.ts'

const HOST = 'go.example.com'
const TARGET = 'edge.signpost.test'

test('a new server, a domain and its two DNS records: a short link on it opens over https', async (t) => {
  const dns = await openDnsServer(t)
  dns.set(TARGET, { addresses: ['127.0.0.1'] })
  const [port, httpsPort] = [await freePort(), await freePort()]
  const acme = await openAcmeAuthority(t, { httpPort: () => port, httpsPort: () => httpsPort })
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const dataDir = freshDataDir(t)
  const env = {
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    PORT: String(port),
    HTTPS_PORT: String(httpsPort),
    ACME_AGREE_TOS: 'true',
    ACME_DIRECTORY: acme.directory,
    CNAME_TARGET: TARGET,
    DNS_SERVERS: dns.address,
    SHORT_URL: 'https://links.example.com',
  }
  const { origin } = await startProgram(t, dataDir, env)
  const owner = callsWith(
    await bootstrapKey({
      ...env,
      DATA_DIR: dataDir,
    }),
    origin,
  )

  const added = await owner.post('/domains', { hostname: `https://Go.Example.com/x` })
  assert.equal(added.status, 201, JSON.stringify(added.body))
  const { id, verification } = added.body.data
  const link = { name: 'Sale', slug: 'sale', domainId: id, destinationUrl: 'https://example.com/a' }
  const { body } = await owner.post('/links', link)
  assert.equal(body.data.shortUrl, `https://${HOST}/sale`)
  const [proof, route] = verification.records
  assert.deepEqual([proof.type, route.type, route.value], ['TXT', 'CNAME', TARGET])
  assert.equal((await owner.post(`/domains/${id}/verify`)).body.data.status, 'failed')

  dns.set(proof.name, { texts: [proof.value] })
  dns.set(route.name, { cname: [route.value], addresses: ['127.0.0.1'] })
  const checked = await owner.post(`/domains/${id}/verify`)
  assert.equal(checked.body.data.status, 'verified')
  assert.deepEqual(
    checked.body.data.verification.records.map(({ ok }: { ok: boolean }) => ok),
    [true, true],
  )
  const answer = await eventually(() => visit(httpsPort, acme, HOST, '/sale'))
  assert.deepEqual([answer.status, answer.location], [302, link.destinationUrl])
  assert.equal((await owner.get(`/domains/${id}`)).body.data.sslStatus, 'active')
  await eventually(async () => {
    const counted = await owner.get(`/analytics/domains/${id}`)
    assert.equal(counted.body.data.totalClicks, 1)
  })
})
