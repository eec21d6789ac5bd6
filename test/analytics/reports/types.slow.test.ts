import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteUnwantedFiles } from '../../../src/analytics/reports/expiry.ts'
import { TYPES } from '../../../src/analytics/reports/schema.ts'
import { callsWith, must } from '../../support/calls.ts'
import { storeClicks } from '../../support/clicks.ts'
import { addDomain } from '../../support/fixtures.ts'
import { NEVER } from '../../support/never.ts'
import { asSystem } from '../../support/privileges.ts'
import { eventually, openWorld, type Member, type World } from '../../support/world.ts'
import { readPdf, readSheet } from '../../support/archives.ts'
import { download, finished, holdRuns, makeReport, parseCsv } from '../../support/reports-world.ts'
import { DAY_MS } from '../../../src/platform/core/clock.ts'

const DESTINATION = 'https://example.com/'

type Row = Record<string, string | number | boolean | null>

/** The rows of a report in json, after those in csv and xlsx were compared with them. */
async function readReport(world: World, owner: Member, input: object): Promise<Row[]> {
  const files = []
  for (const format of ['json', 'csv', 'xlsx']) {
    const report = await makeReport(owner, { ...input, format })
    assert.equal(report.status, 'completed', JSON.stringify(report))
    const { bytes } = await download(world, owner, report.id)
    assert.equal(bytes.length, report.size)
    files.push({ bytes, rows: report.rowCount })
  }
  const [json, csv, xlsx] = files
  const rows: Row[] = JSON.parse(json!.bytes.toString('utf8'))
  assert.deepEqual(
    files.map((file) => file.rows),
    Array(3).fill(rows.length),
  )
  const texts = rows.map((row) =>
    Object.fromEntries(Object.entries(toShown(row)).map(([name, value]) => [name, toText(value)])),
  )
  assert.deepEqual(
    parseCsv(csv!.bytes).map(withoutVisitor),
    texts.map(withoutVisitor),
    'csv and json differ',
  )
  const [header, ...cells] = readSheet(xlsx!.bytes)
  const fromSheet = cells.map((row) =>
    Object.fromEntries(header!.map((name, at) => [name, toText(row[at] ?? null)])),
  )
  assert.deepEqual(fromSheet.map(withoutVisitor), texts.map(withoutVisitor), 'xlsx and json differ')
  return rows
}

/** A row as the formats for readers have it. */
function toShown({ hasEarlierPeriod, ...row }: Row): Row {
  return hasEarlierPeriod === false ? { ...row, changePercent: 'no earlier data' } : row
}

function toText(value: string | number | boolean | object | null): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

/** A visitor has another pseudonym in each file. */
function withoutVisitor(row: Record<string, string>): Record<string, string> {
  return 'visitor' in row ? { ...row, visitor: 'v_' } : row
}

test('each type has its columns and numbers, in each format', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { workspaceId } = owner
  const { sql, clock } = world
  const domainId = await addDomain(sql, { workspaceId, hostname: 'go.example.com' })
  const campaign = (await must(201, owner.post('/campaigns', { name: '+Spring' }))).body.data
  const makeLink = async (fields: object) =>
    (await must(201, owner.post('/links', { destinationUrl: DESTINATION, ...fields }))).body.data
  const link = await makeLink({ name: 'In spring', campaignId: campaign.id })
  const other = await makeLink({ name: 'Other', domainId })
  const atMs = clock.now - 1_000
  await storeClicks(world.clickhouse, [
    { workspaceId, linkId: link.id, atMs, visitor: 1n },
    { workspaceId, linkId: link.id, atMs, visitor: 2n, country: 'FR' },
    { workspaceId, linkId: other.id, atMs, visitor: 2n, domain_id: domainId },
    { workspaceId, linkId: link.id, atMs, kind: 'bot' },
    { workspaceId, linkId: link.id, atMs: atMs - 3 * DAY_MS, visitor: 3n },
  ])
  const sale = { eventName: 'Purchase', linkId: link.id, value: -490, currency: 'eur' }
  await must(202, owner.post('/conversions', { ...sale, eventId: '=order-1' }))
  clock.advance(1)
  await must(202, owner.post('/conversions', { eventName: 'Lead', type: 'lead', eventId: 'lead' }))
  await eventually(async () => {
    const { data } = (await owner.get('/analytics/summary?days=2')).body
    assert.equal(data.totals.conversions, 1)
  })
  const filters = { days: 2, currency: 'EUR' }

  const campaigns = await readReport(world, owner, { type: 'campaign', filters })
  assert.deepEqual(campaigns, [
    {
      ...{ id: campaign.id, name: '+Spring', links: 1, clicks: 2, uniqueVisitors: 2 },
      ...{ conversions: 1, value: -490 },
    },
  ])
  const domains = await readReport(world, owner, { type: 'domains', filters })
  assert.deepEqual(
    domains.map(({ id, links, clicks, uniqueVisitors }) => [id, links, clicks, uniqueVisitors]),
    [
      [null, 1, 2, 2],
      [domainId, 1, 1, 1],
    ],
  )
  assert.equal(domains[1]!['name'], 'go.example.com')

  const conversions = await readReport(world, owner, { type: 'conversions', filters: { days: 2 } })
  assert.deepEqual(
    conversions.map((row) => ({ ...row, id: typeof row['id'], occurredAt: '' })),
    [
      {
        ...{ id: 'string', eventId: 'lead', eventName: 'Lead', type: 'lead', value: 0 },
        ...{ currency: 'usd', linkId: null, clickId: null, occurredAt: '' },
      },
      {
        ...{ id: 'string', eventId: '=order-1', eventName: 'Purchase', type: 'sale', value: -490 },
        ...{ currency: 'eur', linkId: link.id, clickId: null, occurredAt: '' },
      },
    ],
  )
  const ofCampaign = { type: 'conversions', filters: { days: 2, campaignId: campaign.id } }
  assert.equal((await readReport(world, owner, ofCampaign)).length, 1)

  const dimensions = ['country']
  const input = { type: 'summary', filters: { ...filters, dimensions, linkIds: [link.id] } }
  assert.deepEqual(await readReport(world, owner, input), [
    { metric: 'clicks', value: 2, previous: 1, changePercent: 100, hasEarlierPeriod: true },
    { metric: 'uniqueVisitors', value: 2, previous: 1, changePercent: 100, hasEarlierPeriod: true },
    { metric: 'botClicks', value: 1, previous: 0, changePercent: 100, hasEarlierPeriod: false },
    { metric: 'conversions', value: 1, previous: 0, changePercent: 100, hasEarlierPeriod: false },
    { metric: 'value', value: -490, previous: 0, changePercent: 0, hasEarlierPeriod: false },
    {
      metric: 'clicks.country.DE',
      value: 1,
      previous: 1,
      changePercent: 0,
      hasEarlierPeriod: true,
    },
    {
      metric: 'clicks.country.FR',
      value: 1,
      previous: 0,
      changePercent: 100,
      hasEarlierPeriod: false,
    },
  ])

  const clicks = await readReport(world, owner, {
    type: 'clicks',
    filters: { days: 2, dimensions },
  })
  assert.deepEqual(
    clicks.map(({ linkId, country }) => [linkId, country]).toSorted(),
    [
      [link.id, 'DE'],
      [link.id, 'FR'],
      [other.id, 'DE'],
    ].toSorted(),
  )
  assert.deepEqual(Object.keys(clicks[0]!), [
    ...['id', 'timestamp', 'kind', 'linkId', 'slug', 'shortUrl', 'host', 'visitor', 'country'],
  ])
})

test('each type is one page of pdf, and a sale is on it', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { workspaceId } = owner
  const link = (
    await must(201, owner.post('/links', { name: 'Shop', destinationUrl: DESTINATION }))
  ).body.data
  await storeClicks(world.clickhouse, [
    { workspaceId, linkId: link.id, atMs: world.clock.now - 1_000 },
  ])
  await must(202, owner.post('/conversions', { eventName: 'Sale', linkId: link.id, value: 4_900 }))
  await eventually(async () => {
    const { data } = (await owner.get('/analytics/summary?days=2')).body
    assert.equal(data.totals.conversions, 1)
  })
  for (const type of TYPES) {
    const report = await makeReport(owner, { type, format: 'pdf', name: `All ${type}` })
    assert.equal(report.status, 'completed', JSON.stringify(report))
    const { answer, bytes } = await download(world, owner, report.id)
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    const { texts, pages, bars } = readPdf(bytes)
    assert.equal(pages, 1)
    assert.ok(texts.includes(`All ${type}`), texts.join('\n'))
    const hasNumbers = type !== 'audit_log'
    assert.equal(bars, hasNumbers ? 1 : 0)
    assert.equal(texts.includes('USD\u00a049.00'), hasNumbers)
  }
})

test('the audit log is reported to those who may read it, as of each run', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { workspaceId } = owner
  const admin = await world.member({ workspaceId, role: 'admin' })
  const member = await world.member({ workspaceId, role: 'member' })
  await must(201, owner.post('/links', { name: 'Audited', destinationUrl: DESTINATION }))
  const input = { type: 'audit_log', format: 'json' }
  await must(403, member.post('/reports', input))

  const report = await makeReport(admin, input)
  assert.equal(report.status, 'completed', JSON.stringify(report))
  const { bytes } = await download(world, admin, report.id)
  const rows: Row[] = JSON.parse(bytes.toString('utf8'))
  const listed = (await must(200, owner.get('/audit-log?limit=100'))).body.data as Row[]
  // The clock stands still, so that all rows are of one time.
  const byId = (all: Row[]) =>
    all
      .filter(({ id }) => rows.some((row) => row['id'] === id))
      .map(({ id, action, hash, changes, createdAt }) => ({ id, action, hash, changes, createdAt }))
      .toSorted((a, b) => String(a.id).localeCompare(String(b.id)))
  assert.deepEqual(byId(rows), byId(listed))
  assert.ok(rows.length >= 5, `${rows.length} rows`)
  assert.deepEqual(
    rows.map(({ action }) => action).filter((action) => action === 'link.created'),
    ['link.created'],
  )

  // Members see that there is a report, and neither get nor change it.
  for (const answer of [
    await member.get(`/reports/${report.id}/download`),
    await member.patch(`/reports/${report.id}`, { name: 'Mine' }),
    await member.delete(`/reports/${report.id}`),
  ])
    assert.equal(answer.status, 403)
  const { data: key } = (
    await must(
      201,
      (await world.session(owner)).post('/api-keys', {
        name: 'Reports only',
        scopes: ['reports:read', 'reports:write'],
      }),
    )
  ).body
  const headers = { authorization: `Bearer ${key.key}` }
  const path = `/v1/reports/${report.id}/download`
  assert.equal((await world.call('GET', path, { headers })).status, 403)

  const release = await holdRuns(world, workspaceId, 'reports.audit_log')
  const { data: waiting } = (await must(202, admin.post('/reports', input))).body
  await world.sql`
    update members set role = 'member' where user_id = ${admin.userId} and workspace_id = ${workspaceId}`
  await release()
  const refused = await finished(owner, waiting.id)
  assert.deepEqual([refused.status, refused.error.code], ['failed', 'FORBIDDEN'])
})

test('a key gets only the data as a report that its scopes read', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const session = await world.session(owner)
  const keyWith = async (...scopes: string[]) => {
    const input = { name: 'Reports', scopes: ['reports:write', ...scopes] }
    const { data } = (await must(201, session.post('/api-keys', input))).body
    return callsWith(data.key, world.origin)
  }
  const NEEDED = {
    links: ['links:read', 'analytics:read'],
    clicks: ['analytics:read'],
    conversions: ['analytics:read'],
    campaign: ['campaigns:read', 'analytics:read'],
    domains: ['domains:read', 'analytics:read'],
    summary: ['analytics:read'],
    audit_log: ['audit-log:read'],
  }
  const narrow = await keyWith()
  for (const [type, scopes] of Object.entries(NEEDED)) {
    const report = await makeReport(owner, { type })
    assert.equal(report.status, 'completed')
    const path = `/reports/${report.id}/download`
    for (const answer of [
      await narrow.post('/reports', { type }),
      await narrow.get(path),
      await narrow.patch(`/reports/${report.id}`, { filters: { days: 3 } }),
    ])
      assert.deepEqual(
        [answer.status, answer.body.error.details?.requiredScope],
        [403, scopes[0]],
        type,
      )
    const wide = await keyWith(...scopes)
    await must(200, wide.get(path))
    const made = (await must(202, wide.post('/reports', { type }))).body.data
    assert.equal((await finished(owner, made.id)).status, 'completed')
    if (scopes.length > 1) await must(403, (await keyWith(scopes[0]!)).post('/reports', { type }))
  }
})

test('a run ends when the files of the workspace take all of their room', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const large = await makeReport(owner, { type: 'links' })
  await world.sql`update reports set size = ${2 * 1024 ** 3} where id = ${large.id}`
  const refused = await makeReport(owner, { type: 'links' })
  assert.deepEqual([refused.status, refused.error.code], ['failed', 'PAYLOAD_TOO_LARGE'])
  await must(204, owner.delete(`/reports/${large.id}`))
  assert.equal((await makeReport(owner, { type: 'links' })).status, 'completed')
})

test('an expired file, and what a failed run has written, are deleted', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { sql, clock } = world
  const destinationUrl = `${DESTINATION}${'x'.repeat(6_000)}`
  const links = Array.from({ length: 100 }, (_, at) => ({ name: `Link ${at}`, destinationUrl }))
  await must(200, owner.post('/links/bulk', links))
  const expire = () =>
    deleteUnwantedFiles({ systemSql: asSystem(sql), clock: () => clock.now }, NEVER)
  const countChunks = async (id: string) =>
    (await sql`select 1 from report_chunks where report_id = ${id}`).length

  const kept = await makeReport(owner, { type: 'links' })
  assert.equal(await countChunks(kept.id), 3)
  // Room for the first piece of the next file.
  await sql`update reports set size = ${2 * 1024 ** 3 - 300_000} where id = ${kept.id}`
  const failed = await makeReport(owner, { type: 'links' })
  assert.equal(failed.error.code, 'PAYLOAD_TOO_LARGE')
  await expire()
  assert.equal(await countChunks(failed.id), 0)
  assert.equal(await countChunks(kept.id), 3)

  clock.advance(30 * DAY_MS - 1)
  await expire()
  assert.equal(await countChunks(kept.id), 3)
  clock.advance(1)
  await expire()
  assert.equal(await countChunks(kept.id), 0)
  const { data } = (await must(200, owner.get(`/reports/${kept.id}`))).body
  assert.deepEqual([data.status, data.size, data.downloadUrl], ['completed', null, null])
  await must(410, owner.get(`/reports/${kept.id}/download`))
})
