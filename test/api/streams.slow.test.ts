import assert from 'node:assert/strict'
import { request as sendRequest, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { Type } from 'typebox'
import { openLog } from '../../src/platform/core/log.ts'
import { page, route, type Route, type StoredFile } from '../../src/platform/routes/route.ts'
import { eventually } from '../support/eventually.ts'
import { openEchoGateway, openEchoServices, openEchoWhole } from '../support/echo-servers.ts'

const KIB = 1024
const common = { summary: '', description: '', tag: 'Test' }
const requires = { credential: 'any', role: 'viewer' } as const
const MEMBER = { authorization: 'Bearer member' }
const ETAG = 'abc123'

/** Generators of `/lines`: those that run, their parts, and the times that a signal ended. */
type Seen = { open: number; parts: number; aborted: number }

/** Of `/numbers`. */
const numbers = { clicks: 0, asOf: 0 }

function createRows(seen: Seen): Route[] {
  async function* lines(count: number, pauseMs: number) {
    seen.open++
    try {
      for (let i = 0; i < count; i++) {
        if (pauseMs > 0) await delay(pauseMs)
        seen.parts++
        yield `${String(i).padStart(9, '0')}${'x'.repeat(KIB - 10)}\n`
      }
    } finally {
      seen.open--
    }
  }
  async function* failing(count: number) {
    yield* lines(count, 0)
    throw new Error('the source is gone')
  }
  const stream = (
    address: `GET /${string}`,
    body: () => AsyncIterable<string>,
    filename?: string,
  ) =>
    route(address, {
      ...common,
      name: 'stream',
      requires,
      limits: { timeoutMs: 300 },
      sends: ['text/csv'],
      shapes: {},
      handle: async (_who, _input, signal) => {
        signal!.addEventListener('abort', () => seen.aborted++)
        return {
          contentType: 'text/csv; charset=utf-8',
          body: body(),
          ...(filename !== undefined && { filename }),
        }
      },
    })
  return [
    longLived(seen),
    stream('GET /lines', () => lines(3_000, 0), 'Größe "1"/..\\x.csv'),
    stream('GET /endless', () => lines(1_000_000, 0)),
    stream('GET /longer', () => lines(10, 50)),
    stream('GET /failing', () => failing(500)),
    stream('GET /failing-first', () => failing(0), 'a.csv'),
    stream('GET /hanging', async function* () {
      yield 'a\n'
      await new Promise(() => {})
    }),
    route('GET /picture', {
      ...common,
      name: 'picture',
      requires,
      sends: ['image/png'],
      shapes: {},
      handle: async () => ({ contentType: 'image/png', body: Buffer.from('png'), etag: ETAG }),
    }),
    route('GET /numbers', {
      ...common,
      name: 'numbers',
      requires,
      etagWithout: ['asOf'],
      shapes: {
        reply: Type.Object({ clicks: Type.Integer() }),
        meta: Type.Object({ asOf: Type.Integer() }),
      },
      handle: async () => page({ clicks: numbers.clicks }, { asOf: ++numbers.asOf }),
    }),
    route('GET /file', {
      ...common,
      name: 'file',
      requires,
      sends: ['image/png'],
      shapes: {},
      handle: async () => ({
        contentType: 'image/png',
        body: createFile('0123456789'),
        etag: ETAG,
      }),
    }),
    route('GET /undeclared', {
      ...common,
      name: 'undeclared',
      requires,
      sends: ['image/png'],
      shapes: {},
      handle: async () => ({ contentType: 'text/html', body: Buffer.from('<script>') }),
    }),
  ]
}

function createFile(text: string): StoredFile {
  async function* read(from: number, to: number) {
    for (let at = from; at < to; at++) yield Buffer.from(text[at]!)
  }
  return { size: text.length, read }
}

async function openBoth(t: TestContext) {
  const seen: Seen = { open: 0, parts: 0, aborted: 0 }
  const lines: { level: string; msg: string; err?: { message: string } }[] = []
  const log = openLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const routes = createRows(seen)
  const services = await openEchoServices(t, undefined, { routes, log })
  return {
    seen,
    lines,
    services,
    origins: {
      whole: (await openEchoWhole(t, { routes, log })).origin,
      pair: (await openEchoGateway(t, services.origin, { routes, log })).origin,
    },
  }
}

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers: { ...MEMBER, ...headers } })

test('a stream arrives whole, with its type and name, and takes longer than the limit of an answer', async (t) => {
  const { origins, seen } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    const answer = await get(`${origin}/v1/lines`)
    const text = await answer.text()
    assert.equal(text.length, 3_000 * KIB, name)
    assert.equal(text.slice(-KIB, -KIB + 9), '000002999')
    const { headers } = answer
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="Gr__e _1_.._x.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20_1_.._x.csv`,
    )
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
    const longer = await (await get(`${origin}/v1/longer`)).text()
    assert.equal(longer.length, 10 * KIB, name)
    await eventually(async () => assert.equal(seen.open, 0))
  }
})

test('HEAD of a stream has its headers and does not run it', async (t) => {
  const { origins, seen } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    const { status, headers } = await get(`${origin}/v1/lines`, {}, 'HEAD')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(seen.parts, 0)
  }
  await eventually(async () => assert.equal(seen.aborted, 2))
})

test('bytes have an ETag, and a client that has them gets a 304', async (t) => {
  const { origins } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    const url = `${origin}/v1/picture`
    const answer = await get(url)
    assert.equal(await answer.text(), 'png')
    assert.equal(answer.headers.get('etag'), `"${ETAG}"`, name)
    assert.equal(answer.headers.get('content-length'), '3')
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
    assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'/)
    for (const known of [`"${ETAG}"`, `W/"${ETAG}"`, `"other", "${ETAG}"`, '*'])
      for (const method of ['GET', 'HEAD']) {
        const again = await get(url, { 'if-none-match': known }, method)
        assert.deepEqual([again.status, await again.text()], [304, ''], `${name} ${known}`)
        assert.equal(again.headers.get('etag'), `"${ETAG}"`)
      }
    assert.equal((await get(url, { 'if-none-match': '"other"' })).status, 200)
    const head = await get(url, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '3'])
  }
})

test('an answer with an ETag is a 304 until its numbers change, however its time moves on', async (t) => {
  const { origins } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    const url = `${origin}/v1/numbers`
    const answer = await get(url)
    const etag = answer.headers.get('etag')!
    assert.match(etag, /^W\/"[\w-]{22}"$/, name)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const again = await get(url, { 'if-none-match': etag })
    assert.deepEqual([again.status, await again.text()], [304, ''], name)
    assert.equal(again.headers.get('etag'), etag)
    assert.match(again.headers.get('x-request-id')!, /^req_/)
    numbers.clicks++
    const changed = await get(url, { 'if-none-match': etag })
    assert.equal(changed.status, 200, name)
    assert.notEqual(changed.headers.get('etag'), etag)
  }
})

test('a part of a stored file is sent, unless the client has a part of another file', async (t) => {
  const { origins } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    const ask = async (headers: Record<string, string>) => {
      const answer = await get(`${origin}/v1/file`, headers)
      return [answer.status, answer.headers.get('content-range'), await answer.text()]
    }
    const part = [206, 'bytes 2-4/10', '234']
    assert.deepEqual(await ask({ range: 'bytes=2-4' }), part, name)
    assert.deepEqual(await ask({ range: 'bytes=2-4', 'if-range': `"${ETAG}"` }), part, name)
    assert.deepEqual(
      await ask({ range: 'bytes=2-4', 'if-range': '"other"' }),
      [200, null, '0123456789'],
      name,
    )
    const [status, size] = await ask({ range: 'bytes=10-' })
    assert.deepEqual([status, size], [416, 'bytes */10'], name)
    const known = await get(`${origin}/v1/file`, { range: 'bytes=2-4', 'if-none-match': '*' })
    assert.equal(known.status, 304, name)
    const head = await get(`${origin}/v1/file`, { range: 'bytes=2-4' }, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'], name)
  }
})

test('an answer of a type that its route does not declare is never sent', async (t) => {
  const { origins } = await openBoth(t)
  for (const origin of Object.values(origins))
    assert.equal((await get(`${origin}/v1/undeclared`)).status, 500)
})

test('a failure in the middle cuts the answer and is logged; one before it is an error as everywhere', async (t) => {
  const { origins, lines, seen } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    lines.length = 0
    const answer = await get(`${origin}/v1/failing`)
    assert.equal(answer.status, 200)
    await assert.rejects(answer.text(), name)
    await eventually(async () =>
      assert.ok(lines.some(({ err }) => err?.message === 'the source is gone')),
    )
    const hanging = await get(`${origin}/v1/hanging`)
    await assert.rejects(hanging.text(), name)
    const first = await get(`${origin}/v1/failing-first`)
    assert.equal(first.status, 500, name)
    assert.equal(first.headers.get('content-disposition'), null)
    const { error } = (await first.json()) as { error: { code: string } }
    assert.equal(error.code, 'INTERNAL_ERROR')
    await eventually(async () => assert.equal(seen.open, 0))
  }
})

test('a client that disconnects ends the source', async (t) => {
  const { origins, seen, lines } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    const aborted = seen.aborted
    const client = new AbortController()
    const answer = await fetch(`${origin}/v1/endless`, { headers: MEMBER, signal: client.signal })
    const reader = answer.body!.getReader()
    await reader.read()
    assert.equal(seen.open, 1)
    client.abort()
    await reader.read().catch(() => {})
    await eventually(async () => assert.deepEqual([seen.open, seen.aborted], [0, aborted + 1]))
  }
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('a slow reader holds the source back', async (t) => {
  const { origins, seen } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    seen.parts = 0
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      sendRequest(`${origin}/v1/endless`, { headers: MEMBER, agent: false })
        .on('response', resolve)
        .on('error', reject)
        .end(),
    )
    response.pause()
    let before = -1
    // The buffers of the kernel fill, and then nothing moves.
    await eventually(async () => {
      const now = seen.parts
      await delay(300)
      before = seen.parts
      assert.equal(before, now)
    })
    assert.ok(before < 200_000, `${before} KiB were produced for a reader that takes nothing`)
    assert.equal(seen.open, 1)
    response.destroy()
    await eventually(async () => assert.equal(seen.open, 0))
  }
})

test('services that die in the middle of a stream cut the answer of the gateway', async (t) => {
  const { origins, services, seen } = await openBoth(t)
  const answer = await get(`${origins.pair}/v1/endless`)
  const reader = answer.body!.getReader()
  await reader.read()
  for (const { socket } of services.arrived) socket.destroy()
  await assert.rejects(async () => {
    while (!(await reader.read()).done);
  })
  await eventually(async () => assert.equal(seen.open, 0))
})

test('long-lived answers hold no connection that other routes wait for', async (t) => {
  const { origins, seen } = await openBoth(t)
  const clients = new AbortController()
  const { signal } = clients
  const open = Array.from({ length: 150 }, () =>
    fetch(`${origins.pair}/v1/events`, { headers: MEMBER, signal }),
  )
  const answers = await Promise.all(open)
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(seen.open, 150)
  const echo = await get(`${origins.pair}/v1/echo`)
  assert.equal(echo.status, 200)
  await echo.text()
  clients.abort()
  await eventually(async () => assert.equal(seen.open, 0))
})

test('a gateway that stops ends event streams as whole answers', async (t) => {
  const seen: Seen = { open: 0, parts: 0, aborted: 0 }
  const routes = createRows(seen)
  const services = await openEchoServices(t, undefined, { routes })
  const { origin, forwarder } = await openEchoGateway(t, services.origin, { routes })
  const answer = await get(`${origin}/v1/events`)
  const text = answer.text()
  forwarder.endEvents()
  assert.match(await text, /^(: open\n\n)?$/)
  await eventually(async () => assert.equal(seen.open, 0))
})

/** Events of which none happens. */
function longLived(seen: Seen): Route {
  return route('GET /events', {
    ...common,
    name: 'events',
    requires,
    isLongLived: true,
    skipConcurrencyLimit: true,
    sends: ['text/event-stream'],
    shapes: {},
    handle: async (_who, _input, signal) => {
      async function* body() {
        seen.open++
        try {
          yield ': open\n\n'
          await new Promise((_resolve, reject) =>
            signal!.addEventListener('abort', () => reject(new Error('left'))),
          )
        } finally {
          seen.open--
        }
      }
      return { contentType: 'text/event-stream', body: body() }
    },
  })
}
