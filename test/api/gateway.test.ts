import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { announceCredentials } from '../../src/accounts/credentials/cache.ts'
import { eventually, openWorld } from '../support/world.ts'
import { asSystem } from '../support/privileges.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com' }

test('the gateway', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const json = { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' }
  const send = (path: string, body: string | Buffer, headers: Record<string, string> = json) =>
    world.call('POST', path, { body: body as string, headers })

  await t.test('every answer carries its request id in the header and in meta', async () => {
    const made = await owner.post('/links', NEW)
    const answers = [
      made,
      await owner.get('/links'),
      await owner.get('/links/lnk_unknown'),
      await owner.post('/links', {}),
      await world.call('GET', '/v1/links'),
      await world.call('GET', '/v1/nothing'),
      await world.call('PUT', '/v1/links'),
      await world.call('GET', '/health'),
      await world.call('GET', '/ready'),
      await send('/v1/links', '{'),
      await send('/v1/links', 'x'.repeat(300_000)),
      await send('/v1/links', 'a=b', { ...json, 'content-type': 'text/plain' }),
      await world.call('GET', '/v1/links/%zz'),
    ]
    for (const { headers, body } of answers) {
      assert.match(headers.get('x-request-id') ?? '', /^req_[0-9A-Z]{26}$/)
      assert.equal(body.meta.requestId, headers.get('x-request-id'))
      if (body.error) assert.equal(body.error.requestId, body.meta.requestId)
    }
    const gone = await owner.delete(`/links/${made.body.data.id}`)
    const silent = [
      gone,
      await world.call('HEAD', '/health'),
      await world.call('OPTIONS', '/v1/links'),
      await world.call('GET', '/v1/openapi.json'),
      await world.call('GET', '/v1/reference'),
      await world.call('GET', '/metrics'),
      await world.call('GET', '/nothing-here'),
    ]
    for (const { headers } of silent)
      assert.match(headers.get('x-request-id') ?? '', /^req_[0-9A-Z]{26}$/)
    assert.equal(gone.status, 204)
    assert.equal(gone.body, undefined)
  })

  await t.test("a client's request id is honoured when it is a plain token", async () => {
    const headers = { 'x-request-id': 'client-id.0001' }
    assert.equal((await owner.get('/links', headers)).headers.get('x-request-id'), 'client-id.0001')
    for (const bad of ['short', 'has space in it', 'x'.repeat(129), '<script>alert(1)</script>'])
      assert.match(
        (await owner.get('/links', { 'x-request-id': bad })).body.meta.requestId,
        /^req_/,
      )
  })

  await t.test('a missing, malformed or unknown key is a 401 that names the scheme', async () => {
    const flipped = owner.apiKey.slice(0, -1) + (owner.apiKey.endsWith('a') ? 'b' : 'a')
    const tries = [
      {},
      { authorization: '' },
      { authorization: owner.apiKey },
      { authorization: `Basic ${owner.apiKey}` },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${flipped}` },
      { authorization: `Bearer sp_${'0'.repeat(40)}` },
      { authorization: `Bearer ${'x'.repeat(9_000)}` },
      { authorization: `Bearer ${owner.apiKey} ${owner.apiKey}` },
      { 'x-user-id': owner.userId, 'x-workspace-id': owner.workspaceId, 'x-role': 'owner' },
    ]
    for (const headers of tries as Record<string, string>[]) {
      const { status, body, headers: sent } = await world.call('GET', '/v1/links', { headers })
      assert.equal(status, 401)
      assert.equal(body.error.code, 'UNAUTHORIZED')
      assert.equal(sent.get('www-authenticate'), 'Bearer')
    }
  })

  await t.test('identity headers that a client sends change nothing', async () => {
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    const other = await world.member()
    const forged = {
      'X-Role': 'owner',
      'x-user-id': other.userId,
      'X-WORKSPACE-ID': other.workspaceId,
    }
    assert.equal((await viewer.post('/links', NEW, forged)).status, 403)
    const made = await owner.post('/links', NEW, forged)
    assert.equal(made.body.data.workspaceId, owner.workspaceId)
  })

  await t.test('a key works until it expires, and dies with the membership', async () => {
    const member = await world.member()
    await world.sql`update api_keys set expires_at = ${new Date(world.clock.now + 1_000)} where user_id = ${member.userId}`
    assert.equal((await member.get('/links')).status, 200)
    world.clock.advance(1_000)
    assert.equal((await member.get('/links')).status, 401)
    const leaver = await world.member()
    await world.sql`delete from members where user_id = ${leaver.userId}`
    await announceCredentials(asSystem(world.sql), `user:${leaver.userId}`)
    await eventually(async () => assert.equal((await leaver.get('/links')).status, 401))
  })

  await t.test('a key with scopes may do what its scopes cover', async () => {
    const member = await world.member()
    const allow = async (scopes: string[], post: number, get: number) => {
      await world.sql`update api_keys set scopes = ${scopes} where user_id = ${member.userId}`
      await announceCredentials(asSystem(world.sql), `user:${member.userId}`)
      return eventually(async () => {
        assert.equal((await member.get('/links')).status, get)
        const posted = await member.post('/links', NEW)
        assert.equal(posted.status, post)
        return posted
      })
    }
    const refused = await allow(['links:read'], 403, 200)
    assert.deepEqual(refused.body.error.details, { requiredScope: 'links:write' })
    await allow(['links:write'], 201, 200)
    await allow(['analytics:read'], 403, 403)
  })

  await t.test('the key itself is stored nowhere, and its use is noted once a minute', async () => {
    const member = await world.member()
    const [stored] = await world.sql<{ keyHash: Buffer }[]>`
      select * from api_keys where user_id = ${member.userId}`
    assert.doesNotMatch(JSON.stringify(stored), new RegExp(member.apiKey))
    assert.equal(stored!.keyHash.length, 32)
    await member.get('/links')
    world.clock.advance(30_000)
    await member.get('/links')
    // Not waited for by the request.
    await eventually(async () => {
      const [used] = await world.sql<{ lastUsedAt: Date | null }[]>`
        select last_used_at from api_keys where user_id = ${member.userId}`
      assert.equal(used!.lastUsedAt?.getTime(), world.clock.now - 30_000)
    })
  })

  await t.test('bodies that a database cannot store are refused before it is used', async () => {
    const deep = (depth: number) => `{"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [i, i])))
    const bodies: [string | Buffer, number][] = [
      ['', 400],
      ['{', 400],
      ['null', 400],
      ['[]', 400],
      ['"text"', 400],
      ['[1,2', 400],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
      [deep(40), 400],
      [many, 400],
      [JSON.stringify({ ...NEW, name: 'a\0b' }), 400],
      [`{"name":"\\ud800","destinationUrl":"https://example.com"}`, 400],
      [`{"name":"x","destinationUrl":"https://example.com","metadata":{"a\\u0000":1}}`, 400],
      [`{"name":"x","destinationUrl":"https://example.com","metadata":{"n":1e400}}`, 400],
      [
        `{"name":"x","destinationUrl":"https://example.com","metadata":{"n":9007199254740993}}`,
        400,
      ],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
      ['x'.repeat(262_145), 413],
    ]
    for (const [body, expected] of bodies) {
      const { status } = await send('/v1/links', body)
      assert.equal(status, expected, String(body).slice(0, 60))
    }
    for (const type of ['application/jsonx', 'application/json; charset=utf-16', 'text/json'])
      assert.equal((await send('/v1/links', '{}', { ...json, 'content-type': type })).status, 415)
    const utf8 = { ...json, 'content-type': 'Application/JSON; charset="UTF-8"' }
    assert.equal((await send('/v1/links', JSON.stringify(NEW), utf8)).status, 201)
    const compressed = { ...json, 'content-encoding': 'gzip' }
    assert.equal((await send('/v1/links', '{}', compressed)).status, 415)
    assert.equal((await send('/v1/links', 'a=b', { ...json, 'content-type': 'a/b' })).status, 415)
    const polluted = `{"name":"x","destinationUrl":"https://example.com","__proto__":{"a":1},"metadata":{"__proto__":{"b":1},"constructor":{"prototype":1}}}`
    assert.equal((await send('/v1/links', polluted)).status, 400)
  })

  await t.test('paths and queries that no database can hold are refused', async () => {
    for (const [path, field] of [
      ['/links/%00', ''],
      ['/links/a%00b', ''],
      ['/links?limit=5&search=%00', 'search'],
      ['/links?%00=1', ''],
      ['/links?search=%ED%A0%80', ''],
    ]) {
      const { status, body } = await owner.get(path!)
      assert.deepEqual([status, body.error.details[0].path], [400, field], path)
    }
    assert.equal((await owner.get('/links/..%2F..%2Fetc')).status, 404)
  })

  await t.test('a POST or DELETE without a body needs no content type', async () => {
    const { body } = await owner.post('/links', NEW)
    const headers = { authorization: json.authorization, 'content-type': 'application/json' }
    const path = `/v1/links/${body.data.id}`
    assert.equal((await world.call('DELETE', path, { headers })).status, 204)
  })

  await t.test('another method on a known path is a 405 that lists the right ones', async () => {
    const { status, headers, body } = await world.call('DELETE', '/v1/links')
    assert.equal(status, 405)
    for (const [method, path] of [
      ['PROPFIND', '/v1/links'],
      ['POST', '/health'],
      ['PUT', '/v1/openapi.json'],
    ])
      assert.equal((await world.call(method!, path!)).status, 405, `${method} ${path}`)
    assert.equal(body.error.code, 'METHOD_NOT_ALLOWED')
    assert.equal(headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
  })

  await t.test(
    'any page may call with a key; only listed origins may send credentials',
    async () => {
      const { headers } = await owner.get('/links', { origin: 'https://elsewhere.example' })
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('access-control-allow-credentials'), null)
      const preflight = await world.call('OPTIONS', '/v1/links', { headers: { origin: 'null' } })
      assert.equal(preflight.status, 204)
      assert.match(preflight.headers.get('access-control-allow-headers')!, /authorization/)
    },
  )

  await t.test(
    'refusals of the HTTP parser have a request id and the usual error body',
    async () => {
      const answers = await Promise.all([
        raw(world.origin, 'GARBAGE\r\n\r\n'),
        raw(world.origin, `GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(20_000)}\r\n\r\n`),
        raw(
          world.origin,
          'POST /v1/links HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
        ),
      ])
      assert.deepEqual(
        answers.map((answer) => answer.slice(9, 12)),
        ['400', '431', '400'],
      )
      for (const answer of answers) {
        const id = /x-request-id: (req_\w+)/.exec(answer)?.[1]
        assert.equal(JSON.parse(answer.split('\r\n\r\n')[1]!).error.requestId, id)
      }
    },
  )

  await t.test(
    'the OpenAPI document lists every route, and the reference loads from this server',
    async () => {
      const { body } = await world.call('GET', '/v1/openapi.json')
      assert.equal(body.openapi, '3.1.0')
      assert.deepEqual(Object.keys(body.paths['/links/{id}']).toSorted(), [
        'delete',
        'get',
        'patch',
      ])
      assert.ok(body.paths['/analytics/links/{id}'].get)
      for (const base of ['/v1', '/v1/auth']) {
        const page = await fetch(`${world.origin}${base}/reference`)
        assert.match(page.headers.get('content-security-policy')!, /script-src 'self';/)
        const html = await page.text()
        assert.doesNotMatch(html, /https?:\/\//)
        for (const [, source] of html.matchAll(/<script src="([^"]+)"/g)) {
          const script = await fetch(`${world.origin}${source}`)
          assert.equal(script.status, 200)
          assert.match(script.headers.get('content-type')!, /javascript/)
          const text = await script.text()
          if (source!.endsWith('setup.js')) assert.ok(text.includes(`'${base}/openapi.json'`))
        }
        const { body: document } = await world.call('GET', `${base}/openapi.json`)
        assert.equal(document.openapi, '3.1.0')
      }
    },
  )

  await t.test(
    'metrics answer loopback requests, but not requests behind a proxy without the token',
    async () => {
      const text = await (await fetch(`${world.origin}/metrics`)).text()
      assert.match(text, /signpost_/)
      const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } }
      assert.equal((await world.call('GET', '/metrics', forwarded)).status, 403)
    },
  )

  await t.test('ready says which database fails', async () => {
    // Of a database that takes two seconds it says that it fails.
    await eventually(async () => {
      const { status, body } = await world.call('GET', '/ready')
      assert.equal(status, 200)
      assert.deepEqual(body.data, {
        status: 'ready',
        roles: { edge: 'ready', gateway: 'ready', services: 'ready', worker: 'ready' },
        checks: { journal: 'ok', links: 'ok', server: 'ok', postgres: 'ok', clickhouse: 'ok' },
      })
    })
  })
})

/** Writes bytes to the port and reads until the server closes. */
function raw(origin: string, text: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => (answer += String(chunk)))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.setTimeout(10_000, () => socket.destroy())
  })
}
