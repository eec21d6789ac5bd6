import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { evaluateBeside } from '../support/beside.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import {
  findFaultsInShapes,
  findOverhang,
  findViolations,
  goTo,
  openPage,
  SIZES,
  waitUntilLoaded,
  type Size,
} from '../support/dashboard-browser.ts'
import { fillWorkspace, isPopup, listPages, OUTSIDE } from '../support/dashboard-pages.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }

type Press = readonly [role: 'button' | 'menuitem', name: string | RegExp]
const EDIT: readonly Press[] = [
  ['button', /^Actions of/],
  ['menuitem', 'Edit'],
]
/** Drawers without an address of their own: the page, and what is pressed on it. */
const PRESSED: readonly (readonly [path: string, presses: readonly Press[]])[] = [
  ['/campaigns', EDIT],
  ['/utm-templates', EDIT],
  ['/settings/api-keys', [['button', 'New key']]],
  ['/settings/api-keys', EDIT],
]

/** Pages are shown in this size first. */
const LOADED: Size = 'small'
test('every page is accessible and fits, in both sizes and themes', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  const filled = await fillWorkspace(world)
  const { workspaceId, userId } = filled
  const { cookie } = await world.session({ userId, workspaceId })
  const { pages, popups } = listPages(filled)
  const { page } = await openPage(t, world, { size: LOADED, cookie })
  const problems: string[] = []
  const visit = async (path: string) =>
    void problems.push(...(await check(page, `${world.origin}/app${path}`)))
  for (const path of [...pages, ...popups]) await visit(path)
  for (const [path, presses] of PRESSED)
    problems.push(
      ...(await checkPressed(page, `${world.origin}/app/${workspaceId}${path}`, presses)),
    )
  await page.context().clearCookies()
  for (const path of OUTSIDE) await visit(path)
  assert.deepEqual(problems, [])
})

/** Shows a page once, and looks at it in each size and theme. @returns what is wrong */
async function check(page: Page, url: string): Promise<string[]> {
  await reset(page)
  await goTo(page, url)
  const isInPopup = isPopup(url)
  await (isInPopup ? page.getByRole('dialog').waitFor() : waitUntilLoaded(page))
  const title = await page.title()
  return [
    ...(isInPopup ? await checkShade(page, url) : []),
    ...(title === 'Signpost' ? [`${url}: the tab does not name the page`] : []),
    ...(await checkShapes(page, url)),
  ]
}

async function reset(page: Page): Promise<void> {
  await page.setViewportSize(SIZES[LOADED])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Opens a drawer from its page, and looks at it as at a page. */
async function checkPressed(page: Page, url: string, presses: readonly Press[]): Promise<string[]> {
  await reset(page)
  await page.goto(url)
  const where = `${url}, ${presses.map(([, name]) => String(name)).join(', ')}`
  const problems: string[] = []
  for (const [role, name] of presses) {
    await page.getByRole(role, { name }).first().click()
    if (presses === EDIT && role === 'button') {
      await page.getByRole('menu').waitFor()
      problems.push(...(await findViolations(page)))
    }
  }
  await page.getByRole('dialog').waitFor()
  return [...problems, ...(await checkShade(page, where)), ...(await checkShapes(page, where))]
}

/** The corner of the window is covered by the backdrop, which has a color. */
async function checkShade(page: Page, where: string): Promise<string[]> {
  const corner = 'getComputedStyle(document.elementFromPoint(1, 1)).backgroundColor'
  const color = await evaluateBeside<string>(page, corner)
  return color === 'rgba(0, 0, 0, 0.45)' ? [] : [`${where}: the popup does not shade the page`]
}

/** The page as it was shown first, on the smallest phone, and then in each size and theme. */
async function checkShapes(page: Page, where: string): Promise<string[]> {
  const problems = [...(await findOverhang(page, LOADED)), ...(await findFaultsInShapes(page))]
  return problems.map((problem) => `${where}: ${problem}`)
}
