import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld, type World } from '../support/world.ts'

type Fields = Record<string, string>

/** Sends a request as clients of YOURLS do; the answer is parsed when it is JSON. */
async function ask(world: World, fields: Fields, method: 'GET' | 'POST' = 'GET') {
  const form = new URLSearchParams({ format: 'json', ...fields })
  const url = `${world.origin}/yourls-api.php`
  const response =
    method === 'GET'
      ? await fetch(`${url}?${form}`)
      : await fetch(url, { method: 'POST', body: form })
  const text = await response.text()
  const isJson = response.headers.get('content-type')!.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    ...(isJson && { json: JSON.parse(text) }),
  }
}

for (const isPair of [false, true])
  test(`shorturl${isPair ? ' behind a gateway' : ''}: a new address, a known one, a keyword, a taken one`, async (t) => {
    const world = await openWorld(t, { isPair })
    const { apiKey, get, workspaceId } = await world.member()
    const login = { username: 'me', password: apiKey, action: 'shorturl' }
    const url = 'https://example.com/spring?a=1&b=2'

    const made = await ask(world, { ...login, url, keyword: 'spring', title: 'Spring' })
    assert.equal(made.status, 200)
    assert.deepEqual(
      [made.json.status, made.json.statusCode, made.json.title, made.json.url.keyword],
      ['success', '200', 'Spring', 'spring'],
    )
    assert.equal(new URL(made.json.shorturl).pathname, '/spring')

    const known = await ask(world, { ...login, url }, 'POST')
    assert.equal(known.status, 400)
    assert.deepEqual(
      [known.json.status, known.json.code, known.json.shorturl],
      ['fail', 'error:url', made.json.shorturl],
    )
    const taken = await ask(world, { ...login, url: 'https://example.com/b', keyword: 'spring' })
    assert.deepEqual([taken.status, taken.json.code], [400, 'error:keyword'])
    const bad = await ask(world, { ...login, url: 'javascript:alert(1)' }, 'POST')
    assert.deepEqual([bad.status, bad.json.code], [400, 'error:nourl'])
    const missing = await ask(world, login)
    assert.deepEqual([missing.status, missing.json.code], [400, 'error:nourl'])

    const { data: rows } = (await get('/audit-log?action=link.created')).body
    assert.equal(rows.length, 1)
    assert.match(rows[0].userAgent, /^YOURLS API; /)
    assert.equal(rows[0].workspaceId, workspaceId)
  })

test('a missing and a wrong key are asked to log in, in each format', async (t) => {
  const world = await openWorld(t)
  for (const password of ['', 'wrong', 'a b'])
    for (const method of ['GET', 'POST'] as const) {
      const { status, json } = await ask(world, { action: 'shorturl', password }, method)
      assert.deepEqual([status, json.errorCode, json.message], [403, '403', 'Please log in'])
    }
  const fields = { action: 'shorturl', callback: 'show' }
  assert.match((await ask(world, { ...fields, format: 'jsonp' })).text, /^\/\*\*\/show\(\{.*\}\)$/)
  assert.equal((await ask(world, { ...fields, format: 'simple' })).text, 'Please log in')
  assert.match(
    (await ask(world, { ...fields, format: 'xml' })).text,
    /<message>Please log in<\/message><errorCode>403<\/errorCode>/,
  )
})
