import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { storeClicks } from '../support/clicks.ts'
import { openPage } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import type { World } from '../support/world.ts'

test('the figures of the dashboard', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  await t.test('days, labels and file are those of the zone, not of the browser', (part) =>
    readInZone(part, world),
  )
  await t.test('imported clicks are marked in totals and series', (part) =>
    readImported(part, world),
  )
})

async function openFigures(t: TestContext, world: World, timezone: string) {
  const owner = await world.member()
  const link = { name: 'Winter', destinationUrl: 'https://example.com/' }
  const { body } = await must(201, owner.post('/links', link))
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, timezone })
  const url = `${world.origin}/app/${owner.workspaceId}/analytics`
  const ids = { workspaceId: owner.workspaceId, linkId: body.data.id as string }
  return { ids, page, url }
}

async function save(page: Page, press: Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press])
  return readFile(await download.path(), 'utf8')
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
  const file = await save(page, page.getByRole('button', { name: 'Clicks per day as CSV' }).click())
  assert.deepEqual(
    file
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',').slice(0, 2)),
    [
      ['2026-09-24T12:00:00.000Z', '0'],
      ['2026-09-25T12:00:00.000Z', '1'],
      ['2026-09-26T12:00:00.000Z', '2'],
      ['2026-09-27T11:00:00.000Z', '1'],
      ['2026-09-28T11:00:00.000Z', '0'],
    ],
  )
}

async function readImported(t: TestContext, world: World): Promise<void> {
  const { ids, page, url } = await openFigures(t, world, 'UTC')
  await world.sql`
    insert into imported_clicks ${world.sql({ ...ids, source: 'bitly', day: '2026-09-26', clicks: 40 })}`
  await storeClicks(world.clickhouse, [{ ...ids, atMs: Date.parse('2026-09-26T11:00:00Z') }])
  await page.goto(`${url}?start=2026-09-25&end=2026-09-27&compare=none&zone=UTC`)
  await page.getByText('40 of these clicks were imported from another service').waitFor()
  await page.getByText('As a table').first().click()
  const rows = await page.getByRole('table').first().getByRole('row').allInnerTexts()
  assert.deepEqual(
    rows.map((row) => row.trim().split(/\t/).slice(0, 3)),
    [
      ['Time', 'Clicks', 'of them imported'],
      ['Fri, 25 Sept 2026', '0', '0'],
      ['Sat, 26 Sept 2026', '41', '40'],
      ['Sun, 27 Sept 2026', '0', '0'],
    ],
  )
  await page.getByRole('slider').first().press('ArrowLeft')
  await page.getByText('40 of them imported').waitFor()
}
