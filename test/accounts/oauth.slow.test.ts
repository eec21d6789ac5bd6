import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import {
  findClient,
  mayReturnTo,
  openClientDocuments,
  registerClient,
} from '../../src/accounts/oauth/clients.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/core/clock.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createEgressGuard } from '../../src/platform/egress/guard.ts'
import { createAuthority } from '../support/certificates.ts'
import { fetchAnswer, must } from '../support/calls.ts'
import { CALLBACK, openAgent } from '../support/oauth.ts'
import { callsWith, eventually, openWorld, type Session, type World } from '../support/world.ts'

const VERIFIER = randomBytes(32).toString('base64url')
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

type Fields = Record<string, string>

function openProtocol(world: World) {
  const post = (path: string, fields: Fields) =>
    world.call('POST', `/v1/auth/oauth/${path}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  const register = async (uri = CALLBACK) => {
    const { status, body } = await world.call('POST', '/v1/auth/oauth/register', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Agent', redirect_uris: [uri] }),
    })
    assert.equal(status, 201, JSON.stringify(body))
    return body.client_id as string
  }
  const authorize = (fields: Fields) =>
    world.call('GET', `/v1/auth/oauth/authorize?${new URLSearchParams(fields).toString()}`)
  const ask = async (clientId: string, fields: Fields = {}) => {
    const answer = await authorize({ ...asking(clientId), ...fields })
    assert.equal(answer.status, 302, answer.text)
    return /^\/app\/allow\?request=([\w-]{43})$/.exec(answer.headers.get('location')!)![1]!
  }
  /** A key of an app: the whole way to it, without a browser. */
  const connect = async (session: Session, clientId: string, fields: Fields = {}) => {
    const { code } = await allow(session, await ask(clientId, fields))
    const answer = await post('token', using(clientId, code!))
    assert.equal(answer.status, 200, answer.text)
    return { code: code!, ...answer.body } as { code: string } & Fields
  }
  return { post, register, authorize, ask, connect }
}

const asking = (clientId: string) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: CALLBACK,
  scope: 'links:write analytics:read',
  state: 'xyz',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
})

const using = (clientId: string, code: string) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: CALLBACK,
  code_verifier: VERIFIER,
})

async function allow(session: Session, id: string, scopes: string[] | null = ['links:write']) {
  const body = { workspaceId: session.workspaceId, scopes }
  const { data } = (await must(200, session.post(`/auth/oauth/requests/${id}/allow`, body))).body
  return Object.fromEntries(new URL(data.redirectUrl ?? 'x:').searchParams) as Partial<Fields>
}

test('an app gets a key by the consent of a user', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const { post, register, authorize, ask, connect } = openProtocol(world)
  const owner = await world.member()
  const session = await world.session(owner)
  const clientId = await register()
  const keysOf = async (calls: Session) => (await calls.get('/api-keys?kind=app')).body.data

  await t.test(
    'the official client connects, refreshes, and ends with the revocation',
    async (part) => {
      const own = await world.member()
      const user = await world.session(own)
      const agent = openAgent(part, world.origin)
      const id = await askInBrowser(world, await agent.ask())
      const shown = (await user.get(`/auth/oauth/requests/${id}`)).body.data
      assert.deepEqual([shown.name, shown.host, shown.returnsTo], ['Test agent', null, '127.0.0.1'])
      assert.ok(shown.scopes.includes('links:write') && !shown.scopes.includes('members:write'))
      const body = { workspaceId: own.workspaceId, scopes: ['links:read'] }
      const answer = await must(200, user.post(`/auth/oauth/requests/${id}/allow`, body))
      const { redirectUrl } = answer.body.data
      assert.equal(new URL(redirectUrl).searchParams.get('state'), 'a state with = and &')
      assert.equal(new URL(redirectUrl).searchParams.get('iss'), world.origin)
      await agent.finish(redirectUrl)
      assert.deepEqual(await agent.toolNames(), [
        'search_links',
        'get_link',
        'explain_link',
        'get_qr_code',
        'get_import',
      ])

      const before = agent.kept.tokens!
      world.clock.advance(HOUR_MS + 1)
      assert.equal((await agent.toolNames()).length, 5)
      assert.notEqual(agent.kept.tokens!.access_token, before.access_token)
      assert.notEqual(agent.kept.tokens!.refresh_token, before.refresh_token)

      const [key] = await keysOf(user)
      assert.deepEqual([key.name, key.app, key.scopes], ['Test agent', '127.0.0.1', ['links:read']])
      await must(204, user.delete(`/api-keys/${key.id}`))
      await eventually(() => agent.ask())
    },
  )

  await t.test('documents name the routes, and /mcp names the documents', async () => {
    const refused = await world.call('POST', '/mcp', { body: '{}' })
    const [, address] = /resource_metadata="([^"]+)"/.exec(
      refused.headers.get('www-authenticate')!,
    )!
    const resource = (await fetchAnswer(address!, {})).body
    assert.equal(resource.resource, `${world.origin}/mcp`)
    const [issuer] = resource.authorization_servers
    const metadata = (await fetchAnswer(`${issuer}/.well-known/oauth-authorization-server`, {}))
      .body
    assert.equal(metadata.issuer, world.origin)
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
    for (const name of ['token', 'registration', 'revocation', 'device_authorization']) {
      const answer = await fetchAnswer(metadata[`${name}_endpoint`], { method: 'POST' })
      assert.equal(answer.status, 400, name)
      assert.equal(typeof answer.body.error, 'string', name)
    }
  })

  await t.test('a mistake of the app gets a page, and never a redirect', async () => {
    const good = asking(clientId)
    const bad: Fields[] = [
      { ...good, redirect_uri: 'https://evil.example.com/' },
      { ...good, redirect_uri: `${CALLBACK}/..` },
      { ...good, redirect_uri: 'http://localhost:47123/callback' },
      { ...good, client_id: clientId.replace('app_', 'app_A') },
      { ...good, client_id: 'app_e30.AAAAAAAAAAAAAAAAAAAAAA' },
      { ...good, client_id: 'https://127.0.0.1/client.json' },
      { ...good, client_id: 'https://169.254.169.254/latest/meta-data' },
      { ...good, client_id: 'signpost-cli' },
      { ...good, response_type: 'token' },
      { ...good, code_challenge_method: 'plain' },
      { ...good, code_challenge: '' },
      { ...good, resource: 'https://other.example.com/mcp' },
    ]
    for (const fields of bad) {
      const answer = await authorize(fields)
      assert.equal(answer.status, 400, JSON.stringify(fields))
      assert.equal(answer.headers.get('location'), null)
    }
    const { status, text } = await world.call(
      'GET',
      `/v1/auth/oauth/authorize?client_id=<x-evil>`,
      {
        headers: { accept: 'text/html' },
      },
    )
    assert.deepEqual([status, text.includes('<x-evil>')], [400, false])
    await must(
      302,
      authorize({
        ...good,
        redirect_uri: 'http://127.0.0.1:9/callback',
        resource: `${world.origin}/mcp`,
      }),
    )
  })

  await t.test('a code counts once, and its key ends when it is shown again', async () => {
    const { code, access_token: key } = await connect(session, clientId)
    const calls = callsWith(key!, world.origin)
    await must(200, calls.get('/links'))
    await must(403, calls.get('/analytics/overview'))
    const again = await post('token', using(clientId, code))
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    await must(401, calls.get('/links'))
  })

  await t.test('a code is of no use to others, and ends after a minute', async () => {
    const other = await register('https://other.example.com/callback')
    const wrong: ((fields: Fields) => Fields)[] = [
      (fields) => ({ ...fields, code_verifier: randomBytes(32).toString('base64url') }),
      (fields) => ({ ...fields, client_id: other }),
      (fields) => ({ ...fields, redirect_uri: 'http://127.0.0.1:1/callback' }),
      (fields) => ({ ...fields, code_verifier: '' }),
      (fields) => ({ ...fields, grant_type: DEVICE_GRANT, device_code: fields['code']! }),
    ]
    for (const spoil of wrong) {
      const { code } = await allow(session, await ask(clientId))
      const answer = await post('token', spoil(using(clientId, code!)))
      assert.equal(answer.status, 400)
      assert.match(answer.body.error, /invalid_grant|expired_token/)
    }
    const { code } = await allow(session, await ask(clientId))
    world.clock.advance(61_000)
    assert.equal((await post('token', using(clientId, code!))).body.error, 'invalid_grant')
  })

  await t.test('a refresh token counts once; an older one ends the grant', async () => {
    const first = await connect(session, clientId)
    const refresh = (token: string, id = clientId) =>
      post('token', { grant_type: 'refresh_token', client_id: id, refresh_token: token })
    const second = (await refresh(first['refresh_token']!)).body
    await must(401, callsWith(first['access_token']!, world.origin).get('/links'))
    // Two processes of one app that refresh at the same time.
    assert.equal((await refresh(first['refresh_token']!)).body.error, 'invalid_grant')
    const third = (await refresh(second.refresh_token)).body
    assert.equal((await refresh(third.refresh_token, 'app_other')).body.error, 'invalid_grant')
    world.clock.advance(11_000)
    assert.equal((await refresh(first['refresh_token']!)).body.error, 'invalid_grant')
    await must(401, callsWith(third.access_token, world.origin).get('/links'))
    assert.equal((await refresh(third.refresh_token)).body.error, 'invalid_grant')
  })

  await t.test('an app revokes its key by either token, and no other key', async () => {
    for (const name of ['access_token', 'refresh_token']) {
      const tokens = await connect(session, clientId)
      await must(200, post('revoke', { token: tokens[name]! }))
      await must(401, callsWith(tokens['access_token']!, world.origin).get('/links'))
    }
    await must(200, post('revoke', { token: owner.apiKey }))
    await must(200, owner.get('/links'))
  })

  await t.test(
    'only admins allow apps, in their own workspaces, and no more than was asked',
    async () => {
      const stranger = await world.session(await world.member())
      const { workspaceId } = owner
      const id = await ask(clientId)
      const path = `/auth/oauth/requests/${id}/allow`
      await must(403, stranger.post(path, { workspaceId, scopes: ['links:read'] }))
      for (const role of ['viewer', 'member'] as const) {
        const limited = await world.session(await world.member({ workspaceId, role }))
        await must(403, limited.post(path, { workspaceId, scopes: ['links:read'] }))
      }
      for (const scopes of [null, ['*'], ['domains:read'], ['analytics:write'], [], ['nonsense']])
        await must(400, session.post(path, { workspaceId, scopes }))
      await must(403, owner.post(path, { workspaceId, scopes: ['links:read'] }))
      await must(
        403,
        session.post(
          path,
          { workspaceId, scopes: ['links:read'] },
          { origin: 'https://evil.example.com' },
        ),
      )
      const answers = await Promise.all(
        [1, 2, 3].map(() => session.post(path, { workspaceId, scopes: ['links:read'] })),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      await must(404, session.get(`/auth/oauth/requests/${id}`))
    },
  )

  await t.test('a denial goes back without a code', async () => {
    const id = await ask(clientId)
    const answer = await must(200, session.post(`/auth/oauth/requests/${id}/deny`))
    const query = new URL(answer.body.data.redirectUrl).searchParams
    assert.deepEqual(
      [query.get('error'), query.get('state'), query.get('code')],
      ['access_denied', 'xyz', null],
    )
  })

  await t.test('nothing that could be a secret is listed or logged', async () => {
    const tokens = await connect(session, clientId)
    const texts = [
      await session.get('/api-keys'),
      await session.get('/audit-log'),
      await session.get('/security-log'),
      await session.get('/auth/user/export'),
    ].map(({ text }) => text)
    for (const name of ['code', 'access_token', 'refresh_token'])
      for (const text of texts) assert.ok(!text.includes(tokens[name]!), name)
    assert.match(texts[1]!, /api_key\.created/)
    const [key] = await keysOf(session)
    await must(409, session.post(`/api-keys/${key.id}/rotate`))
    await must(409, session.patch(`/api-keys/${key.id}`, { expiresAt: null }))
    assert.ok(
      (await session.get('/api-keys?kind=key')).body.data.every(
        (each: { app: null }) => each.app === null,
      ),
    )
  })
})

/** The user's browser follows the address of an app to the page of the dashboard. */
async function askInBrowser(world: World, address: string): Promise<string> {
  const { pathname, search } = new URL(address)
  const answer = await must(302, world.call('GET', pathname + search))
  return new URL(answer.headers.get('location')!, world.origin).searchParams.get('request')!
}

test('keys of apps that stay away are deleted', async (t) => {
  const world = await openWorld(t, { pace: 1_000 })
  const { register, connect } = openProtocol(world)
  const session = await world.session(await world.member())
  const tokens = await connect(session, await register())
  const keys = async () => {
    const [row] = await world.sql`select count(*)::int as keys from api_keys where app is not null`
    return row!['keys']
  }
  assert.deepEqual([await keys(), Boolean(tokens['refresh_token'])], [1, true])
  world.clock.advance(91 * DAY_MS)
  await eventually(async () => assert.equal(await keys(), 0))
})

test('a device signs in by a code that its user types', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const { post } = openProtocol(world)
  const owner = await world.member()
  const session = await world.session(owner)
  const start = async () => {
    const fields = { client_id: 'signpost-cli', scope: 'links:write' }
    return (await must(200, post('device', fields))).body as Fields
  }
  const poll = (device: Fields) =>
    post('token', {
      grant_type: DEVICE_GRANT,
      client_id: 'signpost-cli',
      device_code: device['device_code']!,
    })

  await t.test('it waits, and gets a key that does not expire', async () => {
    const device = await start()
    assert.match(device['user_code']!, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal((await poll(device)).body.error, 'authorization_pending')
    const typed = device['user_code']!.replace('-', ' ').toLowerCase()
    const shown = await must(200, session.get(`/auth/oauth/requests/${encodeURIComponent(typed)}`))
    assert.equal(shown.body.data.kind, 'device')
    await allow(session, device['user_code']!)
    const { body } = await must(200, poll(device))
    world.clock.advance(20 * DAY_MS)
    await must(200, callsWith(body.access_token, world.origin).get('/links'))
    assert.equal((await poll(device)).body.error, 'expired_token')
    const [key] = (await (await world.session(owner)).get('/api-keys?kind=app')).body.data
    assert.deepEqual([key.app, key.expiresAt], ['device', null])
  })

  await t.test('a denied or late device gets nothing', async () => {
    const [denied, late] = [await start(), await start()]
    const user = await world.session(owner)
    await must(200, user.post(`/auth/oauth/requests/${denied['user_code']}/deny`))
    assert.equal((await poll(denied)).body.error, 'expired_token')
    world.clock.advance(601_000)
    await must(404, user.get(`/auth/oauth/requests/${late['user_code']}`))
    assert.equal((await poll(late)).body.error, 'expired_token')
  })

  await t.test('guesses of codes are limited for each user', async () => {
    const guesser = await world.session(await world.member())
    const answers: number[] = []
    for (let tries = 0; tries < 21; tries++)
      answers.push((await guesser.get('/auth/oauth/requests/BCDF-GHJK')).status)
    assert.deepEqual(
      [answers.slice(0, 20).every((status) => status === 404), answers[20]],
      [true, 429],
    )
  })

  await t.test('apps of others cannot ask for a code', async () => {
    const refused = await post('device', { client_id: 'app_x', scope: 'links:write' })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_client'])
  })
})

test('strangers who register or ask thousands of times store little', async (t) => {
  const world = await openWorld(t)
  const { post, register, authorize } = openProtocol(world)
  const clientId = await register()
  for (let made = 0; made < 1_000; made += 50)
    await Promise.all(Array.from({ length: 50 }, () => register()))
  await world.sql`
    insert into oauth_requests (id, client_id, app_name, scopes, expires_at)
    select 'old' || n, 'x', 'x', '{}', ${new Date(world.clock.now + 600_000)} from generate_series(1, 5000) n`
  assert.equal((await authorize(asking(clientId))).status, 503)
  world.clock.advance(600_001)
  assert.equal((await authorize(asking(clientId))).status, 302)
  const [row] = await world.sql`select count(*)::int as waiting from oauth_requests`
  assert.equal(row!['waiting'], 1)
  await must(413, post('register', { client_name: 'x'.repeat(20_000) }))
})

test('a registration holds what it says, and only for the server that made it', async () => {
  const documents = { read: async () => null }
  const deps = { secrets: createSecrets('a'.repeat(32)), documents }
  const bad = [
    ...['javascript:alert(1)', 'data:text/html,x', 'http://example.com/cb', 'https://a.example/#x'],
    ...['https://u:p@a.example/', '/callback', 'file:///etc/passwd', '', 'https://a.example/ x'],
    ...['JavaScript:alert(1)', `https://a.example/${'x'.repeat(1_100)}`],
  ]
  for (const uri of bad)
    assert.throws(() => registerClient(deps, { redirect_uris: [uri] }), /redirect_uris/, uri)
  for (const uris of [undefined, 'https://a.example/', [], Array(11).fill(CALLBACK), [1]])
    assert.throws(() => registerClient(deps, { redirect_uris: uris }), /redirect_uris/)

  const name = '\u202eevil\u0000 name\n'.padEnd(300, 'x')
  const made = registerClient(deps, {
    client_name: name,
    redirect_uris: ['cursor://a/cb', CALLBACK],
  })
  assert.equal(made.name, ' evil name xxx'.trim().padEnd(50, 'x'))
  assert.deepEqual(await findClient(deps, made.id), made)
  const elsewhere = { secrets: createSecrets('b'.repeat(32)), documents }
  await assert.rejects(findClient(elsewhere, made.id), /not registered/)
  assert.ok(mayReturnTo(made, 'cursor://a/cb'))
  assert.ok(mayReturnTo(made, 'http://127.0.0.1/callback'))
  for (const uri of [
    'cursor://a/cb2',
    'http://127.0.0.1/callback2',
    'http://127.0.0.1:1@evil/callback',
    'https://127.0.0.1:47123/callback',
  ])
    assert.ok(!mayReturnTo(made, uri), uri)
})

test('the description of an app is read from its address', async (t) => {
  const { origin, documents, read } = await openDocumentHost(t)
  const deps = { secrets: createSecrets('a'.repeat(32)), documents: read }
  const id = `${origin}/client.json`
  const good = { client_id: id, client_name: 'Agent', redirect_uris: ['http://localhost/callback'] }
  documents.set('/client.json', JSON.stringify(good))
  const client = await findClient(deps, id)
  assert.equal(client.name, 'Agent')
  assert.ok(mayReturnTo(client, 'http://localhost:8123/callback'))

  const bad: Record<string, string> = {
    '/other.json': JSON.stringify(good),
    '/huge.json': JSON.stringify({
      ...good,
      client_id: `${origin}/huge.json`,
      pad: 'x'.repeat(20_000),
    }),
    '/list.json': '[]',
    '/null.json': 'null',
    '/html': '<html>',
    '/script.json': JSON.stringify({
      ...good,
      client_id: `${origin}/script.json`,
      redirect_uris: ['javascript:1'],
    }),
  }
  for (const [path, text] of Object.entries(bad)) documents.set(path, text)
  for (const path of [
    ...Object.keys(bad),
    '/missing',
    '/',
    '/client.json?x=1',
    '/client.json#x',
    '/a/../client.json',
  ])
    await assert.rejects(findClient(deps, origin + path), { code: 'invalid_client' }, path)
  await assert.rejects(findClient(deps, id.replace('https', 'http')), { code: 'invalid_client' })
  const guarded = openClientDocuments(createEgressGuard({ allowedCidrs: [] }))
  t.after(() => guarded[Symbol.asyncDispose]())
  assert.equal(await guarded.read(id), null)
})

async function openDocumentHost(t: TestContext) {
  const authority = createAuthority()
  const documents = new Map<string, string>()
  const server = createServer(authority.issue({ names: ['127.0.0.1'] }), (request, response) => {
    const text = documents.get(request.url!)
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.1'] })
  const read = openClientDocuments(guard, { ca: authority.cert })
  t.after(() => read[Symbol.asyncDispose]())
  return { origin: `https://127.0.0.1:${port}`, documents, read }
}
