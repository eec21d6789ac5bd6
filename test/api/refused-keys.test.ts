import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { createRefusedKeys, type Refusals } from '../../src/api/requests/refused-keys.ts'
import { eventually, openWorld } from '../support/world.ts'
import { keyOf } from '../support/test-gateway.ts'

const HOLDER = keyOf('refused')

function openRefusedKeys(t: TestContext, options: { windowMs?: number; maxRows?: number } = {}) {
  const rows: Refusals[] = []
  const refused = createRefusedKeys({
    write: async (row) => void rows.push(row),
    log: openLog('silent'),
    batchMs: 50,
    ...options,
  })
  t.after(() => refused[Symbol.asyncDispose]())
  const note = (keyId: string, ip = '198.51.100.7', path = '/v1/links') =>
    refused.note(
      { ...HOLDER, keyId },
      { ip, userAgent: null, requestId: 'req_test' },
      { method: 'GET', path },
    )
  const countOf = (keyId: string) =>
    rows.filter(({ holder }) => holder.keyId === keyId).reduce((sum, { count }) => sum + count, 0)
  return { rows, refused, note, countOf }
}

test('refusals of a key are one row with their number, first path and addresses', async (t) => {
  const { rows, note } = openRefusedKeys(t)
  note('key_1')
  note('key_1', '198.51.100.8', '/v1/api-keys')
  note('key_1', '198.51.100.8')
  note('key_2', '198.51.100.9', `/${'x'.repeat(9_000)}`)
  await eventually(async () => assert.equal(rows.length, 2))
  const [one, two] = rows
  assert.deepEqual(
    [one!.holder.keyId, one!.count, one!.addresses, one!.method, one!.path, one!.source.ip],
    ['key_1', 3, 2, 'GET', '/v1/links', '198.51.100.7'],
  )
  assert.deepEqual([two!.holder.keyId, two!.count, two!.path.length], ['key_2', 1, 200])
})

test('a flood of one key writes a bounded number of rows and loses no refusal', async (t) => {
  const { rows, note, countOf, refused } = openRefusedKeys(t, { maxRows: 3, windowMs: 600_000 })
  for (let batch = 0; batch < 6; batch++) {
    for (let i = 0; i < 2_000; i++) note('key_flood', `198.51.100.${i % 256}`)
    if (batch < 3) await eventually(async () => assert.equal(rows.length, batch + 1))
  }
  note('key_quiet')
  await eventually(async () => assert.equal(countOf('key_quiet'), 1))
  assert.deepEqual([rows.length, countOf('key_flood')], [4, 6_000])
  await refused[Symbol.asyncDispose]()
  assert.deepEqual([rows.length, countOf('key_flood')], [5, 12_000])
})

test('the batch of a flood is written when the rows before it no longer count', async (t) => {
  const { rows, note } = openRefusedKeys(t, { maxRows: 1, windowMs: 300 })
  note('key_1')
  await eventually(async () => assert.equal(rows.length, 1))
  note('key_1')
  await eventually(async () => assert.equal(rows.length, 2))
})

test('the security log says which key was refused by address, how often and where', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const session = await world.session(owner)
  const body = { name: 'Elsewhere', ipAllowlist: ['203.0.113.0/24'] }
  const { data } = (await session.post('/api-keys', body)).body
  const headers = { authorization: `Bearer ${data.key}` }
  for (let i = 0; i < 6; i++)
    assert.equal((await world.call('GET', '/v1/links?search=x', { headers })).status, 403)
  await eventually(async () => {
    const answer = await session.get('/security-log?type=api_key.ip_denied')
    const rows: { actor: object; details: Record<string, unknown> }[] = answer.body.data
    const counts = rows.map(({ details }) => Number(details['count']))
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      6,
    )
    for (const { actor, details } of rows) {
      assert.partialDeepStrictEqual(actor, { type: 'api_key', id: data.id, name: 'Elsewhere' })
      const { count: _, ...rest } = details
      assert.deepEqual(rest, { keyId: data.id, method: 'GET', path: '/v1/links', addresses: 1 })
    }
  })
})
