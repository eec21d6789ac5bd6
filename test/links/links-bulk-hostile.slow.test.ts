import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../support/world.ts'

const ROWS = 50
const NEW = { name: 'Docs', destinationUrl: 'https://example.com/docs' }

test('bulk requests of one workspace and the work of others', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { config: { rateLimitApi: 100_000 } })
  const { sql } = world

  await t.test(
    'a hundred at a time are answered, and others are answered beside them',
    async () => {
      const [hostile, other] = [await world.member(), await world.member()]
      const links = Array.from({ length: ROWS }, (_, i) => ({ ...NEW, name: `Link ${i}` }))
      let running = 100
      const flood = Promise.all(
        Array.from({ length: running }, async () => {
          const answer = await hostile.post('/links/bulk', { links })
          running--
          return answer
        }),
      )
      const left: number[] = []
      for (let i = 0; i < 5; i++) {
        const { status } = await other.post('/links', NEW)
        assert.equal(status, 201)
        left.push(running)
      }
      // All of them were answered while a part of the flood still waited for its turn.
      assert.ok(left.at(-1)! > 0, left.join())
      for (const { status, body } of await flood) {
        if (status === 200) assert.equal(body.meta.failed, 0)
        else assert.ok([429, 503].includes(status), JSON.stringify(body))
      }
      const [{ links: made, addresses, audited, events }] = (await sql`
      select (select count(*)::int from links where workspace_id = ${hostile.workspaceId}) as links,
        (select count(*)::int from link_addresses where workspace_id = ${hostile.workspaceId}) as addresses,
        (select count(*)::int from audit_log where workspace_id = ${hostile.workspaceId}
          and action = 'link.created') as audited,
        (select count(*)::int from events where workspace_id = ${hostile.workspaceId}) as events`) as [
        Record<string, number>,
      ]
      assert.equal(made! % ROWS, 0)
      assert.deepEqual([addresses, audited, events], [made, made, made])
    },
  )

  await t.test('large bodies of one workspace are refused beyond a bound', async () => {
    const hostile = await world.member()
    const metadata = { text: 'x'.repeat(9_000) }
    const body = { links: Array.from({ length: 400 }, () => ({ ...NEW, name: '', metadata })) }
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => hostile.post('/links/bulk', body)),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    assert.ok(statuses.has(429), [...statuses].join())
    assert.ok(
      [...statuses].every((status) => [200, 429].includes(status)),
      [...statuses].join(),
    )
    const { status, body: large } = await hostile.post('/links/bulk', {
      links: Array.from({ length: 500 }, () => ({ ...NEW, metadata })),
    })
    assert.deepEqual([status, large.error.code], [413, 'PAYLOAD_TOO_LARGE'])
  })

  await t.test('a thousand links with most of the options fit into one request', async () => {
    const owner = await world.member()
    const links = Array.from({ length: 1_000 }, (_, i) => ({
      ...NEW,
      destinationUrl: `https://example.com/${'path/'.repeat(50)}${i}`,
      slug: `full-${i}`,
      aliases: [`alias-${i}-a`, `alias-${i}-b`],
      externalId: `crm-${i}`,
      tags: ['one', 'two', 'three'],
      metadata: { team: 'growth', n: i },
      maxClicks: 10,
      expiresAt: '2090-01-01T00:00:00.000Z',
      rules: [
        { name: 'R', conditions: { country: ['DE'] }, destinationUrl: 'https://example.com/de' },
      ],
      variants: ['a', 'b'].map((name) => ({
        name,
        destinationUrl: `https://example.com/${name}`,
        weight: 50,
      })),
      utmSource: 'news',
    }))
    const made = await owner.post('/links/bulk', { links })
    assert.equal(made.status, 200, JSON.stringify(made.body).slice(0, 500))
    assert.equal(made.body.meta.succeeded, 1_000)
    const ids = made.body.data.map(({ id }: { id: string }) => id)
    const changed = await owner.patch('/links/bulk', {
      ids,
      data: { maxClicks: null, tags: ['x'] },
    })
    assert.equal(changed.body.meta.succeeded, 1_000)
    const deleted = await owner.delete('/links/bulk', { ids })
    assert.equal(deleted.body.meta.succeeded, 1_000)
    const left = await sql`select from link_quotas where workspace_id = ${owner.workspaceId}`
    assert.equal(left.length, 0)
  })

  await t.test('of parallel requests with one Idempotency-Key one has an effect', async () => {
    const owner = await world.member()
    const body = { links: [NEW, { ...NEW, slug: '?' }, NEW] }
    const send = () => owner.post('/links/bulk', body, { 'idempotency-key': 'bulk-1' })
    const answers = await Promise.all(Array.from({ length: 10 }, send))
    for (const { status } of answers) assert.ok([200, 409].includes(status))
    const replayed = await send()
    const first = answers.find(({ status }) => status === 200)!
    assert.deepEqual(replayed.body.data, first.body.data)
    assert.equal(replayed.body.meta.failed, 1)
    const links = await sql`select from links where workspace_id = ${owner.workspaceId}`
    assert.equal(links.length, 2)
  })
})
