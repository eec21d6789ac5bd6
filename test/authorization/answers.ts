import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createAsking } from './asking.ts'
import { addCaller, answerOf, factsOf, goodRequest, isResource, nameOf } from './routes.ts'
import { openStage } from '../support/stage.ts'
import type { World } from '../support/world.ts'

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

/** The answer of every route to a good request, as the contract describes it. */
export async function checkAnswers(t: TestContext, world: World) {
  const stage = await openStage(world)
  const asking = createAsking(world)
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

  for (const row of routes) {
    const { status, kind, meta = ['requestId'], type, ...kept } = answerOf(row, routes)
    const { hasEtag, isImmutable, maxAgeSeconds } = kept
    await t.test(`${nameOf(row)} answers ${status}`, async () => {
      const at = factsOf(row).endsWorkspace ? await openStage(world) : stage
      const caller = isResource(row) ? at.cast.owner : await addCaller(world, row)
      const request = await goodRequest(row, at, caller)
      const answer = await asking.send(row, request, { cookie: caller.session.cookie })
      const { headers, body, text } = answer
      assert.equal(answer.status, status, JSON.stringify(body))
      assert.match(headers.get('x-request-id') ?? '', /^req_/)
      assert.equal(headers.get('signpost-version'), '0.1.0')
      const use = isImmutable ? 'max-age=31536000, immutable' : 'no-cache'
      const isKept = hasEtag && kind === 'bytes'
      assert.equal(
        headers.get('cache-control'),
        maxAgeSeconds
          ? `private, max-age=${maxAgeSeconds}`
          : isKept
            ? `private, ${use}`
            : 'no-store',
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
    })
  }

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
