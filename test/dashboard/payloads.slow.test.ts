import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { must, type Calls } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { evaluateAmong, evaluateBeside } from '../support/beside.ts'
import {
  goTo,
  openPage,
  overhangOf,
  reshape,
  SIZES,
  waitUntilLoaded,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { storeClicks } from '../support/clicks.ts'
import { addMembership, addUser } from '../support/fixtures.ts'
import type { World } from '../support/world.ts'
import { PAYLOADS } from '../support/payloads.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }

/** Pages that list what was stored, by their path in the workspace; those with `?` open a drawer. */
const PAGES = [
  ...[
    '',
    '/analytics',
    '/campaigns',
    '/dashboards',
    '/reports',
    '/domains',
    '/utm-templates',
    '/webhooks',
    '/links/import',
  ],
  ...['/settings/workspace', '/settings/members', '/settings/api-keys', '/settings/tools'],
  ...['/settings/audit-log', '/settings/security-log', '/settings/abuse-reports'],
  ...['/settings/billing', '/more', '/links'],
]
const DRAWERS = [
  ...[
    '/links?new=true',
    '/links?organize=tags',
    '/links?organize=folders',
    '/campaigns?new=true',
    '/dashboards?new=true',
    '/reports?new=true',
    '/domains?new=true',
  ],
  ...['/utm-templates?new=true', '/webhooks?open=new', '/webhooks?open=dispatch'],
]

test('hostile text is shown as text on every page', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  const owner = await world.member()
  const session = await world.session(owner)
  const stored = await store(world, { ...session, workspaceId: owner.workspaceId })
  // A refused value is answered with 4xx; the browser says so.
  const { page } = await openPage(t, world, {
    cookie: session.cookie,
    expected: [/status of 4\d\d/],
  })
  const base = `${world.origin}/app/${owner.workspaceId}`
  const shown = new Set<number>()
  const problems: string[] = []
  let visits = 0
  const visit = async (url: string) => {
    // The frame of each page has the names of workspace and user.
    const name = PAYLOADS[visits++ % PAYLOADS.length]
    await session.patch(`/workspaces/${owner.workspaceId}`, { name })
    await session.patch('/auth/user', { name })
    await refetch(page, ['session', 'workspaces'])
    await goTo(page, url)
    await (isDrawer(url) ? page.getByRole('dialog').waitFor() : waitUntilLoaded(page))
    // The feed asks for its rows once the page is there.
    const feed = page.getByRole('list', { name: 'Live' })
    if ((await feed.count()) > 0) await feed.getByRole('listitem').first().waitFor()
    problems.push(...(await look(page, url, shown)))
  }
  for (const path of [...PAGES, ...stored.pages]) await visit(`${base}${path}`)
  for (const path of ['', '/security', '/sessions', '/data'])
    await visit(`${world.origin}/app/account${path}`)
  for (const path of [...DRAWERS, ...stored.drawers]) {
    await visit(`${base}${path}`)
    await typeInto(page)
    problems.push(...(await look(page, path, shown)))
  }
  assert.deepEqual(problems, [])
  const missing = PAYLOADS.filter((payload, index) => !shown.has(index) && stored.isTaken(payload))
  assert.deepEqual(missing, [], 'every stored text is on one of the pages')
})

/** The dashboard asks again for what it knows. */
async function refetch(page: Page, names: readonly string[]): Promise<void> {
  await evaluateAmong(
    page,
    `Promise.all(${JSON.stringify(names)}.map((name) =>
      globalThis.__TSR_ROUTER__?.options.context.queryClient.refetchQueries({ queryKey: [name] })
    )).then(() => true)`,
  )
}

const isDrawer = (url: string) => /[?&](new|open|edit|organize)=/.test(url)

/** Sections that are closed would hide what is in them. */
const OPEN_SECTIONS = `for (const each of document.querySelectorAll('details')) each.open = true`
const MARKED = `document.querySelectorAll('[data-payload]').length`
const TEXT_OF_PAGE = `document.body.textContent + [...document.querySelectorAll('input, textarea')]
  .map((field) => field.value).join(' ')`

/** Nothing of a payload became part of the page, which is no wider than its window. @returns what is wrong */
async function look(page: Page, where: string, shown: Set<number>): Promise<string[]> {
  await evaluateBeside(page, OPEN_SECTIONS)
  const problems: string[] = []
  if ((await evaluateBeside<number>(page, MARKED)) > 0) problems.push('markup became elements')
  const text = await evaluateBeside<string>(page, TEXT_OF_PAGE)
  for (const [index, payload] of PAYLOADS.entries()) if (text.includes(payload)) shown.add(index)
  // The next page begins in the size in which this one ends.
  const isPhone = page.viewportSize()!.width === SIZES.phone.width
  for (const size of isPhone ? (['phone', 'desktop'] as const) : (['desktop', 'phone'] as const)) {
    if (page.viewportSize()!.width !== SIZES[size].width) await reshape(page, size, 'light')
    const overhang = await overhangOf(page)
    if (overhang > 0) problems.push(`${overhang} pixels too wide on a ${size}`)
  }
  return problems.map((problem) => `${where}: ${problem}`)
}

let typed = 0

/** Fills each field of the drawer, the next texts of the list, and sends the form. */
async function typeInto(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const fields = dialog.locator(
    'input:is([type=text], [type=url], [type=search], :not([type])), textarea',
  )
  for (const field of await fields.all()) {
    if (!(await field.isEditable())) continue
    await field.fill(PAYLOADS[typed++ % PAYLOADS.length]!)
  }
  await fields.first().press('Enter')
}

type Stored = {
  pages: string[]
  drawers: string[]
  /** Whether one of the fields took this text. */
  isTaken(payload: string): boolean
}

/** Puts each payload into every field that takes it; the others refuse it, and none fails. */
async function store(world: World, owner: Calls & { workspaceId: string }): Promise<Stored> {
  const taken = new Set<string>()
  const post = async (payload: string, path: string, body: object) => {
    const { status } = await owner.post(path, body)
    assert.ok([201, 202, 400, 409].includes(status), `${path} answers ${status} to ${payload}`)
    if (status < 300) taken.add(payload)
  }
  for (const [index, payload] of PAYLOADS.entries()) {
    const utm = { utmSource: payload, utmMedium: payload, utmCampaign: payload }
    await Promise.all([
      post(payload, '/folders', { name: payload }),
      post(payload, '/campaigns', { name: payload, description: payload, ...utm }),
      post(payload, '/dashboards', { title: payload }),
      post(payload, '/reports', { name: payload, type: 'links' }),
      post(payload, '/utm-templates', { name: payload, ...utm }),
      ...(index % 5 === 0 ? [post(payload, '/api-keys', { name: payload })] : []),
      addViewer(world, owner.workspaceId, payload),
    ])
  }
  const linkIds = await storeLinks(owner)
  await report(world, owner, linkIds[0]!)
  await storeClicks(world.clickhouse, toClicks(owner.workspaceId, linkIds[0]!))
  const endpointId = await storeEndpoints(owner)
  const domainId = await storeDomain(world, owner)
  const campaigns = await must(200, owner.get('/campaigns?limit=1'))
  const campaignId = campaigns.body.data[0].id as string
  const searched = encodeURIComponent(PAYLOADS[0]!)
  return {
    pages: [
      `/links?q=${searched}&tag=${searched}`,
      `/links/${linkIds[0]}`,
      `/analytics?referrer=${searched}&utmSource=${searched}`,
      `/campaigns?q=${searched}`,
      `/campaigns/${campaignId}`,
      `/webhooks/${endpointId}`,
      `/domains/${domainId}`,
      `/domains?q=${searched}`,
      `/links/import?shown=${await importLinks(owner)}`,
    ],
    drawers: [
      ...linkIds.map((id) => `/links?edit=${id}`),
      `/webhooks/${endpointId}?open=edit`,
      `/webhooks/${endpointId}?open=delete`,
      `/domains/${domainId}?open=edit`,
      `/domains/${domainId}?open=delete`,
    ],
    isTaken: (payload) => taken.has(payload),
  }
}

async function addViewer({ sql }: World, workspaceId: string, name: string): Promise<void> {
  const { id: userId } = await addUser(sql, { name })
  await addMembership(sql, { workspaceId, userId, role: 'viewer' })
}

const DESTINATION = 'https://example.com/'

/** @returns the first links of each kind that were taken */
async function storeLinks(owner: Calls): Promise<string[]> {
  const toLinks = (payload: string) => [
    { name: payload, destinationUrl: `${DESTINATION}?q=${payload}#${payload}` },
    { metadata: { [`A ${payload}`]: payload }, externalId: payload },
    { card: { title: payload, description: payload } },
    { utmSource: payload, utmTerm: payload, utmContent: payload },
    { tags: [payload] },
    { slug: payload },
  ]
  const ids: string[] = []
  for (let kind = 0; kind < toLinks('').length; kind++) {
    const links = PAYLOADS.map((payload) => ({
      ...{ name: 'Link', destinationUrl: DESTINATION },
      ...toLinks(payload)[kind],
    }))
    const { body } = await must(200, owner.post('/links/bulk', { links }))
    const rows = body.data as { id: string | null; error: { code: string } | null }[]
    const refusals = new Set(rows.map(({ error }) => error?.code))
    assert.ok(!refusals.has('INTERNAL_ERROR'))
    ids.push(rows.find(({ id }) => id !== null)!.id!)
  }
  return ids
}

/** Reports a link with all payloads that fit into the details, as any visitor can. */
async function report(world: World, owner: Calls, linkId: string): Promise<void> {
  const { shortUrl: url } = (await must(200, owner.get(`/links/${linkId}`))).body.data
  const details = PAYLOADS.filter((each) => !/\p{Cc}/u.test(each))
    .join('\n')
    .slice(0, 2_000)
  const body = JSON.stringify({ url, reason: 'other', details })
  const headers = { 'content-type': 'application/json' }
  await must(202, world.call('POST', '/report-abuse', { body, headers }))
  const reports = await must(200, owner.get('/abuse-reports'))
  assert.equal(reports.body.data[0].details, details)
}

/** A domain with payloads in each field that takes them, and with all of them in what a check found in DNS. */
async function storeDomain({ sql }: World, owner: Calls): Promise<string> {
  for (const payload of PAYLOADS) {
    const { status } = await owner.post('/domains', { hostname: payload })
    assert.ok(
      [201, 202, 400, 409].includes(status),
      `a domain ${payload} is answered with ${status}`,
    )
  }
  const [root, notFound, expired] = PAYLOADS.map(
    (payload) => `${DESTINATION}?q=${payload}#${payload}`,
  )
  const file = { applinks: { details: PAYLOADS } }
  const { body } = await must(
    201,
    owner.post('/domains', {
      ...{ hostname: 'go.example.com', appleAppSiteAssociation: file, assetLinks: [file] },
      ...{ rootRedirectUrl: root, notFoundUrl: notFound, expiredUrl: expired },
    }),
  )
  const { id, verification } = body.data
  const records = verification.records.map((record: object) => ({
    ...record,
    found: PAYLOADS,
    ok: false,
  }))
  await sql`
    update domains set status = 'failed', failure_reason = 'token_mismatch', last_checked_at = now(),
      records = ${JSON.stringify(records)}
    where id = ${id}`
  return id
}

/** A click for each payload, which is each of its labels. */
/** Clicks of links with these texts. The longest ones are the latest, which the feed shows. */
function toClicks(workspaceId: string, linkId: string) {
  const nowMs = Date.now()
  return PAYLOADS.map((payload, index) => ({
    ...{ workspaceId, linkId, visitor: BigInt(index + 1), atMs: nowMs - 60_000 + payload.length },
    ...{ region: payload, city: payload, browser: payload, os: payload, referrer: payload },
    ...{ language: payload, destination: payload, slug: payload, utm_source: payload },
    ...{ utm_medium: payload, utm_campaign: payload, utm_term: payload, utm_content: payload },
  }))
}

const ENDPOINTS = 12

async function storeEndpoints(owner: Calls): Promise<string> {
  const ids: string[] = []
  for (let first = 0; first < ENDPOINTS; first++) {
    const description = PAYLOADS.filter((_, index) => index % ENDPOINTS === first).join(' ')
    const endpoint = {
      url: `http://127.0.0.1:9009/${encodeURIComponent(PAYLOADS[first]!)}`,
      events: ['link.deleted'],
      description: description.slice(0, 500),
      headers: { "X-!#$%&'*+.^_`|~": PAYLOADS[first] },
    }
    const { status, body } = await owner.post('/webhooks/endpoints', endpoint)
    assert.ok(status === 201 || status === 400, `${status} for ${description}`)
    if (status === 201) ids.push(body.data.id as string)
  }
  return ids[0]!
}

/** The targets of a file, most of which its report refuses. @returns the id of the import */
async function importLinks(owner: Calls): Promise<string> {
  const rows = PAYLOADS.map((payload) => ({
    name: payload,
    destinationUrl: payload,
    tags: payload,
  }))
  const { body } = await must(202, owner.post('/links/import?dryRun=true', rows))
  return body.data.id as string
}
