import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { must, type Calls } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import {
  findViolations,
  openPage,
  overhangOf,
  type Size,
  contentOf,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import type { World } from '../support/world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }
const DESTINATION = 'https://example.com/'

test('many links at once', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  for (const size of ['desktop', 'phone'] as const)
    await t.test(
      `1,000 rows, 7 of them bad, are checked, imported and undone on a ${size}`,
      (part) => importRows(part, world, size),
    )
  await t.test('a file shows how its columns are read, and the short URL of each row', (part) =>
    checkRows(part, world),
  )
  await t.test('500 links of a filter are deleted, and come back with their clicks', (part) =>
    deleteByFilter(part, world),
  )
})

type Link = { id: string; slug: string; clicks: number; createdAt: string }

const ROWS = 1_000
const COLUMNS = ['Title', 'Target', 'Path', 'Labels', 'Until', 'Remarks']
/** The field of each column; the last one is left out. */
const FIELDS = ['Name', 'Points to', 'Short link', 'Tags', 'Expires', 'Do not import']
/** Errors by row, as a spreadsheet numbers it: the column, and the value in it. */
const BAD: Readonly<Record<number, readonly [column: string, value: string]>> = {
  2: ['Target', 'javascript:alert(1)'],
  101: ['Title', ''],
  250: ['Path', 'app'],
  333: ['Path', 'a b'],
  500: ['Until', 'soon'],
  777: ['Labels', 'x'.repeat(300)],
  1_001: ['Target', 'example'],
}
const BAD_PLACES = Object.entries(BAD).map(([row, [column]]) => [row, column])

function toCsv(size: Size): string {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 2
    const [badColumn, badValue] = BAD[row] ?? []
    const cells = [`Row ${row}`, DESTINATION, `${size}-${row}`, 'imported', '2099-01-01', 'none']
    return cells.map((cell, at) => (COLUMNS[at] === badColumn ? badValue : cell)).join(',')
  })
  return [COLUMNS.join(','), ...lines].join('\n')
}

async function checkRows(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links/import`)
  const rows = ['summer', 'https://bit.ly/winter', ''].map(
    (link, i) => `${link},${DESTINATION}${i},Row ${i},x`,
  )
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'links.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Link,Long URL,Title,Notes', ...rows].join('\n')),
  })
  await page.getByText('Recognized as Bitly.').waitFor()
  const shown = async (column: string) =>
    page.getByLabel(`Field for column ${column}`).locator('option:checked').innerText()
  assert.deepEqual(await Promise.all(['Link', 'Long URL', 'Title', 'Notes'].map(shown)), [
    'Short link (detected)',
    'Points to (detected)',
    'Name (detected)',
    'Not imported',
  ])
  await page.getByLabel('Field for column Long URL').selectOption('Do not import')
  await page.getByText('Choose the column for: Points to.').waitFor()
  await page.getByLabel('Field for column Long URL').selectOption('Detect automatically')
  await page.getByText('Choose the column for').waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Dry run' }).click()
  const table = page.getByRole('region', { name: 'Rows', exact: true }).getByRole('table')
  await table.getByText('/summer').waitFor()
  const cells = await table.locator('tbody tr').allInnerTexts()
  const { host } = new URL(world.origin)
  for (const said of ['to create', `http://${host}/summer`, `${DESTINATION}0`])
    assert.ok(cells[0]!.includes(said), said)
  assert.ok(!cells[0]!.includes('The file has'))
  for (const said of [`http://${host}/winter`, 'The file has it at bit.ly.'])
    assert.ok(cells[1]!.includes(said), said)
  assert.match(cells[2]!, /The file has no slug for it, so it gets a random one\./)
  assert.deepEqual(await findViolations(page), [])
}

async function importRows(t: TestContext, world: World, size: Size): Promise<void> {
  const owner = await world.member()
  const own = `own-${size}`
  await must(201, owner.post('/links', { name: 'Before', slug: own, destinationUrl: DESTINATION }))
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, size })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links/import`)
  const file = { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(toCsv(size)) }
  await page.getByLabel('Choose a file').setInputFiles(file)
  for (const [index, column] of COLUMNS.entries())
    await page.getByLabel(`Field for column ${column}`).selectOption({ label: FIELDS[index]! })

  await page.getByRole('button', { name: 'Dry run' }).click()
  await readReport(page, ['993 to create', '7 with errors'])
  assert.equal(await countLinks(owner), 1)
  const report = await page.getByRole('progressbar', { name: 'Progress' }).boundingBox()
  assert.ok(report && report.y < page.viewportSize()!.height, 'the report has come into view')
  assert.equal(await overhangOf(page), 0)
  assert.deepEqual(await findViolations(page), [])

  // The form and the report of its dry run have a button each.
  const name = size === 'phone' ? 'Import 993 rows' : 'Import'
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
  await readReport(page, ['993 created', '7 failed'])
  assert.equal(await countLinks(owner), 1 + 993)
  assert.deepEqual(await readDownload(page), BAD_PLACES)

  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Restored 993 links.').waitFor()
  const undo = page.getByRole('button', { name: 'Undo import' })
  await undo.waitFor({ state: 'detached' })
  await page.reload()
  await readReport(page, ['993 created', '7 failed'])
  assert.equal(await undo.count(), 0)
  await page.getByRole('link', { name: 'Show links' }).click()
  await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
  const { body } = await must(200, owner.get('/links'))
  assert.deepEqual(
    body.data.map(({ slug }: Link) => slug),
    [own],
  )
}

/** Waits for the end of an import, and finds each bad row by its number and its column. */
async function readReport(page: Page, counts: readonly string[]): Promise<void> {
  await eventually(async () => {
    const shown = (await page.locator('main dl').innerText()).replaceAll(/\s+/g, ' ')
    for (const count of counts) assert.ok(shown.includes(count), `${shown} has no ${count}`)
  })
  await page.getByText('1,000 of 1,000 rows').waitFor()
  const refused = page.getByRole('region', { name: 'Failed rows' })
  const rows = await refused.locator('tbody tr').all()
  const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()))
  assert.deepEqual(
    cells.map(([row, column]) => [row, column]),
    BAD_PLACES,
  )
  for (const [row, , problem] of cells) assert.ok(problem, `row ${row} says what is wrong`)
  const hidden = await refused.evaluate((region) => region.scrollWidth - region.clientWidth)
  assert.equal(hidden, 0, 'the report fits in its place')
}

/** @returns row and column of each line of the file of errors */
async function readDownload(page: Page): Promise<string[][]> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Errors as CSV' }).click()
  const lines = String(await contentOf(await downloading))
    .trim()
    .split('\r\n')
  return lines.slice(1).map((line) => line.split(',').slice(0, 2))
}

async function countLinks(calls: Calls): Promise<number> {
  return (await must(200, calls.get('/links?limit=1'))).body.meta.total as number
}

const MANY = 500
const PAGE_ROWS = 100

async function deleteByFilter(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const toLink = (_: unknown, index: number) => ({
    name: `Sale ${index}`,
    slug: `sale-${index}`,
    destinationUrl: DESTINATION,
    ...(index < MANY && { tags: ['sale'] }),
  })
  const links = Array.from({ length: MANY + 3 }, toLink)
  await must(200, owner.post('/links/bulk', { links }))
  for (const slug of ['sale-0', 'sale-7', 'sale-7']) await openLink(world, slug)
  const before = await eventually(async () => {
    const listed = await listLinks(owner)
    assert.deepEqual([listed.get('sale-0')?.clicks, listed.get('sale-7')?.clicks], [1, 2])
    return listed
  })

  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links`)
  await page.getByLabel('Tag', { exact: true }).selectOption('sale')
  await page.getByText('500 links').waitFor()
  await page
    .getByRole('checkbox', { name: /^Select sale-/ })
    .first()
    .check()
  await page.getByRole('button', { name: 'Select all 500' }).click()
  await page.getByText('500 selected').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete 500 links?' })
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  // The offer to undo stays while it is pointed at.
  await page.getByText('Deleted 500 links.').hover()
  const left = await listLinks(owner)
  assert.deepEqual([...left.keys()].toSorted(), ['sale-500', 'sale-501', 'sale-502'])
  await eventually(async () => assert.equal((await openLink(world, 'sale-7')).status, 404))

  await page.keyboard.press('z')
  await page.getByText('Restored 500 links.').waitFor()
  await page.getByText(/^500 links(,|$)/).waitFor()
  assert.deepEqual(await listLinks(owner), before)
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links/${before.get('sale-7')?.id}`)
  await page.getByText('2 clicks, created').waitFor()
  await eventually(async () => assert.equal((await openLink(world, 'sale-7')).status, 302))
  await page.getByText('3 clicks, created').waitFor()
}

/** The links that the undo has to bring back, by slug. */
async function listLinks(calls: Calls): Promise<ReadonlyMap<string, Link>> {
  const listed = new Map<string, Link>()
  for (let offset = 0, total = 1; offset < total; offset += PAGE_ROWS) {
    const page = await must(200, calls.get(`/links?limit=${PAGE_ROWS}&offset=${offset}`))
    total = page.body.meta.total as number
    for (const { id, slug, clicks, createdAt } of page.body.data as Link[])
      listed.set(slug, { id, slug, clicks, createdAt })
  }
  return listed
}
