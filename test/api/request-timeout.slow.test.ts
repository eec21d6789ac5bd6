import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createRequestTimeout } from '../../src/api/requests/bounds.ts'
import { openProxy, targetOf } from '../support/database-proxy.ts'
import { freshDatabases } from '../support/engines.ts'
import { eventually, openWorld } from '../support/world.ts'

const isUnavailable = { name: 'ApiError', code: 'UNAVAILABLE' }
/** A database that hangs answers nothing, so without a timeout of ours no response would ever come. */
const ENDS = { timeout: 120_000 }
const NEW = { name: 'Docs', destinationUrl: 'https://example.com' }

test(
  'a hung PostgreSQL is a 503 within seconds, and over when it answers again',
  ENDS,
  async (t) => {
    const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
    const proxy = await openProxy(t, postgresUrl)
    const config = { databaseUrl: proxy.url, clickhouseUrl }
    const world = await openWorld(t, { config, isClockReal: true })
    const owner = await world.member()
    const { body: link } = await owner.post('/links', NEW)
    const path = `/links/${link.data.id}`

    proxy.hold()
    const hung = await Promise.all([
      ...Array.from({ length: 150 }, () => owner.get(path)),
      // Of lists only so many wait, and the rest is refused at once.
      ...Array.from({ length: 30 }, () => owner.get('/links')),
    ])
    for (const { status, headers, body } of hung) {
      assert.equal(status, 503)
      assert.equal(body.error.code, 'UNAVAILABLE')
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    }
    proxy.release()
    for (const each of [path, '/links'])
      await eventually(async () => assert.equal((await owner.get(each)).status, 200))
  },
)

test('a hung or dead ClickHouse is a 503 for analytics alone', ENDS, async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const wire = await openWire(t, clickhouseUrl)
  const config = { databaseUrl: postgresUrl, clickhouseUrl: wire.url }
  const world = await openWorld(t, { config, isClockReal: true })
  const owner = await world.member()
  const { body: link } = await owner.post('/links', NEW)
  const path = `/analytics/links/${link.data.id}`
  assert.equal((await owner.get(path)).status, 200)

  wire.state = 'hung'
  // Different questions, since the answer to the first one is kept for a second.
  const asked = Array.from({ length: 20 }, (_, at) => owner.get(`${path}?days=${at + 1}`))
  const hung = await Promise.all(asked)
  for (const { status, headers } of hung) {
    assert.equal(status, 503)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  }
  assert.equal((await owner.get('/links')).status, 200)

  wire.state = 'dead'
  wire.cut()
  assert.equal((await owner.get(`${path}?days=40`)).status, 503)

  wire.state = 'open'
  await eventually(async () => assert.equal((await owner.get(path)).status, 200))
})

test('an owner with too much unfinished work is refused until some of it ends', async () => {
  const timeout = createRequestTimeout({ limitMs: 20, maxAbandonedPerOwner: 2 })
  const ends: (() => void)[] = []
  let begun = 0
  const work = () => {
    begun++
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  const late = () => assert.rejects(timeout('wsp_one', undefined, work), isUnavailable)
  await Promise.all([late(), late()])
  await late()
  assert.equal(begun, 2)
  assert.equal(await timeout('wsp_two', undefined, async () => 'done'), 'done')
  ends[0]!()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await timeout('wsp_one', undefined, async () => 'done'), 'done')
  await assert.rejects(
    timeout('wsp_one', undefined, () => Promise.reject(new Error('own'))),
    { message: 'own' },
  )
})

test('unfinished work of all owners together has a bound, far above that of one owner', async () => {
  const bounds = { limitMs: 5, maxAbandonedPerOwner: 2, maxAbandoned: 6 }
  const timeout = createRequestTimeout(bounds)
  const never = () => new Promise<never>(() => {})
  const owners = ['one', 'two', 'three']
  await Promise.all(
    [...owners, ...owners].map((owner) =>
      assert.rejects(timeout(owner, undefined, never), isUnavailable),
    ),
  )
  await assert.rejects(
    timeout('four', undefined, async () => 'refused'),
    isUnavailable,
  )
})

test('work that never ends is no longer counted after some time', async () => {
  const timeout = createRequestTimeout({ limitMs: 5, maxAbandonedPerOwner: 1, forgetAfterMs: 30 })
  await assert.rejects(
    timeout('one', undefined, () => new Promise(() => {})),
    isUnavailable,
  )
  await assert.rejects(
    timeout('one', undefined, async () => 'refused'),
    isUnavailable,
  )
  await eventually(async () =>
    assert.equal(await timeout('one', undefined, async () => 'again'), 'again'),
  )
})

test('the signal of work is aborted at the timeout, and when its client disconnects', async () => {
  const timeout = createRequestTimeout({ limitMs: 20, maxAbandonedPerOwner: 1 })
  const untilStopped = (stop: AbortSignal) =>
    new Promise<void>((_resolve, reject) =>
      stop.addEventListener('abort', () => reject(new Error('stopped'))),
    )
  // Work that ends with its signal is not abandoned, so that no call is refused.
  for (let i = 0; i < 3; i++)
    await assert.rejects(timeout('one', undefined, untilStopped), isUnavailable)
  const client = new AbortController()
  const running = timeout('one', client.signal, untilStopped)
  client.abort()
  await assert.rejects(running, { message: 'stopped' })
})

type Wire = { url: string; state: 'open' | 'hung' | 'dead'; cut(): void }

/** A proxy between a client and ClickHouse; hung, it receives and sends nothing. */
async function openWire(t: TestContext, clickhouseUrl: string): Promise<Wire> {
  const target = targetOf(clickhouseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (wire.state === 'dead') return client.destroy()
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk) => wire.state === 'open' && upstream.write(chunk))
    upstream.on('data', (chunk) => client.write(chunk))
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(clickhouseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  url.search = ''
  const wire: Wire = {
    url: url.href,
    state: 'open',
    cut: () => sockets.forEach((socket) => socket.destroy()),
  }
  t.after(() => {
    wire.cut()
    server.close()
  })
  return wire
}
