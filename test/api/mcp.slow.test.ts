import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTools } from '../../src/api/mcp/tools.ts'
import { openMcp } from '../support/mcp.ts'
import { eventually, openWorld, type World } from '../support/world.ts'
import { openStage } from '../support/stage.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
const MIB = 1024 * 1024

function send(world: World, apiKey: string, body: string, headers: Record<string, string> = {}) {
  return world.call('POST', '/mcp', {
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${apiKey}`,
      ...headers,
    },
  })
}

function callOf(name: string, args: unknown) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}

for (const isPair of [false, true]) {
  const how = isPair ? ' behind a gateway' : ''
  test(`tools${how}: every one answers as its schema says, or refuses as the API does`, async (t) => {
    const world = await openWorld(t, { isPair })
    const owner = await world.member()
    const { ask, call, refusal, client } = await openMcp(
      t,
      world.origin,
      owner.apiKey,
      isPair ? { versionNegotiation: { mode: 'auto' } } : {},
    )
    const version = client.getNegotiatedProtocolVersion()
    assert.equal(version, isPair ? '2026-07-28' : '2025-11-25')
    const made = await ask('create_links', { links: [LINK] })
    const id = made.data[0].id as string

    for (const [name, args] of [
      ['search_links', {}],
      ['get_link', { id }],
      ['explain_link', { id }],
      ['recent_clicks', {}],
      ['list_conversions', {}],
      ['record_conversion', { eventName: 'Purchase', eventId: 'order-1' }],
      ['create_campaign', { name: 'Spring' }],
      ['list_campaigns', {}],
      ['list_domains', {}],
      ['list_endpoints', {}],
      ['list_deliveries', {}],
      ['query_analytics', { question: 'totals' }],
      ['query_analytics', { question: 'timeseries', days: 7 }],
      ['query_analytics', { question: 'breakdown', dimension: 'country' }],
      ['query_analytics', { question: 'top_links' }],
    ] as const)
      await ask(name, args)
    assert.equal((await call('get_qr_code', { id })).content[0].mimeType, 'image/png')

    const { data: dryRun } = await ask('check_import', {
      file: 'name,destinationUrl\nA,https://example.com/a\nB,nonsense\n',
    })
    assert.equal(dryRun.dryRun, true)
    if (!isPair)
      await eventually(async () => {
        const { data } = await ask('get_import', { id: dryRun.id })
        assert.deepEqual([data.created, data.failed], [1, 1])
      })

    const { tools } = await client.listTools()
    assert.equal(tools.length, 22)
    for (const { name, annotations, description } of tools) {
      assert.ok(annotations && description, name)
      if (annotations.readOnlyHint) assert.equal(annotations.destructiveHint, false, name)
    }
    const unknown = await refusal('get_link', { id: 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV' })
    assert.equal(unknown.code, 'NOT_FOUND')
    const bad = await refusal('create_links', { links: 'all' })
    assert.deepEqual([bad.code, bad.details[0].path], ['VALIDATION_ERROR', 'links'])
  })
}

test('every field that is named as the text of strangers is one of the answer', async (t) => {
  const { app } = await openWorld(t)
  for (const { shown, routes, foreignTexts = [] } of createTools(app.routes).values()) {
    const answers = JSON.stringify([...routes.values()].map(({ shapes }) => shapes.reply))
    for (const field of foreignTexts) assert.ok(answers.includes(`"${field}"`), shown.name)
  }
})

test('a call is the request of its key: one audit row, the id of the message, scopes, roles and other workspaces', async (t) => {
  const world = await openWorld(t)
  const stage = await openStage(world)
  const owner = stage.cast.owner
  const own = (await owner.session.post('/links', LINK)).body.data
  const other = await openMcp(t, world.origin, (await world.member()).apiKey)
  const readOnly = await openMcp(t, world.origin, await stage.keyWith('links:read'))
  const viewer = await openMcp(t, world.origin, stage.cast.viewer.apiKey)

  await t.test('audit rows have the key and the id of the message', async () => {
    const message = JSON.stringify(
      callOf('update_links', { ids: [own.id], data: { name: 'New name' } }),
    )
    const sent = await send(world, owner.apiKey, message, { 'x-request-id': 'request-0001' })
    assert.equal(sent.status, 200, sent.text)
    const { body } = await owner.session.get('/audit-log?action=link.updated')
    assert.equal(body.data.length, 1)
    assert.equal(body.data[0].requestId, 'request-0001')
    assert.equal(body.data[0].actor.type, 'api_key')
  })

  await t.test('only tools that role and scopes allow are listed', async () => {
    assert.deepEqual(await readOnly.toolNames(), [
      'search_links',
      'get_link',
      'explain_link',
      'get_qr_code',
      'get_import',
    ])
    const ofViewer = await viewer.toolNames()
    assert.ok(ofViewer.includes('query_analytics') && !ofViewer.includes('create_links'))
  })

  await t.test('a tool that is not listed is refused', async () => {
    const refused = await readOnly.refusal('delete_links', { ids: [own.id] })
    assert.deepEqual([refused.code, refused.details.requiredScope], ['FORBIDDEN', 'links:write'])
    assert.equal((await viewer.refusal('delete_links', { ids: [own.id] })).code, 'FORBIDDEN')
  })

  await t.test('nothing of another workspace is read or changed', async () => {
    for (const [name, args] of [
      ['get_link', { id: own.id }],
      ['explain_link', { id: own.id }],
      ['get_qr_code', { id: own.id }],
    ] as const)
      assert.equal((await other.refusal(name, args)).code, 'FORBIDDEN', name)
    const rows = await other.ask('update_links', { ids: [own.id], data: { name: 'Mine' } })
    assert.equal(rows.data[0].error.code, 'FORBIDDEN')
    const analytics = await other.refusal('query_analytics', { question: 'totals', linkId: own.id })
    assert.equal(analytics.code, 'FORBIDDEN')
    assert.equal((await other.ask('search_links')).meta.total, 0)
    assert.equal((await owner.session.get(`/links/${own.id}`)).body.data.name, 'New name')
  })

  await t.test('an id never changes the path of the request', async () => {
    for (const id of [
      '..',
      '.',
      '',
      '../links',
      'a/b',
      `${own.id}/qr`,
      '%2e%2e',
      '?a=b',
      '#',
      null,
      7,
      {},
    ])
      assert.equal((await viewer.refusal('get_link', { id })).code, 'VALIDATION_ERROR')
  })
})

test('hostile messages get a 4xx or an error, and the next message is answered', async (t) => {
  const world = await openWorld(t)
  const { apiKey, workspaceId, userId } = await world.member()
  const { cookie } = await world.session({ userId, workspaceId })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const statusOf = async (body: string, headers: Record<string, string> = {}) =>
    (await send(world, apiKey, body, headers)).status

  await t.test('credentials', async () => {
    const none = await world.call('POST', '/mcp', {
      body: list,
      headers: { 'content-type': 'application/json', cookie },
    })
    assert.equal(none.status, 401)
    assert.match(none.headers.get('www-authenticate')!, /^Bearer/)
    assert.equal((await send(world, 'sp_wrong', list)).status, 401)
  })

  await t.test('pages of other sites', async () => {
    assert.equal(await statusOf(list, { origin: 'https://evil.example' }), 403)
    assert.equal(await statusOf(list, { 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await statusOf(list, { origin: world.origin }), 200)
  })

  await t.test('methods', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'])
      assert.equal((await world.call(method, '/mcp')).status, 405)
  })

  await t.test('bodies', async () => {
    const large = callOf('search_links', { search: 'a'.repeat(10 * MIB) })
    assert.equal(await statusOf(JSON.stringify(large)), 413)
    assert.equal(await statusOf(`[${list},${list}]`), 400)
    assert.equal(await statusOf('{"jsonrpc":'), 400)
    assert.equal(await statusOf(''), 400)
    assert.equal(await statusOf('null'), 400)
    assert.equal(await statusOf('"text"'), 400)
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`
    assert.equal(await statusOf(deep), 400)
    assert.equal(await statusOf(list, { 'content-type': 'text/plain' }), 415)
    assert.equal(await statusOf(list, { accept: 'text/html' }), 406)
  })

  await t.test('calls', async () => {
    const textOf = async (message: object) =>
      (await send(world, apiKey, JSON.stringify(message))).text
    assert.match(await textOf(callOf('drop_tables', {})), /-32602/)
    assert.match(await textOf(callOf('__proto__', {})), /-32602/)
    assert.match(await textOf({ ...callOf('x', {}), method: 'nope' }), /-32601/)
    assert.match(
      await textOf({
        ...callOf('x', {}),
        method: 'resources/read',
        params: { uri: 'signpost://docs/../package' },
      }),
      /"error"/,
    )
    assert.match(
      await textOf({ ...callOf('x', {}), method: 'subscriptions/listen', params: {} }),
      /"error"/,
    )
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': listen.method }
    const stream = await send(world, apiKey, JSON.stringify(listen), headers)
    assert.match(stream.text, /"error"/, 'no stream stays open')
    for (const args of [{ question: '__proto__' }, { question: {} }, {}, { question: 'breakdown' }])
      assert.match(await textOf(callOf('query_analytics', args)), /VALIDATION_ERROR/)
    for (const args of [null, [], 'x', 7])
      assert.match(await textOf(callOf('get_link', args)), /"error"|rror/)
    for (const limit of [-1, 'many', {}, [], true, 1e21])
      assert.match(await textOf(callOf('search_links', { limit })), /VALIDATION_ERROR/)
  })

  assert.equal(await statusOf(list), 200)
})

test('a user sends 600 messages a minute, and another user is not affected', async (t) => {
  const world = await openWorld(t)
  const [{ apiKey }, other] = [await world.member(), await world.member()]
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const statuses: number[] = []
  for (let i = 0; i < 12; i++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 50 }, () => send(world, apiKey, message)))).map(
        ({ status }) => status,
      ),
    )
  assert.deepEqual([statuses.length, new Set(statuses)], [600, new Set([200])])
  const refused = await send(world, apiKey, message)
  assert.equal(refused.status, 429)
  assert.ok(refused.headers.get('retry-after'))
  assert.equal((await send(world, other.apiKey, message)).status, 200)
})

test('the request of a call counts for the key, and its message does not', async (t) => {
  const world = await openWorld(t, { config: { rateLimitApi: 3 } })
  const { call } = await openMcp(t, world.origin, (await world.member()).apiKey)
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await call('search_links'))
  assert.deepEqual(
    answers.map(({ isError = false }) => isError),
    [false, false, false, true],
  )
  assert.equal(JSON.parse(answers[3]!.content[0].text).error.code, 'RATE_LIMITED')
})

test('pages of the documentation are resources', async (t) => {
  const world = await openWorld(t)
  const { client } = await openMcp(t, world.origin, (await world.member()).apiKey)
  const { resources } = await client.listResources()
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri })
    assert.match(String((contents[0] as { text?: unknown }).text), /^# /)
  }
})
