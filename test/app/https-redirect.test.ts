import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { createToHttps } from '../../src/redirect/hosts/https.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { freePort } from '../support/free-port.ts'
import { openWorld } from '../support/world.ts'

const PUBLIC_URL = 'https://links.example.com'
const HOST = 'links.example.com'
const HTTP = { 'x-forwarded-proto': 'http' }

test('what a proxy says came over plain http is led to https, on the host of PUBLIC_URL', async (t) => {
  const port = await freePort()
  const config = { publicUrl: PUBLIC_URL, trustedProxies: ['127.0.0.1'], port }
  const world = await openWorld(t, { config })
  const { apiKey } = await world.member()
  const send = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<[number, string | undefined]>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, method, agent: false }
      const sent = request({ ...options, headers: { host: HOST, ...headers } }, (answer) => {
        answer.resume()
        resolve([answer.statusCode!, answer.headers.location])
      })
      sent.once('error', reject).end(method === 'GET' ? undefined : '{}')
    })
  const key = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  for (const [method, path] of [
    ['GET', '/v1/links?limit=1'],
    ['POST', '/v1/links'],
    ['POST', '/v1/auth/sign-in'],
    ['GET', '/app/'],
    ['GET', '/share/token'],
  ] as const)
    for (const host of [HOST, `${HOST}:80`, HOST.toUpperCase()])
      assert.deepEqual(
        await send(path, { ...key, ...HTTP, host }, method),
        [308, PUBLIC_URL + path],
        `${method} ${path} ${host}`,
      )
  // Probes, the certificate authority, links, and requests whose scheme is https or not known.
  for (const [path, headers, status] of [
    ['/health', HTTP, 200],
    ['/.well-known/acme-challenge/token', HTTP, 404],
    ['/no-link', HTTP, 404],
    ['/v1/links', { ...HTTP, host: '127.0.0.1' }, 200],
    ['/v1/links', { 'x-forwarded-proto': 'https' }, 200],
    ['/v1/links', { 'x-forwarded-proto': 'https,http' }, 200],
    ['/v1/links', {}, 200],
  ] as const)
    assert.equal((await send(path, { ...key, ...headers }))[0], status, path)
})

test('a request is led to https only where it is known to be plain, so that no redirect leads to itself', () => {
  const settings: Parameters<typeof createToHttps>[0] = {
    role: 'all',
    httpsPort: null,
    publicUrl: PUBLIC_URL,
    trustedProxies: [],
  }
  const toHttps = (
    changed: Partial<Config>,
    headers: Record<string, string> = {},
    encrypted = false,
  ) => {
    const socket = { remoteAddress: '10.0.0.1', encrypted }
    const req = { url: '/app/', headers: { host: HOST, ...headers }, socket }
    return createToHttps({ ...settings, ...changed })(req as never)
  }
  const https = { httpsPort: 443 }
  const proxy = { trustedProxies: ['10.0.0.0/8'] }
  assert.equal(toHttps(https), `${PUBLIC_URL}/app/`)
  assert.equal(toHttps(proxy, HTTP), `${PUBLIC_URL}/app/`)
  assert.equal(toHttps({ trustedProxies: ['1'] }, HTTP), `${PUBLIC_URL}/app/`)
  const served: [string, string | null][] = [
    ['a connection with TLS', toHttps(https, {}, true)],
    ['a proxy that does not name the scheme', toHttps(proxy)],
    ['the same with HTTPS_PORT', toHttps({ ...https, ...proxy })],
    ['a proxy that is not trusted', toHttps({}, HTTP)],
    ['a scheme that a stranger names', toHttps(https, { 'x-forwarded-proto': 'https' })],
    ['a server that cannot tell', toHttps({})],
    ['a gateway, whose HTTPS_PORT is that of an edge', toHttps({ ...https, role: 'gateway' })],
    ['another host', toHttps(https, { host: 'localhost:3000' })],
    ['PUBLIC_URL with http', toHttps({ ...https, publicUrl: 'http://links.example.com' })],
    ['no PUBLIC_URL', toHttps({ ...https, publicUrl: null })],
  ]
  for (const [what, location] of served) assert.equal(location, null, what)
})
