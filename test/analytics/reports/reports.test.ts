import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCatalogRow } from '../../../src/webhooks/events.ts'
import { checkFilters } from '../../../src/analytics/reports/input.ts'
import { toNextRun } from '../../../src/analytics/reports/schedule.ts'
import type { Report } from '../../../src/analytics/reports/schema.ts'
import { must } from '../../support/calls.ts'
import { storeClicks } from '../../support/clicks.ts'
import { addDomain } from '../../support/fixtures.ts'
import { openWorld } from '../../support/world.ts'
import { download, finished, holdRuns, makeReport, parseCsv } from '../../support/reports-world.ts'
import { DAY_MS } from '../../../src/platform/core/clock.ts'

const HEADER =
  'id,shortUrl,name,destinationUrl,status,tags,clicks,uniqueVisitors,totalClicks,createdAt'

for (const isPair of [false, true])
  test(`a report of links is made, announced and sent ${isPair ? 'through a gateway of its own' : 'in one process'}`, async (t) => {
    const world = await openWorld(t, { isPair, pace: 5 })
    const owner = await world.member()
    const { workspaceId } = owner
    const input = { name: '=cmd', destinationUrl: 'https://example.com/', tags: ['b', 'a'] }
    const { data: link } = (await must(201, owner.post('/links', input))).body
    await must(201, owner.post('/links', { ...input, name: 'Other', status: 'archived' }))
    const click = { workspaceId, linkId: link.id, atMs: world.clock.now - 1_000 }
    await storeClicks(world.clickhouse, [
      { ...click, visitor: 1n },
      { ...click, visitor: 1n },
      { ...click, visitor: 2n },
      { ...click, kind: 'bot' },
      { ...click, atMs: world.clock.now - 10 * DAY_MS },
    ])
    if (isPair) return checkPending(owner)

    const asked = await must(
      202,
      owner.post('/reports', { name: 'My links', type: 'links', filters: { days: 7 } }),
    )
    const { data } = asked.body
    assert.equal(data.status, 'pending')
    assert.deepEqual([data.downloadUrl, data.rowCount, data.generatedAt], [null, null, null])
    const report = await finished(owner, data.id)
    assert.equal(report.status, 'completed', JSON.stringify(report))
    assert.deepEqual(
      [report.rowCount, report.progress, report.error, report.filters],
      [2, 100, null, { days: 7 }],
    )
    assert.equal(report.downloadUrl, `${world.origin}/v1/reports/${data.id}/download`)
    assert.equal(Date.parse(report.expiresAt) - Date.parse(report.generatedAt), 30 * DAY_MS)

    const { answer, bytes } = await download(world, owner, data.id)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(answer.headers.get('accept-ranges'), 'bytes')
    assert.equal(Number(answer.headers.get('content-length')), report.size)
    assert.match(
      answer.headers.get('content-disposition')!,
      /filename="My links \d{4}-\d\d-\d\d.csv"/,
    )
    assert.equal(bytes.length, report.size)
    assert.equal(bytes.toString().split('\r\n')[0], `\ufeff${HEADER}`)
    assert.ok(bytes.includes("'=cmd"), 'no cell begins like a formula')
    const rows = parseCsv(bytes).toSorted((a, b) => b['name']!.localeCompare(a['name']!))
    assert.deepEqual(
      rows.map(({ name, clicks, uniqueVisitors, tags, status }) => [
        ...[name, clicks, uniqueVisitors, tags, status],
      ]),
      [
        ['Other', '0', '0', 'b,a', 'archived'],
        ['=cmd', '3', '2', 'b,a', 'active'],
      ],
    )
    const [event] = await world.sql<{ data: string }[]>`
      select data from events where type = 'report.generated' and workspace_id = ${workspaceId}`
    assert.deepEqual(JSON.parse(event!.data), report)
    const [sealed] = await world.sql<{ contentSealed: Buffer }[]>`
      select content_sealed from report_chunks where report_id = ${data.id}`
    assert.ok(!sealed!.contentSealed.includes('=cmd'), 'the file is sealed')
  })

test('the sample of report.generated is a report that there may be', () => {
  const sample = getCatalogRow('report.generated').sample as Report
  assert.deepEqual([sample.status, sample.progress, sample.error], ['completed', 100, null])
  assert.ok(sample.downloadUrl!.includes(sample.id))
  assert.deepEqual(checkFilters(sample.filters, Date.parse(sample.createdAt)), {
    days: 30,
    timezone: 'Europe/Berlin',
  })
  const generatedAtMs = Date.parse(sample.generatedAt!)
  assert.equal(Date.parse(sample.expiresAt!) - generatedAtMs, 30 * DAY_MS)
  assert.equal(Date.parse(sample.nextRunAt!), toNextRun(sample.schedule!, generatedAtMs))
})

/** The worker of this world does not run. */
async function checkPending(owner: Parameters<typeof makeReport>[0]) {
  const { id } = (await must(202, owner.post('/reports', { type: 'links' }))).body.data
  await must(409, owner.get(`/reports/${id}/download`))
  const { data } = (await must(200, owner.post(`/reports/${id}/cancel`))).body
  assert.deepEqual([data.status, data.error.code], ['failed', 'canceled'])
  await must(409, owner.post(`/reports/${id}/cancel`))
  await must(409, owner.get(`/reports/${id}/download`))
}

test('a part of a file is sent, and a file that has expired is not', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  // Several pieces of the stored file.
  const links = Array.from({ length: 100 }, (_, at) => ({
    name: `Link ${at}`,
    destinationUrl: `https://example.com/${'x'.repeat(6_000)}`,
  }))
  await must(200, owner.post('/links/bulk', links))
  const { id, size } = await makeReport(owner, { type: 'links' })
  const { bytes: whole, answer: first } = await download(world, owner, id)
  assert.ok(size > 500_000, `${size} bytes`)
  const etag = first.headers.get('etag')!
  const part = async (range: string, headers: Record<string, string> = {}) => {
    const { answer, bytes } = await download(world, owner, id, { range, ...headers })
    return { status: answer.status, contentRange: answer.headers.get('content-range'), bytes }
  }
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 1],
    ['bytes=262143-262144', 262_143, 262_145],
    ['bytes=10-', 10, size],
    ['bytes=-5', size - 5, size],
    ['bytes=300000-99999999', 300_000, size],
  ] as const)
    assert.deepEqual(await part(range), {
      status: 206,
      contentRange: `bytes ${from}-${to - 1}/${size}`,
      bytes: whole.subarray(from, to),
    })
  for (const ignored of ['bytes=5-4', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'])
    assert.deepEqual(
      await part(ignored),
      { status: 200, contentRange: null, bytes: whole },
      ignored,
    )
  assert.equal((await part('bytes=0-1', { 'if-range': etag })).status, 206)
  assert.equal((await part('bytes=0-1', { 'if-range': '"another"' })).status, 200)
  const beyond = await download(world, owner, id, { range: `bytes=${size}-` })
  assert.deepEqual(
    [beyond.answer.status, beyond.answer.headers.get('content-range')],
    [416, `bytes */${size}`],
  )
  assert.equal(JSON.parse(beyond.bytes.toString()).error.code, 'RANGE_NOT_SATISFIABLE')
  assert.equal((await download(world, owner, id, { 'if-none-match': etag })).answer.status, 304)
  const head = await fetch(`${world.origin}/v1/reports/${id}/download`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${owner.apiKey}` },
  })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(size)])

  world.clock.advance(30 * DAY_MS)
  const { body } = await must(410, owner.get(`/reports/${id}/download`))
  assert.equal(body.error.code, 'GONE')
  const { data } = (await must(200, owner.get(`/reports/${id}`))).body
  assert.deepEqual([data.status, data.downloadUrl], ['completed', null])
})

test('reports with wrong fields, and with rows of other workspaces, are refused', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const stranger = await world.member()
  const refused: [object, string][] = [
    [{}, 'type'],
    [{ type: 'nothing' }, 'type'],
    [{ type: 'links', format: 'doc' }, 'format'],
    [{ type: 'links', name: ' ' }, 'name'],
    [{ type: 'links', filters: { days: 0 } }, 'filters.days'],
    [{ type: 'links', filters: { days: 5, start: '2026-01-01' } }, 'filters.days'],
    [{ type: 'links', filters: { start: 'yesterday' } }, 'filters.start'],
    [{ type: 'links', filters: { start: '2026-02-02', end: '2026-01-01' } }, 'filters.start'],
    [{ type: 'links', filters: { timezone: 'Nowhere' } }, 'filters.timezone'],
    [{ type: 'links', filters: { currency: 'xqx' } }, 'filters.currency'],
    [{ type: 'links', filters: { linkIds: [] } }, 'filters.linkIds'],
    [{ type: 'links', filters: { linkIds: Array(101).fill('lnk_1') } }, 'filters.linkIds'],
    [{ type: 'links', filters: { linkIds: [7] } }, 'filters.linkIds.0'],
  ]
  for (const [input, path] of refused) {
    const { body } = await must(400, owner.post('/reports', input))
    assert.equal(body.error.details[0]?.path, path, JSON.stringify(body))
  }
  const foreign = (
    await must(201, stranger.post('/links', { destinationUrl: 'https://example.com/', name: 'X' }))
  ).body.data
  const campaign = (await must(201, stranger.post('/campaigns', { name: 'Theirs' }))).body.data
  const { workspaceId } = stranger
  const domainId = await addDomain(world.sql, { workspaceId, hostname: 'go.example.com' })
  const { id } = await makeReport(owner, { type: 'links' })
  for (const [field, value] of [
    ['linkIds', ['lnk_unknown', foreign.id]],
    ['campaignId', campaign.id],
    ['domainId', domainId],
  ]) {
    const filters = { [field as string]: value }
    const { body } = await must(403, owner.post('/reports', { type: 'links', filters }))
    assert.equal(body.error.details[0].path, `filters.${field as string}`)
    await must(403, owner.patch(`/reports/${id}`, { filters }))
  }
  const unknown = await makeReport(owner, { type: 'links', filters: { linkIds: ['lnk_unknown'] } })
  assert.deepEqual([unknown.status, unknown.rowCount], ['completed', 0])
  for (const path of [`/reports/${id}`, `/reports/${id}/download`])
    await must(403, stranger.get(path))
})

test('a report is renamed and deleted with its file, and each change is audited', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { id } = await makeReport(owner, { type: 'links' })
  await must(200, owner.patch(`/reports/${id}`, { name: 'Renamed', filters: { days: 3 } }))
  const { data } = (await must(200, owner.get('/reports'))).body
  assert.deepEqual([data.length, data[0].name, data[0].filters], [1, 'Renamed', { days: 3 }])
  await must(204, owner.delete(`/reports/${id}`))
  await must(404, owner.get(`/reports/${id}`))
  const [left] = await world.sql<{ count: number }[]>`select count(*) from report_chunks`
  assert.equal(left!.count, 0)
  const actions = await world.sql<{ action: string }[]>`
    select action from audit_log where target_id = ${id} order by action`
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['report.created', 'report.deleted', 'report.updated'],
  )
})

test('a run needs the rights of its requester, and is not begun once it is canceled', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { workspaceId } = owner
  const member = await world.member({ workspaceId, role: 'member' })
  const release = await holdRuns(world, workspaceId)
  const canceled = (await must(202, owner.post('/reports', { type: 'links' }))).body.data
  const orphaned = (await must(202, member.post('/reports', { type: 'links' }))).body.data
  await must(200, owner.post(`/reports/${canceled.id}/cancel`))
  await world.sql`update api_keys set scopes = '{reports:read}' where user_id = ${member.userId}`
  await release()
  const [first, second] = [await finished(owner, canceled.id), await finished(owner, orphaned.id)]
  assert.deepEqual([first.status, first.error.code, first.rowCount], ['failed', 'canceled', null])
  assert.deepEqual([second.status, second.error.code], ['failed', 'FORBIDDEN'])
  await must(409, owner.get(`/reports/${second.id}/download`))
  const [left] = await world.sql<{ count: number }[]>`select count(*) from report_chunks`
  assert.equal(left!.count, 0)
})

test('a workspace has ten unfinished reports, and needs the capability', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { workspaceId } = owner
  await holdRuns(world, workspaceId)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => owner.post('/reports', { type: 'links' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
    ...Array(10).fill(202),
    ...Array(2).fill(409),
  ])
  await world.sql`update workspaces set plan = 'free' where id = ${workspaceId}`
  const { body } = await must(403, owner.post('/reports', { type: 'links' }))
  assert.equal(body.error.details.capability, 'reports')
})
