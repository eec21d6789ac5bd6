import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import {
  evaluateBeside,
  findViolations,
  openPage,
  SIZES,
  type Size,
  type Theme,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import type { World } from '../support/world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }

const OUTSIDE = ['/sign-in', '/sign-up']
const OF_ACCOUNT = ['/account', '/account/security', '/account/sessions', '/account/data']
const OF_WORKSPACE = [
  ...['', '/links', '/links/import', '/analytics', '/campaigns', '/utm-templates', '/webhooks'],
  ...['/more', '/settings/workspace', '/settings/members', '/settings/api-keys'],
  ...['/settings/audit-log', '/settings/security-log', '/settings/billing'],
]

test('every page is accessible and fits, in both sizes and themes', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  const { workspaceId, userId, linkId } = await fill(world)
  const { cookie } = await world.session({ userId, workspaceId })
  const paths = [
    ...OF_ACCOUNT,
    ...[...OF_WORKSPACE, `/links/${linkId}`].map((path) => `/${workspaceId}${path}`),
  ]
  await t.test('the overview ticks the first steps, and the palette finds and acts', (part) =>
    useOverview(part, world, { cookie, workspaceId }),
  )
  for (const size of Object.keys(SIZES) as Size[])
    for (const theme of ['light', 'dark'] as const)
      await t.test(`${size}, ${theme}`, async (part) => {
        await visitAll(part, world, { size, theme, cookie, paths })
        await visitAll(part, world, { size, theme, paths: OUTSIDE })
      })
})

/** A workspace with a link that was clicked, a campaign, and an endpoint without a receiver. */
async function fill(world: World) {
  const owner = await world.member()
  const { body } = await owner.post('/links', {
    name: 'Winter coats',
    slug: 'winter',
    destinationUrl: 'https://example.com/winter-coats',
    tags: ['winter'],
  })
  await owner.post('/campaigns', { name: 'Winter', goal: { metric: 'clicks', target: 100 } })
  await owner.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', events: ['*'] })
  await openLink(world, 'winter')
  return { ...owner, linkId: body.data.id as string }
}

async function useOverview(
  t: TestContext,
  world: World,
  { cookie, workspaceId }: { cookie: string; workspaceId: string },
): Promise<void> {
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${workspaceId}`)
  await page.getByText('3 of 4 done').waitFor()
  await page.getByRole('button', { name: 'Hide the first steps' }).click()
  await page.getByText('First steps').waitFor({ state: 'detached' })
  const run = async (typed: string, option: RegExp) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: option }).waitFor()
    assert.deepEqual(await findViolations(page), [])
    await page.keyboard.press('Enter')
  }
  await run('dark', /^Dark/)
  const storedTheme = async () => {
    const { body } = await world.call('GET', '/v1/auth/session', { headers: { cookie } })
    return body.data.preferences.theme as string
  }
  await eventually(async () => assert.equal(await storedTheme(), 'dark'))
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('as the system')
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal(await storedTheme(), 'system'))
  await run('coats', /^Winter coats/)
  await page.waitForURL(/\/links\/lnk_/)
}

type Visit = { size: Size; theme: Theme; cookie?: string; paths: readonly string[] }

/** Opens each page; the end of the test asserts that none printed a message or met the policy. */
async function visitAll(t: TestContext, world: World, { paths, ...options }: Visit): Promise<void> {
  const { page } = await openPage(t, world, options)
  for (const path of paths) {
    await page.goto(`${world.origin}/app${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const loading = page.getByRole('status', { name: 'Loading' })
    await eventually(async () => assert.equal(await loading.count(), 0))
    assert.deepEqual(await findViolations(page), [], path)
    const overhang = await evaluateBeside<number>(
      page,
      'document.documentElement.scrollWidth - innerWidth',
    )
    assert.ok(overhang <= 0, `${path} is ${overhang} pixels too wide`)
  }
}
