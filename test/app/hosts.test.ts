import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToShortUrl } from '../../src/platform/facts/short-url.ts'
import { announceDomain } from '../../src/links/link/addresses.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { addDomain, addLink } from '../support/fixtures.ts'
import { visitHost } from '../support/visit-host.ts'
import { eventually, openWorld } from '../support/world.ts'

const HOST = 'go.example.com'

test('on a domain no path reaches the API, the dashboard or the probes', async (t) => {
  const { sql, origin, member } = await openWorld(t)
  const { workspaceId } = await member()
  const domainId = await addDomain(sql, { workspaceId, hostname: HOST })
  const paths = [
    'v1/openapi.json',
    'app',
    'auth/ok',
    'billing/events',
    'health',
    'ready',
    'metrics',
    'internal/tls-ask',
  ]
  for (const slug of [...paths, 'robots.txt']) {
    const destinationUrl = `https://example.com/${slug}`
    await addLink(sql, { workspaceId, domainId, slug, destinationUrl })
  }
  await inTransaction(sql, (tx) => announceDomain(tx, domainId))
  const visit = (path: string, host: string) => visitHost(`${origin}/${path}`, host)
  await eventually(async () => {
    assert.deepEqual(await visit('app', HOST), [302, 'https://example.com/app'])
  })
  for (const path of paths)
    assert.deepEqual(await visit(path, HOST), [302, `https://example.com/${path}`], path)
  for (const path of ['v1/links', 'auth/session', 'robots.txt', 'favicon.ico'])
    assert.equal((await visit(path, HOST))[0], 404, path)
  for (const path of ['v1/openapi.json', 'health', 'robots.txt', 'favicon.ico'])
    assert.equal((await visit(path, 'localhost'))[0], 200, path)
})

test('a gateway without an edge answers no host but those of the settings and loopback', async (t) => {
  const { sql, origin, member } = await openWorld(t, { isPair: true })
  const { workspaceId } = await member()
  await addDomain(sql, { workspaceId, hostname: HOST })
  for (const path of ['v1/openapi.json', 'app/', 'report-abuse', 'favicon.ico', 'a']) {
    assert.equal((await visitHost(`${origin}/${path}`, HOST))[0], 404, path)
    assert.equal((await visitHost(`${origin}/${path}`, 'unknown.example'))[0], 404, path)
  }
  for (const host of ['localhost', 'short.example.com'])
    assert.equal((await visitHost(`${origin}/v1/openapi.json`, host))[0], 200, host)
})

test('the short URL of a click has the host of its domain, and the scheme of the installation', () => {
  const unset = createToShortUrl({ shortUrl: null, publicUrl: null } as never)
  assert.equal(unset('s.test:3000', 'a/b', ''), 'http://s.test:3000/a/b')
  assert.equal(unset('go.test:3000', 'a b', 'dom_1'), 'http://go.test/a%20b')
  const set = createToShortUrl({ shortUrl: 'https://s.test', publicUrl: 'http://x.test' } as never)
  assert.equal(set('other.test', 'a', ''), 'https://s.test/a')
  assert.equal(set('go.test.', 'a', 'dom_1'), 'https://go.test/a')
})
