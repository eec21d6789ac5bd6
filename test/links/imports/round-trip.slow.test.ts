import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchAnswer, must } from '../../support/calls.ts'
import { eventually, openWorld, type Member, type World } from '../../support/world.ts'
import { IS_LONG } from '../../support/long.ts'

/** Links of each run; the interface names 10,000. */
const LINKS = IS_LONG ? 10_000 : 250
const PER_REQUEST = 250
/** Hashes take most of the time, so few links have a password. */
const WITH_PASSWORD = 5

type Shown = Record<string, unknown>
type Groups = { folderId: string; campaignId: string }

/** Texts that a spreadsheet, a CSV parser or a careless import changes. */
const TEXTS = [
  '=cmd|1',
  "'tis",
  "'=1",
  '@x',
  '+49 1',
  '-1',
  'a,b "c"',
  'zwei\u00a0Zeilen',
  '007',
  'true',
  '日本 🎉',
]

/** Every option in turn, and in different combinations. */
function toLink(i: number, { folderId, campaignId }: Groups): Record<string, unknown> {
  const text = TEXTS[i % TEXTS.length]!
  const every = (n: number, fields: object) => (i % n === 0 ? fields : {})
  return {
    name: `${text} ${i}`,
    destinationUrl: `https://example.com/p/${i}?q=${encodeURIComponent(text)}&x=1,2`,
    ...every(2, { slug: `round-${i}`, externalId: `${text}-${i}` }),
    ...every(3, { tags: [text.replaceAll(',', ';'), `tag-${i % 7}`], folderId }),
    ...every(4, { campaignId, utmTerm: text }),
    ...every(8, { utmSource: null }),
    ...every(5, { metadata: { [text]: [text, i, null, { deep: true }] } }),
    ...every(6, { startsAt: '2020-01-01T00:00:00.000Z', expiresAt: '2099-01-01T00:00:00.000Z' }),
    ...every(7, { status: i % 2 === 0 ? 'archived' : 'paused', redirectType: 301 }),
    ...every(8, { maxClicks: i + 1, expiredUrl: 'https://example.com/over' }),
    ...every(9, { iosDeepLink: 'app://ios', androidDeepLink: 'https://example.com/android' }),
    ...every(10, { aliases: [`alias-${i}`, `Other-${i}`], noindex: true, forwardQuery: false }),
    ...every(11, { card: { title: text, description: 'two\nlines', image: null } }),
    ...every(12, {
      rules: [
        { name: text, conditions: { country: ['DE'] }, destinationUrl: 'https://example.com/de' },
      ],
    }),
    ...every(13, {
      variants: [
        { name: text, destinationUrl: 'https://example.com/a', weight: 40 },
        { name: 'B', destinationUrl: 'https://example.com/b', weight: 60 },
      ],
      variantsUntil: '2098-01-01T00:00:00.000Z',
    }),
    ...(i < WITH_PASSWORD && { password: 'quiet harbour lamp' }),
  }
}

async function fill(owner: Member): Promise<void> {
  const folder = await must(201, owner.post('/folders', { name: '=Folder, "one"' }))
  const campaign = await must(
    201,
    owner.post('/campaigns', { name: 'Spring', utmSource: 'news', utmContent: 'default' }),
  )
  const groups = { folderId: folder.body.data.id, campaignId: campaign.body.data.id }
  for (let from = 0; from < LINKS; from += PER_REQUEST) {
    const links = Array.from({ length: PER_REQUEST }, (_, i) => toLink(from + i, groups))
    const { body } = await must(200, owner.post('/links/bulk', { links }))
    assert.equal(
      body.meta.failed,
      0,
      JSON.stringify(body.data.filter(({ error }: { error: unknown }) => error)),
    )
  }
}

async function exportLinks(owner: Member): Promise<string> {
  return (await must(200, owner.get('/links/export.csv?includeArchived=true'))).text
}

async function importLinks({ origin }: World, owner: Member, csv: string) {
  const started = await must(
    202,
    fetchAnswer(`${origin}/v1/links/import?onConflict=update`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'text/csv' },
      body: csv,
    }),
  )
  return eventually(async () => {
    const { body } = await owner.get(`/links/imports/${started.body.data.id}`)
    assert.equal(body.data.status, 'completed')
    return body.data
  }, 600_000)
}

async function listLinks(owner: Member): Promise<Shown[]> {
  const links: Shown[] = []
  for (let cursor = ''; ;) {
    const query = `limit=100&includeArchived=true&sortBy=name&sortOrder=asc${cursor && `&cursor=${cursor}`}`
    const { body } = await must(200, owner.get(`/links?${query}`))
    links.push(...body.data)
    if (body.meta.nextCursor === null) return links
    cursor = encodeURIComponent(body.meta.nextCursor)
  }
}

test('an export that is imported again changes nothing, and restores deleted links', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await fill(owner)
  const before = await listLinks(owner)
  assert.equal(before.length, LINKS)
  const csv = await exportLinks(owner)

  const again = await importLinks(world, owner, csv)
  assert.deepEqual(
    [again.total, again.created, again.updated, again.skipped, again.failed, again.errors],
    [LINKS, 0, 0, LINKS, 0, []],
  )
  assert.deepEqual(await listLinks(owner), before)
  assert.equal(await exportLinks(owner), csv)

  const ids = before.map(({ id }) => id)
  for (let from = 0; from < LINKS; from += 1_000)
    await must(200, owner.delete('/links/bulk', { ids: ids.slice(from, from + 1_000) }))
  const restored = await importLinks(world, owner, csv)
  assert.deepEqual(
    [restored.total, restored.created, restored.failed],
    [LINKS, LINKS - WITH_PASSWORD, WITH_PASSWORD],
  )
  for (const error of restored.errors) assert.equal(error.column, 'password')
  const shown = ({ id: _id, createdAt: _at, updatedAt: _updated, ...link }: Shown) => ({
    ...link,
    archivedAt: link['archivedAt'] !== null,
  })
  const locked = before.filter(({ password }) => password !== null)
  assert.equal(locked.length, WITH_PASSWORD)
  assert.deepEqual(
    (await listLinks(owner)).map(shown),
    before.filter(({ password }) => password === null).map(shown),
  )
})
