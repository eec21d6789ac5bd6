import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Hosts } from '../../src/redirect/hosts/hosts.ts'
import { prefersJson, sendPage, type AnyPage } from '../../src/redirect/pages/pages.ts'

test('JSON goes to clients that prefer it, pages to all others', () => {
  for (const accept of [
    'application/json',
    'application/json, */*;q=0.1',
    'application/problem+json',
    'text/html;q=0.5, application/json',
    'APPLICATION/JSON',
  ])
    assert.equal(prefersJson(accept), true, accept)
  for (const accept of [
    undefined,
    '',
    '*/*',
    'text/html',
    'text/html, application/json',
    'application/json;q=0, */*',
    'application/json;q=0.4, text/html;q=0.5',
    'image/avif,image/webp,*/*',
  ])
    assert.equal(prefersJson(accept), false, accept)
  fc.assert(fc.property(fc.string(), (accept) => typeof prefersJson(accept) === 'boolean'))
})

const STATUSES: Record<AnyPage, number> = {
  missing: 404,
  pending: 404,
  expired: 410,
  exhausted: 410,
  noPreview: 404,
  suspended: 410,
  blocked: 451,
  malformed: 400,
  tooLong: 414,
  wrongMethod: 405,
  formTooLarge: 413,
  formType: 415,
  formMalformed: 400,
  formTooSlow: 408,
  unavailable: 503,
  broken: 500,
}

test('each page has its status, and the id of its request in ASCII text', async (t) => {
  const server = createServer((req, res) =>
    sendPage(res, req.url!.slice(1) as AnyPage, {
      requestId: 'id-of-request',
      accept: req.headers.accept,
      host: 'links.example',
      reportUrl: '/report-abuse?url="><b>',
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  for (const [name, status] of Object.entries(STATUSES))
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetch(`http://127.0.0.1:${port}/${name}`, { headers: { accept } })
      assert.equal(answer.status, status, name)
      const body = Buffer.from(await answer.arrayBuffer())
      // Written as latin1, another character would be a wrong one.
      assert.ok(
        body.every((byte) => byte < 128),
        name,
      )
      assert.match(body.toString(), /\bid-of-request\b/, name)
      assert.doesNotMatch(body.toString(), /url="|><b>/, name)
      assert.match(body.toString(), accept === 'text/html' ? /<\/html>\n$/ : /^\{.*\}$/, name)
    }
})

test('without known hosts every well-formed host is served', () => {
  const hosts = new Hosts([], Date.now)
  for (const host of ['a', 'short.example', 'a_b.example:8080', '[2001:db8::1]:80', '10.0.0.1', ''])
    assert.equal(hosts.find(host)?.key, '', host)
  for (const host of ['a b', 'a@b', 'a/b', 'a:b', 'a:123456', '[::1', 'a'.repeat(300), 'ü'])
    assert.equal(hosts.find(host), null, host)
})
