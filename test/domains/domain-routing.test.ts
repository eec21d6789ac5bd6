import assert from 'node:assert/strict'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { routingByConfig } from '../../src/domains/domains/check.ts'
import { must } from '../support/calls.ts'
import { openWorld } from '../support/world.ts'

type Records = { type: string; value: string; purpose: string }[]

const routesOf = (verification: { records: Records }) =>
  verification.records
    .filter(({ purpose }) => purpose === 'routing')
    .map(({ type, value }) => `${type} ${value}`)

test('domains point to CNAME_TARGET, or else to the host of SHORT_URL or PUBLIC_URL', () => {
  const none = { cnameTarget: null, domainAddresses: [], shortUrl: null, publicUrl: null }
  const name = (cnameTarget: string | null) => ({ cnameTarget, addresses: [] })
  for (const [settings, expected] of [
    [{}, name(null)],
    [{ publicUrl: 'https://links.example.com:8443' }, name('links.example.com')],
    [
      { publicUrl: 'https://a.example.com', shortUrl: 'https://b.example.com' },
      name('b.example.com'),
    ],
    [{ publicUrl: 'https://a.example.com', cnameTarget: 'c.example.com' }, name('c.example.com')],
    [{ publicUrl: 'http://192.0.2.7', cnameTarget: 'c.example.com' }, name('c.example.com')],
    [{ publicUrl: 'http://localhost:3000' }, name(null)],
    [{ publicUrl: 'http://app.localhost:3000' }, name(null)],
    [{ publicUrl: 'http://signpost:3000' }, name(null)],
    [{ publicUrl: 'http://127.0.0.1:3000' }, name(null)],
    [{ publicUrl: 'http://[::1]:3000' }, name(null)],
    [{ publicUrl: 'http://192.0.2.7' }, { cnameTarget: null, addresses: ['192.0.2.7'] }],
    [{ publicUrl: 'http://[2001:db8::7]' }, { cnameTarget: null, addresses: ['2001:db8::7'] }],
    [{ domainAddresses: ['192.0.2.1'] }, { cnameTarget: null, addresses: ['192.0.2.1'] }],
  ] as const)
    assert.deepEqual(
      routingByConfig({
        ...none,
        ...settings,
        domainAddresses: [...('domainAddresses' in settings ? settings.domainAddresses : [])],
      }),
      expected,
      JSON.stringify(settings),
    )
})

test('a server without these settings points domains to the name in its address, and names the setting where there is none', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const made = (await must(201, owner.post('/domains', { hostname: 'go.zone-a.test' }))).body.data
  assert.deepEqual(routesOf(made.verification), [])
  assert.match(
    made.verification.routingNote,
    /Set CNAME_TARGET to .*links\.example\.com, or PUBLIC_URL/,
  )

  const { port } = new URL(world.origin)
  async function readAt(host: string, path = `/domains/${made.id}`) {
    const asked = request(`${world.origin}/v1${path}`, { headers: { host, cookie } }).end()
    const answer = await new Promise<Parameters<typeof text>[0]>((resolve, reject) => {
      asked.once('response', resolve).once('error', reject)
    })
    return JSON.parse(await text(answer)).data
  }
  for (const shown of [
    await readAt(`links.zone-b.test:${port}`),
    (await readAt(`links.zone-b.test:${port}`, '/domains'))[0],
  ]) {
    assert.deepEqual(routesOf(shown.verification), ['CNAME links.zone-b.test'])
    assert.equal(shown.verification.routingNote, null)
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `192.0.2.9:${port}`, 'signpost'])
    assert.deepEqual(routesOf((await readAt(host)).verification), [], host)
})
