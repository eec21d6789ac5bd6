import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { route } from '../../src/platform/routes/route.ts'
import { aborted } from '../../src/platform/core/service.ts'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'
import { openTestGateway } from '../support/test-gateway.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/' }
const LINKS = 3_000
const WRITES = 120
/** Fits everywhere, and fails at its last letter. */
const SEARCH = `/links?search=${'a'.repeat(198)}c`

/** @returns the status; 0 when the client left before the answer */
function ask(
  { origin }: World,
  { apiKey }: Member,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}` }
  return fetch(`${origin}/v1${path}`, { headers, signal }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0,
  )
}

async function addCostlyLinks({ sql }: World, { workspaceId, userId }: Member): Promise<void> {
  await sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by,
      created_at, updated_at)
    select 'lnk_costly_' || i, ${workspaceId}, 'Costly', 'costly-' || i, 'costly-' || i,
      'https://example.com/' || repeat('a', 7000), ${userId}, now(), now()
    from generate_series(1, ${LINKS}) as i`
}

for (const isPair of [false, true]) {
  const how = isPair ? 'behind a gateway' : 'in one process'
  test(`searches and long polls of one account keep no other waiting (${how})`, async (t) => {
    const world = await openWorld(t, { isPair, isClockReal: true })
    const [hostile, other] = [await world.member(), await world.member()]
    await addCostlyLinks(world, hostile)
    const { body: heard } = await hostile.get('/webhooks/listen')
    const poll = `/webhooks/listen?waitSeconds=8&cursor=${heard.data.cursor}`

    const client = new AbortController()
    // Repeated until the client leaves: a quick machine would be done with sixty before the others are.
    const searches = Array.from({ length: 60 }, async () => {
      let status = 200
      while (status === 200 && !client.signal.aborted)
        status = await ask(world, hostile, SEARCH, client.signal)
      return status
    })
    const polls = Array.from({ length: 400 }, () => ask(world, hostile, poll, client.signal))
    // Refusals are answered at once, when all the other requests are under way.
    await Promise.any(
      [...searches, ...polls].map(async (status) => assert.equal(await status, 429)),
    )
    for (let i = 0; i < 3; i++) {
      const made = await other.post('/links', NEW)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      for (const path of ['/links', `/links/${made.body.data.id}`, '/links?search=docs'])
        assert.equal((await other.get(path)).status, 200)
    }
    assert.equal((await other.get('/webhooks/listen')).status, 200)
    assert.equal((await world.call('GET', '/ready')).status, 200)
    // A slow list holds up no write of its own workspace either.
    assert.equal((await hostile.post('/links', NEW)).status, 201)
    client.abort()
    await Promise.all([...searches, ...polls])
  })
}

test('requests that one workspace has queued do not delay a request of another', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const [busy, other] = [await world.member(), await world.member()]
  const { body: link } = await other.post('/links', NEW)
  let done = 0
  const writes = Array.from({ length: WRITES }, async () => {
    await busy.post('/links', NEW)
    done++
  })
  await Promise.any(writes)
  assert.equal((await other.get(`/links/${link.data.id}`)).status, 200)
  const before = done
  await Promise.all(writes)
  assert.ok(before < WRITES / 2, `${before} of ${WRITES} were answered before it`)
})

test('more long polls of a workspace than it may have are refused, and the others go on', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const { body } = await owner.get('/webhooks/listen')
  const poll = () => owner.get(`/webhooks/listen?waitSeconds=8&cursor=${body.data.cursor}`)
  const all = Array.from({ length: 8 }, poll)
  const refused = await Promise.any(
    all.map(async (answer) => {
      const { status, headers, body: said } = await answer
      assert.equal(status, 429)
      return { headers, error: said.error }
    }),
  )
  assert.equal(refused.error.code, 'RATE_LIMITED')
  assert.deepEqual(refused.error.details, { retryAfter: 1, limit: 5, window: 1 })
  assert.equal(refused.headers.get('retry-after'), '1')
  await owner.post('/links', NEW)
  const statuses = (await Promise.all(all)).map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429])
})

test('the signal of a rule is aborted when its client disconnects, and when its answer was sent', async (t) => {
  const heard: string[] = []
  const begun = { n: 0 }
  const gateway = await openTestGateway(t, {
    routes: (['/auth/slow', '/auth/quick'] as const).map((path) =>
      route(`GET ${path}`, {
        requires: { credential: 'none' },
        ...{ name: `get${path}`, summary: '', description: '', tag: 'Test' },
        shapes: { reply: Type.Object({}) },
        handle: async (_caller, _input, signal) => {
          begun.n++
          signal!.addEventListener('abort', () => heard.push(path))
          if (path === '/auth/slow') await aborted(signal!)
          return { data: {} }
        },
      }),
    ),
  })
  assert.equal((await gateway.send('GET', '/v1/auth/quick')).status, 200)
  await eventually(async () => assert.deepEqual(heard, ['/auth/quick']))
  const client = new AbortController()
  const url = `http://127.0.0.1:${gateway.port}/v1/auth/slow`
  const asked = assert.rejects(fetch(url, { signal: client.signal }))
  await eventually(async () => assert.equal(begun.n, 2))
  client.abort()
  await asked
  await eventually(async () => assert.deepEqual(heard, ['/auth/quick', '/auth/slow']))
})
