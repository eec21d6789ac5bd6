import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXPORT_COLUMNS } from '../../src/links/export/export.ts'
import { unmarkCell } from '../../src/platform/resources/csv.ts'
import { eventually, openWorld } from '../support/world.ts'

/** Records of a CSV file as objects by their header. */
function parse(text: string): Record<string, string>[] {
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)
  const records: string[][] = [[]]
  for (const [, quoted, plain, end] of cells) {
    records.at(-1)!.push(unmarkCell(quoted?.replaceAll('""', '"') ?? plain!))
    if (end === '\r\n') records.push([])
  }
  const [header, ...rows] = records.slice(0, -1)
  return rows.map((row) => Object.fromEntries(header!.map((name, i) => [name, row[i]!])))
}

for (const isPair of [false, true])
  test(`links are exported with every field ${isPair ? 'through a gateway of its own' : 'in one process'}`, async (t) => {
    const world = await openWorld(t, { isPair })
    const owner = await world.member()
    const campaign = await owner.post('/campaigns', { name: '=Spring' })
    const full = await owner.post('/links', {
      name: "=cmd|' /C calc'!A0",
      destinationUrl: 'https://example.com/?a=1,2&b="x"',
      slug: 'full',
      aliases: ['other', 'third'],
      tags: ['b', 'a'],
      externalId: '-7',
      campaignId: campaign.body.data.id,
      utmTerm: "'quoted",
      metadata: { '=x': ['+1', 'two\nlines'] },
      password: 'quiet harbour lamp',
      expiresAt: '2099-01-01T00:00:00.000Z',
      startsAt: '2020-01-01T00:00:00.000Z',
      rules: [{ conditions: { country: ['DE'] }, destinationUrl: 'https://example.com/de' }],
      variants: [
        { destinationUrl: 'https://example.com/a', weight: 50 },
        { destinationUrl: 'https://example.com/b', weight: 50 },
      ],
      card: { title: '@title' },
      maxClicks: 5,
      forwardQuery: false,
    })
    assert.equal(full.status, 201, JSON.stringify(full.body))
    await owner.post('/links', { name: 'Plain', destinationUrl: 'https://example.com/' })
    await owner.post('/links', {
      name: 'Old',
      destinationUrl: 'https://example.com/',
      status: 'archived',
    })
    const link = full.body.data

    const answer = await owner.get('/links/export.csv?tag=a')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(
      answer.headers.get('content-disposition')!,
      /^attachment; filename="links-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const bytes = await fetch(`${world.origin}/v1/links/export.csv`, {
      headers: { authorization: `Bearer ${owner.apiKey}` },
    }).then((each) => each.arrayBuffer())
    assert.deepEqual([...new Uint8Array(bytes).subarray(0, 3)], [0xef, 0xbb, 0xbf])
    assert.doesNotMatch(answer.text, /(^|[,\n]"?)[=+@-]/m)
    const [row, ...others] = parse(answer.text)
    assert.deepEqual(others, [])
    assert.deepEqual(Object.keys(row!), [...EXPORT_COLUMNS])
    for (const name of ['id', 'shortUrl', 'name', 'destinationUrl', 'slug', 'domain', 'externalId'])
      assert.equal(row![name], link[name], name)
    for (const name of ['utmTerm', 'startsAt', 'expiresAt', 'campaignId', 'createdAt', 'updatedAt'])
      assert.equal(row![name], link[name], name)
    for (const name of ['metadata', 'rules', 'variants', 'card', 'aliases'])
      assert.deepEqual(JSON.parse(row![name]!), link[name], name)
    assert.deepEqual(
      [row!['tags'], row!['campaign'], row!['folder'], row!['password']],
      [link.tags.join(','), '=Spring', '', '********'],
    )
    assert.deepEqual(
      [row!['maxClicks'], row!['forwardQuery'], row!['clicks'], row!['redirectType']],
      ['5', 'false', '0', '302'],
    )
    const namesOf = async (query: string) =>
      parse((await owner.get(`/links/export.csv${query}`)).text)
        .map(({ name }) => name)
        .toSorted()
    assert.deepEqual(await namesOf(''), [link.name, 'Plain'])
    assert.deepEqual(await namesOf('?includeArchived=true'), [link.name, 'Old', 'Plain'])
    assert.deepEqual(await namesOf('?search=plain'), ['Plain'])
    assert.deepEqual(await namesOf('?status=archived'), ['Old'])
    const stranger = await world.member()
    assert.equal(
      (await stranger.get(`/links/export.csv?campaignId=${link.campaignId}`)).status,
      403,
    )
    assert.deepEqual(parse((await stranger.get('/links/export.csv')).text), [])
    assert.equal((await owner.get('/links/export.csv?status=nothing')).status, 400)
  })

test('an export of many links has each once, and one of a workspace runs at a time', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await world.sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at, updated_at)
    select 'lnk_' || lpad(i::text, 26, '0'), ${owner.workspaceId}, 'Link ' || i, 'many' || i, 'many' || i,
      'https://example.com/' || repeat('x', 6000), ${owner.userId},
      timestamptz '2026-01-01' + (i / 3) * interval '1 microsecond', now()
    from generate_series(1, 3001) as i`
  const names = parse((await owner.get('/links/export.csv')).text).map(({ name }) => name!)
  assert.equal(names.length, 3_001)
  assert.equal(new Set(names).size, 3_001)
  assert.equal(names[0], 'Link 3001')
  const few = await owner.get('/links/export.csv?search=Link%202999')
  assert.equal(parse(few.text).length, 1)

  const client = new AbortController()
  const headers = { authorization: `Bearer ${owner.apiKey}` }
  const url = `${world.origin}/v1/links/export.csv`
  const running = await fetch(url, { headers, signal: client.signal })
  const refused = await owner.get('/links/export.csv')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '1')
  const other = await world.member()
  assert.equal((await other.get('/links/export.csv')).status, 200)
  client.abort()
  await running.text().catch(() => {})
  await eventually(async () => assert.equal((await owner.get('/links/export.csv')).status, 200))
  const head = await fetch(url, { method: 'HEAD', headers })
  assert.equal(head.status, 200)
  await eventually(async () => assert.equal((await owner.get('/links/export.csv')).status, 200))
})
