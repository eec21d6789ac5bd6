import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeOfUlid, ulid } from '../../src/platform/core/ids.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createSignClick, SP_ID_PURPOSE } from '../../src/platform/facts/click-identity.ts'
import { ClickLookup } from '../../src/conversions/conversions/clicks.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { must } from '../support/calls.ts'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'
import { DAY_MS, MINUTE_MS } from '../../src/platform/core/clock.ts'
import { insertRows, selectRows } from '../support/click-rows.ts'

const SECRET_KEY = 'a secret key of the tests of conversions'
const DESTINATION = 'https://shop.example.com/'

const sign = createSignClick(createSecrets(SECRET_KEY).keyFor(SP_ID_PURPOSE))

type Row = Record<string, unknown>

/** A link that hands over the ids of its clicks. */
async function makeLink(owner: Member, fields: object = {}) {
  const link = { name: 'Shop', destinationUrl: DESTINATION, trackConversions: true, ...fields }
  const { status, body } = await owner.post('/links', link)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data as { id: string; slug: string; shortUrl: string }
}

/** Visits a link: the `sp_id` that its destination gets. */
async function visit(world: World, slug: string): Promise<string> {
  const answer = await fetch(`${world.origin}/${slug}`, { redirect: 'manual' })
  return new URL(answer.headers.get('location')!).searchParams.get('sp_id')!
}

/** Waits until the click of an `sp_id` is stored. */
async function stored(world: World, spId: string): Promise<void> {
  await eventually(async () => {
    assert.equal(
      (
        await selectRows(world.clickhouse, 'select 1 from clicks where click_id = {id:String}', {
          id: spId.slice(0, 26),
        })
      ).length,
      1,
    )
  })
}

test('conversions', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { config: { secretKey: SECRET_KEY } })
  const report = async (owner: Member, fields: object, headers?: Record<string, string>) => {
    // Ids of one millisecond are in no order.
    world.clock.advance(1)
    const { status, body } = await owner.send(
      'POST',
      '/conversions',
      {
        eventName: 'Purchase',
        ...fields,
      },
      headers,
    )
    assert.equal(status, 202, JSON.stringify(body))
    return body.data
  }
  const refused = async (owner: Member, fields: object) => {
    const { status, body } = await owner.post('/conversions', { eventName: 'Purchase', ...fields })
    return [status, body.error?.details[0]?.path]
  }
  const eventsOf = async (owner: Member) => {
    const rows = await world.sql<{ data: string }[]>`
      select data from events
      where workspace_id = ${owner.workspaceId} and type = 'conversion.received' order by id`
    return rows.map(({ data }) => JSON.parse(data) as Row)
  }
  const reasonsOf = async (owner: Member) => {
    const rows = await world.sql<{ reason: string }[]>`
      select reason from conversions where workspace_id = ${owner.workspaceId} order by id`
    return rows.map(({ reason }) => reason)
  }
  /** Stores a click of the time in its id. */
  const storeClick = (owner: Member, link: { id: string; slug: string }, clickId: string) =>
    insertRows(world.clickhouse, 'clicks', [
      {
        workspace_id: owner.workspaceId,
        link_id: link.id,
        click_id: clickId,
        at: new Date(timeOfUlid(clickId) + 20).toISOString().replace('T', ' ').replace('Z', ''),
        segment: 'test-1',
        kind: 'human',
        slug: link.slug,
        country: 'DE',
      },
    ])
  const withClick = async () => {
    const owner = await world.member()
    const link = await makeLink(owner)
    const spId = await visit(world, link.slug)
    await stored(world, spId)
    return { owner, link, spId, clickId: spId.slice(0, 26) }
  }

  await t.test('a sale with the sp_id of a click is attributed, and published once', async () => {
    const { owner, link, spId, clickId } = await withClick()
    const sale = {
      eventId: 'order-1',
      clickId: spId,
      value: 4_900,
      currency: 'EUR',
      customerId: 'ada',
      customer: { name: 'Ada' },
      metadata: { items: 2 },
      occurredAt: new Date(world.clock.now - MINUTE_MS).toISOString(),
    }
    const made = await report(owner, sale)
    assert.deepEqual(made, {
      id: made.id,
      eventId: 'order-1',
      duplicate: false,
      attributed: true,
      linkId: link.id,
      clickId,
    })
    assert.deepEqual(await report(owner, { ...sale, value: 1, eventName: 'Other' }), {
      ...made,
      duplicate: true,
    })
    const { occurredAt, customer, metadata, customerId } = sale
    assert.deepEqual(await eventsOf(owner), [
      {
        id: made.id,
        eventId: 'order-1',
        eventName: 'Purchase',
        type: 'sale',
        value: 4_900,
        currency: 'eur',
        clickId,
        link: { id: link.id, slug: link.slug },
        ...{ customerId, customer, metadata, occurredAt },
      },
    ])
    assert.deepEqual(await reasonsOf(owner), ['sp_id'])
  })

  await t.test('a bare or forged id counts within the own workspace alone', async () => {
    const { owner, link, spId, clickId } = await withClick()
    const other = await world.member()
    const forged = `${spId.slice(0, -1)}${spId.endsWith('A') ? 'B' : 'A'}`
    for (const id of [clickId, forged])
      assert.equal((await report(owner, { clickId: id })).linkId, link.id)
    assert.deepEqual(await reasonsOf(owner), ['click_id', 'click_id'])
    for (const id of [clickId, forged]) {
      const { attributed, linkId } = await report(other, { clickId: id })
      assert.deepEqual([attributed, linkId], [false, null])
    }
    const { status, body } = await other.post('/conversions', { eventName: 'A', clickId: spId })
    assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'])
  })

  await t.test('without a click, the link that is named counts, else the customer', async () => {
    const { owner, link, spId, clickId } = await withClick()
    assert.equal((await report(owner, { linkId: link.id })).linkId, link.id)
    assert.equal((await report(owner, { slug: link.slug.toUpperCase() })).linkId, link.id)
    assert.equal((await report(owner, { customerId: 'ada' })).attributed, false)
    await report(owner, { clickId: spId, customerId: 'ada', type: 'lead' })
    const sale = await report(owner, { externalId: 'ada', value: 100 })
    assert.deepEqual([sale.linkId, sale.clickId], [link.id, clickId])
    const early = new Date(world.clock.now - MINUTE_MS * 11).toISOString()
    assert.equal((await report(owner, { customerId: 'ada', occurredAt: early })).attributed, false)
    assert.equal((await report(owner, { customerId: 'ben' })).attributed, false)
    world.clock.advance(31 * DAY_MS)
    assert.equal((await report(owner, { customerId: 'ada' })).attributed, false)
    assert.equal((await report(owner, { clickId: spId })).attributed, false)
    assert.deepEqual(await reasonsOf(owner), [
      ...['link', 'link', 'no_click', 'sp_id', 'customer'],
      ...['no_click', 'no_click', 'no_click', 'old_click'],
    ])
    world.clock.advance(-31 * DAY_MS)
  })

  await t.test('a click that was made after a conversion does not count', async () => {
    const { owner, link, spId, clickId } = await withClick()
    const at = (minutes: number) => new Date(world.clock.now - minutes * MINUTE_MS).toISOString()
    for (const id of [spId, clickId]) {
      const early = await report(owner, { clickId: id, occurredAt: at(2), customerId: id })
      assert.deepEqual([early.attributed, early.clickId], [false, null])
      const soon = await report(owner, { clickId: id, occurredAt: at(0.5), customerId: id })
      assert.deepEqual([soon.attributed, soon.clickId], [true, clickId])
      const before = await report(owner, { customerId: id, occurredAt: at(2) })
      assert.equal(before.attributed, false)
    }
    const { data } = (
      await owner.post('/conversions', [
        { eventName: 'Named', clickId: spId, customerId: 'batch' },
        { eventName: 'Earlier', customerId: 'batch', occurredAt: at(2) },
        { eventName: 'Linked', clickId: spId, linkId: link.id, occurredAt: at(2) },
      ])
    ).body
    assert.deepEqual(
      data.map((row: { clickId: string | null; linkId: string | null }) => [
        row.clickId,
        row.linkId,
      ]),
      [
        [clickId, link.id],
        [null, null],
        [null, link.id],
      ],
    )
    const reasons = await reasonsOf(owner)
    assert.equal(reasons.filter((reason: string) => reason === 'later_click').length, 2)
  })

  await t.test('the name of an event is one line with a visible character', async () => {
    const owner = await world.member()
    for (const eventName of [' \t ', '\u200b', 'two\nlines', 'a\u202eb', ''])
      for (const path of ['/conversions', '/track/lead']) {
        const answer = await owner.post(path, { eventName, externalId: 'ada' })
        assert.deepEqual([answer.status, answer.body.error?.details[0].path], [400, 'eventName'])
      }
    assert.equal((await owner.post('/conversions', { eventName: ' Sign up ' })).status, 202)
    const { data } = (await owner.get('/analytics/conversions')).body
    assert.equal(data?.[0]?.eventName ?? 'Sign up', 'Sign up')
  })

  await t.test(
    'a click under way is attributed once it is stored, and published once',
    async () => {
      const owner = await world.member()
      const link = await makeLink(owner)
      const clickId = ulid(world.clock.now)
      const made = await report(owner, { clickId, customerId: 'ada', eventId: 'lead' })
      assert.equal(made.attributed, false)
      const sale = await report(owner, { customerId: 'ada', eventId: 'sale', value: 5 })
      assert.equal(sale.attributed, false)
      assert.deepEqual(await eventsOf(owner), [])
      await storeClick(owner, link, clickId)
      await eventually(async () => {
        world.clock.advance(5_000)
        assert.equal((await eventsOf(owner)).length, 2)
      })
      assert.deepEqual(
        (await eventsOf(owner)).map(({ clickId: id }) => id),
        [clickId, clickId],
      )
      assert.deepEqual(await reasonsOf(owner), ['click_id', 'customer'])
      const again = await report(owner, { eventId: 'lead' })
      assert.deepEqual(again, {
        ...made,
        duplicate: true,
        attributed: true,
        linkId: link.id,
        clickId,
      })
    },
  )

  await t.test('a signed id counts before its click is stored; the labels follow', async () => {
    const { owner, link, clickId } = await withClick()
    const early = ulid(world.clock.now)
    const lost = ulid(world.clock.now)
    for (const [eventId, id] of Object.entries({ early, lost })) {
      const made = await report(owner, { eventId, clickId: sign(id, link.id), customerId: eventId })
      assert.deepEqual([made.attributed, made.linkId, made.clickId], [true, link.id, id])
    }
    const sale = await report(owner, { eventId: 'sale', customerId: 'early', value: 5 })
    assert.deepEqual([sale.attributed, sale.clickId], [true, early])
    assert.deepEqual(
      (await eventsOf(owner)).map(({ eventId }) => eventId),
      ['early', 'lost', 'sale'],
    )
    const copied = async () => {
      const answer = await world.clickhouse.query({
        query: `select click_id, country from conversions where workspace_id = {id:String} order by click_id, at`,
        query_params: { id: owner.workspaceId },
        format: 'JSONCompactEachRow',
      })
      return answer.json<[string, string]>()
    }
    const known = await report(owner, { eventId: 'known', clickId: sign(clickId, link.id) })
    assert.equal(known.attributed, true)
    await eventually(async () => assert.deepEqual(await copied(), [[clickId, 'unknown']]))
    await storeClick(owner, link, early)
    await eventually(async () => {
      world.clock.advance(2_000)
      assert.equal((await copied()).filter(([id]) => id === early).length, 2)
    })
    assert.deepEqual(
      (await copied()).filter(([id]) => id === early),
      [
        [early, 'DE'],
        [early, 'DE'],
      ],
    )
    // The record of the click is lost.
    await eventually(async () => {
      world.clock.advance(MINUTE_MS)
      assert.ok((await copied()).some(([id, country]) => id === lost && country === ''))
    })
    assert.equal((await eventsOf(owner)).length, 4)
  })

  await t.test('an unknown click is published as such after ten minutes, not before', async () => {
    const owner = await world.member()
    const link = await makeLink(owner)
    await report(owner, { clickId: ulid(world.clock.now), eventId: 'a' })
    await report(owner, { clickId: ulid(world.clock.now), eventId: 'b', linkId: link.id })
    await report(owner, { clickId: 'no-such-click', eventId: 'c' })
    assert.deepEqual(
      (await eventsOf(owner)).map(({ eventId }) => eventId),
      ['c'],
    )
    world.clock.advance(9 * MINUTE_MS)
    // The job has looked again, and planned the next look-up.
    await eventually(async () => {
      const [row] = await world.sql<{ next: Date }[]>`
        select min(next_look_at) as next from conversions where workspace_id = ${owner.workspaceId}`
      assert.ok(row!.next.getTime() > world.clock.now)
    })
    assert.deepEqual(await reasonsOf(owner), ['waiting', 'waiting', 'unknown_click'])
    await eventually(async () => {
      world.clock.advance(MINUTE_MS)
      assert.equal((await eventsOf(owner)).length, 3)
    })
    assert.deepEqual(await reasonsOf(owner), ['unknown_click', 'link', 'unknown_click'])
  })

  await t.test(
    'a lead counts again after a week, a sale once per invoice, a key for ever',
    async () => {
      const owner = await world.member()
      const lead = { type: 'lead', customerId: 'ada', eventName: 'Sign up' }
      const made = await report(owner, lead)
      assert.equal(made.eventId, made.id)
      assert.deepEqual(await report(owner, lead), { ...made, duplicate: true })
      assert.equal((await report(owner, { ...lead, eventName: 'Trial' })).duplicate, false)
      assert.equal((await report(owner, { ...lead, customerId: 'ben' })).duplicate, false)
      const sale = { invoiceId: 'inv-1', value: 5 }
      const sold = await report(owner, sale)
      assert.deepEqual(await report(owner, { ...sale, value: 6 }), { ...sold, duplicate: true })
      const key = { 'idempotency-key': 'one' }
      const keyed = await report(owner, {}, key)
      assert.deepEqual(await report(owner, {}, key), keyed)
      world.clock.advance(8 * DAY_MS)
      assert.equal((await report(owner, lead)).duplicate, false)
      assert.equal((await report(owner, lead)).duplicate, true)
      assert.equal((await report(owner, sale)).duplicate, true)
      assert.deepEqual(await report(owner, {}, key), { ...keyed, duplicate: true })
      assert.equal((await report(owner, {})).duplicate, false)
    },
  )

  await t.test('fifty parallel reports of one event are one conversion', async () => {
    const owner = await world.member()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => report(owner, { eventId: 'same', value: 7 })),
    )
    assert.equal(answers.filter(({ duplicate }) => !duplicate).length, 1)
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
    assert.equal((await eventsOf(owner)).length, 1)
  })

  await t.test('each row of a list fails alone, with its path in the request', async () => {
    const { owner, link, spId } = await withClick()
    const other = await makeLink(await world.member())
    const rows = [
      { eventName: 'A', clickId: spId, customerId: 'ada' },
      { eventName: 'B', customerId: 'ada', eventId: 'b' },
      { eventName: 'C', eventId: 'b' },
      { eventName: 'D', value: 1.5 },
      { eventName: 'E', metadata: { text: 'x'.repeat(10_001) } },
      { eventName: 'F', linkId: other.id },
      'text',
    ]
    const { status, body } = await owner.post('/conversions', rows)
    assert.equal(status, 202)
    const { requestId: _requestId, ...meta } = body.meta
    assert.deepEqual(meta, { total: 7, succeeded: 3, failed: 4 })
    const problems = body.data.map(
      ({ error }: { error: { code: string } | null }) => error && error.code,
    )
    assert.deepEqual(problems, [
      ...[null, null, null],
      ...['VALIDATION_ERROR', 'VALIDATION_ERROR', 'FORBIDDEN', 'VALIDATION_ERROR'],
    ])
    assert.equal(body.data[3].error.details[0].path, '3.value')
    assert.equal(body.data[4].error.details[0].path, '4.metadata')
    assert.equal(body.data[5].error.details[0].path, '5.linkId')
    assert.deepEqual(
      body.data.slice(0, 3).map(({ linkId, duplicate }: Row) => [linkId, duplicate]),
      [
        [link.id, false],
        [link.id, false],
        [link.id, true],
      ],
    )
    assert.equal((await eventsOf(owner)).length, 2)
  })

  await t.test('bad values are refused with the path of the field', async () => {
    const owner = await world.member()
    const foreign = await makeLink(await world.member())
    const year = new Date(world.clock.now + 365 * DAY_MS).toISOString()
    const bad: [object, number, string | undefined][] = [
      [{ eventName: '' }, 400, 'eventName'],
      [{ value: 1.5 }, 400, 'value'],
      [{ value: 1e15 }, 400, 'value'],
      [{ currency: 'EURO' }, 400, 'currency'],
      [{ currency: 'XQX' }, 400, 'currency'],
      [{ occurredAt: year }, 400, 'occurredAt'],
      [{ occurredAt: 'yesterday' }, 400, 'occurredAt'],
      [{ type: 'refund' }, 400, 'type'],
      [{ metadata: { text: 'x'.repeat(10_001) } }, 400, 'metadata'],
      [{ customer: { text: 'x'.repeat(10_001) } }, 400, 'customer'],
      [{ linkId: 'lnk_unknown' }, 400, 'linkId'],
      [{ slug: 'unknown-slug' }, 400, 'slug'],
      [{ slug: foreign.slug }, 400, 'slug'],
      [{ linkId: foreign.id }, 403, 'linkId'],
    ]
    for (const [fields, status, path] of bad)
      assert.deepEqual(await refused(owner, fields), [status, path], JSON.stringify(fields))
    const many = Array.from({ length: 101 }, () => ({ eventName: 'A' }))
    for (const rows of [many, []]) {
      const { status, body } = await owner.post('/conversions', rows)
      // The path of the body itself.
      assert.deepEqual([status, body.error.details[0].path], [400, ''])
    }
    assert.deepEqual(await reasonsOf(owner), [])
  })

  await t.test('conversions that may wait at one time are bounded', async () => {
    const owner = await world.member()
    const later = new Date(world.clock.now + DAY_MS)
    await world.sql`
      insert into conversions (id, workspace_id, event_id, event_name, type, value, currency,
        occurred_at, received_at, status, reason, named_click_id, next_look_at)
      select ${`cnv_${owner.workspaceId}`} || i, ${owner.workspaceId}, 'event' || i, 'Purchase', 'sale', 1, 'usd',
        ${later}, ${later}, 'waiting', 'waiting', ${ulid(world.clock.now)}, ${later}
      from generate_series(1, 10000) as i`
    const made = await report(owner, { clickId: ulid(world.clock.now) })
    const [row] = await world.sql`select status, reason from conversions where id = ${made.id}`
    assert.deepEqual({ ...row }, { status: 'unattributed', reason: 'too_many_waiting' })
    await world.sql`delete from conversions where workspace_id = ${owner.workspaceId}`
  })

  await t.test('a report does not fail while ClickHouse is gone: it waits', async () => {
    const clickhouse = openClickHouse('http://127.0.0.1:1')
    const lookup = new ClickLookup({ clickhouse, log: openLog('silent') })
    const click = { clickId: ulid(world.clock.now), linkId: null }
    assert.equal((await lookup.find('wsp_1', [click])).size, 0)
    await clickhouse.close()
  })

  await t.test('leads and sales of Dub are conversions under its names', async () => {
    const { owner, link, spId, clickId } = await withClick()
    const customer = { externalId: 'ada', name: 'Ada', email: 'ada@example.com', avatar: null }
    const lead = await owner.post('/track/lead', {
      clickId: spId,
      eventName: 'Sign up',
      customerExternalId: 'ada',
      customerName: 'Ada',
      customerEmail: 'ada@example.com',
    })
    assert.equal(lead.status, 202)
    const attributed = { attributed: true, click: { id: clickId }, link: { id: link.id } }
    assert.partialDeepStrictEqual(lead.body.data, { ...attributed, customer, duplicate: false })
    // Events of one millisecond are in no order.
    world.clock.advance(1)
    const sold = { externalId: 'ada', amount: 4_900, currency: 'EUR', invoiceId: 'inv-1' }
    const sale = await owner.post('/track/sale', { ...sold, paymentProcessor: 'stripe' })
    assert.partialDeepStrictEqual(sale.body.data, {
      ...attributed,
      eventName: 'Purchase',
      sale: { amount: 4_900, currency: 'eur', invoiceId: 'inv-1', paymentProcessor: 'stripe' },
    })
    assert.equal((await owner.post('/track/sale', sold)).body.data.duplicate, true)
    assert.deepEqual(
      (await eventsOf(owner)).map(({ type, value, currency }) => [type, value, currency]),
      [
        ['lead', 0, 'usd'],
        ['sale', 4_900, 'eur'],
      ],
    )
    world.clock.advance(1)
    const repeated = { clickId: '', eventName: 'Trial', customerExternalId: 'ada' }
    assert.partialDeepStrictEqual((await owner.post('/track/lead', repeated)).body.data, attributed)
    const bad = await owner.post('/track/sale', { externalId: 'ada' })
    assert.deepEqual([bad.status, bad.body.error.details[0].path], [400, 'amount'])
  })

  await t.test('a refund is negative, and keeps its currency', async () => {
    const owner = await world.member()
    await report(owner, { value: -4_900, currency: 'jpy' })
    const [event] = await eventsOf(owner)
    assert.deepEqual([event!['value'], event!['currency']], [-4_900, 'jpy'])
  })
})

test('leads and sales in the words of Dub', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const link = await makeLink(owner)
  const other = await makeLink(owner)
  const spId = await visit(world, link.slug)
  await stored(world, spId)
  for (const fields of [
    { type: 'sale', clickId: spId, value: 4_900 },
    { type: 'sale', clickId: spId, value: -900 },
    { type: 'sale', linkId: other.id, value: 700, currency: 'eur' },
    { type: 'lead', linkId: other.id },
    { type: 'lead', linkId: other.id },
    { type: 'lead', clickId: spId },
    { type: 'custom', clickId: spId, value: 33 },
    { type: 'sale', value: 55_555 },
  ])
    await must(202, owner.post('/conversions', { eventName: 'Event', ...fields }))
  const ask = async (query: string) => (await must(200, owner.get(`/analytics?${query}`))).body.data
  await eventually(async () => {
    const data = await ask('interval=7d&event=composite')
    assert.deepEqual(data, { clicks: 1, leads: 3, sales: 3, saleAmount: 4_000 })
  })

  await t.test('each event has its own fields', async () => {
    assert.deepEqual(await ask('interval=7d&event=leads'), { leads: 3 })
    assert.deepEqual(await ask('interval=7d&event=sales'), { sales: 3, saleAmount: 4_000 })
    assert.deepEqual(await ask(`interval=7d&event=leads&linkId=${link.id}`), { leads: 1 })
    const { meta } = (await owner.get('/analytics?interval=7d&event=sales')).body
    assert.deepEqual(meta.currencies, ['eur', 'usd'])
  })

  await t.test('rows of leads and sales are in their own order', async () => {
    const keys = async (event: string) =>
      (await ask(`interval=7d&groupBy=top_links&event=${event}`)).map(
        (row: { id: string; key: string; leads: number; sales: number }) => [
          row.id,
          row.key,
          row.leads ?? row.sales,
        ],
      )
    assert.deepEqual(await keys('leads'), [
      [other.id, other.slug, 2],
      [link.id, link.slug, 1],
    ])
    assert.deepEqual(await keys('sales'), [
      [link.id, link.slug, 2],
      [other.id, other.slug, 1],
    ])
    assert.deepEqual(
      (await ask('interval=7d&groupBy=top_links&event=composite')).map(
        ({ id, clicks, leads }: Record<string, unknown>) => [id, clicks, leads],
      ),
      [
        [link.id, 1, 1],
        [other.id, 0, 2],
      ],
    )
  })

  await t.test('a series has all days, and a breakdown the labels of the clicks', async () => {
    const series = await ask('interval=7d&groupBy=timeseries&event=sales')
    assert.deepEqual(
      series.map(({ sales }: { sales: number }) => sales),
      [0, 0, 0, 0, 0, 0, 3],
    )
    assert.deepEqual(Object.keys(series[0]), ['start', 'sales', 'saleAmount'])
    assert.deepEqual(await ask('interval=7d&groupBy=triggers'), [{ trigger: 'link', clicks: 1 }])
    assert.deepEqual(await ask('interval=7d&groupBy=triggers&event=sales'), [
      { trigger: 'link', sales: 2, saleAmount: 4_000 },
      { trigger: 'unknown', sales: 1, saleAmount: 0 },
    ])
  })
})

test('conversions in analytics', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const link = await makeLink(owner)
  const other = await makeLink(owner)
  const spId = await visit(world, link.slug)
  await stored(world, spId)
  const report = async (fields: object) => {
    const { status, body } = await owner.post('/conversions', { eventName: 'Purchase', ...fields })
    assert.equal(status, 202, JSON.stringify(body))
    return body.data as Row
  }
  await report({ clickId: spId, value: 4_900, customerId: 'ada' })
  await report({ clickId: spId, value: -900 })
  await report({ clickId: spId, value: 700, currency: 'EUR' })
  await report({ linkId: other.id, value: 100, type: 'custom' })
  await report({ value: 55_555 })
  const old = new Date(world.clock.now - 3 * DAY_MS).toISOString()
  await report({ linkId: other.id, value: 1_000, occurredAt: old })
  const read = async (path: string) => (await owner.get(`/analytics${path}`)).body
  await eventually(async () => {
    const { data } = await read('/overview?days=7')
    assert.deepEqual([data.conversions, data.value], [5, 5_100])
  })

  await t.test('sums, series, breakdowns and links agree, in one currency', async () => {
    const { data, meta } = await read('/overview?days=1')
    assert.deepEqual([data.conversions, data.value, meta.currencies], [4, 4_100, ['eur', 'usd']])
    const euros = await read('/overview?days=1&currency=EUR')
    assert.deepEqual([euros.data.conversions, euros.data.value], [4, 700])
    const series = await read('/timeseries?days=7')
    assert.deepEqual(
      series.data.map(({ conversions, value }: Row) => [conversions, value]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [1, 1_000],
        [0, 0],
        [0, 0],
        [4, 4_100],
      ],
    )
    const ofLink = await read(`/links/${link.id}?days=7`)
    assert.deepEqual([ofLink.data.conversions, ofLink.data.value], [3, 4_000])
    const filtered = await read(`/overview?days=7&linkId=${other.id}`)
    assert.deepEqual([filtered.data.conversions, filtered.data.value], [2, 1_100])
    const top = await read('/top-links?days=7')
    assert.partialDeepStrictEqual(top.data, [
      { link: { id: link.id }, clicks: 1, conversions: 3, value: 4_000 },
    ])
    const triggers = await read('/breakdowns/trigger?days=7')
    assert.partialDeepStrictEqual(triggers.data, [
      { label: 'link', clicks: 1, conversions: 3, value: 4_000 },
    ])
    const alone = { clicks: 0, uniqueVisitors: 0, percent: 0, conversions: 2, value: 1_100 }
    assert.deepEqual(triggers.data.slice(1), [{ label: 'unknown', ...alone }])
    assert.deepEqual((await read('/breakdowns?days=7')).data.trigger, triggers.data)
    const second = await read('/breakdowns/trigger?days=7&limit=1&offset=1')
    assert.deepEqual(second.data, triggers.data.slice(1))
    assert.deepEqual((await read('/breakdowns/trigger?days=7&limit=1')).data.length, 1)
    const byTrigger = await read('/overview?days=7&trigger=link')
    assert.equal(byTrigger.data.conversions, 3)
    const summary = await read('/summary?interval=7d')
    assert.partialDeepStrictEqual(summary.data.totals, { conversions: 5, value: 5_100 })
    assert.deepEqual(summary.meta.currencies, ['eur', 'usd'])
    for (const path of ['/analytics/overview', '/analytics/conversions'])
      for (const currency of ['EURO', 'xqx'])
        assert.equal((await owner.get(`${path}?currency=${currency}`)).status, 400)
  })

  await t.test('lists of links have those of the same days as their clicks', async () => {
    const list = async (query: string, principal = owner) => {
      const { data, meta } = (await must(200, principal.get(`/links?${query}`))).body
      const rows = data.map(({ id, periodConversions, periodValue }: Row) => [
        id,
        periodConversions,
        periodValue,
      ])
      return { rows, currencies: meta.currencies }
    }
    const week = await list('clickDays=7&sortBy=periodClicks')
    assert.deepEqual(week.rows, [
      [link.id, 3, 4_000],
      [other.id, 2, 1_100],
    ])
    assert.deepEqual(week.currencies, ['eur', 'usd'])
    const today = await list('clickDays=1&sortBy=createdAt&sortOrder=asc&currency=EUR')
    assert.deepEqual(
      today.rows.toSorted(),
      [
        [link.id, 3, 700],
        [other.id, 1, 0],
      ].toSorted(),
    )
    assert.deepEqual((await list('limit=1')).rows[0].slice(1), [undefined, undefined])
    const stranger = await world.member()
    const own = await makeLink(stranger)
    const foreign = await list('clickDays=7', stranger)
    assert.deepEqual([foreign.rows, foreign.currencies], [[[own.id, 0, 0]], []])
    const refused = await owner.get('/links?clickDays=7&currency=EURO')
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'currency'])
  })

  await t.test('the list has each reason, and sums by currency', async () => {
    const { data, meta } = await read('/conversions?days=7')
    assert.deepEqual(data.map(({ reason }: Row) => reason).toSorted(), [
      'link',
      'link',
      'no_click',
      'sp_id',
      'sp_id',
      'sp_id',
    ])
    assert.equal(meta.total, 6)
    assert.deepEqual(meta.totals, [
      { currency: 'eur', conversions: 1, attributed: 1, value: 700 },
      { currency: 'usd', conversions: 5, attributed: 4, value: 60_655 },
    ])
    assert.deepEqual(data.at(-1).occurredAt, old)
    const ofLink = await read(`/conversions?linkId=${other.id}&currency=USD&type=custom`)
    assert.equal(ofLink.meta.total, 1)
    assert.partialDeepStrictEqual(ofLink.data[0].link, { id: other.id, name: 'Shop' })
    assert.equal((await read('/conversions?customerId=ada&limit=1')).meta.total, 1)
    const stranger = await world.member()
    const foreign = await stranger.get(`/analytics/conversions?linkId=${link.id}`)
    assert.equal(foreign.status, 403)
    assert.equal((await stranger.get('/analytics/conversions')).body.meta.total, 0)
  })
})
