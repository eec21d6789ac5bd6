import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { unzipSync } from 'fflate'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { contentOf, openPage } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import type { World } from '../support/world.ts'

test('choices on the pages of links', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  await t.test(
    'many links get tags and a new folder after a preview, and lose them again',
    (part) => changeMany(part, world),
  )
  await t.test('the codes of selected links are one file', (part) => saveCodes(part, world))
  await t.test('a view keeps filters and columns, and is shared', (part) => keepView(part, world))
  await t.test('a menu of a row archives, and takes it back', (part) => useMenu(part, world))
  await t.test('an error shows while typing, and goes when corrected', (part) =>
    correct(part, world),
  )
  await t.test('a period is chosen by its name, and by days on a calendar', (part) =>
    choosePeriod(part, world),
  )
})

async function openList(t: TestContext, world: World, slugs: readonly string[]) {
  const owner = await world.member()
  for (const slug of slugs)
    await must(
      201,
      owner.post('/links', { name: slug, slug, destinationUrl: 'https://example.com/' }),
    )
  const { page } = await openPage(t, world, await world.session(owner))
  const url = `${world.origin}/app/${owner.workspaceId}`
  await page.goto(`${url}/links`)
  await page.getByRole('list', { name: 'Links' }).waitFor()
  const select = async () => {
    for (const slug of slugs) await page.getByRole('checkbox', { name: `Select ${slug}` }).check()
  }
  return { owner, page, url, select }
}

async function changeMany(t: TestContext, world: World): Promise<void> {
  const { owner, page, select } = await openList(t, world, ['many-one', 'many-two'])
  const read = async () => {
    const { body } = await must(200, owner.get('/links'))
    return body.data.map(({ tags, folderId }: { tags: string[]; folderId: string | null }) => [
      tags,
      folderId !== null,
    ])
  }
  await select()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const drawer = page.getByRole('dialog')
  const apply = drawer.getByRole('button', { name: 'Change 2 links' })
  assert.ok(await apply.isDisabled())
  await drawer.getByLabel('Add tags').fill('spring, print,')
  await drawer.getByLabel('Folder').selectOption('set')
  await drawer.getByRole('combobox', { name: 'Folder' }).last().fill('Flyers')
  await page.getByRole('option', { name: 'Create "Flyers"' }).click()
  const preview = drawer.getByRole('region', { name: 'Preview' })
  await preview.getByText('Changes 2 links').waitFor()
  await preview.getByText('spring, print').first().waitFor()
  await preview.getByText('Flyers').first().waitFor()
  await apply.click()
  await page.getByText('Changed 2 links.').hover()
  assert.deepEqual(await read(), [
    [['spring', 'print'], true],
    [['spring', 'print'], true],
  ])
  await page.keyboard.press('z')
  await page.getByText('Restored 2 links.').waitFor()
  assert.deepEqual(await read(), [
    [[], false],
    [[], false],
  ])
}

async function saveCodes(t: TestContext, world: World): Promise<void> {
  const { page, select } = await openList(t, world, ['code-one', 'code-two'])
  await select()
  await page.getByRole('button', { name: 'QR', exact: true }).click()
  const popup = page.getByRole('dialog')
  await popup.getByRole('button', { name: 'Dots' }).click()
  await popup.getByLabel('Format').selectOption('svg')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    popup.getByRole('button', { name: 'Download ZIP' }).click(),
  ])
  const names = Object.keys(unzipSync(await contentOf(file)))
  assert.deepEqual(names.toSorted(), ['code-one.svg', 'code-two.svg'])
}

async function keepView(t: TestContext, world: World): Promise<void> {
  const { owner, page, url } = await openList(t, world, ['viewed'])
  const colleague = await world.member({ workspaceId: owner.workspaceId, role: 'member' })
  await page.goto(`${url}/links?status=active&columns=status,createdAt`)
  await page.getByText('Created', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  const popup = page.getByRole('dialog')
  await popup.getByLabel('Name').fill('Running')
  await popup.getByLabel('Share with the workspace').check()
  await popup.getByRole('button', { name: 'Save' }).click()
  await popup.waitFor({ state: 'detached' })
  const other = await openPage(t, world, await world.session(colleague))
  await other.page.goto(`${url}/links`)
  await other.page.getByRole('button', { name: 'Views' }).click()
  await other.page.getByRole('menuitem', { name: 'Running' }).click()
  await other.page.waitForURL(/status=active/)
  assert.equal(new URL(other.page.url()).searchParams.get('columns'), 'status,createdAt')
}

async function useMenu(t: TestContext, world: World): Promise<void> {
  const { owner, page } = await openList(t, world, ['menu-one'])
  const statusOf = async () => {
    const { body } = await must(200, owner.get('/links?includeArchived=true'))
    return body.data[0].status as string
  }
  await page.getByRole('button', { name: 'Actions for menu-one' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByText('Archived. The link still redirects.').hover()
  assert.equal(await statusOf(), 'archived')
  await page.keyboard.press('z')
  await eventually(async () => assert.equal(await statusOf(), 'active'))
}

async function correct(t: TestContext, world: World): Promise<void> {
  const { page, url } = await openList(t, world, ['typed'])
  await page.goto(`${url}/links?new=true`)
  const drawer = page.getByRole('dialog')
  const destination = drawer.getByLabel('Points to').first()
  const problem = drawer.getByText('Enter a web address, such as example.com/page.')
  await destination.fill('not an address')
  await problem.waitFor()
  await destination.fill('example.com/summer')
  await problem.waitFor({ state: 'detached' })
  await drawer.getByLabel('Short link').fill('summer')
  await drawer.getByRole('button', { name: 'Create and copy' }).click()
  await page.waitForURL(/\/links\/lnk_/)
  await page.getByText('example.com/summer').first().waitFor()
}

async function choosePeriod(t: TestContext, world: World): Promise<void> {
  const { page, url } = await openList(t, world, ['period'])
  await page.goto(`${url}/analytics`)
  const button = page.getByRole('button', { name: /^Period/ })
  await button.click()
  await page.getByRole('button', { name: 'This quarter' }).click()
  await page.waitForURL(/period=qtd/)
  await button.click()
  const grid = page.getByRole('grid')
  await grid.waitFor()
  await page.getByRole('button', { name: 'Previous month' }).click()
  const days = grid.getByRole('button', { name: /\b(?:10|14) / })
  await days.first().click()
  await page.getByText('Choose the last day.').waitFor()
  await days.last().click()
  await page.waitForURL(/start=\d{4}-\d{2}-10.*end=\d{4}-\d{2}-14/)
  assert.equal(await grid.count(), 0)
}
