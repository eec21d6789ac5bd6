import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { json as readJson } from 'node:stream/consumers'
import { test } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { must } from '../support/calls.ts'
import { openStage } from '../support/stage.ts'
import { eventually, openWorld, type World } from '../support/world.ts'

type Fields = Record<string, string>
type Shown = Record<'status' | 'message' | 'shorturl' | 'longurl', string> & { link: Fields }

/** Sends a request as clients of YOURLS do; the answer is parsed when it is JSON. */
async function ask(world: World, fields: Fields, method: 'GET' | 'POST' = 'GET') {
  const form = new URLSearchParams({ format: 'json', ...fields })
  const url = `${world.origin}/yourls-api.php`
  const response =
    method === 'GET'
      ? await fetch(`${url}?${form.toString()}`)
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

test('expand, url-stats, stats, db-stats and version answer as YOURLS does', async (t) => {
  const world = await openWorld(t)
  const { apiKey, post } = await world.member()
  const login = { username: 'me', password: apiKey }
  const links = []
  for (const slug of ['one', 'two', 'three']) {
    const link = { name: slug.toUpperCase(), destinationUrl: `https://example.com/${slug}`, slug }
    links.push((await post('/links', link)).body.data)
    world.clock.advance(1_000)
  }
  const date = links[0].createdAt.slice(0, 19).replace('T', ' ')

  for (const shorturl of ['one', 'ONE', links[0].shortUrl, `${world.origin}/one`]) {
    const { status, json } = await ask(world, { ...login, action: 'expand', shorturl })
    assert.equal(status, 200)
    assert.deepEqual(json, {
      keyword: 'one',
      shorturl: links[0].shortUrl,
      longurl: 'https://example.com/one',
      title: 'ONE',
      message: 'success',
      statusCode: '200',
    })
  }
  const simple = { ...login, action: 'expand', format: 'simple' }
  assert.equal((await ask(world, { ...simple, shorturl: 'two' })).text, 'https://example.com/two')
  assert.equal((await ask(world, { ...simple, shorturl: 'none' })).text, 'not found')
  for (const shorturl of [
    'none',
    '',
    'x'.repeat(300),
    'https://elsewhere.example/one',
    '..',
    '%zz',
  ]) {
    const expanded = await ask(world, { ...login, action: 'expand', shorturl })
    assert.deepEqual([expanded.status, expanded.json.errorCode], [404, '404'], shorturl)
    const counted = await ask(world, { ...login, action: 'url-stats', shorturl })
    assert.deepEqual([counted.status, counted.json.statusCode], [404, '404'], shorturl)
  }
  const of = await ask(world, { ...login, action: 'url-stats', shorturl: 'one' })
  assert.deepEqual(of.json.link, {
    shorturl: links[0].shortUrl,
    url: 'https://example.com/one',
    title: 'ONE',
    timestamp: date,
    ip: '',
    clicks: '0',
  })

  const listed = async (fields: Fields) => {
    const { json } = await ask(world, { ...login, action: 'stats', ...fields })
    assert.deepEqual(json.stats, { total_links: '3', total_clicks: '0' })
    return Object.values<{ title: string }>(json.links ?? {}).map(({ title }) => title)
  }
  assert.deepEqual(await listed({ filter: 'last', limit: '2' }), ['THREE', 'TWO'])
  assert.deepEqual(await listed({ filter: 'last', limit: '2', start: '2' }), ['ONE'])
  assert.equal((await listed({ filter: 'rand', limit: '2' })).length, 2)
  assert.equal((await listed({ filter: 'top', limit: '1000000' })).length, 3)
  assert.equal((await listed({ filter: 'bottom', limit: '10' })).length, 3)
  assert.deepEqual(await listed({}), [])

  const totals = await ask(world, { ...login, action: 'db-stats' })
  assert.deepEqual(totals.json['db-stats'], { total_links: '3', total_clicks: '0' })
  const { json } = await ask(world, { ...login, action: 'version', db: '1' })
  assert.deepEqual(Object.keys(json), ['version', 'db_version'])
  for (const action of ['', 'toString', 'nonsense']) {
    const answer = await ask(world, { ...login, action })
    assert.deepEqual([answer.status, answer.json.errorCode], [400, '400'])
  }
})

test('jsonp takes the name of a function alone, and xml has no markup of a title', async (t) => {
  const world = await openWorld(t)
  const { apiKey, post } = await world.member()
  const name = '</title><script>alert("1")</script> & \u2028'
  await post('/links', { name, destinationUrl: 'https://example.com/', slug: 'odd' })
  const fields = { password: apiKey, action: 'expand', shorturl: 'odd' }
  const jsonp = await ask(world, { ...fields, format: 'jsonp', callback: 'app.show' })
  assert.match(jsonp.headers.get('content-type')!, /^application\/javascript/)
  assert.ok(!/[<\u2028]/.test(jsonp.text))
  const shown = JSON.parse(jsonp.text.slice('/**/app.show('.length, -1))
  assert.deepEqual([shown.title, shown.callback], [name.trim(), 'app.show'])
  for (const callback of ['', 'alert(1)', 'a;b', '1a', 'a'.repeat(2_000), 'a..b']) {
    const refused = await ask(world, { ...fields, format: 'jsonp', callback })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /Invalid callback parameter/)
  }
  const xml = await ask(world, { ...fields, format: 'xml' })
  assert.match(xml.headers.get('content-type')!, /^application\/xml/)
  assert.match(
    xml.text,
    /<title>&#60;\/title&#62;&#60;script&#62;alert\(&#34;1&#34;\)&#60;\/script&#62; &#38;/,
  )
})

test('a signature is a second secret of one key, and its digests are those of YOURLS', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { apiKey } = owner
  const other = await world.member()
  const made = await ask(world, { password: apiKey, action: 'signature' }, 'POST')
  const { signature, apiUrl } = made.json
  const keyId = new URL(apiUrl).pathname.split('/').at(-1)!
  const action = 'version'
  for (const secret of [signature, apiKey])
    assert.equal((await ask(world, { action, signature: secret })).status, 200)

  const now = Math.floor(world.clock.now / 1_000)
  const sign = (algorithm: string, timestamp: number, secret = signature, isAfter = false) =>
    createHash(algorithm)
      .update(isAfter ? `${secret}${timestamp}` : `${timestamp}${secret}`)
      .digest('hex')
  const send = async (fields: Fields, id: string | null = keyId) => {
    const form = new URLSearchParams({ action, format: 'json', ...fields })
    const path = id === null ? '/yourls-api.php' : `/yourls-api.php/${id}`
    return (await fetch(`${world.origin}${path}?${form.toString()}`)).status
  }
  const timed = (algorithm: string, timestamp = now, isAfter = false) => ({
    timestamp: String(timestamp),
    signature: sign(algorithm, timestamp, signature, isAfter),
  })
  for (const algorithm of ['md5', 'sha256', 'sha384', 'sha512'])
    for (const isAfter of [false, true]) {
      assert.equal(await send(timed(algorithm, now, isAfter)), 200)
      assert.equal(await send({ ...timed(algorithm, now, isAfter), hash: algorithm }), 200)
    }
  assert.equal(await send({ ...timed('sha256'), username: keyId }, null), 200)

  const otherId = (await ask(world, { password: other.apiKey, action: 'signature' })).json.apiUrl
    .split('/')
    .at(-1)
  for (const [fields, id] of [
    [timed('sha256'), null],
    [timed('sha256'), otherId],
    [timed('sha256'), 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    [timed('sha256'), '%'],
    [timed('sha1'), keyId],
    [timed('sha256', now - 13 * 3_600), keyId],
    [timed('sha256', now + 13 * 3_600), keyId],
    [{ ...timed('sha256'), timestamp: String(now + 1) }, keyId],
    [{ ...timed('sha256'), hash: 'md5' }, keyId],
    [{ timestamp: String(now), signature }, keyId],
    [{ signature: `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}` }, null],
  ] as const)
    assert.equal(await send(fields, id), id === '%' ? 400 : 403, JSON.stringify([fields, id]))

  const session = await world.session(owner)
  await must(200, session.post(`/api-keys/${keyId}/rotate`))
  await eventually(async () => assert.equal(await send(timed('sha256')), 403))
  assert.equal(await send({ signature }), 403)
})

test('forms in parts are read, larger ones and files refused, and no log line has a key', async (t) => {
  const lines: string[] = []
  const world = await openWorld(t, {
    log: openLog('debug', { write: (line) => void lines.push(line) }),
  })
  const { apiKey } = await world.member()
  const send = async (body: FormData | string, type?: string) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const response = await fetch(`${world.origin}/yourls-api.php`, {
      method: 'POST',
      body,
      headers,
    })
    return { status: response.status, json: (await response.json()) as { status: string } }
  }
  const form = (fields: Fields) => {
    const parts = new FormData()
    for (const [name, value] of Object.entries({ format: 'json', ...fields }))
      parts.set(name, value)
    return parts
  }
  const url = 'https://example.com/parts'
  const fields = { action: 'shorturl', signature: apiKey, url }
  assert.equal((await send(form(fields))).json.status, 'success')
  await ask(world, { ...fields, url: `${url}/2` })
  await ask(world, { ...fields, signature: `${apiKey}x` })

  const large = `format=json&signature=${apiKey}&action=shorturl&url=${'x'.repeat(17_000)}`
  const refused = await fetch(`${world.origin}/yourls-api.php?format=json`, {
    method: 'POST',
    body: large,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.deepEqual(
    [refused.status, ((await refused.json()) as { errorCode: string }).errorCode],
    [413, '413'],
  )
  const withFile = form(fields)
  withFile.set('file', new Blob(['x']), 'x.txt')
  withFile.set('format', 'json')
  const file = await fetch(`${world.origin}/yourls-api.php?format=json`, {
    method: 'POST',
    body: withFile,
  })
  assert.deepEqual(
    [file.status, ((await file.json()) as { errorCode: string }).errorCode],
    [400, '400'],
  )

  const requests = lines.filter((line) => line.includes('yourls-api.php'))
  assert.ok(requests.length > 3)
  assert.ok(!lines.some((line) => line.includes(apiKey)))
})

test('a key reaches its own workspace, by its scopes, its addresses and its rate', async (t) => {
  const world = await openWorld(t, { config: { rateLimitApi: 20 } })
  const stage = await openStage(world)
  const stranger = await world.member()
  const made = await ask(world, {
    password: stage.cast.owner.apiKey,
    action: 'shorturl',
    url: 'https://example.com/own',
    keyword: 'own',
  })
  assert.equal(made.status, 200)
  const readOnly = await stage.keyWith('links:read')
  const url = 'https://example.com/new'
  const refused = await ask(world, { password: readOnly, action: 'shorturl', url })
  assert.deepEqual([refused.status, refused.json.errorCode], [403, '403'])
  assert.match(refused.json.message, /links:write/)
  assert.equal((await ask(world, { password: readOnly, action: 'db-stats' })).status, 403)

  const foreign = { password: stranger.apiKey, shorturl: 'own' }
  assert.equal((await ask(world, { ...foreign, action: 'expand' })).status, 404)
  assert.equal((await ask(world, { ...foreign, action: 'url-stats' })).status, 404)
  const taken = { password: stranger.apiKey, action: 'shorturl', url, keyword: 'own' }
  assert.equal((await ask(world, taken)).json.code, 'error:keyword')
  const same = { ...taken, url: 'https://example.com/own', keyword: 'other' }
  assert.equal((await ask(world, same)).json.status, 'success', 'links of others are not known')

  const statuses = []
  for (let i = 0; i < 25; i++) statuses.push(await ask(world, { ...foreign, action: 'expand' }))
  const limited = statuses.find(({ status }) => status === 429)!
  assert.equal(limited.json.errorCode, '429')
  assert.ok(Number(limited.headers.get('retry-after')) > 0)
})

test('the node of n8n shortens, expands, reads numbers and sees what failed', async (t) => {
  const world = await openWorld(t)
  const { apiKey } = await world.member()
  /** The request that the node sends: a GET with an empty object as its body, which `fetch` refuses to send. */
  const send = async (action: string, fields: Fields, signature = apiKey) => {
    const query = new URLSearchParams({ ...fields, action, signature, format: 'json' })
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const sent = request(`${world.origin}/yourls-api.php?${query.toString()}`, { headers })
    sent.setHeader('content-length', 2).end('{}')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, body: (await readJson(answer)) as Shown }
  }
  const succeed = async (action: string, fields: Fields) => {
    const { status, body } = await send(action, fields)
    assert.equal(status, 200, body.message)
    assert.notEqual(body.status, 'fail')
    return body
  }
  const url = 'https://example.com/n8n'
  const { shorturl } = await succeed('shorturl', { url, keyword: 'n8n', title: 'n8n' })
  assert.ok((await succeed('shorturl', { url: `${url}/2` })).shorturl)
  assert.equal((await succeed('expand', { shorturl })).longurl, url)
  assert.equal((await succeed('url-stats', { shorturl })).link.title, 'n8n')

  const taken = await send('shorturl', { url: `${url}/3`, keyword: 'n8n' })
  assert.deepEqual([taken.status, taken.body.status], [400, 'fail'])
  assert.equal((await send('expand', { shorturl: 'none' })).status, 404)
  assert.equal((await send('expand', { shorturl }, 'wrong')).status, 403)
})

test('parallel requests for one new address make one link, and a known one keeps its name', async (t) => {
  const world = await openWorld(t)
  const { apiKey, get } = await world.member()
  const fields = { password: apiKey, action: 'shorturl', url: 'https://example.com/once' }
  const titles = ['a', 'b', 'c', 'd']
  const answers = await Promise.all(titles.map((title) => ask(world, { ...fields, title })))
  assert.equal(answers.filter(({ json }) => json.status === 'success').length, 1)
  assert.equal(answers.filter(({ json }) => json.code === 'error:url').length, 3)
  const { data } = (await get('/links')).body
  assert.equal(data.length, 1)
  for (const { json } of answers) assert.equal(json.title, data[0].name)
})
