import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { evaluateBeside } from '../support/beside.ts'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { storeClicks } from '../support/clicks.ts'
import { findFaultsInShapes, openPage } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import type { Member, World } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const PASSWORD = 'pässwört ☀'
const MAX_SCRIPT_BYTES = 90_000
/** The browser reports answers that refuse. */
const REFUSED = /status of (401|404|429) /

test('the page of a shared dashboard', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  await t.test('it shows its numbers on any screen, and stays up to date', (part) =>
    visit(part, world),
  )
  await t.test('a password opens it, and a cookie keeps it open', (part) => unlock(part, world))
  await t.test('an address that opens nothing says so, and why it may', (part) =>
    missAddress(part, world),
  )
  await t.test('all of its scripts take at most 90 kB', (part) => weigh(part, world))
})

async function share(world: World, input: object = {}) {
  const owner = await world.member()
  const { url } = await shareOf(owner, input)
  return { owner, url }
}

async function shareOf(owner: Member, input: object) {
  const made = await must(201, owner.post('/dashboards', { title: 'Spring <b>sale</b>', ...input }))
  return made.body.data as { id: string; url: string }
}

/** Links with clicks on the last twenty days. */
async function fill(world: World, owner: Member): Promise<void> {
  const names = ['Spring sale', 'Newsletter in May', 'Poster at the main station', 'Price list']
  const clicks = []
  for (const [at, name] of names.entries()) {
    const link = { name, destinationUrl: 'https://destination.example.com/' }
    const { body } = await must(201, owner.post('/links', link))
    for (let day = 0; day < 20; day++)
      for (let i = 0; i < 3 + ((day * (at + 2)) % 11); i++)
        clicks.push({
          workspaceId: owner.workspaceId,
          linkId: body.data.id as string,
          atMs: Date.now() - day * DAY_MS - i * 60_000,
          visitor: BigInt(day * 100 + i),
          country: ['DE', 'FR', 'US', 'NL', 'JP', 'BR', 'AT'][(i + at) % 7],
          city: ['Berlin', 'constructor', '<img src=x onerror=alert(1)>', 'Rotterdam'][i % 4],
          device: ['mobile', 'desktop', 'tablet'][(i + day) % 3],
          browser: ['Safari', 'Chrome', 'Firefox'][i % 3],
          os: ['iOS', 'Windows', 'Linux'][i % 3],
          referrer: ['direct', 'news.example.com', 'mail.example.com'][(i + at) % 3],
          language: ['de', 'en', 'fr'][i % 3],
          utm_source: i % 2 ? 'newsletter' : '',
        })
  }
  await storeClicks(world.clickhouse, clicks)
}

async function check(page: Page, place: string): Promise<void> {
  assert.deepEqual(await findFaultsInShapes(page), [], place)
}

async function visit(t: TestContext, world: World): Promise<void> {
  const { owner, url } = await share(world, { showConversions: true })
  await fill(world, owner)
  const { page } = await openPage(t, world)
  const response = await page.goto(url)
  const head = await response!.text()
  assert.ok(head.includes('<title>Spring &lt;b&gt;sale&lt;/b&gt;</title>'))
  assert.equal(response!.headers()['x-robots-tag'], 'noindex')
  assert.equal(response!.headers()['referrer-policy'], 'no-referrer')
  await page.getByRole('heading', { level: 1, name: 'Spring <b>sale</b>' }).waitFor()
  await page.getByText('Newsletter in May').waitFor()
  assert.equal(await page.title(), 'Spring <b>sale</b>')
  await page.getByRole('button', { name: 'City' }).click()
  for (const city of ['Rotterdam', 'constructor', '<img src=x onerror=alert(1)>'])
    await page.getByText(city).waitFor()
  await check(page, 'numbers')
  const clicks = page.getByRole('region', { name: 'Totals' }).locator('div').first()
  const before = await clicks.innerText()
  const { body } = await must(200, owner.get('/links'))
  const linkId = body.data[0].id as string
  const { workspaceId } = owner
  await storeClicks(world.clickhouse, [{ workspaceId, linkId, atMs: Date.now() - 1_000 }])
  await eventually(async () => assert.notEqual(await clicks.innerText(), before))
}

async function unlock(t: TestContext, world: World): Promise<void> {
  const { owner, url } = await share(world, { password: PASSWORD })
  const { page } = await openPage(t, world, { size: 'phone', theme: 'dark', expected: [REFUSED] })
  const response = await page.goto(url)
  assert.ok(!(await response!.text()).includes('Spring'))
  const field = page.getByLabel('Password')
  await field.fill('wrong')
  await field.press('Enter')
  await page.getByText('Wrong password.').waitFor()
  await check(page, 'locked')
  await field.fill(PASSWORD)
  await page.getByRole('button', { name: 'Open the dashboard' }).click()
  await page.getByRole('heading', { name: 'Spring' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Spring' }).waitFor()
  const { body } = await must(200, owner.get('/dashboards'))
  await must(200, owner.patch(`/dashboards/${body.data[0].id}`, { password: 'another-1' }))
  await page.reload()
  await page.getByLabel('Password').waitFor()
}

async function missAddress(t: TestContext, world: World): Promise<void> {
  const { page } = await openPage(t, world, { expected: [REFUSED] })
  const response = await page.goto(`${world.origin}/share/${'A'.repeat(22)}`)
  assert.equal(response!.status(), 404)
  await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()
  await check(page, 'gone')
  const { owner, url } = await share(world)
  await page.goto(url)
  await page.getByText('No clicks in this period.').waitFor()
  const { body } = await must(200, owner.get('/dashboards'))
  await must(200, owner.patch(`/dashboards/${body.data[0].id}`, { revoked: true }))
  // As when the visitor comes back to the tab.
  await evaluateBeside(page, `document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()
}

async function weigh(t: TestContext, world: World): Promise<void> {
  const { url } = await share(world)
  const { page } = await openPage(t, world)
  const sizes = new Map<string, number>()
  page.on('response', async (response) => {
    const path = new URL(response.url()).pathname
    if (!path.endsWith('.js')) return
    const sent = await fetch(response.url(), {
      headers: { 'accept-encoding': 'br' },
      method: 'HEAD',
    })
    sizes.set(path, Number(sent.headers.get('content-length')))
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  assert.ok(sizes.size > 1 && !sizes.values().some((size) => !size))
  assert.ok(bytes <= MAX_SCRIPT_BYTES, `${bytes} bytes`)
}

test('the management of shared dashboards', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  const owner = await world.member()
  const link = { name: 'Spring sale', slug: 'spring', destinationUrl: 'https://example.com/' }
  const { body } = await must(201, owner.post('/links', link))
  const { cookie } = await world.session(owner)
  const { page, context } = await openPage(t, world, { cookie, expected: [REFUSED] })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links/${body.data.id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Share its statistics' }).click()
  const drawer = page.getByRole('dialog', { name: 'Share a dashboard' })
  await drawer.getByText('Spring sale').waitFor()
  await drawer.getByLabel('Title').fill('For the agency')
  await drawer.getByLabel('Require a password').check()
  await drawer.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await drawer.getByRole('button', { name: 'Share and copy the address' }).click()
  await page.getByText('The address of For the agency is copied.').waitFor()
  const url = await evaluateBeside<string>(page, 'navigator.clipboard.readText()')
  assert.match(url, /\/share\/[0-9A-Za-z]{22}$/)
  const row = page.getByRole('listitem').filter({ hasText: 'For the agency' })
  await row.getByText('Link: Spring sale').waitFor()

  const [shared] = await Promise.all([
    context.waitForEvent('page'),
    row.getByRole('link', { name: 'Open For the agency' }).click(),
  ])
  // Its first request has no proof of the password.
  await shared.getByLabel('Password').waitFor()
  await shared.close()

  const choose = async (name: string) => {
    await row.getByRole('button', { name: 'Actions of For the agency' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  const statusOf = async () =>
    (await fetch(url.replace('/share/', '/v1/public/dashboards/'))).status
  await choose('Revoke')
  await row.getByText('revoked').waitFor()
  assert.equal(await statusOf(), 404)
  await choose('Share again')
  await row.getByRole('button', { name: 'Copy address' }).waitFor()
  assert.equal(await statusOf(), 401)
  await choose('Edit')
  const edited = page.getByRole('dialog', { name: 'Edit dashboard' })
  await edited.getByLabel('Require a password').uncheck()
  await edited.getByRole('button', { name: 'Save' }).click()
  await edited.waitFor({ state: 'detached' })
  assert.equal(await statusOf(), 200)
  await choose('New address')
  await page.getByRole('dialog').getByRole('button', { name: 'New address' }).click()
  await page.getByText('For the agency has a new address.').waitFor()
  assert.equal(await statusOf(), 404)
  await choose('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No shared dashboards yet').waitFor()
})
