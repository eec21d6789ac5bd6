import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from './support/world.ts'
import type { Member, World } from './support/world.ts'

/**
 * The specification's endpoint table, as far as it is built: what each row answers, in which
 * envelope. A route of the program that has no row here fails.
 */
type Row = {
  method: string
  path: string
  body?: unknown
  status: number
  /** Type of `data`; absent for an answer without a body. */
  data?: 'object' | 'array'
  meta?: readonly string[]
}

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
const PAGE_META = ['requestId', 'total', 'limit', 'offset']

const ROWS: readonly Row[] = [
  { method: 'POST', path: '/links', body: NEW, status: 201, data: 'object' },
  { method: 'GET', path: '/links', status: 200, data: 'array', meta: PAGE_META },
  { method: 'GET', path: '/links/{id}', status: 200, data: 'object' },
  { method: 'PATCH', path: '/links/{id}', body: { name: 'New' }, status: 200, data: 'object' },
  {
    method: 'GET',
    path: '/analytics/links/{id}',
    status: 200,
    data: 'object',
    meta: ['requestId', 'period', 'timezone', 'asOf'],
  },
  { method: 'DELETE', path: '/links/{id}', status: 204 },
]

const PUBLIC = [
  '/v1/openapi.json',
  '/v1/reference',
  '/v1/reference/setup.js',
  '/v1/auth/openapi.json',
  '/v1/auth/reference',
]

test('the contract', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()

  for (const row of ROWS) {
    await t.test(`${row.method} ${row.path} answers ${row.status} in the envelope`, async () => {
      const answer = await send(world, owner, row, await idOf(owner))
      assert.equal(answer.status, row.status)
      assert.match(answer.headers.get('x-request-id') ?? '', /^req_/)
      assert.equal(answer.headers.get('signpost-version'), '0.1.0')
      if (row.data === undefined) return assert.equal(answer.body, undefined)
      assert.deepEqual(Object.keys(answer.body), ['data', 'meta'])
      assert.equal(Array.isArray(answer.body.data) ? 'array' : typeof answer.body.data, row.data)
      assert.deepEqual(Object.keys(answer.body.meta), row.meta ?? ['requestId'])
      assert.equal(answer.body.meta.requestId, answer.headers.get('x-request-id'))
    })

    await t.test(`${row.method} ${row.path} refuses who has no credential`, async () => {
      const path = row.path.replace('{id}', await idOf(owner))
      const answer = await world.call(row.method, `/v1${path}`)
      assert.equal(answer.status, 401)
      assert.equal(answer.body.error.code, 'UNAUTHORIZED')
    })

    if (row.path.includes('{id}'))
      await t.test(`${row.method} ${row.path} knows a foreign id from an unknown one`, async () => {
        const other = await world.member()
        const foreign = await send(world, other, row, await idOf(owner))
        assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'FORBIDDEN'])
        const unknown = await send(world, owner, row, 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV')
        assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'NOT_FOUND'])
      })
  }

  await t.test('every route of the program has its row', async () => {
    const { body } = await world.call('GET', '/v1/openapi.json')
    const built = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const rows = ROWS.map((row) => `${row.method} ${row.path}`)
    assert.deepEqual(built.toSorted(), rows.toSorted())
  })

  await t.test('the documents are public, and nothing else is', async () => {
    for (const path of PUBLIC) assert.equal((await world.call('GET', path)).status, 200, path)
  })

  await t.test('an error has one shape everywhere', async () => {
    const answers = [
      await owner.post('/links', {}),
      await owner.get('/links/lnk_unknown'),
      await world.call('GET', '/v1/links'),
      await world.call('GET', '/v1/nothing'),
      await world.call('GET', '/nothing', { headers: { accept: 'application/json' } }),
    ]
    for (const { body } of answers) {
      assert.deepEqual(Object.keys(body), ['error', 'meta'])
      assert.deepEqual(Object.keys(body.error), ['code', 'message', 'details', 'requestId'])
      assert.match(body.error.message, /^[A-Za-z].*\.$/)
    }
  })
})

async function idOf(member: Member): Promise<string> {
  return (await member.post('/links', NEW)).body.data.id
}

function send(world: World, member: Member, row: Row, id: string) {
  return world.call(row.method, `/v1${row.path.replace('{id}', id)}`, {
    headers: {
      authorization: `Bearer ${member.apiKey}`,
      ...(row.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(row.body === undefined ? {} : { body: JSON.stringify(row.body) }),
  })
}
