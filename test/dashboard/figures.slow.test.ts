import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from 'playwright-core'
import { evaluateBeside } from '../support/beside.ts'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { storeClicks } from '../support/clicks.ts'
import { AT_ONCE, findViolations, openPage, contentOf } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import type { World } from '../support/world.ts'

test(
  'the figures of the dashboard',
  { skip: SKIP_WITHOUT_BROWSER, concurrency: AT_ONCE },
  async (t) => {
    const world = await openDashboardWorld(t)
    await Promise.all([
      t.test('days, labels and file are those of the zone, not of the browser', (part) =>
        readInZone(part, world),
      ),
      t.test('the address of filtered figures shows the same in another browser', (part) =>
        shareAddress(part, world),
      ),
      t.test('a period is drawn on the chart with the mouse, the keys and the thumb', (part) =>
        drawPeriods(part, world),
      ),
      t.test('the map says the clicks of its countries, and filters by keys', (part) =>
        readMap(part, world),
      ),
      t.test('the names at the ends of a chart without clicks stay above its axis', (part) =>
        nameEnds(part, world),
      ),
      t.test('imported clicks are of no day, also for visitors', (part) =>
        readImported(part, world),
      ),
      t.test('without an earlier period no change is shown', (part) => readFirst(part, world)),
      t.test('the links of a campaign have their clicks of the period', (part) =>
        readCampaign(part, world),
      ),
      t.test('countries are counted when all of them are read', (part) =>
        countCountries(part, world),
      ),
      t.test('a list shows no row twice after a new one moved the others', (part) =>
        moveRows(part, world),
      ),
      t.test('each card is saved as a file of its rows', (part) => saveCards(part, world)),
    ])
  },
)

async function openFigures(t: TestContext, world: World, timezone = 'UTC') {
  const owner = await world.member()
  const link = { name: 'Winter', destinationUrl: 'https://example.com/' }
  const { body } = await must(201, owner.post('/links', link))
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, timezone })
  const url = `${world.origin}/app/${owner.workspaceId}/analytics`
  const ids = { workspaceId: owner.workspaceId, linkId: body.data.id as string }
  return { owner, ids, page, url }
}

async function nameEnds(t: TestContext, world: World): Promise<void> {
  const { ids, page, url } = await openFigures(t, world)
  await page.goto(url.replace('/analytics', `/links/${ids.linkId}`))
  const chart = page.getByRole('slider')
  const edgesOf = async (name: string) => {
    const box = (await chart.getByText(name, { exact: true }).boundingBox())!
    return { top: box.y, bottom: box.y + box.height }
  }
  const [now, before] = [await edgesOf('now'), await edgesOf('before')]
  const day = await chart
    .getByText(/^\d+ \w+$/)
    .last()
    .boundingBox()
  assert.ok(now.bottom <= before.top + 2, `${now.bottom} ${before.top}`)
  assert.ok(before.bottom <= day!.y + 2, `${before.bottom} ${day!.y}`)
}

/** Days of the stories: 2026-09-01 to 2026-09-10 have as many clicks as their number, at noon in UTC. */
const DAYS = 'start=2026-09-01&end=2026-09-10&compare=none'
const COUNTRIES = ['DE', 'DE', 'FR', 'US'] as const

async function storeDays(world: World, ids: { workspaceId: string; linkId: string }) {
  const clicks = Array.from({ length: 10 }, (_, day) =>
    Array.from({ length: day + 1 }, (__, index) => ({
      ...ids,
      atMs: Date.UTC(2026, 8, day + 1, 12) + index,
      country: COUNTRIES[index % COUNTRIES.length]!,
      device: index % 3 === 0 ? 'desktop' : 'mobile',
      browser: 'Safari',
      os: 'iOS',
      referrer: index % 2 === 0 ? 'direct' : 'news.example.com',
      language: 'de',
      utm_source: 'newsletter',
      visitor: BigInt(index),
    })),
  )
  await storeClicks(world.clickhouse, clicks.flat())
}

/** The numbers of the page and the days of its chart. */
async function readFigures(page: Page) {
  const summary = page.getByText('As a table').first()
  await summary.waitFor()
  const table = page.getByRole('table').first()
  if (!(await table.isVisible())) await summary.click()
  const rows = await table.getByRole('row').allInnerTexts()
  const filters = await page.getByRole('button', { name: /^Remove the .* filter/ }).count()
  const days = rows.slice(1).map((row) => row.trim().split(/\t/).slice(0, 2))
  return { days, filters, clicks: days.reduce((sum, [, clicks]) => sum + Number(clicks), 0) }
}

/** One browser in Auckland, where the clicks of noon in UTC are of the next day, and one in Los Angeles. */
async function shareAddress(t: TestContext, world: World): Promise<void> {
  const { owner, ids, page, url } = await openFigures(t, world, 'Pacific/Auckland')
  await storeDays(world, ids)
  await page.goto(`${url}?${DAYS}`)
  await page.getByRole('button', { name: /^Phone/ }).click()
  await page.getByRole('button', { name: /^France/ }).click({ modifiers: ['Alt'] })
  await eventually(async () => assert.equal((await readFigures(page)).filters, 2))
  await eventually(async () => assert.equal((await readFigures(page)).clicks, 20))
  const shown = await readFigures(page)
  assert.deepEqual(shown.days[1], ['Wed, 2 Sept 2026', '0'])

  const colleague = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const { cookie } = await world.session(colleague)
  const other = await openPage(t, world, {
    ...{ cookie, timezone: 'America/Los_Angeles', size: 'phone', theme: 'dark' },
  })
  await other.page.goto(page.url())
  assert.deepEqual(await readFigures(other.page), shown)
}

async function drawPeriods(t: TestContext, world: World): Promise<void> {
  const { owner, ids, page, url } = await openFigures(t, world)
  await storeDays(world, ids)
  const chart = (of: Page) => of.getByRole('slider')
  const open = async (of: Page) => {
    await of.goto(`${url}?${DAYS}`)
    await chart(of).waitFor()
    return (await chart(of).boundingBox())!
  }
  const assertShown = async (of: Page, start: string, end: string) => {
    await of.waitForURL(new RegExp(`start=${start}&end=${end}`))
  }
  /** The middle of a day, of ten between the margins of the chart. */
  const placeOf = (box: { x: number; width: number }, day: number) =>
    box.x + 48 + ((box.width - 48 - 56) / 9) * (day - 1)

  const box = await open(page)
  await page.mouse.move(placeOf(box, 6), box.y + 100)
  await page.mouse.down()
  await page.mouse.move(placeOf(box, 3), box.y + 120, { steps: 4 })
  await page.mouse.up()
  await assertShown(page, '2026-09-03', '2026-09-06')

  await open(page)
  await chart(page).focus()
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft'])
    await page.keyboard.press(key)
  assert.equal(await chart(page).getAttribute('aria-valuetext'), '6 Sept to 8 Sept')
  await page.keyboard.press('Enter')
  await assertShown(page, '2026-09-06', '2026-09-08')

  const { cookie } = await world.session(owner)
  const { page: phone, context } = await openPage(t, world, {
    ...{ cookie, timezone: 'UTC', size: 'phone' },
  })
  await open(phone)
  await chart(phone).scrollIntoViewIfNeeded()
  const small = (await chart(phone).boundingBox())!
  const thumb = await context.newCDPSession(phone)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', day?: number) =>
    thumb.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: day ? [{ x: placeOf(small, day), y: small.y + 100 }] : [],
    })
  await touch('touchStart', 2)
  for (const day of [3, 4, 5]) await touch('touchMove', day)
  await touch('touchEnd')
  await phone.getByRole('button', { name: 'Show 2 Sept to 5 Sept' }).click()
  await assertShown(phone, '2026-09-02', '2026-09-05')
}

async function readMap(t: TestContext, world: World): Promise<void> {
  const { ids, page, url } = await openFigures(t, world)
  await storeDays(world, ids)
  await page.goto(`${url}?${DAYS}`)
  const map = page.getByRole('listbox', { name: /^Map of clicks by country/ })
  await map.waitFor()
  // With all countries, which arrive after the figures.
  await eventually(async () => assert.equal(await map.getByRole('option').count(), 3))
  await page.getByText('As a table').first().focus()
  for (let stop = 0; stop < 40 && !(await isFocused(map)); stop++) await page.keyboard.press('Tab')
  const outlineOf = 'getComputedStyle(document.activeElement).outlineStyle'
  const outline = await evaluateBeside<string>(page, outlineOf)
  assert.notEqual(outline, 'none')
  const chosen = () => map.getByRole('option', { selected: true }).getAttribute('aria-label')
  assert.match((await chosen())!, /^Germany: 33, 60\.0%/)
  await page.keyboard.press('ArrowRight')
  assert.match((await chosen())!, /^France: /)
  await page.keyboard.press('End')
  assert.match((await chosen())!, /^United States: /)
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Enter')
  await page.waitForURL(/country=US/)
  await map.getByRole('option', { name: /^United States: \d+, 100%/ }).waitFor()
}

const isFocused = (control: Locator) =>
  control.evaluate((node) => node === node.ownerDocument.activeElement)

/** The cards with rows: what each shows, one at a time, as the button of the file names it. */
const CARDS = {
  Locations: ['Country', 'Region', 'City'],
  Sources: ['Referrer', 'How'],
  Devices: ['Device', 'Browser', 'OS'],
  'Campaign tags': ['Source', 'Medium', 'UTM campaign'],
  Languages: ['Language'],
  Destinations: ['Destination'],
  'Top links': ['Top links'],
}

async function saveCards(t: TestContext, world: World): Promise<void> {
  const { ids, page, url } = await openFigures(t, world)
  await storeDays(world, ids)
  await page.goto(`${url}?${DAYS}`)
  for (const [card, dimensions] of Object.entries(CARDS))
    for (const name of dimensions) {
      const region = page.locator('section', {
        has: page.getByRole('heading', { name: new RegExp(`^${card}`) }),
      })
      if (dimensions.length > 1) await region.getByRole('button', { name, exact: true }).click()
      const listed = await region.getByTitle('Click to filter').allInnerTexts()
      const file = await save(page, region.getByRole('button', { name: `${name} as CSV` }))
      const rows = parse(file, { columns: true }) as { clicks: string }[]
      const clicksOf = (row: string) => row.split('\n').at(-2)
      assert.deepEqual(
        rows.map(({ clicks }) => clicks),
        listed.map(clicksOf),
        name,
      )
    }
}

/** Chromium drops an eleventh download within one second without a word: a pause keeps ten of them longer than that. */
const SAVE_PAUSE_MS = 120

async function save(page: Page, button: Locator): Promise<string> {
  await page.waitForTimeout(SAVE_PAUSE_MS)
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return String(await contentOf(download))
}

/** 27 September 2026 has 23 hours in Auckland, and begins at noon of the day before in UTC. */
async function readInZone(t: TestContext, world: World): Promise<void> {
  const { ids, page, url } = await openFigures(t, world, 'America/Los_Angeles')
  const times = ['2026-09-26T11:59:00Z', '2026-09-26T12:01:00Z', '2026-09-27T10:59:00Z']
  await storeClicks(
    world.clickhouse,
    [...times, '2026-09-27T11:01:00Z'].map((at) => ({ ...ids, atMs: Date.parse(at) })),
  )
  const days = 'start=2026-09-25&end=2026-09-29&compare=none'
  await page.goto(`${url}?${days}&zone=Pacific%2FAuckland`)
  await page.getByText('27 Sept has 23 hours.').waitFor()
  await page.getByText('As a table').first().click()
  const rows = await page.getByRole('table').first().getByRole('row').allInnerTexts()
  const counted = rows.slice(1).map((row) => row.trim().split(/\t/).slice(0, 2))
  assert.deepEqual(counted, [
    ['Fri, 25 Sept 2026', '0'],
    ['Sat, 26 Sept 2026', '1'],
    ['Sun, 27 Sept 2026', '2'],
    ['Mon, 28 Sept 2026', '1'],
    ['Tue, 29 Sept 2026', '0'],
  ])
  const file = await save(page, page.getByRole('button', { name: 'Clicks per day as CSV' }))
  assert.deepEqual(
    file
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',').slice(0, 2)),
    [
      ['2026-09-25T00:00:00+12:00', '0'],
      ['2026-09-26T00:00:00+12:00', '1'],
      ['2026-09-27T00:00:00+12:00', '2'],
      ['2026-09-28T00:00:00+13:00', '1'],
      ['2026-09-29T00:00:00+13:00', '0'],
    ],
  )
}

async function readImported(t: TestContext, world: World): Promise<void> {
  const { owner, ids, page, url } = await openFigures(t, world)
  await world.sql`
    insert into imported_clicks ${world.sql({ ...ids, source: 'bitly', clicks: 13 })}`
  await page.goto(url.replace('/analytics', ''))
  await page.getByText('Today 0 clicks so far.').waitFor()
  await page.goto(url)
  await page.getByText('no earlier data').first().waitFor()
  await page.getByText('13 more clicks were imported from another service').waitFor()
  assert.equal((await readFigures(page)).clicks, 0)
  const shared = await must(201, owner.post('/dashboards', { title: 'Moved' }))
  await page.goto(shared.body.data.url)
  await page.getByText('13 of all clicks were imported from another service.').waitFor()
  const totals = await page.getByRole('region', { name: 'Totals' }).innerText()
  assert.match(totals, /^0\s+Clicks\s+no earlier data\s+0\s+Visitors\s+no earlier data\s+13\s/i)
  assert.equal((await readFigures(page)).clicks, 0)
}

/** A workspace whose first click is of today: from none to one is no rise of 100 %. */
async function readFirst(t: TestContext, world: World): Promise<void> {
  const { owner, ids, page, url } = await openFigures(t, world)
  await storeClicks(world.clickhouse, [{ ...ids, atMs: Date.now() - 1_000 }])
  const shared = await must(201, owner.post('/dashboards', { title: 'First' }))
  for (const address of [
    url,
    `${url.replace('/analytics', '/links/')}${ids.linkId}`,
    shared.body.data.url,
  ]) {
    await page.goto(address)
    await eventually(async () =>
      assert.equal(await page.getByText('no earlier data', { exact: true }).count(), 2, address),
    )
    // Breakdowns have shares of 100 %; totals have no change.
    assert.equal(await page.getByRole('img', { name: 'up', exact: true }).count(), 0)
  }
}

async function readCampaign(t: TestContext, world: World): Promise<void> {
  const { owner, ids, page, url } = await openFigures(t, world)
  const { id: campaignId } = (await must(201, owner.post('/campaigns', { name: 'Spring' }))).body
    .data
  const made = []
  for (const slug of ['early', 'late', 'unused']) {
    const link = {
      name: slug,
      slug: `campaign-${slug}`,
      destinationUrl: 'https://example.com/',
      campaignId,
    }
    made.push((await must(201, owner.post('/links', link))).body.data.id as string)
  }
  const [early, late] = made as [string, string, string]
  const clicksOf = (linkId: string, count: number, daysAgo: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ ...ids, linkId },
      atMs: Date.now() - daysAgo * 86_400_000 - 1_000 - index,
    }))
  await storeClicks(world.clickhouse, [
    ...clicksOf(early, 5, 60),
    ...clicksOf(early, 1, 0),
    ...clicksOf(late, 2, 0),
  ])
  await world.sql`
    insert into link_clicks ${world.sql([
      { linkId: early, workspaceId: ids.workspaceId, clicks: 6 },
      { linkId: late, workspaceId: ids.workspaceId, clicks: 2 },
    ])}`
  const campaign = url.replace('/analytics', `/campaigns/${campaignId}`)
  const list = page.locator('section', { has: page.getByRole('heading', { name: /^Links/ }) })
  const shown = async () =>
    (await list.getByRole('listitem').allInnerTexts()).map((row) =>
      row.replace(/^.*campaign-/, '').split(/\s+/),
    )
  for (const [period, expected] of [
    [
      '30d',
      [
        ['late', '2'],
        ['early', '1'],
        ['unused', '0'],
      ],
    ],
    [
      '90d',
      [
        ['early', '6'],
        ['late', '2'],
        ['unused', '0'],
      ],
    ],
  ] as const) {
    await page.goto(`${campaign}?period=${period}`)
    await eventually(async () => assert.deepEqual(await shown(), expected))
  }
}

async function countCountries(t: TestContext, world: World): Promise<void> {
  const { ids, page, url } = await openFigures(t, world)
  const countries = ['DE', 'FR', 'US', 'NL', 'JP', 'BR', 'AT', 'CH', 'IT', 'ES', 'PL', 'SE']
  const atMs = Date.UTC(2026, 8, 2, 12)
  const clicks = countries.map((country, index) => ({ ...ids, country, atMs: atMs + index }))
  await storeClicks(world.clickhouse, clicks)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/analytics\/breakdowns\/country/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${url}?${DAYS}`)
  const map = page.getByRole('listbox', { name: /^Map of clicks by country/ })
  await eventually(async () => assert.equal(await map.getByRole('option').count(), 10))
  assert.equal(await page.getByText(/^\d+ countries$/).count(), 0)
  release()
  await page.getByText('12 countries', { exact: true }).waitFor()
}

async function moveRows(t: TestContext, world: World): Promise<void> {
  const { owner, page, url } = await openFigures(t, world)
  const PAGE_ROWS = 50
  const add = (name: string) => must(201, owner.post('/campaigns', { name }))
  for (let at = 0; at <= PAGE_ROWS; at++) await add(`Campaign ${at}`)
  await page.goto(url.replace('/analytics', '/campaigns'))
  const rows = page.getByRole('list', { name: 'Campaigns' }).getByRole('listitem')
  await eventually(async () => assert.equal(await rows.count(), PAGE_ROWS))
  await add('New')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name: 'Campaign 0', exact: true }).waitFor()
  const names = await rows.getByRole('link').allInnerTexts()
  assert.deepEqual(names, [...new Set(names)])
}
