import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShlinkApi } from '../../../src/links/imports/shlink-api.ts'
import { openPreviews } from '../../../src/links/preview/preview.ts'
import { createEgressGuard } from '../../../src/platform/egress/guard.ts'
import { ApiError } from '../../../src/platform/core/errors.ts'
import { openImportWorld } from '../../support/import-world.ts'
import { openShlinkServer, SHLINK_KEY, type ShlinkUrl } from '../../support/shlink-server.ts'

const condition = (type: string, matchValue: string | null, matchKey: string | null = null) => ({
  type,
  matchKey,
  matchValue,
})

const URLS: ShlinkUrl[] = [
  {
    shortCode: 'talk',
    longUrl: 'https://example.com/talk',
    title: 'The talk',
    tags: ['events', '2024'],
    meta: { validUntil: '2030-05-01T00:00:00+02:00', maxVisits: 10 },
    visits: [
      '2026-02-02T23:30:00-05:00',
      '2026-02-01T10:00:00+01:00',
      '2026-02-01T09:00:00+01:00',
      'not a time',
    ],
    bots: 2,
    rules: [
      {
        longUrl: 'https://example.com/ios-de',
        priority: 1,
        conditions: [condition('device', 'ios'), condition('language', 'de')],
      },
      {
        longUrl: 'https://example.com/home',
        priority: 2,
        conditions: [condition('ip-address', '192.0.2.1')],
      },
      {
        longUrl: 'https://example.com/app',
        priority: 3,
        conditions: [
          condition('query-param', 'app', 'source'),
          condition('any-value-query-param', null, 'ref'),
          condition('geolocation-country-code', 'AT'),
        ],
      },
    ],
  },
  { shortCode: 'elsewhere', longUrl: 'https://example.com/b', domain: 'go.example.org' },
  { shortCode: 'bad', longUrl: 'ftp://example.com/file' },
]

test('a Shlink server', { concurrency: false }, async (t) => {
  const world = await openImportWorld(t)
  world.work()
  const shlink = await openShlinkServer(t, URLS)
  const source = { baseUrl: `${shlink.baseUrl}/`, apiKey: SHLINK_KEY }
  const principal = await world.member()
  const run = async (options: object = {}, who = principal) =>
    world.finished(who, (await world.imports.startShlink(who, { ...source, ...options })).id)
  const daysOf = async (who = principal) =>
    world.owner`
      select l.slug, c.day::text, c.clicks from imported_clicks c join links l on l.id = c.link_id
      where c.workspace_id = ${who.workspaceId} and c.replaced_by is null
      order by l.slug, c.day nulls first`

  await t.test(
    'is tried first: counts, errors with row and column, and no visits read',
    async () => {
      const dry = await run({ dryRun: true })
      assert.deepEqual([dry.status, dry.total, dry.created, dry.failed], ['completed', 3, 1, 2])
      assert.deepEqual(
        dry.errors.map(({ row, column }) => [row, column]),
        [
          [3, 'domain'],
          [4, 'longUrl'],
        ],
      )
      assert.deepEqual(dry.unknownDomains, [{ domain: 'go.example.org', rows: 1 }])
      assert.equal(dry.columns.find(({ column }) => column === 'longUrl')!.field, 'destinationUrl')
      assert.ok(!shlink.asked.some((path) => path.includes('/visits')))
      assert.equal((await world.linksOf(principal)).length, 0)
    },
  )

  await t.test('gives links with rules, limits and clicks by day, once', async () => {
    const done = await run({ domain: 'default' })
    assert.deepEqual([done.created, done.failed], [2, 1])
    const [link] = (await world.linksOf(principal)).filter(({ slug }) => slug === 'talk')
    assert.deepEqual(
      [link!.name, link!.destinationUrl, link!.tags, link!.maxClicks, link!.expiresAt],
      ['The talk', 'https://example.com/talk', ['events', '2024'], 4, '2030-04-30T22:00:00.000Z'],
    )
    assert.deepEqual(
      link!.rules.map(({ conditions, destinationUrl }) => [conditions, destinationUrl]),
      [
        [{ os: ['iOS'], language: ['de'] }, 'https://example.com/ios-de'],
        [{ country: ['AT'], query: { source: 'app', ref: null } }, 'https://example.com/app'],
      ],
    )
    const { data: rows } = await world.imports.rows(principal, done.id, { limit: 10, offset: 0 })
    assert.match(rows[0]!.note!, /Rules with these conditions are not imported: ip-address\./)
    const days = [
      { slug: 'elsewhere', day: null, clicks: 0 },
      { slug: 'talk', day: null, clicks: 1 },
      { slug: 'talk', day: '2026-02-01', clicks: 2 },
      { slug: 'talk', day: '2026-02-03', clicks: 1 },
    ]
    assert.deepEqual([...(await daysOf())], days)
    const again = await run({ domain: 'default', onConflict: 'update' })
    assert.deepEqual([again.created, again.failed], [0, 1])
    assert.deepEqual([...(await daysOf())], days)
    await world.imports.undo(principal, again.id)
    assert.deepEqual([...(await daysOf())], days)
  })

  await t.test('goes with all of its clicks when the import is undone', async () => {
    const who = await world.member()
    const few = await openShlinkServer(t, [
      { shortCode: 'gone', longUrl: 'https://example.com', visits: ['2026-02-01T10:00:00Z'] },
    ])
    const done = await run({ baseUrl: few.baseUrl }, who)
    assert.equal((await daysOf(who)).length, 2)
    await world.imports.undo(who, done.id)
    assert.deepEqual([...(await daysOf(who))], [])
    assert.equal((await world.linksOf(who)).length, 0)
  })

  await t.test('keeps its key sealed, and only until the import ends', async () => {
    const { id } = await world.imports.startShlink(principal, source)
    const stored = async () => {
      const rows = await world.owner`
        select j.input::text || coalesce(j.state::text, '') as job, c.content::text as chunk
        from jobs j left join job_chunks c on c.job_id = j.id where j.id = ${id}`
      return JSON.stringify(rows)
    }
    assert.ok(!(await stored()).includes(SHLINK_KEY))
    const done = await world.finished(principal, id)
    assert.ok(!JSON.stringify(done).includes(SHLINK_KEY))
    assert.match(await stored(), /"chunk":null/)
  })

  await t.test(
    'of several pages is read to its end, and one of two equal slugs is refused',
    async () => {
      const who = await world.member()
      const many = await openShlinkServer(
        t,
        Array.from({ length: 120 }, (_, i) => ({
          shortCode: i === 119 ? 'code-3' : `code-${i}`,
          domain: i === 119 ? 'go.example.org' : null,
          longUrl: `https://example.com/${i}`,
        })),
      )
      const done = await run(
        { baseUrl: many.baseUrl, domain: 'default', onConflict: 'update' },
        who,
      )
      assert.deepEqual([done.total, done.created, done.updated, done.failed], [120, 119, 0, 1])
      assert.deepEqual(
        done.errors.map(({ row, column, code }) => [row, column, code]),
        [[121, 'shortCode', 'CONFLICT']],
      )
    },
  )

  const refusal = (path: string, pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.status, 400)
    assert.equal((error.details as readonly { path: string }[])[0]!.path, path)
    assert.match(error.message, pattern)
    return true
  }

  await t.test(
    'that refuses, redirects, or is none, is an answer that says what to do',
    async () => {
      const start = (options: object) =>
        world.imports.startShlink(principal, { ...source, ...options })
      await assert.rejects(start({ apiKey: 'wrong' }), refusal('apiKey', /refuses the API key/))
      await assert.rejects(
        start({ baseUrl: `${shlink.baseUrl}/x` }),
        refusal('baseUrl', /without \/rest/),
      )
      await assert.rejects(start({ baseUrl: 'file:///etc/passwd' }), refusal('baseUrl', /http or/))
      await assert.rejects(
        start({ baseUrl: 'http://a:b@127.0.0.1' }),
        refusal('baseUrl', /password/),
      )
      for (const host of ['10.0.0.1', '169.254.169.254', '[::1]'])
        await assert.rejects(
          start({ baseUrl: `http://${host}/` }),
          refusal('baseUrl', /not allowed/),
        )
      const other = await openShlinkServer(t, [])
      const answers: [status: number, body: string, RegExp][] = [
        [302, '', /redirects/],
        [200, '<html>', /something else/],
        [200, '[]', /something else/],
        [200, `{"shortUrls":${'['.repeat(100_000)}`, /something else/],
        [200, '{"shortUrls":{"pagination":null}}', /something else/],
      ]
      for (const [status, body, message] of answers) {
        other.answerWith((_request, response) => {
          response.writeHead(status, { location: 'http://10.0.0.1/' }).end(body)
          return true
        })
        await assert.rejects(start({ baseUrl: other.baseUrl }), refusal('baseUrl', message))
      }
      other.answerWith((_request, response) => {
        const part = 'x'.repeat(1024 * 1024)
        const write = (): void => void response.write(part, (error) => error ?? write())
        write()
        return true
      })
      await assert.rejects(start({ baseUrl: other.baseUrl }), refusal('baseUrl', /10 MiB/))
    },
  )

  await t.test('that drips or never answers is given up in time', async (t2) => {
    await using previews = openPreviews(createEgressGuard({ allowedCidrs: ['127.0.0.0/8'] }))
    await using hasty = createShlinkApi(previews, { requestMs: 100 })
    const slow = await openShlinkServer(t2, [])
    for (const isDripping of [true, false]) {
      slow.answerWith((_request, response) => {
        if (!isDripping) return true
        const drip = setInterval(() => response.write(' '), 10)
        response.on('close', () => clearInterval(drip))
        return true
      })
      const reading = hasty.links({ ...source, baseUrl: slow.baseUrl }, 1)
      await assert.rejects(reading, refusal('baseUrl', /does not answer/))
    }
  })

  await t.test('that says it has ever more pages ends the import at an empty one', async () => {
    const who = await world.member()
    const endless = await openShlinkServer(t, [])
    endless.answerWith((request, response) => {
      const page = Number(new URL(request.url!, 'http://localhost').searchParams.get('page'))
      const link = { shortCode: `end-${page}`, longUrl: 'https://example.com', domain: null }
      const pagination = { totalItems: 5, pagesCount: page + 1 }
      const data = page > 3 ? [] : [link]
      response.end(JSON.stringify({ shortUrls: { data, pagination } }))
      return true
    })
    const done = await run({ baseUrl: endless.baseUrl }, who)
    assert.deepEqual([done.status, done.created], ['completed', 3])
  })

  await t.test('with more than 100,000 links fails the import', async () => {
    const who = await world.member()
    const huge = await openShlinkServer(t, [])
    huge.answerWith((_request, response) => {
      const data = [{ shortCode: 'a', longUrl: 'https://example.com' }]
      const pagination = { totalItems: 100_001, pagesCount: 9_999 }
      response.end(JSON.stringify({ shortUrls: { data, pagination } }))
      return true
    })
    const done = await run({ baseUrl: huge.baseUrl }, who)
    assert.deepEqual([done.status, done.error!.code], ['failed', 'PAYLOAD_TOO_LARGE'])
  })
})

test('visits beyond a million days of an import are a number without days', async (t) => {
  const world = await openImportWorld(t)
  const who = await world.member()
  const visits = ['2026-02-01T10:00:00Z', '2026-02-02T10:00:00Z']
  const shlink = await openShlinkServer(t, [
    { shortCode: 'late', longUrl: 'https://example.com', visits },
  ])
  const source = { baseUrl: shlink.baseUrl, apiKey: SHLINK_KEY }
  const { id } = await world.imports.startShlink(who, source)
  // As if earlier links had brought them.
  await world.owner`
    update jobs set state = jsonb_set(state::jsonb, '{shlink,days}', '1000000') where id = ${id}`
  world.work()
  assert.equal((await world.finished(who, id)).created, 1)
  const kept = await world.owner`
    select day::text, clicks from imported_clicks where workspace_id = ${who.workspaceId}`
  assert.deepEqual([...kept], [{ day: null, clicks: 2 }])
  const { data: rows } = await world.imports.rows(who, id, { limit: 10, offset: 0 })
  assert.match(rows[0]!.note!, /Its visits have no days: an import has at most a million\./)
})
