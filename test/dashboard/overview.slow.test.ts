import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { findViolations, openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }

test('the start of the dashboard', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  // Without an API key, which is the fourth step.
  const owner = await world.user()
  const link = { name: 'Winter coats', slug: 'winter', destinationUrl: 'https://example.com/' }
  const hook = { url: 'http://127.0.0.1:9009/hook', events: ['*'] }
  await must(201, owner.post('/links', link))
  await must(201, owner.post('/webhooks/endpoints', hook))
  await openLink(world, 'winter')
  const { cookie } = await world.session(owner)

  await t.test(
    'the overview ticks the first steps, and the palette finds and acts',
    async (part) => {
      const { page } = await openPage(part, world, { cookie })
      await page.goto(`${world.origin}/app/${owner.workspaceId}`)
      await page.getByText('3 of 4 done').waitFor()
      await page.getByRole('button', { name: 'Hide the first steps' }).click()
      await page.getByText('First steps').waitFor({ state: 'detached' })
      const run = async (typed: string, option: RegExp) => {
        await page.keyboard.press('ControlOrMeta+k')
        await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
        await page.keyboard.type(typed)
        await page.getByRole('option', { name: option }).waitFor()
        assert.deepEqual(await findViolations(page), [])
        await page.keyboard.press('Enter')
      }
      const storedTheme = async () => {
        const { body } = await world.call('GET', '/v1/auth/session', { headers: { cookie } })
        return body.data.preferences.theme as string
      }
      await run('dark', /^Dark/)
      await eventually(async () => assert.equal(await storedTheme(), 'dark'))
      await run('system', /^System/)
      await eventually(async () => assert.equal(await storedTheme(), 'system'))
      await run('coats', /^Winter coats/)
      await page.waitForURL(/\/links\/lnk_/)
      await waitUntilLoaded(page)
    },
  )

  await t.test(
    'the page of an object that is missing says so, and leads to its list',
    async (part) => {
      const { page } = await openPage(part, world, { cookie, expected: [/status of 40[34]/] })
      const origin = `${world.origin}/app/${owner.workspaceId}`
      for (const [list, title, prefix] of [
        ['links', 'Links', 'lnk'],
        ['campaigns', 'Campaigns', 'cmp'],
        ['bio-pages', 'Bio pages', 'bio'],
        ['domains', 'Domains', 'dom'],
        ['webhooks', 'Webhooks', 'whe'],
      ]) {
        await page.goto(`${origin}/${list}/${prefix}_01JZZZZZZZZZZZZZZZZZZZZZZZ`)
        await page.getByRole('heading', { name: /not found in this workspace$/ }).waitFor()
        const way = page.getByRole('navigation', { name: 'Breadcrumb' })
        await way.getByRole('link', { name: title! }).click()
        await page.waitForURL((url) => url.pathname.endsWith(`/${list}`))
      }
    },
  )

  await t.test('keys that are typed before the palette is loaded go into it', async (part) => {
    const { page } = await openPage(part, world, { cookie })
    const asked = Promise.withResolvers<void>()
    const typed = Promise.withResolvers<void>()
    await page.route(/palette-.{8}\.js$/, async (route) => {
      asked.resolve()
      await typed.promise
      await route.continue()
    })
    await page.goto(`${world.origin}/app/${owner.workspaceId}/analytics`)
    await waitUntilLoaded(page)
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('dark')
    await asked.promise
    typed.resolve()
    await page.getByRole('option', { name: /^Dark/ }).waitFor()
    await page.keyboard.type('x')
    assert.equal(await page.getByRole('combobox').inputValue(), 'darkx')
    assert.match(page.url(), /\/analytics$/)
  })
})
