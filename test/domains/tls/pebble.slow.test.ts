import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { announceDomain } from '../../../src/links/link/addresses.ts'
import { inTransaction } from '../../../src/platform/storage/postgres/postgres.ts'
import { createAuthority } from '../../support/certificates.ts'
import { openDnsServer } from '../../support/dns-server.ts'
import { databasesToMigrate } from '../../support/engines.ts'
import { addDomain, addLink, addWorkspace, freshFolder } from '../../support/fixtures.ts'
import { freePort } from '../../support/free-port.ts'
import { freshDataDir, startProgram } from '../../support/program.ts'
import { eventually } from '../../support/world.ts'
import { HOST, SECRET_KEY, sslOf, visit } from '../../support/tls-edges.ts'
import { IS_LONG } from '../../support/long.ts'

const PEBBLE = 'pebble'
const HAS_PEBBLE = spawnSync(PEBBLE, ['-help']).error === undefined
const SKIP = { skip: !IS_LONG ? 'one of the long tests' : !HAS_PEBBLE && 'needs pebble' }

/** Pebble, the authority that the makers of Let's Encrypt test clients with; it validates hosts on these ports. */
async function startPebble(t: TestContext, ports: { httpPort: number; tlsPort: number }) {
  const folder = freshFolder()
  const dns = await openDnsServer(t)
  dns.set(HOST, { addresses: ['127.0.0.1'] })
  const issuer = createAuthority()
  const { cert, key } = issuer.issue({ names: ['127.0.0.1'] })
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const [port, managementPort] = [await freePort(), await freePort()]
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: file('cert.pem', cert),
    privateKey: file('key.pem', key),
    ...ports,
  }
  const config = file('pebble.json', JSON.stringify({ pebble: settings }))
  const pebble = spawn(PEBBLE, ['-config', config, '-dnsserver', dns.address, '-strict'], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '30' },
    stdio: 'ignore',
  })
  t.after(async () => {
    if (pebble.exitCode !== null) return
    pebble.kill()
    await once(pebble, 'exit')
  })
  const read = (path: string) => readText(`https://127.0.0.1:${managementPort}${path}`, issuer.cert)
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    issuer: file('issuer.pem', issuer.cert),
    root: await eventually(() => read('/roots/0'), 10_000),
  }
}

function readText(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += String(chunk))).on('end', () => resolve(text))
    }).on('error', reject)
  })
}

for (const challenge of ['http-01', 'tls-alpn-01'])
  test(`Pebble validates a domain by ${challenge}, and issues its certificate`, SKIP, async (t) => {
    const [port, httpsPort] = [await freePort(), await freePort()]
    const closed = await freePort()
    const pebble = await startPebble(t, {
      httpPort: challenge === 'http-01' ? port : closed,
      tlsPort: challenge === 'http-01' ? closed : httpsPort,
    })
    const { sql, postgresUrl, clickhouseUrl } = await databasesToMigrate(t)
    await startProgram(t, freshDataDir(t), {
      DATABASE_URL: postgresUrl,
      CLICKHOUSE_URL: clickhouseUrl,
      PORT: String(port),
      HTTPS_PORT: String(httpsPort),
      ACME_DIRECTORY: pebble.directory,
      ACME_AGREE_TOS: 'true',
      ACME_CHALLENGES: challenge,
      NODE_EXTRA_CA_CERTS: pebble.issuer,
      SECRET_KEY,
      // Nothing answers there: the domain stays verified.
      DNS_SERVERS: '127.0.0.1:9',
    })
    const workspaceId = await addWorkspace(sql)
    const domainId = await addDomain(sql, { workspaceId, hostname: HOST, status: 'pending' })
    await addLink(sql, {
      workspaceId,
      domainId,
      slug: 'a',
      destinationUrl: 'https://example.com/a',
    })
    // As a check does: the edge learns of the domain before the authority asks for it.
    await inTransaction(sql, async (tx) => {
      await tx`update domains set status = 'verified', verified_at = now() where id = ${domainId}`
      await announceDomain(tx, domainId)
    })
    const { status } = await eventually(() => visit(httpsPort, pebble), 60_000)
    assert.equal(status, 302)
    assert.deepEqual(await sslOf(sql, domainId), ['active', null])
  })
