import assert from 'node:assert/strict'
import { must } from './calls.ts'
import { openLink } from './dashboard-world.ts'
import { freshImage } from './images.ts'
import type { World } from './world.ts'

/** Without a session. */
export const OUTSIDE = ['/sign-in', '/sign-up', '/forgot-password']
const OF_ACCOUNT = ['/account', '/account/security', '/account/sessions', '/account/data']
const OF_SERVER = [
  ...['/server', '/server?q=none', '/server/users', '/server/reports', '/server/blocks'],
  '/server/health',
]
const OF_WORKSPACE = [
  ...['/alerts', '/alerts?new=true'],
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
  ...['/more', '/settings/workspace', '/settings/members', '/settings/api-keys', '/settings/tools'],
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

export type Filled = Awaited<ReturnType<typeof fillWorkspace>>

/** Paths below `/app` of every page and popup with an address, for a user with a session. */
export function listPages(filled: Filled): { pages: string[]; popups: string[] } {
  const { workspaceId, userId, linkId, endpointId, deliveryId, domainId, pageId } = filled
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
  const inWorkspace = (path: string) => `/${workspaceId}${path}`
  return {
    pages: [...OF_ACCOUNT, ...OF_SERVER, ...[...OF_WORKSPACE, ...ofRows].map(inWorkspace)],
    popups: [
      '/server/blocks?new=true',
      `/server?open=${workspaceId}`,
      `/server/users?open=${userId}`,
      ...popups.map(inWorkspace),
    ],
  }
}

/** A popup hides the heading of its page. */
export function isPopup(path: string): boolean {
  return /open=|new=|edit=/.test(path)
}

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

/** A workspace of an operator, with a link that was clicked and reported, a campaign, an endpoint and a domain. */
export async function fillWorkspace(world: World) {
  const owner = await world.member()
  await world.sql`update users set is_operator = true where id = ${owner.userId}`
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
