import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import {
  findViolations,
  openPage,
  signIn,
  waitUntilLoaded,
  type Size,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import type { SignedUpUser, World } from '../support/world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }
const DESTINATION = 'https://example.com/typed'
/** Console message of the browser about a request that needs a sign-in. */
const REFUSED = /status of 40[13]/
const OVER = 'You were signed out'
const TOO_OLD = "Confirm it's you"

test('a session that ends or is too old loses nothing that was typed', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  const user = await world.user()
  await t.test('a new link is saved once after a sign-in over its drawer', (part) =>
    saveLink(part, world, user),
  )
  await t.test('settings keep what was typed when the sign-in is put off', (part) =>
    putOff(part, world, user),
  )
  await t.test('nothing that was typed is sent as another user, of the workspace or not', (part) =>
    signInAsAnother(part, world, user),
  )
  await t.test('a page notices that another tab has signed in as another user', (part) =>
    switchInAnotherTab(part, world, user),
  )
  await t.test('a change that requires a recent sign-in goes on after one', (part) =>
    replaceCodes(part, world, user),
  )
})

async function openAs(t: TestContext, world: World, user: SignedUpUser, size?: Size) {
  const { cookie } = await world.session(user)
  return openPage(t, world, { cookie, expected: [REFUSED], ...(size && { size }) })
}

/** Ends every session but that of the calling browser, as its user does when a device is lost. */
async function endOtherSessions(user: SignedUpUser): Promise<void> {
  await must(204, user.delete('/auth/sessions'))
}

const renewal = (page: Page, title: string) => page.getByRole('dialog', { name: title })

/** The address is filled in; the password is all that the dialog asks for. */
async function signInOver(page: Page, title: string, { email, password }: SignedUpUser) {
  const dialog = renewal(page, title)
  await dialog.getByLabel('Password').waitFor()
  assert.equal(await dialog.getByLabel('E-mail').inputValue(), email)
  assert.deepEqual(await findViolations(page), [])
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.getByLabel('Password').waitFor({ state: 'detached' })
}

async function saveLink(t: TestContext, world: World, user: SignedUpUser): Promise<void> {
  const { page } = await openAs(t, world, user, 'phone')
  await page.goto(`${world.origin}/app/${user.workspaceId}/links?new=true`)
  const drawer = page.getByRole('dialog', { name: 'New link' })
  await drawer.getByLabel('Points to').first().fill(DESTINATION)
  await drawer.getByLabel('Name', { exact: true }).fill('Typed before the end')
  await drawer.getByLabel('Short link').fill('typed')
  await drawer.getByText(/free on /).waitFor()
  await endOtherSessions(user)
  await drawer.getByRole('button', { name: 'Create and copy' }).click()
  await signInOver(page, OVER, user)
  await page.waitForURL(/\/links\/lnk_/)
  const { body } = await must(200, user.get('/links'))
  const links = body.data as { slug: string; name: string; destinationUrl: string }[]
  assert.deepEqual(
    links.map(({ slug, name, destinationUrl }) => [slug, name, destinationUrl]),
    [['typed', 'Typed before the end', DESTINATION]],
  )
}

async function putOff(t: TestContext, world: World, user: SignedUpUser): Promise<void> {
  const { page } = await openAs(t, world, user)
  const settings = `/workspaces/${user.workspaceId}`
  const nameStored = async () => (await must(200, user.get(settings))).body.data.name as string
  const before = await nameStored()
  await page.goto(`${world.origin}/app/${user.workspaceId}/settings/workspace`)
  const name = page.getByLabel('Name', { exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await name.fill('Harbour')
  await endOtherSessions(user)
  await save.click()
  await renewal(page, OVER).getByLabel('Password').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('alert').getByText('This needs you to sign in.').waitFor()
  assert.equal(await name.inputValue(), 'Harbour')
  assert.equal(await nameStored(), before)
  await save.click()
  await signInOver(page, OVER, user)
  await page.getByText('Saved.').waitFor()
  assert.equal(await name.inputValue(), 'Harbour')
  assert.equal(await nameStored(), 'Harbour')
}

async function signInAsAnother(t: TestContext, world: World, user: SignedUpUser): Promise<void> {
  const stranger = await world.user()
  const colleague = await world.user()
  const { email } = colleague
  await world.app.bootstrap.create({ email, workspace: user.workspaceId, role: 'admin' })
  const nameOf = async (calls: SignedUpUser) =>
    (await must(200, calls.get(`/workspaces/${calls.workspaceId}`))).body.data.name as string
  const before = await nameOf(user)
  for (const other of [stranger, colleague]) {
    const { page } = await openAs(t, world, user)
    await page.goto(`${world.origin}/app/${user.workspaceId}/settings/workspace`)
    await page.getByLabel('Name', { exact: true }).fill('Sent by another')
    await endOtherSessions(user)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = renewal(page, OVER)
    await dialog.getByLabel('E-mail').fill(other.email)
    await dialog.getByLabel('Password').fill(other.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    const notice = renewal(page, 'Signed in as another user')
    await notice.getByText(`${user.email} opened this page.`).waitFor()
    assert.deepEqual(await findViolations(page), [])
    await notice.getByRole('button', { name: 'Continue as the other user' }).click()
    await page.waitForURL(new RegExp(`/app/${other.workspaceId}`))
    assert.equal(await nameOf(user), before)
  }
}

/** A sign-in in one tab is that of all tabs. */
async function switchInAnotherTab(t: TestContext, world: World, user: SignedUpUser): Promise<void> {
  const { page, context } = await openAs(t, world, user)
  await page.goto(`${world.origin}/app/${user.workspaceId}/links`)
  await waitUntilLoaded(page)
  const other = await world.member({ workspaceId: user.workspaceId, role: 'admin' })
  const { cookie } = await world.session(other)
  await signIn(context, world.origin, cookie)
  await page.dispatchEvent('body', 'visibilitychange')
  await renewal(page, 'Signed in as another user').waitFor()
}

/** The account has a second factor, which the dialog asks for as well. */
async function replaceCodes(t: TestContext, world: World, user: SignedUpUser): Promise<void> {
  const backupCode = await turnOnTwoFactor(user)
  const { page } = await openAs(t, world, user)
  const { sql } = world
  await sql`
    update sessions set created_at = created_at - interval '1 hour' where user_id = ${user.userId}`
  await page.goto(`${world.origin}/app/account/security`)
  await page.getByRole('button', { name: 'New backup codes' }).click()
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await signInOver(page, TOO_OLD, user)
  const code = renewal(page, TOO_OLD).getByLabel('Code')
  await code.fill(backupCode)
  await renewal(page, TOO_OLD).getByRole('button', { name: 'Continue' }).click()
  await code.waitFor({ state: 'detached' })
  const popup = page.getByRole('dialog', { name: 'New backup codes' })
  await popup.getByText('They are shown only now').waitFor()
  assert.ok(!(await popup.innerText()).includes(backupCode))
  const { body } = await must(200, user.get('/auth/two-factor'))
  assert.deepEqual(body.data, { enabled: true, backupCodesLeft: 10 })
}

/** @returns one of the backup codes */
async function turnOnTwoFactor({ password, ...user }: SignedUpUser): Promise<string> {
  const { body } = await must(200, user.post('/auth/two-factor/enable', { password }))
  const { secret, backupCodes } = body.data as { secret: string; backupCodes: string[] }
  const code = new TOTP({ secret }).generate()
  await must(200, user.post('/auth/two-factor/verify', { code }))
  return backupCodes[0]!
}
