import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { evaluateBeside } from '../support/beside.ts'
import { must } from '../support/calls.ts'
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
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { freshImage } from '../support/images.ts'
import type { World } from '../support/world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }

const OUTSIDE = ['/sign-in', '/sign-up', '/forgot-password']
const OF_ACCOUNT = ['/account', '/account/security', '/account/sessions', '/account/data']
const OF_SERVER = [
  ...['/server', '/server?q=none', '/server/users', '/server/reports', '/server/blocks'],
  ...['/server/blocks?new=true', '/server/health'],
]
const OF_WORKSPACE = [
  ...['', '/links', '/links/import', '/analytics', '/campaigns', '/utm-templates', '/webhooks'],
  ...[
    '/domains',
    '/conversions',
    '/dashboards',
    '/media',
    '/media?q=none',
    '/reports',
    '/bio-pages',
  ],
  ...['/more', '/settings/workspace', '/settings/members', '/settings/api-keys'],
  ...['/settings/audit-log', '/settings/security-log', '/settings/abuse-reports'],
  '/settings/billing',
]
/** Drawers and popups that an address opens. */
const OF_WEBHOOKS = ['new', 'dispatch', 'retry']
const OF_ENDPOINT = ['edit', 'test', 'secret', 'replay', 'delete']
const OF_DOMAIN = ['edit', 'delete']
const OF_LISTS = [
  ...['/links', '/campaigns', '/utm-templates', '/domains', '/dashboards', '/reports'],
  '/bio-pages',
]

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
  const { workspaceId, userId, linkId, endpointId, deliveryId, domainId, pageId } =
    await fill(world)
  await world.sql`update users set is_operator = true where id = ${userId}`
  const { cookie } = await world.session({ userId, workspaceId })
  const ofRows = [
    ...[`/links/${linkId}`, `/webhooks/${endpointId}`, `/webhooks?delivery=${deliveryId}`],
    ...[`/domains/${domainId}`, '/domains?q=none', '/settings/abuse-reports?status=resolved'],
    `/settings/abuse-reports?linkId=${linkId}`,
    ...[`/bio-pages/${pageId}`, `/bio-pages/${pageId}/figures`],
  ]
  const popups = [
    ...OF_WEBHOOKS.map((popup) => `/webhooks?open=${popup}`),
    ...OF_ENDPOINT.map((popup) => `/webhooks/${endpointId}?open=${popup}`),
    ...OF_LISTS.map((path) => `${path}?new=true`),
    `/links?edit=${linkId}`,
    ...OF_DOMAIN.map((popup) => `/domains/${domainId}?open=${popup}`),
  ]
  const { page } = await openPage(t, world, { size: LOADED, cookie })
  const problems: string[] = []
  const visit = async (path: string) =>
    void problems.push(...(await check(page, `${world.origin}/app${path}`)))
  for (const path of [...OF_ACCOUNT, ...OF_SERVER]) await visit(path)
  await visit(`/server?open=${workspaceId}`)
  await visit(`/server/users?open=${userId}`)
  for (const path of [...OF_WORKSPACE, ...ofRows, ...popups]) await visit(`/${workspaceId}${path}`)
  for (const [path, presses] of PRESSED)
    problems.push(
      ...(await checkPressed(page, `${world.origin}/app/${workspaceId}${path}`, presses)),
    )
  await page.context().clearCookies()
  for (const path of OUTSIDE) await visit(path)
  assert.deepEqual(problems, [])
})

/** A block of each type that needs no image. */
const BIO_PAGE = {
  slug: 'coats',
  title: 'Coats',
  blocks: [
    { type: 'link', title: 'Shop', url: 'https://example.com/shop', icon: '🧥' },
    { type: 'header', title: 'Studio' },
    { type: 'text', title: 'By hand.', startsAt: '2026-01-01T00:00:00Z' },
    { type: 'social', icon: 'instagram', url: 'https://instagram.com/ana' },
    { type: 'embed', url: 'https://example.com/film', title: 'A film' },
  ],
}

/** A workspace with a link that was clicked and reported, a campaign, an endpoint and a domain. */
async function fill(world: World) {
  const owner = await world.member()
  const link = {
    name: 'Winter coats',
    slug: 'winter',
    destinationUrl: 'https://example.com/winter-coats',
    tags: ['winter'],
  }
  const { body } = await must(201, owner.post('/links', link))
  await must(201, owner.post('/media', freshImage(), { 'content-type': 'image/png' }))
  const campaign = { name: 'Winter', goal: { metric: 'clicks', target: 100 } }
  await must(201, owner.post('/campaigns', campaign))
  await must(201, owner.post('/utm-templates', { name: 'Newsletter', utmSource: 'mail' }))
  const shared = { title: 'Winter', password: 'snow-storm-1', showConversions: true, doIndex: true }
  await must(201, owner.post('/dashboards', shared))
  const schedule = { frequency: 'weekly', timezone: 'Europe/Berlin' }
  await must(202, owner.post('/reports', { name: 'Winter', type: 'links', schedule }))
  const bio = await must(201, owner.post('/bio-pages', BIO_PAGE))
  const hook = { url: 'http://127.0.0.1:9009/hook', events: ['*'], headers: { 'X-Token': '1' } }
  const endpoint = await must(201, owner.post('/webhooks/endpoints', hook))
  const { id: endpointId } = endpoint.body.data as { id: string }
  const sent = await must(202, owner.post(`/webhooks/endpoints/${endpointId}/test`))
  const domain = await must(201, owner.post('/domains', { hostname: 'go.example.com' }))
  await openLink(world, 'winter')
  await report(world, body.data.shortUrl as string)
  const reports = await must(200, owner.get('/abuse-reports'))
  assert.equal(reports.body.data.length, 1)
  return {
    ...owner,
    linkId: body.data.id as string,
    endpointId,
    domainId: domain.body.data.id as string,
    pageId: bio.body.data.id as string,
    deliveryId: sent.body.data.id as string,
  }
}

/** Reports a link as a visitor does. */
async function report(world: World, url: string): Promise<void> {
  const body = JSON.stringify({ url, reason: 'spam', details: 'It came in a chain letter.' })
  const headers = { 'content-type': 'application/json' }
  await must(202, world.call('POST', '/report-abuse', { body, headers }))
}

/** Shows a page once, and looks at it in each size and theme. @returns what is wrong */
async function check(page: Page, url: string): Promise<string[]> {
  await reset(page)
  await goTo(page, url)
  // A popup hides the heading of its page.
  const isPopup = /open=|new=|edit=/.test(url)
  await (isPopup ? page.getByRole('dialog').waitFor() : waitUntilLoaded(page))
  const title = await page.title()
  return [
    ...(isPopup ? await checkShade(page, url) : []),
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
