import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { must, type Calls } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { databasesToMigrate } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { freshFolder } from '../support/fixtures.ts'
import { freePort } from '../support/free-port.ts'
import type { World } from '../support/world.ts'

const AWAY_MS = 20_000

test(
  'a server or another tab that gets in between loses nothing',
  { skip: SKIP_WITHOUT_BROWSER },
  async (t) => {
    const options = {
      databases: await databasesToMigrate(t),
      config: { port: await freePort(), dataDir: freshFolder() },
    }
    const world = await openDashboardWorld(t, options)
    await t.test('two tabs with two workspaces', (part) => useTwoWorkspaces(part, world))
    await t.test('two tabs that edit one link', (part) => editTwice(part, world))
    await t.test('a server that is away for 20 seconds', (part) =>
      leave(part, world, () => openDashboardWorld(t, options)),
    )
  },
)

async function makeLink(calls: Calls, slug: string): Promise<string> {
  const link = { name: slug, slug, destinationUrl: `https://example.com/${slug}` }
  return (await must(201, calls.post('/links', link))).body.data.id as string
}

async function nameOf(calls: Calls, linkId: string): Promise<string> {
  return (await must(200, calls.get(`/links/${linkId}`))).body.data.name as string
}

const nameField = (page: Page) => page.getByRole('dialog').getByLabel('Name', { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

async function openDrawer(page: Page, world: World, at: { workspaceId: string; linkId: string }) {
  await page.goto(`${world.origin}/app/${at.workspaceId}/links?edit=${at.linkId}`)
  await nameField(page).waitFor()
}

async function useTwoWorkspaces(t: TestContext, world: World): Promise<void> {
  const { userId, workspaceId: first } = await world.member()
  const session = await world.session({ userId, workspaceId: first })
  const made = await must(201, session.post('/workspaces', { name: 'Second' }))
  const second = made.body.data.id as string
  const { page, context } = await openPage(t, world, session)
  const tabs = [
    { tab: page, workspaceId: first, slug: 'of-first' },
    { tab: await context.newPage(), workspaceId: second, slug: 'of-second' },
  ]
  for (const { tab, workspaceId, slug } of tabs) {
    await tab.goto(`${world.origin}/app/${workspaceId}/links?new=true`)
    await tab.getByRole('dialog').getByLabel('Points to').first().fill('https://example.com/')
    await tab.getByRole('dialog').getByLabel('Short link').fill(slug)
  }
  for (const { tab } of tabs) await tab.getByRole('button', { name: 'Create and copy' }).click()
  for (const { tab, workspaceId, slug } of tabs) {
    await tab.waitForURL(new RegExp(`/${workspaceId}/links/lnk_`))
    const { body } = await session.get('/links', { 'x-signpost-workspace': workspaceId })
    assert.deepEqual(
      body.data.map((link: { slug: string }) => link.slug),
      [slug],
    )
  }
}

async function editTwice(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const linkId = await makeLink(owner, 'contested')
  const { cookie } = await world.session(owner)
  const { page, context } = await openPage(t, world, { cookie, expected: [/status of 412/] })
  const late = await context.newPage()
  for (const tab of [page, late]) await openDrawer(tab, world, { ...owner, linkId })
  await nameField(page).fill('First')
  await save(page).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The name that the first tab has saved must not come back from the draft that both tabs share.
  await nameField(late).fill('Second')
  await save(late).click()
  const conflict = late.getByRole('alert')
  await conflict.getByText('Another user has changed this link').waitFor()
  assert.match(await conflict.innerText(), /Now: First[^]*Yours: Second/)
  assert.equal(await nameOf(owner, linkId), 'First')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await save(late).click()
  await late.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await nameOf(owner, linkId), 'Second')
}

/** Typed text stays, the page names the problem and continues by itself, as do its feed and the other tab. */
async function leave(t: TestContext, world: World, restart: () => Promise<World>): Promise<void> {
  const owner = await world.member()
  const linkId = await makeLink(owner, 'away')
  const { cookie } = await world.session(owner)
  const { page, context } = await openPage(t, world, { cookie, expected: [/net::ERR_/] })
  const other = await context.newPage()
  await other.goto(`${world.origin}/app/${owner.workspaceId}/links`)
  await waitUntilLoaded(other)
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links/${linkId}`)
  await page.getByText('new clicks appear here').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await nameField(page).fill('Typed while the server was away')
  await context.setOffline(true)
  await save(page).click()
  await page.getByRole('alert').getByText('The server did not answer.').waitFor()
  await context.setOffline(false)

  await world.stop()
  const goneAtMs = performance.now()
  const away = page.getByText('The server is not responding.', { exact: false })
  await away.first().waitFor()
  await save(page).click()
  await page.getByRole('alert').getByText('The server did not answer.').waitFor()
  await other.getByRole('navigation').getByRole('link', { name: 'Campaigns' }).click()
  await other.getByText('The server is not responding.', { exact: false }).first().waitFor()
  await eventually(() => assert.ok(performance.now() - goneAtMs > AWAY_MS), 2 * AWAY_MS)
  const again = await restart()

  await away.first().waitFor({ state: 'detached' })
  await other.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  assert.equal(await nameField(page).inputValue(), 'Typed while the server was away')
  await save(page).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await nameOf(owner, linkId), 'Typed while the server was away')
  await page.getByText('new clicks appear here').waitFor()
  await openLink(again, 'away')
  const feed = page.getByRole('list', { name: 'Live' })
  await feed.getByText('Phone, Safari, iOS').waitFor()
}
