import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createHosts } from '../../src/edge/hosts.ts'
import { prefersJson } from '../../src/edge/pages.ts'

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

test('without known hosts every well-formed host is served', () => {
  const hosts = createHosts([], Date.now)
  for (const host of ['a', 'short.example', 'a_b.example:8080', '[2001:db8::1]:80', '10.0.0.1', ''])
    assert.equal(hosts.find(host)?.key, '', host)
  for (const host of ['a b', 'a@b', 'a/b', 'a:b', 'a:123456', '[::1', 'a'.repeat(300), 'ü'])
    assert.equal(hosts.find(host), null, host)
})
