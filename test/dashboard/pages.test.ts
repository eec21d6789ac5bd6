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
/** Drawers and popups that an address opens. */
const OF_WEBHOOKS = ['new', 'dispatch', 'retry']
const OF_ENDPOINT = ['edit', 'test', 'secret', 'replay', 'delete']

test('every page is accessible and fits, in both sizes and themes', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  const { workspaceId, userId, linkId, endpointId, deliveryId } = await fill(world)
  const { cookie } = await world.session({ userId, workspaceId })
  const ofRows = [`/links/${linkId}`, `/webhooks/${endpointId}`, `/webhooks?delivery=${deliveryId}`]
  const paths = [
    ...OF_ACCOUNT,
    ...[...OF_WORKSPACE, ...ofRows].map((path) => `/${workspaceId}${path}`),
  ]
  const popups = [
    ...OF_WEBHOOKS.map((popup) => `/${workspaceId}/webhooks?open=${popup}`),
    ...OF_ENDPOINT.map((popup) => `/${workspaceId}/webhooks/${endpointId}?open=${popup}`),
  ]
  for (const size of Object.keys(SIZES) as Size[])
    for (const theme of ['light', 'dark'] as const)
      await t.test(`${size}, ${theme}`, async (part) => {
        await visitAll(part, world, { size, theme, cookie, paths })
        // Each size and each theme once: the parts of popups have met the others on the pages.
        if ((size === 'phone') === (theme === 'light'))
          await visitAll(part, world, { size, theme, cookie, paths: popups })
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
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'], headers: { 'X-Token': '1' } }
  const endpoint = await owner.post('/webhooks/endpoints', hook)
  const { id: endpointId } = endpoint.body.data as { id: string }
  const sent = await owner.post(`/webhooks/endpoints/${endpointId}/test`)
  await openLink(world, 'winter')
  return {
    ...owner,
    linkId: body.data.id as string,
    endpointId,
    deliveryId: sent.body.data.id as string,
  }
}

type Visit = { size: Size; theme: Theme; cookie?: string; paths: readonly string[] }

/** Opens each page; the end of the test asserts that none printed a message or met the policy. */
async function visitAll(t: TestContext, world: World, { paths, ...options }: Visit): Promise<void> {
  const { page } = await openPage(t, world, options)
  for (const path of paths) {
    await page.goto(`${world.origin}/app${path}`)
    const first = page.getByRole('heading', { level: 1 }).first()
    await (path.includes('open=') ? page.getByRole('dialog') : first).waitFor()
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
