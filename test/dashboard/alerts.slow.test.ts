import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'

test('alerts in the dashboard', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  const user = await world.user()
  const session = await world.session(user)
  const link = { name: 'Winter coats', destinationUrl: 'https://example.com' }
  const { body } = await must(201, session.post('/links', link))
  const { page } = await openPage(t, world, session)
  const dialog = page.getByRole('dialog')

  await t.test('a link is watched from its page, edited, paused and deleted', async () => {
    await page.goto(`${world.origin}/app/${user.workspaceId}/links/${body.data.id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Alert' }).click()
    await dialog.getByText('Winter coats').waitFor()
    assert.equal(await dialog.getByLabel('Mail to').inputValue(), user.email)
    await dialog.getByRole('button', { name: 'Create alert' }).click()
    await page.getByText('The alert is on.').waitFor()
    await page.getByText('The destination has not been checked yet').waitFor()
    await world.sql`
      update alerts set clicks_state = 'high', clicks_since = now(), clicks = 900, clicks_usual = 100`
    await page.reload()
    await page.getByText('Many clicks: 900 in the last full hour, usually 100').waitFor()
    await page.getByRole('button', { name: 'Actions for the alert of Winter coats' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('Failing destination').uncheck()
    await dialog.getByLabel('Unusual clicks').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Failing destination').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Actions for the alert of Winter coats' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByText('Paused').waitFor()
    await page.getByRole('button', { name: 'Actions for the alert of Winter coats' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('No alerts').waitFor()
  })
})
