import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROLES, roleAtLeast, type Role } from '../../src/platform/routes/principal.ts'
import { accessOf } from '../authorization/routes.ts'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { Crawler, Found } from '../support/crawler.ts'
import { openPage } from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { interceptRequests } from '../support/intercept.ts'
import { freshImage } from '../support/images.ts'
import { eventually } from '../support/eventually.ts'
import type { Member, World } from '../support/world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }

/** Controls by the lowest role that has them, as the crawler names them. */
const LOWEST: readonly (readonly [control: string, role: Role])[] = [
  [' | New link', 'member'],
  [' | New campaign', 'member'],
  [' | New report', 'member'],
  [' | New endpoint', 'admin'],
  [' | New key', 'admin'],
  [' | Invite', 'admin'],
  [' | Save brand', 'admin'],
  [' | Delete workspace', 'owner'],
  // After its name was typed.
  ['Delete Harbour? | Delete workspace', 'owner'],
]
/** Tabs that crawl at the same time, each of which waits for frames and answers; they share compiled scripts. */
const CRAWLERS = 3
/** Those of a viewer, and of its account. */
const LEAST_PAGES = 16

test('no role sees a control that its requests are refused for', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  const owner = await world.member()
  await fill(world, owner)
  const shown = new Map<Role, ReadonlySet<string>>()
  // A role may do what a lower one may, so that each presses what is new to it.
  let done: ReadonlySet<string> = new Set()
  for (const role of ROLES)
    await t.test(`as ${role}`, async (part) => {
      const { workspaceId } = owner
      const user = role === 'owner' ? owner : await world.member({ workspaceId, role })
      const { cookie } = await world.session(user)
      const refused: string[] = []
      const found = new Found(done)
      // A change that the test stops is answered with 409.
      const { page: first, context } = await openPage(part, world, {
        cookie,
        expected: [/status of 409/],
      })
      const more = Array.from({ length: CRAWLERS - 1 }, () => context.newPage())
      const toCrawler = async (page: Page) => {
        page.on('response', (response) => {
          if (response.status() === 403) refused.push(`${role}: 403 from ${response.url()}`)
        })
        await stopChanges(page, world, { role, userId: user.userId }, refused)
        return new Crawler(page, found)
      }
      const crawlers = await Promise.all([first, ...(await Promise.all(more))].map(toCrawler))
      await crawl(crawlers, found, `${world.origin}/app/${workspaceId}`)
      shown.set(role, found.shown)
      done = found.done
      assert.deepEqual(refused, [])
    })
  for (const [control, lowest] of LOWEST)
    for (const role of ROLES)
      assert.equal(
        [...(shown.get(role) ?? [])].some((key) => key.startsWith(control)),
        roleAtLeast(role, lowest),
        `${control} of ${role}`,
      )
})

/** A row of each kind, so that its controls are there. */
async function fill(world: World, owner: Member): Promise<void> {
  await must(200, owner.patch(`/workspaces/${owner.workspaceId}`, { name: 'Harbour' }))
  const link = { name: 'Coats', slug: 'coats', destinationUrl: 'https://example.com/', tags: ['a'] }
  await must(201, owner.post('/links', link))
  await must(201, owner.post('/folders', { name: 'Folder' }))
  await must(201, owner.post('/domains', { hostname: 'go.example.com' }))
  await must(201, owner.post('/campaigns', { name: 'Winter' }))
  await must(201, owner.post('/dashboards', { title: 'Winter' }))
  await must(201, owner.post('/media', freshImage(), { 'content-type': 'image/png' }))
  await must(202, owner.post('/reports', { name: 'Winter', type: 'links' }))
  const blocks = [{ type: 'header', title: 'Coats' }]
  await must(201, owner.post('/bio-pages', { slug: 'page', title: 'Page', blocks }))
  await must(201, owner.post('/utm-templates', { name: 'Newsletter' }))
  const hook = { url: 'http://127.0.0.1:9009/hook', events: ['*'] }
  const { body } = await must(201, owner.post('/webhooks/endpoints', hook))
  await must(202, owner.post(`/webhooks/endpoints/${body.data.id}/test`))
  const session = await world.session(owner)
  await must(201, session.post('/invitations', { email: 'guest@example.com', role: 'member' }))
  await openLink(world, 'coats')
  await eventually(async () => {
    const { data } = (await must(200, owner.get('/links'))).body
    assert.equal(data[0].clicks, 1)
  })
}

/** Stops what changes something, and notes it where the role may not do it. */
async function stopChanges(
  page: Page,
  world: World,
  { role, userId }: { role: Role; userId: string },
  refused: string[],
): Promise<void> {
  const rows = world.app.routes
    .map((row) => ({ row, path: toPattern(row.path) }))
    .toSorted((a, b) => a.row.path.split(':').length - b.row.path.split(':').length)
  const answer = { error: { code: 'CONFLICT', message: 'Stopped.', details: [], requestId: 'req' } }
  await interceptRequests(page, '*/v1/*', ({ method, url }) => {
    if (method === 'GET') return null
    const path = new URL(url).pathname.replace('/v1', '')
    const found = rows.find(({ row, path: pattern }) => row.method === method && pattern.test(path))
    assert.ok(found, `${method} ${path} is a route`)
    const { role: needed = 'viewer' } = accessOf(found.row)
    // Every member may leave.
    const isLeaving = method === 'DELETE' && path === `/members/${userId}`
    if (!isLeaving && !roleAtLeast(role, needed))
      refused.push(`${role}: ${method} ${path} requires ${needed}`)
    return { status: 409, json: answer }
  })
}

const toPattern = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)

/** Follows the links of the dashboard to each kind of page. */
async function crawl(crawlers: readonly Crawler[], { hrefs }: Found, start: string): Promise<void> {
  // The drawer for a new link opens over the list. Only a phone has a link to the last one.
  for (const path of ['/links', '', '/more']) hrefs.add(`${start}${path}`)
  const seen = new Set<string>()
  const dashboard = new URL('/app/', start).href
  const visitUnseen = async (crawler: Crawler) => {
    // A set goes on with what is added to it.
    for (const href of hrefs) {
      const kind = new URL(href).pathname.replaceAll(/_\w+/g, '')
      if (!href.startsWith(dashboard) || seen.has(kind)) continue
      seen.add(kind)
      await crawler.visit(href)
    }
  }
  await Promise.all(crawlers.map(visitUnseen))
  assert.ok(seen.size >= LEAST_PAGES, [...seen].join(' '))
}
