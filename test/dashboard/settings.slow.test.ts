import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { callsWith } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { AT_ONCE, findViolations, openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { freshImage } from '../support/images.ts'
import type { World } from '../support/world.ts'

test(
  'a workspace in the dashboard',
  { skip: SKIP_WITHOUT_BROWSER, concurrency: AT_ONCE },
  async (t) => {
    const world = await openDashboardWorld(t)
    await Promise.all([
      t.test('an invited user accepts by mail, and gets another role', (part) =>
        invite(part, world),
      ),
      t.test('a stranger signs up by the mail, and joins without another one', (part) =>
        joinByMail(part, world),
      ),
      t.test(
        'a stranger signs up by a copied link, and joins once the address is confirmed',
        (part) => joinByLink(part, world),
      ),
      t.test('a key is created, works, is rotated and revoked', (part) => useKeys(part, world)),
      t.test('a page is shortened by the bookmarklet, from a phone, and by ShareX', (part) =>
        useTools(part, world),
      ),
      t.test('a workspace is renamed, and deleted by its name', (part) => rename(part, world)),
      t.test('a workspace gets a brand', (part) => setBrand(part, world)),
      t.test('a member leaves', (part) => leave(part, world)),
    ])
  },
)

async function openSettings(
  t: TestContext,
  world: World,
  path: string,
  options: Parameters<typeof openPage>[2] = {},
) {
  const owner = await world.user()
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, ...options })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/settings/${path}`)
  await waitUntilLoaded(page)
  return { owner, page, dialog: page.getByRole('dialog') }
}

async function invite(t: TestContext, world: World): Promise<void> {
  const { owner, page, dialog } = await openSettings(t, world, 'members')
  const invited = await world.user()
  await page.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByLabel('E-mail').fill(invited.email)
  await dialog.getByLabel('Role').selectOption('viewer')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText(`Invited ${invited.email}.`).waitFor()
  await page.getByText('Pending').waitFor()

  const other = await openPage(t, world, await world.session(invited))
  await other.page.goto((await world.outbox.next(invited.email)).link)
  await other.page.getByRole('button', { name: 'Accept' }).click()
  await other.page.goto(`${world.origin}/app/${owner.workspaceId}/links`)
  await waitUntilLoaded(other.page)
  assert.equal(await other.page.getByRole('button', { name: 'New link' }).count(), 0)

  await page.reload()
  await page.getByText('Accepted').waitFor()
  const role = page.getByRole('listitem').filter({ hasText: invited.email }).getByRole('combobox')
  await role.selectOption('admin')
  await page.getByText('is now admin.').waitFor()
  await other.page.reload()
  await other.page.getByRole('button', { name: 'New link' }).first().waitFor()
}

/** Invites an address that has no account. @returns the pages of both sides */
async function inviteStranger(t: TestContext, world: World, email: string) {
  const { owner, page, dialog } = await openSettings(t, world, 'members')
  await page.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText(`Invited ${email}.`).waitFor()
  await dialog.getByText(`${world.dataDir}/outbox`).waitFor()
  const { page: stranger } = await openPage(t, world, {})
  return { owner, dialog, stranger, mail: await world.outbox.next(email) }
}

async function signUpAndJoin(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign up and join' }).click()
  await page.getByLabel('Your name').fill('Grace')
  const address = page.getByLabel('E-mail')
  assert.equal(await address.inputValue(), email)
  assert.equal(await address.isEditable(), false)
  await page.getByLabel('Password').fill('quiet harbour lamp')
  await page.getByRole('button', { name: 'Sign up and join' }).click()
}

async function joinByMail(t: TestContext, world: World): Promise<void> {
  const email = 'grace.mail@example.com'
  const { owner, stranger, mail } = await inviteStranger(t, world, email)
  await stranger.goto(mail.link)
  await signUpAndJoin(stranger, email)
  await stranger.waitForURL(`${world.origin}/app/${owner.workspaceId}`)
  await waitUntilLoaded(stranger)
}

async function joinByLink(t: TestContext, world: World): Promise<void> {
  const email = 'grace.link@example.com'
  const { owner, dialog, stranger, mail } = await inviteStranger(t, world, email)
  await dialog.getByRole('button', { name: 'Create a link' }).click()
  const link = await dialog.locator('code', { hasText: 'invitation?token=' }).innerText()
  assert.notEqual(link, mail.link)
  await stranger.goto(link)
  await signUpAndJoin(stranger, email)
  await stranger.getByText(`The mail to ${email} has a link that signs you in.`).waitFor()
  await stranger.goto((await world.outbox.next(email)).link)
  await stranger.getByRole('button', { name: 'Confirm and sign in' }).click()
  await stranger.waitForURL(`${world.origin}/app/${owner.workspaceId}`)
  await waitUntilLoaded(stranger)
}

async function useKeys(t: TestContext, world: World): Promise<void> {
  const { owner, page, dialog } = await openSettings(t, world, 'api-keys')
  const statusOf = async (key: string) => (await callsWith(key, world.origin).get('/links')).status
  await page.getByRole('button', { name: 'New key' }).first().click()
  await dialog.getByLabel('Name').fill('Nightly export')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Key created').waitFor()
  const first = await dialog.locator('code').innerText()
  assert.equal(await statusOf(first), 200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const act = async (item: string) => {
    await page.getByRole('button', { name: 'Actions of Nightly export' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await dialog.getByRole('button', { name: item }).click()
  }
  await act('Rotate')
  await dialog.getByText('Key rotated').waitFor()
  const second = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200])
  await act('Revoke')
  await page.getByText('Revoked Nightly export.').waitFor()
  assert.equal(await statusOf(second), 401)
  await page.goto(`${world.origin}/app/${owner.workspaceId}/settings/billing`)
  await page.getByText('The operator of this server sets the plan.').waitFor()
}

async function rename(t: TestContext, world: World): Promise<void> {
  const { owner, page, dialog } = await openSettings(t, world, 'workspace')
  await page.getByLabel('Name').fill('Acme')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Workspace Acme: switch' }).waitFor()
  await page.getByRole('button', { name: 'Delete workspace' }).click()
  const remove = dialog.getByRole('button', { name: 'Delete workspace' })
  assert.ok(await remove.isDisabled())
  await dialog.getByLabel('Type Acme to confirm').fill('Acme')
  await remove.click()
  const create = page.getByRole('button', { name: 'Create workspace' })
  // The former page, which has a name too, stays until this one is loaded.
  await create.waitFor()
  assert.match(page.url(), /\/app\/new-workspace$/)
  await page.getByLabel('Name').fill('Second')
  await create.click()
  await page.getByText('Where should it point?').waitFor()
  const { body } = await owner.get('/workspaces')
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Second'],
  )
}

async function setBrand(t: TestContext, world: World): Promise<void> {
  // The refused color is answered with 400; the browser says so.
  const expected = [/status of 400/]
  const { owner, page, dialog } = await openSettings(t, world, 'workspace', { expected })
  const save = page.getByRole('button', { name: 'Save brand' })
  const color = page.getByLabel('Color', { exact: true })
  await color.fill('blue')
  await save.click()
  await page.locator('[aria-invalid=true]').waitFor()
  await color.fill('#0b5e82')
  const logo = page.getByRole('group', { name: 'Logo' })
  await logo.getByRole('button', { name: 'Choose an image' }).click()
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: freshImage(40) }
  await dialog.getByLabel('Upload', { exact: true }).setInputFiles(file)
  await logo.getByRole('img', { name: 'Logo: chosen image' }).waitFor()
  await save.click()
  await page.getByText('Saved.').waitFor()
  const path = `/workspaces/${owner.workspaceId}`
  const { name, brandColor, logoMediaId } = (await owner.get(path)).body.data
  assert.deepEqual([brandColor, typeof logoMediaId], ['#0b5e82', 'string'])
  assert.deepEqual(await findViolations(page), [])
  await page.goto(`${world.origin}/app/${owner.workspaceId}/media`)
  await page.getByRole('listitem').getByRole('link', { name }).click()
  await logo.getByRole('button', { name: 'Remove' }).click()
  await color.fill('')
  await save.click()
  await page.getByText('Saved.').waitFor()
  const emptied = (await owner.get(path)).body.data
  assert.deepEqual([emptied.brandColor, emptied.logoMediaId], [null, null])
}

async function leave(t: TestContext, world: World): Promise<void> {
  const { workspaceId } = await world.member()
  const { userId } = await world.member({ workspaceId, role: 'member' })
  const { page } = await openPage(t, world, await world.session({ userId, workspaceId }))
  await page.goto(`${world.origin}/app/${workspaceId}/settings/members`)
  await page.getByRole('button', { name: /^Actions of/ }).click()
  await page.getByRole('menuitem', { name: 'Leave the workspace' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the workspace' }).click()
  await page.waitForURL(/\/app\/new-workspace$/)
}

async function useTools(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { page } = await openPage(t, world, await world.session(owner))
  const dialog = page.getByRole('dialog')
  await page.goto(`${world.origin}/app/${owner.workspaceId}/settings/tools`)
  const destination = 'https://example.com/a%20page?x=1&y=2#z'
  const code = await page.getByRole('link', { name: 'Shorten with Signpost' }).getAttribute('href')
  const opened = /^javascript:void open\("([^"]+)"\+/.exec(code ?? '')?.[1]
  assert.equal(opened, `${world.origin}/app/new-link?url=`)
  await page.goto(opened + encodeURIComponent(destination))
  await dialog.waitFor()
  assert.match(page.url(), new RegExp(`/${owner.workspaceId}/links\\?`))
  assert.equal(await dialog.getByLabel('Points to').inputValue(), destination)

  const manifest = (await (await fetch(`${world.origin}/app/manifest.webmanifest`)).json()) as {
    share_target: { action: string; params: { text: string } }
    icons: { src: string; sizes: string }[]
  }
  for (const { src } of manifest.icons) {
    const icon = await fetch(world.origin + src)
    assert.equal(icon.headers.get('content-type'), 'image/png')
  }
  const { action, params } = manifest.share_target
  const shared = new URLSearchParams({ [params.text]: `Look: ${destination}` })
  await page.goto(`${world.origin}${action}?${shared.toString()}`)
  await dialog.waitFor()
  assert.equal(await dialog.getByLabel('Points to').inputValue(), destination)

  await page.goto(`${world.origin}/app/${owner.workspaceId}/settings/tools`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download signpost.sxcu' }).click(),
  ])
  const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    RequestMethod: string
    RequestURL: string
    Headers: { Authorization: string }
    Data: string
    URL: string
  }
  assert.equal(download.suggestedFilename(), 'signpost.sxcu')
  // As ShareX fills its placeholders.
  const answer = await fetch(file.RequestURL, {
    method: file.RequestMethod,
    headers: {
      'content-type': 'application/json',
      authorization: file.Headers.Authorization.replace('YOUR_API_KEY', owner.apiKey),
    },
    body: file.Data.replace('{input}', JSON.stringify(destination).slice(1, -1)),
  })
  assert.equal(answer.status, 201)
  assert.equal(file.URL, '{json:data.shortUrl}')
  const { data } = (await answer.json()) as { data: { shortUrl: string } }
  assert.match(data.shortUrl, /^http/)
}
