import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import { turnedClock } from '../support/clock.ts'
import { createOutbox } from '../../src/webhooks/delivery/outbox.ts'
import { sign } from '../../src/webhooks/delivery/signature.ts'
import { listen } from '../../src/operator/command-line/listen.ts'
import { openPlainReceiver } from '../support/delivery-world.ts'
import { eventually, openWorld } from '../support/world.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'

const link = (name: string) => ({ name, destinationUrl: 'https://example.com/' })

test('a listener gets every event once, in any order of commits', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const ask = async (cursor?: string, events = '*', waitSeconds = 0) => {
    const query = new URLSearchParams({ events, waitSeconds: String(waitSeconds) })
    if (cursor !== undefined) query.set('cursor', cursor)
    const { status, body } = await owner.get(`/webhooks/listen?${query.toString()}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data as {
      cursor: string
      events: { id: string; type: string; createdAt: string; payload: string }[]
    }
  }
  const publish = createOutbox(turnedClock(() => world.clock.now))
  const event = (id: string) => ({
    type: 'domain.failed' as const,
    workspaceId: owner.workspaceId,
    data: { id },
    id: `evt_${id}`,
  })

  await t.test('nothing of before, then what comes, of the types asked for', async () => {
    await owner.post('/links', link('before'))
    const start = await ask()
    assert.deepEqual(start.events, [])
    await owner.post('/links', link('after'))
    const stranger = await world.member()
    await stranger.post('/links', link('elsewhere'))
    const [heard, ...others] = (await ask(start.cursor)).events
    assert.deepEqual(others, [])
    assert.equal(heard!.type, 'link.created')
    assert.equal(JSON.parse(heard!.payload).name, 'after')
    assert.deepEqual((await ask(start.cursor, 'link.deleted, domain.failed')).events, [])
    assert.equal((await ask(start.cursor, 'link.deleted,link.created')).events.length, 1)
  })

  await t.test('an event that is committed late is not passed by', async () => {
    let { cursor } = await ask()
    await inTransaction(world.sql, async (tx) => {
      await publish(tx as never, event('late'))
      world.clock.advance(1_000)
      await inTransaction(world.sql, (other) => publish(other as never, event('early')))
      const heard = await ask(cursor)
      assert.deepEqual(
        heard.events.map((each) => each.id),
        ['evt_early'],
      )
      cursor = heard.cursor
    })
    const heard = await ask(cursor)
    assert.deepEqual(
      heard.events.map((each) => each.id),
      ['evt_late'],
    )
    assert.deepEqual((await ask(heard.cursor)).events, [])
  })

  await t.test('many events come in pages, and later events come after them', async () => {
    let { cursor } = await ask()
    // All of one millisecond, since the clock does not move.
    const ids = Array.from({ length: 250 }, () => newId('x', world.clock.now))
    await inTransaction(world.sql, (tx) => publish(tx as never, ...ids.map(event)))
    const seen: string[] = []
    for (const size of [100, 100, 51]) {
      const heard = await ask(cursor)
      seen.push(...heard.events.map((each) => each.id))
      cursor = heard.cursor
      if (seen.length === 100)
        await inTransaction(world.sql, (tx) => publish(tx as never, event('meanwhile')))
      assert.equal(heard.events.length, seen.length === 250 ? 50 : size === 51 ? 1 : 100)
    }
    const rest = await ask(cursor)
    seen.push(...rest.events.map((each) => each.id))
    assert.equal(seen.length, 251)
    assert.equal(new Set(seen).size, 251)
    assert.equal(seen.at(-1), 'evt_meanwhile')
  })

  await t.test('it waits for the first event, and no longer than it was told', async () => {
    const { cursor } = await ask()
    const waiting = ask(cursor, 'link.created', 8)
    await owner.post('/links', link('waited for'))
    assert.equal((await waiting).events.length, 1)
    assert.equal((await ask((await waiting).cursor, '*', 1)).events.length, 0)
  })

  await t.test('an invalid cursor, type or time is refused', async () => {
    const { cursor } = await ask()
    const [payload, mac] = cursor.split('.')
    const forged = (change: object) => {
      const value = JSON.parse(Buffer.from(payload!, 'base64url').toString())
      return Buffer.from(JSON.stringify({ ...value, ...change })).toString('base64url')
    }
    const withNul = forged({ page: { moment: '1:1:', createdAtMs: Date.now(), id: '\0' } })
    const stranger = await world.member()
    const foreign = (await stranger.get('/webhooks/listen?waitSeconds=0')).body.data.cursor
    const queries = [
      'cursor=x',
      `cursor=${withNul}`,
      `cursor=${withNul}.${mac}`,
      `cursor=${payload}`,
      `cursor=${payload}.`,
      `cursor=${forged({ seen: "1:2:'" })}.${mac}`,
      `cursor=${forged({ seenAtMs: 1e300 })}.${mac}`,
      `cursor=${foreign}`,
      'events=link.moved',
      'waitSeconds=9',
      'waitSeconds=-1',
    ]
    for (const query of queries)
      assert.equal((await owner.get(`/webhooks/listen?${query}`)).status, 400, query)
  })
})

test('the command forwards events as deliveries, signed with the secret that it prints', async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  let status = 200
  const receiver = await openPlainReceiver(t, () => status)
  const stopping = new AbortController()
  let said = ''
  const args = ['--to', receiver.url, '--url', world.origin, '--api-key', owner.apiKey]
  const running = listen([...args, '--events', 'link.created,link.deleted'], {
    say: (text) => void (said += text),
    signal: stopping.signal,
  })
  await eventually(async () => assert.match(said, /Signing secret: whsec_/))
  const made = await owner.post('/links', link('forwarded'))
  await owner.patch(`/links/${made.body.data.id}`, { name: 'not asked for' })
  await eventually(async () => assert.equal(receiver.arrivals.length, 1))
  status = 500
  await owner.delete(`/links/${made.body.data.id}`)
  await eventually(async () => assert.equal(receiver.arrivals.length, 2))

  const [{ headers, body }, second] = receiver.arrivals as [
    (typeof receiver.arrivals)[0],
    (typeof receiver.arrivals)[0],
  ]
  const sent = JSON.parse(body)
  assert.deepEqual(Object.keys(sent), [
    'id',
    'type',
    'workspaceId',
    'endpointId',
    'attempt',
    'createdAt',
    'data',
  ])
  assert.deepEqual([sent.attempt, sent.workspaceId], [1, owner.workspaceId])
  assert.equal(sent.data.name, 'forwarded')
  assert.equal(headers['user-agent'], 'Service-Webhooks/1.0')
  assert.equal(headers['x-service-event'], 'link.created')
  assert.match(String(headers['x-service-event-id']), /^evt_/)
  const secret = /Signing secret: (\S+)/.exec(said)![1]!
  const timestamp = Number(headers['x-service-timestamp'])
  assert.equal(headers['x-service-signature'], sign(secret, timestamp, body))
  assert.equal(JSON.parse(second.body).type, 'link.deleted')
  await eventually(async () => {
    assert.match(said, /link\.created evt_\w+ → 200 in \d+ ms: thanks/)
    assert.match(said, /link\.deleted evt_\w+ → 500 in/)
  })
  assert.ok(!said.includes(owner.apiKey))
  stopping.abort()
  await running
})

test('the command says in a sentence what is wrong', async (t) => {
  const world = await openWorld(t)
  const viewer = await world.member({ role: 'viewer' })
  const to = ['--to', 'http://localhost:4000/hook']
  const key = ['--api-key', viewer.apiKey]
  const refused: [string[], RegExp][] = [
    [key, /--to URL/],
    [[...to], /SIGNPOST_API_KEY/],
    [['--to', 'localhost:4000', ...key], /--to must be a URL/],
    [[...to, ...key, '--url', 'ftp://example.com'], /--url must be a URL/],
    [[...to, '--api-key', 'wrong', '--url', world.origin], /API key is not valid/],
    [[...to, ...key, '--url', world.origin], /may not|role/],
    [[...to, ...key, '--url', 'http://127.0.0.1:9'], /There is no server at/],
    [[...to, ...key, '--url', world.origin, '--events', 'x'], /may not|event type|role/],
  ]
  for (const [args, sentence] of refused)
    await assert.rejects(listen(args), { name: 'OperatorError', message: sentence })
})
