import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { AT_ONCE, openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import type { SignedUpUser, World } from '../support/world.ts'

test(
  'an account in the dashboard',
  { skip: SKIP_WITHOUT_BROWSER, concurrency: AT_ONCE },
  async (t) => {
    const world = await openDashboardWorld(t)
    await Promise.all([
      t.test('a passkey is added, signs in, and is removed', (part) => usePasskey(part, world)),
      t.test('a browser without passkeys says so', (part) => lackPasskeys(part, world)),
      t.test('two-factor sign-in takes a code of the app, then a backup code', (part) =>
        useTwoFactor(part, world),
      ),
      t.test('preferences are saved, and followed at once', (part) => prefer(part, world)),
      t.test('a deleted account is signed out, and cannot sign in', (part) => leave(part, world)),
    ])
  },
)

/** Console messages of the browser about a refused code and a refused password. */
const CODE_REFUSED = /status of 401 .*\/auth\/two-factor\/verify/
const PASSWORD_REFUSED = /status of 401 .*\/auth\/sign-in\/email/

async function openSecurity(
  t: TestContext,
  world: World,
  user: SignedUpUser,
  { path = 'security', expected = [] }: { path?: string; expected?: RegExp[] } = {},
) {
  const { cookie } = await world.session(user)
  const opened = await openPage(t, world, { cookie, expected })
  await opened.page.goto(`${world.origin}/app/account/${path}`)
  await waitUntilLoaded(opened.page)
  return opened
}

async function startSignIn(page: Page, world: World): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${world.origin}/app/sign-in`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

async function typePassword(page: Page, { email, password }: SignedUpUser): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function usePasskey(t: TestContext, world: World): Promise<void> {
  const user = await world.user()
  const { page, context } = await openSecurity(t, world, user)
  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Passkey name').fill('Work laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Work laptop', { exact: true }).waitFor()

  // The virtual authenticator confirms a suggestion by itself, before the button is pressed.
  await context.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)',
  )
  await startSignIn(page, world)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(/\/app\/wsp_/)

  await page.goto(`${world.origin}/app/account/security`)
  await page.getByText('on one device, used now').waitFor()
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Work laptop', { exact: true }).waitFor({ state: 'detached' })
}

async function lackPasskeys(t: TestContext, world: World): Promise<void> {
  const user = await world.user()
  const { cookie } = await world.session(user)
  const { page, context } = await openPage(t, world, { cookie })
  await context.addInitScript('delete globalThis.PublicKeyCredential')
  await page.goto(`${world.origin}/app/account/security`)
  await page.getByText('Passkeys are not available in this browser at this address.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
  await startSignIn(page, world)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Use a passkey' }).count(), 0)
}

async function useTwoFactor(t: TestContext, world: World): Promise<void> {
  const user = await world.user()
  const { page } = await openSecurity(t, world, user, { expected: [CODE_REFUSED] })
  const dialog = page.getByRole('dialog')
  const readCodes = () =>
    dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click()
  await dialog.getByLabel('Your password').fill(user.password)
  await dialog.getByRole('button', { name: 'Next' }).click()
  const secret = Secret.fromBase32(await dialog.locator('code').innerText())
  await dialog.getByLabel('Six-digit code').fill(new TOTP({ secret }).generate())
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('Two-factor sign-in is on.').waitFor()
  const first = await readCodes()
  await dialog.getByRole('button', { name: "I've saved them" }).click()
  await page.getByText('10 backup codes left').waitFor()

  await page.getByRole('button', { name: 'New backup codes' }).click()
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  await dialog.getByText('Each code works once').waitFor()
  const second = await readCodes()
  assert.equal(new Set([...first, ...second]).size, 20)

  await startSignIn(page, world)
  await typePassword(page, user)
  const code = page.getByLabel('Code')
  await code.fill(first[0]!)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
  await code.fill(second[0]!)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/app\/wsp_/)
  await page.goto(`${world.origin}/app/account/security`)
  await page.getByText('9 backup codes left').waitFor()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Your password').fill(user.password)
  await dialog.getByLabel('Code').fill(second[1]!)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Two-factor sign-in is off.').waitFor()
}

async function prefer(t: TestContext, world: World): Promise<void> {
  const user = await world.user()
  const { page } = await openSecurity(t, world, user, { path: '' })
  await page.getByRole('button', { name: 'From the workspace or the browser' }).click()
  const picker = page.getByRole('dialog', { name: 'Time zone' })
  await picker.getByRole('combobox').fill('Auckland')
  await picker.getByText('Pacific/Auckland').click()
  await page.getByRole('button', { name: 'Pacific/Auckland', exact: true }).waitFor()
  await page.getByLabel('Numbers and dates').selectOption('de')
  await page.getByText('12.408,5').waitFor()
  await page.getByLabel('First day of the week').selectOption('7')
  await page.getByLabel('Theme').selectOption('dark')
  const stored = async () => (await user.get('/auth/session')).body.data.preferences
  const chosen = { timezone: 'Pacific/Auckland', locale: 'de', weekStart: 7, theme: 'dark' }
  const expected = { ...chosen, language: null }
  await eventually(async () => assert.deepEqual(await stored(), expected))
  await page.goto(`${world.origin}/app/${user.workspaceId}/analytics`)
  await page.getByRole('button', { name: 'Time zone: Pacific/Auckland' }).waitFor()
}

async function leave(t: TestContext, world: World): Promise<void> {
  const user = await world.user()
  const { page } = await openSecurity(t, world, user, {
    path: 'data',
    expected: [PASSWORD_REFUSED],
  })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download your data' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'signpost-account.json')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: 'Delete account' })
  assert.ok(await remove.isDisabled())
  await dialog.getByLabel(`Type ${user.email} to confirm`).fill(user.email)
  await dialog.getByLabel('Your password').fill(user.password)
  await dialog.getByLabel('Also delete workspaces that only I own').check()
  await remove.click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await typePassword(page, user)
  await page.getByRole('alert').waitFor()
  assert.match(page.url(), /sign-in/)
}
