import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { renderHtml, type MailContent } from '../../src/platform/mail/layout.ts'
import { callServer } from '../../src/operator/socket.ts'
import { TEMPLATES, type TemplateName } from '../../src/platform/mail/templates.ts'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import {
  findViolations,
  openPage,
  overhangOf,
  reshape,
  type Watched,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import { openReceiver } from '../support/receiver.ts'
import { answer } from '../support/receiver-scripts.ts'
import type { World } from '../support/world.ts'

test('what people see who have no account', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  await t.test('each mail fits a phone and is accessible, light and dark', (part) =>
    readMails(part, world),
  )
  await t.test('a link that was made with a password asks for it, and opens with it', (part) =>
    openProtected(part, world),
  )
  await t.test('a blocked link says so', (part) => openBlocked(part, world))
})

/** Rules of pages; a mail is a part of the page of its reader. */
const PAGE_RULES = ['landmark-one-main', 'page-has-heading-one', 'region']

/**
 * Checks a page at the size of a phone in either theme. The check runs in a copy, since the policy of the pages
 * of visitors runs no script.
 */
async function findFaults(
  { context }: Pick<Watched, 'context'>,
  html: string,
  without: readonly string[] = [],
): Promise<string[]> {
  const page = await context.newPage()
  await page.setContent(html)
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const faults: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await reshape(page, 'phone', theme)
    const violations = await findViolations(page, { rules })
    faults.push(...violations.map((fault) => `${theme}: ${fault}`))
    const overhang = await overhangOf(page)
    if (overhang > 0) faults.push(`${overhang} pixels too wide`)
  }
  await page.close()
  return faults
}

type FactsOf = { [Name in TemplateName]: (facts: Parameters<(typeof TEMPLATES)[Name]>[1]) => void }
/** Facts that all templates take, so that a new one cannot be forgotten. */
type AllFacts = FactsOf[TemplateName] extends (facts: infer Facts) => void ? Facts : never

/** The longest texts that the templates take. */
const FACTS: AllFacts = {
  language: 'en',
  ...{ name: 'Ada Lovelace of the Analytical Engine', token: 'x'.repeat(43), role: 'member' },
  ...{ email: `${'a'.repeat(64)}@example.com`, newEmail: `${'b'.repeat(64)}@example.com` },
  ...{ workspaceName: 'W'.repeat(80), inviterName: 'I'.repeat(80), unlistedCount: 3 },
  ...{ linkName: 'L'.repeat(80), news: 'low', count: 1_200, usual: 34_000 },
  ...{ workspaceId: `wsp_${'1'.repeat(26)}`, reportName: 'R'.repeat(80) },
  endpoints: [
    {
      endpointId: `wh_${'1'.repeat(26)}`,
      host: `${'h'.repeat(60)}.example.com`,
      failingSince: new Date(0),
      autoPausedAt: new Date(0),
      status: null,
      error: 'connection refused',
    },
  ],
}

async function readMails(t: TestContext, world: World): Promise<void> {
  const opened = await openPage(t, world)
  for (const name of Object.keys(TEMPLATES) as TemplateName[]) {
    const write: (origin: string, facts: AllFacts) => MailContent = TEMPLATES[name]
    for (const language of ['en', 'de', 'ar'] as const) {
      const content = write('https://links.example.com', { ...FACTS, language })
      const faults = await findFaults(opened, renderHtml(content), PAGE_RULES)
      assert.deepEqual(faults, [], `${name} in ${language}`)
    }
  }
}

async function openProtected(t: TestContext, world: World): Promise<void> {
  const site = await openReceiver(t)
  const headers = { 'content-type': 'text/html' }
  site.on('/docs', answer(200, { headers, body: '<title>Docs</title>The documents' }))
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const opened = await openPage(t, world, {
    ...{ cookie, size: 'phone', expected: [/status of 401/] },
  })
  const { page, problems } = opened
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links?new=true`)
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Points to').first().fill(site.url('/docs'))
  await drawer.getByLabel('Name', { exact: true }).fill('Documents')
  await drawer.getByLabel('Short link').fill('documents')
  await drawer.locator('summary', { hasText: 'click limit' }).click()
  await drawer.getByLabel('Password').fill('quiet harbour lamp')
  await drawer.getByRole('button', { name: 'Create and copy' }).click()
  await page.waitForURL(/\/links\/lnk_/)

  await eventually(async () => assert.equal((await openLink(world, 'documents')).status, 401))
  await page.goto(`${world.origin}/documents`)
  const password = page.getByLabel('Password')
  await password.waitFor()
  assert.deepEqual(await findFaults(opened, await page.content()), [])
  await password.fill('loud harbour lamp')
  await page.keyboard.press('Enter')
  await page.getByText('This password is wrong', { exact: false }).waitFor()
  assert.deepEqual(await findFaults(opened, await page.content()), [])
  await password.fill('quiet harbour lamp')
  await page.keyboard.press('Enter')
  await page.getByText('The documents').waitFor()
  assert.deepEqual(problems.splice(0), [`foreign request: ${site.url('/docs')}`])
}

async function openBlocked(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const link = { name: 'Bad', slug: 'bad', destinationUrl: 'https://example.com/' }
  const { shortUrl } = (await must(201, owner.post('/links', link))).body.data
  const block = { kind: 'link', value: shortUrl, reason: 'a copied shop' }
  await callServer(world.dataDir, 'block', block)
  await eventually(async () => assert.equal((await openLink(world, 'bad')).status, 451))
  const opened = await openPage(t, world, { expected: [/status of 451/] })
  const { page } = opened
  await page.goto(`${world.origin}/bad`)
  await page.getByText('This link has been blocked').waitFor()
  assert.deepEqual(await findFaults(opened, await page.content()), [])
  assert.ok(!(await page.content()).includes('example.com'))
}
