import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { openPlainReceiver } from '../support/delivery-world.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'
import { openLines } from '../support/mail-world.ts'

const MASK = '********'
const HOOK = { url: 'https://192.0.43.8/hook', events: ['link.created'], status: 'paused' }
const ON_LOOPBACK = { config: { egressAllowedCidrs: ['127.0.0.0/8'], webhookAllowHttp: true } }
const SECRET = 'Bearer 7f3a9c1e "quoted" 5d'

async function create(owner: Member, changes: object = {}) {
  const answer = await owner.post('/webhooks/endpoints', { ...HOOK, ...changes })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}

test('what an endpoint may have as its own headers', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, `value ${n}`]))
  const refused: [what: string, headers: unknown, path: string][] = [
    ['a list', [], 'headers'],
    ['a text', 'x-a: 1', 'headers'],
    ['21 headers', many(21), 'headers'],
    ['a name with a space', { 'x a': '1' }, 'headers.x a'],
    ['a name with a colon', { 'x-a:': '1' }, 'headers.x-a:'],
    ['a name that is not ASCII', { 'x-ä': '1' }, 'headers.x-ä'],
    ['a name with a line break', { 'x-a\r\nx-b': '1' }, 'headers.x-a\r\nx-b'],
    ['an empty name', { '': '1' }, 'headers.'],
    ['a long name', { ['x'.repeat(129)]: '1' }, `headers.${'x'.repeat(129)}`],
    ...[
      'Host',
      'Content-Length',
      'transfer-encoding',
      'Connection',
      'Content-Type',
      'USER-AGENT',
      'accept-encoding',
      'expect',
      'upgrade',
      'keep-alive',
      'te',
      'x-service-signature',
      'X-Service-Anything',
      'webhook-id',
      'Webhook-Signature',
    ].map((name): [string, unknown, string] => [name, { [name]: '1' }, `headers.${name}`]),
    ['a name twice', { 'X-Key': '1', 'x-key': '2' }, 'headers.x-key'],
    ['a number', { 'x-a': 1 }, 'headers.x-a'],
    ['null', { 'x-a': null }, 'headers.x-a'],
    ['a line break', { 'x-a': 'secret-value\r\nx-b: 1' }, 'headers.x-a'],
    ['a tab', { 'x-a': 'secret-value\t' }, 'headers.x-a'],
    ['DEL', { 'x-a': 'secret-value\x7f' }, 'headers.x-a'],
    ['a control character beyond ASCII', { 'x-a': 'secret-value\x85' }, 'headers.x-a'],
    ['1,025 bytes', { 'x-a': 'ä'.repeat(512) + 'b' }, 'headers.x-a'],
    ['a lone surrogate', { 'x-a': 'secret-value\ud800' }, 'headers.x-a'],
    ['the mask without a value', { 'x-new': MASK }, 'headers.x-new'],
  ]
  await t.test('the others are a 400 with their path and without their value', async () => {
    const { id } = await create(owner, { headers: { 'x-old': 'old value' } })
    const path = `/webhooks/endpoints/${id}`
    const before = (await owner.get(path)).body.data
    for (const [what, headers, field] of refused)
      for (const answer of [
        await owner.post('/webhooks/endpoints', { ...HOOK, headers }),
        await owner.post('/webhooks', { ...HOOK, headers }),
        await owner.patch(path, { headers }),
      ]) {
        const { error } = answer.body
        const found = [answer.status, error?.code, error?.details[0]?.path]
        assert.deepEqual(found, [400, 'VALIDATION_ERROR', field], what)
        assert.ok(!JSON.stringify(answer.body).includes('secret-value'), what)
      }
    assert.deepEqual((await owner.get(path)).body.data, before)
  })

  await t.test('what is borderline is taken', async () => {
    const taken = [
      {},
      null,
      many(20),
      { "!#$%&'*+-.^_`|~09azAZ": '' },
      { ['x'.repeat(128)]: 'ä'.repeat(512) },
      { constructor: 'a', toString: 'b', 1: 'c' },
    ]
    for (const headers of taken) {
      const names = Object.keys(headers ?? {})
      const expected = Object.fromEntries(names.map((name) => [name, MASK]))
      const made = await create(owner, { headers })
      assert.deepEqual(made.headers, expected)
      const path = `/webhooks/endpoints/${(await create(owner)).id}`
      const patched = await owner.patch(path, { headers })
      assert.deepEqual([patched.status, patched.body.data.headers], [200, expected])
      assert.deepEqual((await owner.get(path)).body.data.headers, expected)
    }
  })

  await t.test('PATCH writes and audits nothing when every header stays as it is', async () => {
    const headers = { Authorization: SECRET, 'x-tenant': 'acme' }
    const { id } = await create(owner, { headers })
    const path = `/webhooks/endpoints/${id}`
    const rows = () => world.sql`
      select (select xmin::text from webhook_endpoints where id = ${id}) as endpoint,
        (select count(*) from audit_log where target_id = ${id}) as audited`
    const before = await rows()
    for (const same of [
      headers,
      { 'x-tenant': MASK, authorization: MASK },
      { ...headers, 'x-tenant': MASK },
    ])
      assert.equal((await owner.patch(path, { headers: same })).status, 200)
    assert.deepEqual(await rows(), before)
    await owner.patch(path, { description: 'other' })
    assert.deepEqual((await owner.get(path)).body.data.headers, {
      Authorization: MASK,
      'x-tenant': MASK,
    })
  })

  await t.test('the audit log has the names that were added, changed and removed', async () => {
    const { id } = await create(owner, { headers: { a: 'value a', b: 'value b', c: 'value c' } })
    await owner.patch(`/webhooks/endpoints/${id}`, {
      headers: { A: MASK, b: 'other b', d: 'value d' },
    })
    const { data } = (await owner.get(`/audit-log?targetId=${id}&action=webhook.updated`)).body
    assert.deepEqual(data[0].changes, {
      'headers.b': { old: MASK, new: MASK },
      'headers.c': { old: MASK, new: null },
      'headers.d': { old: null, new: MASK },
    })
  })

  await t.test('values that no longer open can be replaced, and not kept', async () => {
    const { id } = await create(owner, { headers: { a: 'value a', b: 'value b' } })
    const other = await create(owner, { headers: { a: 'value of another row' } })
    const path = `/webhooks/endpoints/${id}`
    await world.sql`
      update webhook_endpoints set headers_sealed = (
        select headers_sealed from webhook_endpoints where id = ${other.id})
      where id = ${id}`
    assert.deepEqual((await owner.get(path)).body.data.headers, { a: MASK, b: MASK })
    const kept = await owner.patch(path, { headers: { a: MASK, b: 'new b' } })
    assert.deepEqual([kept.status, kept.body.error.code], [503, 'SECRET_KEY_CHANGED'])
    assert.equal((await owner.patch(path, { headers: { a: 'new a' } })).status, 200)
    assert.equal((await owner.patch(path, { headers: { A: MASK } })).status, 200)
  })
})

test('every delivery carries the headers of its endpoint', async (t) => {
  const { log, lines } = openLines()
  const world = await openWorld(t, { ...ON_LOOPBACK, log })
  const owner = await world.member()
  let status = 200
  const receiver = await openPlainReceiver(t, () => status)
  const last = () => receiver.arrivals.at(-1)!.headers
  const read = async (id: string, wanted: string) =>
    eventually(async () => {
      const { data } = (await owner.get(`/webhooks/deliveries/${id}`)).body
      assert.equal(data.status, wanted)
      return data
    })
  const send = async (endpointId: string, wanted: string) => {
    const made = await owner.post(`/webhooks/endpoints/${endpointId}/test`)
    return read(made.body.data.id, wanted)
  }
  const headers = { Authorization: SECRET, 'x-name': 'Zoë at the café 😀' }
  const made = await create(owner, {
    url: receiver.url,
    status: 'active',
    standardHeaders: true,
    headers,
  })
  const path = `/webhooks/endpoints/${made.id}`

  await t.test('as they were written, in UTF-8, beside those of the service', async () => {
    const { requestHeaders } = await send(made.id, 'completed')
    assert.equal(last()['authorization'], SECRET)
    assert.equal(Buffer.from(String(last()['x-name']), 'latin1').toString(), headers['x-name'])
    for (const name of ['x-service-signature', 'webhook-signature'])
      assert.equal(last()[name], requestHeaders[name])
    assert.deepEqual(
      [requestHeaders['Authorization'], requestHeaders['x-name'], requestHeaders['content-type']],
      [MASK, MASK, 'application/json'],
    )
  })

  await t.test('a queued retry sends the present ones', async () => {
    status = 500
    const failed = await send(made.id, 'failed')
    const changed = await owner.patch(path, {
      headers: { authorization: MASK, 'x-name': 'other name', 'x-new': 'added' },
    })
    assert.equal(changed.status, 200)
    // Details show the names of the latest attempt.
    assert.deepEqual(await read(failed.id, 'failed'), failed)
    status = 200
    await owner.post(`/webhooks/deliveries/${failed.id}/retry`)
    const done = await read(failed.id, 'completed')
    assert.deepEqual(
      [last()['authorization'], last()['x-name'], last()['x-new']],
      [SECRET, 'other name', 'added'],
    )
    assert.equal(done.requestHeaders['x-new'], MASK)
    assert.ok('authorization' in done.requestHeaders && !('Authorization' in done.requestHeaders))
  })

  await t.test('{} removes them', async () => {
    assert.deepEqual((await owner.patch(path, { headers: {} })).body.data.headers, {})
    const { requestHeaders } = await send(made.id, 'completed')
    for (const name of ['authorization', 'x-name', 'x-new']) {
      assert.equal(last()[name], undefined)
      assert.ok(!(name in requestHeaders))
    }
    await owner.patch(path, { headers })
  })

  await t.test('an answer that repeats them is kept without their values', async () => {
    const echo = await openEchoingReceiver(t)
    const { id } = await create(owner, { url: echo, status: 'active', headers })
    const { responseBody, responseHeaders, attemptLog } = await send(id, 'failed')
    assert.equal(responseHeaders['x-echo'], MASK)
    assert.equal(JSON.parse(responseBody)['authorization'], MASK)
    assert.equal(JSON.parse(responseBody)['x-name'], MASK)
    assert.deepEqual(
      [attemptLog[0].responseHeaders, attemptLog[0].responseBody],
      [responseHeaders, responseBody],
    )
    await owner.delete(`/webhooks/endpoints/${id}`)
  })

  await t.test('headers that do not open fail the attempt, and send nothing', async () => {
    const other = await create(owner, { headers: { a: 'value of another row' } })
    const { id } = await create(owner, { url: receiver.url, status: 'active' })
    await world.sql`
      update webhook_endpoints set header_names = '{a}', headers_sealed = (
        select headers_sealed from webhook_endpoints where id = ${other.id})
      where id = ${id}`
    const before = receiver.arrivals.length
    assert.equal((await send(id, 'failed')).error, 'internal_error')
    assert.equal(receiver.arrivals.length, before)
    await owner.patch(`/webhooks/endpoints/${id}`, { headers: { a: 'new' } })
    assert.equal((await send(id, 'completed')).requestHeaders['a'], MASK)
  })

  await t.test('the values are in no answer, no log and no table', async () => {
    const answers = await Promise.all(
      [
        '/webhooks',
        '/webhooks/endpoints',
        path,
        '/webhooks/deliveries?limit=100',
        '/audit-log?limit=100',
        '/security-log?limit=100',
      ].map((each) => owner.get(each)),
    )
    const { data } = (await owner.get('/webhooks/deliveries?limit=100')).body
    for (const { id } of data) answers.push(await owner.get(`/webhooks/deliveries/${id}`))
    const written = lines.join('') + answers.map(({ body }) => JSON.stringify(body)).join('')
    for (const value of ['7f3a9c1e', 'Zoë', 'other name', 'value of another row'])
      assert.ok(!written.includes(value), value)
    const tables = await world.sql<{ name: string }[]>`
      select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`
    for (const { name } of tables) {
      const [row] = await world.sql<{ n: number }[]>`
        select count(*) as n from ${world.sql(name)} as t where t::text like '%7f3a9c1e%'`
      assert.equal(row!.n, 0, name)
    }
  })
})

/** Answers 500 with the headers of the request, in a header and as JSON. */
async function openEchoingReceiver(t: TestContext): Promise<string> {
  const server = createServer((req, res) => {
    res.setHeader('x-echo', req.headers.authorization ?? '')
    res.writeHead(500).end(JSON.stringify(req.headers))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
