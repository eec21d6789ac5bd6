import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { openWorld, type Member } from '../support/world.ts'

const LINKTREE = join(import.meta.dirname, '../links/imports/files/linktree.json')
const CSV = 'text/csv'
const ROWS_OF_PAGE = 200

const toCsv = (names: readonly string[]) =>
  ['name,destinationUrl', ...names.map((name, i) => `${name},https://example.com/${i}`)].join('\n')

test('a bio page of an import', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { pace: 5 })
  let serial = 0
  const create = (member: Member, input: object) =>
    member.post('/bio-pages', { slug: `page-${++serial}`, title: 'Ana', ...input })

  async function start(member: Member, file: string, type = CSV, query = ''): Promise<string> {
    const answer = await member.post(`/links/import${query}`, Buffer.from(file), {
      'content-type': type,
    })
    assert.equal(answer.status, 202, answer.text)
    return answer.body.data.id
  }
  async function importFile(...[member, ...file]: Parameters<typeof start>): Promise<string> {
    const id = await start(member, ...file)
    await eventually(async () =>
      assert.equal((await member.get(`/links/imports/${id}`)).body.data.status, 'completed'),
    )
    return id
  }
  async function refused(member: Member, input: object, status: number, path: string) {
    const { status: found, body } = await create(member, input)
    assert.deepEqual([found, body.error?.details?.[0]?.path], [status, path], JSON.stringify(body))
  }

  await t.test('the page of Linktree has its links in their order, as a draft', async () => {
    const owner = await world.member()
    const file = readFileSync(LINKTREE, 'utf8')
    const importId = await importFile(owner, file, 'application/json')
    const { status, body, text } = await create(owner, { importId })
    assert.equal(status, 201, text)
    assert.deepEqual([body.data.status, body.meta.leftOut], ['draft', 0])
    const rows = (await owner.get(`/links/imports/${importId}/rows`)).body.data
    const shown = body.data.blocks.map((block: Record<string, unknown>) => [
      ...[block['type'], block['title'], block['url']],
      ...[block['linkId'], block['shortUrl'], block['ownsLink']],
    ])
    assert.deepEqual(shown, [
      ['link', 'Our shop', 'https://example.com/shop', rows[0].linkId, rows[0].shortUrl, false],
      ['link', 'News', 'https://example.com/news', rows[1].linkId, rows[1].shortUrl, false],
    ])
    assert.equal((await owner.get('/links')).body.meta.total, 2)
  })

  await t.test(
    'a page takes as many links as it holds, and says how many it leaves out',
    async () => {
      const owner = await world.member()
      const names = Array.from({ length: ROWS_OF_PAGE + 3 }, (_, i) => `Link ${i}`)
      // A refused row has no place on the page.
      const file = toCsv(names).replace('https://example.com/1\n', 'ftp://example.com/1\n')
      const importId = await importFile(owner, file)
      const { status, body, text } = await create(owner, { importId })
      assert.equal(status, 201, text)
      assert.equal(body.meta.leftOut, 2)
      const expected = names.filter((_, i) => i !== 1).slice(0, ROWS_OF_PAGE)
      assert.deepEqual(
        body.data.blocks.map(({ title }: { title: string }) => title),
        expected,
      )
    },
  )

  await t.test('a second import of the file gives a page of the same links', async () => {
    const owner = await world.member()
    const file = 'name,destinationUrl,slug\nShop,https://example.com/,shop\n'
    const first = await importFile(owner, file)
    const second = await importFile(owner, file)
    const { body } = await create(owner, { importId: second })
    assert.equal(body.data.blocks[0].title, 'Shop')
    await refused(owner, { importId: first }, 400, 'importId')
  })

  await t.test('an import without links gives no page, and says why', async () => {
    const owner = await world.member()
    const dryId = await importFile(owner, toCsv(['Shop']), CSV, '?dryRun=true')
    await refused(owner, { importId: dryId }, 400, 'importId')
    const importId = await importFile(owner, toCsv(['Shop']))
    await refused(owner, { importId, blocks: [] }, 400, 'blocks')
    assert.equal((await owner.post(`/links/imports/${importId}/undo`, {})).status, 200)
    await refused(owner, { importId }, 400, 'importId')
    await refused(owner, { importId: 'imp_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 400, 'importId')
    assert.equal((await owner.get('/bio-pages')).body.meta.total, 0)
  })

  await t.test('an import that is under way gives no page yet', async () => {
    const owner = await world.member()
    const importId = await importFile(owner, toCsv(['Shop']))
    await world.sql`update jobs set status = 'processing', completed_at = null where id = ${importId}`
    const { status, body } = await create(owner, { importId })
    assert.deepEqual([status, body.error.details.reason], [409, 'import_under_way'])
  })

  await t.test(
    'the import of another workspace is refused, and shows none of its links',
    async () => {
      const [owner, other] = [await world.member(), await world.member()]
      const importId = await importFile(other, toCsv(['Secret']))
      await refused(owner, { importId }, 403, 'importId')
    },
  )
})
