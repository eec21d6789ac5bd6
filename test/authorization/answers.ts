import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Route } from '../../src/platform/routes/route.ts'
import { nameOf, type Answered } from './routes.ts'
import type { Answer, World } from '../support/world.ts'

const ERROR = ['error', 'meta']

const DOCUMENTS = [
  '/v1/openapi.json',
  '/v1/reference',
  '/v1/reference/setup.js',
  '/v1/reference/reference.js',
  '/v1/auth/openapi.json',
  '/v1/auth/reference',
  '/v1/skill.md',
]

/** What all answers have in common, and what describes them. */
export async function checkAnswers(t: TestContext, world: World) {
  const { routes } = world.app

  await t.test('the documents describe every route, each once', async () => {
    const described = []
    for (const base of ['/v1', '/v1/auth']) {
      const { body } = await world.call('GET', `${base}/openapi.json`)
      for (const [path, methods] of Object.entries(body.paths))
        for (const method of Object.keys(methods as object))
          described.push(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
    }
    assert.deepEqual(described.toSorted(), routes.map(nameOf).toSorted())
  })

  await t.test('the documents are public', async () => {
    for (const path of DOCUMENTS) assert.equal((await world.call('GET', path)).status, 200, path)
  })

  await t.test('an error has one shape everywhere', async () => {
    const owner = await world.member()
    const answers = [
      await owner.post('/links', {}),
      await owner.get('/links/lnk_unknown'),
      await world.call('GET', '/v1/links'),
      await world.call('GET', '/v1/nothing'),
      await world.call('GET', '/nothing', { headers: { accept: 'application/json' } }),
    ]
    for (const { body } of answers) {
      assert.deepEqual(Object.keys(body), ERROR)
      assert.deepEqual(Object.keys(body.error), ['code', 'message', 'details', 'requestId'])
      assert.match(body.error.message, /^[A-Za-z].*\.$/)
    }
  })
}

/** The answer of a route to a good request, as the contract describes it. */
export function checkAnswer(row: Route, answered: Answered, answer: Answer): void {
  const { status, kind, meta = ['requestId'], type, ...kept } = answered
  const { hasEtag, isImmutable, maxAgeSeconds } = kept
  const { headers, body, text } = answer
  assert.equal(answer.status, status, JSON.stringify(body))
  assert.match(headers.get('x-request-id') ?? '', /^req_/)
  assert.equal(headers.get('signpost-version'), '0.1.0')
  const use = isImmutable ? 'max-age=31536000, immutable' : 'no-cache'
  const isKept = hasEtag && kind === 'bytes'
  assert.equal(
    headers.get('cache-control'),
    maxAgeSeconds ? `private, max-age=${maxAgeSeconds}` : isKept ? `private, ${use}` : 'no-store',
  )
  const isVersioned = typeof body?.data?.updatedAt === 'string'
  assert.equal(headers.has('etag'), hasEtag === true || isVersioned)
  if (kind === 'bytes') {
    assert.equal(headers.get('content-type'), type)
    assert.ok(row.sends!.includes(type!.split(';')[0]!))
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    return assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
  }
  if (kind === 'page') {
    assert.match(headers.get('content-type')!, /^text\/html/)
    assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
    return assert.match(text, /^<!doctype html>/i)
  }
  if (kind === 'nothing')
    return status < 400 ? assert.equal(text, '') : assert.deepEqual(Object.keys(body), ERROR)
  if (kind === 'plain') return assert.equal(typeof body, 'object')
  assert.deepEqual(Object.keys(body), ['data', 'meta'])
  assert.equal(Array.isArray(body.data) ? 'array' : typeof body.data, kind)
  assert.deepEqual(Object.keys(body.meta), meta)
  assert.equal(body.meta.requestId, headers.get('x-request-id'))
}
