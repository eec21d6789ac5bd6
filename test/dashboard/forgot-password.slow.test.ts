import { test } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }
const NEW_PASSWORD = 'seven green lanterns'

test('a user sets a new password by the link of a mail, and signs in', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  const { email } = await world.user()
  const { page } = await openPage(t, world, { size: 'phone' })
  await page.goto(`${world.origin}/app/sign-in`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The page before has a field of the same name.
  await page.getByRole('button', { name: 'Send the link' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText(`If ${email} has an account`, { exact: false }).waitFor()
  await page.goto((await world.outbox.next(email)).link)
  await page.locator('input[type=password]').first().fill(NEW_PASSWORD)
  await page.getByRole('button').first().click()
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()
  await page.goto(`${world.origin}/app/sign-in`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Where should it point?').waitFor()
})
