import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { evaluateBeside } from '../support/beside.ts'
import {
  AT_ONCE,
  findViolations,
  openPage,
  waitUntilLoaded,
  contentOf,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { openDnsServer, type DnsServer } from '../support/dns-server.ts'
import { addDomain } from '../support/fixtures.ts'
import { eventually } from '../support/eventually.ts'
import type { World } from '../support/world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }
const TARGET = 'edge.signpost.test'
const EDGE = '198.51.100.7'

test('domains in the dashboard', { ...IN_BROWSER, concurrency: AT_ONCE }, async (t) => {
  const dns = await openDnsServer(t)
  dns.set(TARGET, { addresses: [EDGE] })
  const world = await openDashboardWorld(t, {
    config: { cnameTarget: TARGET, dnsServers: [dns.address] },
  })
  await Promise.all([
    t.test('a domain is added, its records are set, and a check verifies it', (part) =>
      addAndVerify(part, world, dns),
    ),
    t.test('a setting that another user has changed is not overwritten', (part) =>
      changeTogether(part, world),
    ),
    t.test('links of a domain that is deleted move to the shared host, or keep it', (part) =>
      deleteWithLinks(part, world),
    ),
    t.test('a link is created on a domain, and changes to another host', (part) =>
      linkOnDomain(part, world),
    ),
    t.test('a viewer reads domains, and has no control that changes anything', (part) =>
      lookAsViewer(part, world),
    ),
  ])
})

async function addAndVerify(t: TestContext, world: World, dns: DnsServer): Promise<void> {
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const expected = [/\/v1\/domains.* 400 /, /status of 400/]
  const { page } = await openPage(t, world, { cookie, expected })
  await page.goto(`${world.origin}/app/${owner.workspaceId}`)
  await waitUntilLoaded(page)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.getByText('No domains yet').waitFor()
  await page.getByRole('button', { name: 'Add domain' }).click()
  const dialog = page.getByRole('dialog')
  const host = dialog.getByLabel('Domain')
  await host.fill('co.uk')
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await dialog.getByText('which is a public suffix').waitFor()
  await host.fill('https://Go.Zone-A.test/x')
  await dialog.getByText('_signpost.go.zone-a.test').waitFor()
  await dialog.getByRole('button', { name: 'Add domain' }).click()

  await page.getByRole('heading', { level: 1, name: 'go.zone-a.test' }).waitFor()
  const copy = page.getByRole('button', { name: 'Copy the value of the TXT record' })
  const proof = await copyBy(page, copy, /^signpost-verify=[0-9a-f]{32}$/)
  await check(page)
  await page.getByText('This domain does not exist in DNS.').waitFor()
  dns.set('_signpost.go.zone-a.test', { texts: ['signpost-verify=another'] })
  await check(page)
  await page.getByText('The TXT record has a different value.').waitFor()
  await page.getByText('signpost-verify=another').waitFor()
  assert.deepEqual(await findViolations(page), [])

  dns.set('_signpost.go.zone-a.test', { texts: [proof] })
  await check(page)
  await page.getByText('Verified. Links on this domain work.').waitFor()
  await page.getByText('Visitors do not arrive here yet').waitFor()
  dns.set('go.zone-a.test', { cname: [TARGET], addresses: [EDGE] })
  await check(page)
  const records = page.getByRole('list', { name: 'DNS records' }).getByRole('listitem')
  await eventually(async () =>
    assert.equal(await records.getByText('found', { exact: true }).count(), 2),
  )
  await page.getByText('Domain verified').waitFor()
  await page.getByText('This server does not request a certificate for it.').waitFor()
  await world.sql`
    update domains set ssl_status = 'failed', ssl_failure_reason = 'caa',
      ssl_next_attempt_at = now() + interval '1 hour' where workspace_id = ${owner.workspaceId}`
  await check(page)
  await page.getByText('No valid certificate').waitFor()
  await page.getByText('A CAA record allows only other certificate authorities.').waitFor()
  await page.getByText('Next attempt:').waitFor()
  await deleteDomain(page)
}

async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check now' }).click()
}

/** Only once its name is typed. */
async function deleteDomain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions of go.zone-a.test' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  assert.equal(await confirm.isDisabled(), true)
  await page.getByLabel('Type go.zone-a.test to confirm').fill('go.zone-a.test')
  await confirm.click()
  await page.getByText('No domains yet').waitFor()
}

async function changeTogether(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { body } = await must(201, owner.post('/domains', { hostname: 'go.zone-b.test' }))
  const path = `/domains/${body.data.id}`
  const { cookie } = await world.session(owner)
  const expected = [/status of 412/]
  const { page } = await openPage(t, world, { cookie, expected })
  await page.goto(`${world.origin}/app/${owner.workspaceId}${path}?open=edit`)
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByLabel('Android app links').fill('{}')
  await dialog.getByText('Enter a JSON array').waitFor()
  await dialog.getByLabel('Android app links').fill('[{"relation": []}]')
  await dialog.getByLabel('Redirect unknown links to').fill('https://example.com/mine')
  // A version in which no setting is another, as each check makes one.
  await must(200, owner.post(`${path}/verify`))
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  const read = async () => (await owner.get(path)).body.data
  assert.equal((await read()).notFoundUrl, 'https://example.com/mine')
  assert.deepEqual((await read()).assetLinks, [{ relation: [] }])

  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Redirect unknown links to').fill('https://example.com/new')
  await must(200, owner.patch(path, { notFoundUrl: 'https://example.com/theirs' }))
  await save.click()
  await dialog.getByText('Another user has changed this domain').waitFor()
  await dialog.getByText('https://example.com/theirs').waitFor()
  assert.equal((await read()).notFoundUrl, 'https://example.com/theirs')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await read()).notFoundUrl, 'https://example.com/new')
}

async function deleteWithLinks(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const hostname = 'go.zone-d.test'
  const domainId = await addDomain(world.sql, { workspaceId: owner.workspaceId, hostname })
  const link = { name: 'Sale', destinationUrl: 'https://example.com/', slug: 'moved' }
  const { body } = await must(201, owner.post('/links', { ...link, domainId }))
  const shared = await must(201, owner.post('/links', link))
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, expected: [/status of 409/] })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/domains/${domainId}?open=delete`)
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete' })
  await dialog.getByLabel(`Type ${hostname} to confirm`).fill(hostname)
  await confirm.click()
  await dialog.getByText('Links or bio pages are on this domain').waitFor()
  assert.equal((await owner.get(`/domains/${domainId}`)).status, 200)

  await dialog.getByLabel('Move its links to the shared domain').check()
  await confirm.click()
  const kept = dialog.getByRole('list', { name: 'Links that cannot be moved' })
  await kept.getByText('moved', { exact: true }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  assert.equal((await owner.get(`/links/${body.data.id}`)).body.data.domainId, domainId)

  await must(204, owner.delete(`/links/${shared.body.data.id}`))
  await confirm.click()
  await page.getByText('No domains yet').waitFor()
  const { data } = (await owner.get(`/links/${body.data.id}`)).body
  assert.equal(data.domainId, null)
  assert.equal(data.shortUrl, `${world.origin}/moved`)
}

async function linkOnDomain(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { workspaceId } = owner
  const domainId = await addDomain(world.sql, { workspaceId, hostname: 'go.zone-e.test' })
  await addDomain(world.sql, { workspaceId, hostname: 'a.zone-e.test', status: 'pending' })
  const link = { name: 'Sale', destinationUrl: 'https://example.com/', slug: 'both' }
  await must(201, owner.post('/links', link))
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  const shared = new URL(world.origin).host
  const read = async () => {
    const id = /lnk_\w+/.exec(page.url())![0]
    return (await must(200, owner.get(`/links/${id}`))).body.data
  }
  await page.goto(`${world.origin}/app/${workspaceId}/links?new=true`)
  const dialog = page.getByRole('dialog')
  const host = dialog.getByLabel('Domain', { exact: true })
  await host.waitFor()
  assert.deepEqual(await host.locator('option').allTextContents(), [
    shared,
    'go.zone-e.test',
    'a.zone-e.test (opens after verification)',
  ])
  await dialog.getByLabel('Points to', { exact: true }).fill('https://example.com/sale')
  await dialog.getByLabel('Short link', { exact: true }).fill('both')
  await dialog.getByText('This slug is taken.').waitFor()
  await host.selectOption('go.zone-e.test')
  await dialog.getByText('free on go.zone-e.test').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Create and copy' }).click()
  await page.getByRole('heading', { level: 1, name: 'go.zone-e.test/both' }).waitFor()
  assert.equal((await read()).domainId, domainId)
  await page.getByText('Created and copied http://go.zone-e.test/both').waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await host.selectOption(shared)
  await dialog.getByText('This slug is taken.').waitFor()
  await dialog.getByLabel('Short link', { exact: true }).fill('moved-here')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: `${shared}/moved-here` }).waitFor()
  assert.equal((await read()).domainId, null)

  await must(200, owner.patch(`/domains/${domainId}`, { isDefault: true }))
  for (const [slug, chosen] of [['by-default'], ['by-choice', shared]] as const) {
    await page.goto(`${world.origin}/app/${workspaceId}/links?new=true`)
    await dialog.getByLabel('Points to', { exact: true }).fill('https://example.com/sale')
    await dialog.getByLabel('Short link', { exact: true }).fill(slug)
    if (chosen) await host.selectOption(chosen)
    await dialog.getByText(`free on ${chosen ?? 'go.zone-e.test'}`).waitFor()
    await dialog.getByRole('button', { name: 'Create and copy' }).click()
    const name = `${chosen ?? 'go.zone-e.test'}/${slug}`
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await filterByDomain(page, domainId)
}

/** Of the links of {@link linkOnDomain}, one is on the domain. */
/** Copies until the clipboard matches: the tests of the file share it. @returns what it has */
async function copyBy(page: Page, button: Locator, expected: RegExp): Promise<string> {
  return eventually(async () => {
    await button.click()
    const copied = await evaluateBeside<string>(page, 'navigator.clipboard.readText()')
    assert.match(copied, expected)
    return copied
  })
}

async function filterByDomain(page: Page, domainId: string): Promise<void> {
  await page.getByRole('link', { name: 'Links', exact: true }).first().click()
  const copyOf = (slug: string) =>
    page.getByRole('button', { name: `Copy the short URL of ${slug}` })
  await copyOf('by-choice').waitFor()
  await page.getByLabel('Domain', { exact: true }).selectOption('go.zone-e.test')
  await copyOf('by-choice').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).searchParams.get('domainId'), domainId)
  await copyBy(page, copyOf('by-default'), /^http:\/\/go\.zone-e\.test\/by-default$/)
  await page.getByRole('button', { name: 'More actions' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).click(),
  ])
  const exported = String(await contentOf(download))
  assert.match(exported, /by-default/)
  assert.doesNotMatch(exported, /by-choice/)
}

async function lookAsViewer(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { body } = await must(201, owner.post('/domains', { hostname: 'go.zone-c.test' }))
  const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const { cookie } = await world.session(viewer)
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/domains?new=true`)
  await page.getByRole('link', { name: 'go.zone-c.test' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add domain' }).count(), 0)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.goto(`${world.origin}/app/${owner.workspaceId}/domains/${body.data.id}?open=edit`)
  await page.getByText('Waiting for records').waitFor()
  for (const name of ['Check now', 'Edit', /^Actions of/])
    assert.equal(await page.getByRole('button', { name }).count(), 0)
  assert.equal(await page.getByRole('dialog').count(), 0)
}
