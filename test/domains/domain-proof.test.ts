import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createEgressAgent } from '../../src/platform/egress/agent.ts'
import { createDnsRecords } from '../../src/platform/egress/dns-records.ts'
import { createEgressGuard } from '../../src/platform/egress/guard.ts'
import { readShortText } from '../../src/platform/egress/client.ts'
import { checkHost } from '../../src/domains/domains/check.ts'
import { openDnsServer } from '../support/dns-server.ts'

const TOKEN = '0123456789abcdef0123456789abcdef'

test('a server of the owner proves a host over HTTP by answering with the token, and in no other way', async (t) => {
  const dns = await openDnsServer(t)
  const asked: string[] = []
  let answer = `${TOKEN}\n`
  const server = createServer((req, res) => {
    asked.push(req.url!)
    res.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const agent = createEgressAgent(createEgressGuard({ allowedCidrs: ['127.0.0.1'] }))
  t.after(async () => {
    await agent.destroy()
    server.close()
  })
  // The port of HTTP needs root.
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const lookups = {
    ...createDnsRecords([dns.address]),
    readProof: (url: string) =>
      readShortText(agent, url.replace('go.own.test', at), { maxBytes: 256, timeoutMs: 1_000 }),
    readRouting: async () => ({ cnameTarget: null, addresses: [] }),
  }
  const check = () => checkHost(lookups, { hostname: 'go.own.test', token: TOKEN })

  // Without an address there is no server to ask.
  assert.equal((await check()).reason, 'not_found')
  assert.deepEqual(asked, [])
  dns.set('go.own.test', { addresses: ['127.0.0.1'] })
  const { reason, records } = await check()
  assert.equal(reason, null)
  assert.deepEqual(
    records.map(({ type, ok }) => [type, ok]),
    [['TXT', false]],
  )
  assert.deepEqual(asked, [`/.well-known/signpost-verify/${TOKEN}`])
  // The record of another claim in DNS does not matter then.
  dns.set('_signpost.go.own.test', { texts: ['signpost-verify=ffff'] })
  assert.equal((await check()).reason, null)
  for (answer of ['', `x${TOKEN}`, `<p>${TOKEN}</p>`, TOKEN.slice(1), TOKEN.toUpperCase()])
    assert.equal((await check()).reason, 'token_mismatch', answer)
  answer = TOKEN
  dns.set('_signpost.go.own.test', { texts: [`signpost-verify=${TOKEN}`] })
  const before = asked.length
  assert.equal((await check()).reason, null)
  assert.equal(asked.length, before)
})
