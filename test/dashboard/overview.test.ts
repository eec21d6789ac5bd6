import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { findViolations, openPage } from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }

test(
  'the overview ticks the first steps, and the palette finds and acts',
  IN_BROWSER,
  async (t) => {
    const world = await openDashboardWorld(t)
    const owner = await world.member()
    const { workspaceId } = owner
    const link = { name: 'Winter coats', slug: 'winter', destinationUrl: 'https://example.com/' }
    await owner.post('/links', link)
    await owner.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', events: ['*'] })
    await openLink(world, 'winter')
    const { cookie } = await world.session(owner)
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
  },
)
