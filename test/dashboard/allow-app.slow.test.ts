import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { AT_ONCE, openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { openAgent } from '../support/oauth.ts'
import { callsWith, eventually, type World } from '../support/world.ts'

test(
  'an app asks in the browser',
  { skip: SKIP_WITHOUT_BROWSER, concurrency: AT_ONCE },
  async (t) => {
    const world = await openDashboardWorld(t)
    await Promise.all([
      t.test('a user signs in, reduces the scopes, allows an agent and revokes it', (part) =>
        allowAgent(part, world),
      ),
      t.test('a denial goes back to the app, and a viewer can only deny', (part) =>
        deny(part, world),
      ),
      t.test('a user types the code of a device', (part) => typeCode(part, world)),
    ])
  },
)

/** The address of a program on this machine to which the browser returns. */
async function openCallback(t: TestContext) {
  const returned: string[] = []
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/callback')) returned.push(request.url!)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Back</title>Back')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return { origin, redirectUrl: `${origin}/callback`, returned }
}

async function allowAgent(t: TestContext, world: World): Promise<void> {
  const callback = await openCallback(t)
  const { redirectUrl } = callback
  const user = await world.user()
  const agent = openAgent(t, world.origin, { name: '<b>Agent</b>', redirectUrl })
  const { page } = await openPage(t, world, { otherOrigins: [callback.origin] })
  await page.goto(await agent.ask())
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await page.getByRole('heading', { name: 'Allow <b>Agent</b>?' }).waitFor()
  await page.getByText(`You are signed in as ${user.email}.`).waitFor()
  assert.equal(await page.getByText('Full access').count(), 0)
  assert.equal(await page.getByText('Members').count(), 0)
  await page.getByLabel('Access to links, tags, folders').selectOption('read')
  for (const area of ['analytics', 'campaigns', 'domains', 'conversions', 'webhooks'])
    await page.getByLabel(`Access to ${area}`).selectOption('none')
  await page.getByRole('button', { name: 'Allow' }).click()
  await eventually(() => assert.equal(callback.returned.length, 1))
  await agent.finish(callback.origin + callback.returned[0]!)
  const names = await agent.toolNames()
  assert.ok(names.includes('search_links') && !names.includes('create_links'), names.join())

  await page.goto(`${world.origin}/app/${user.workspaceId}/settings/api-keys`)
  await waitUntilLoaded(page)
  const row = page.getByRole('listitem').filter({ hasText: '<b>Agent</b>' })
  await row.getByText('127.0.0.1').waitFor()
  await row.getByRole('button', { name: 'Actions of' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked <b>Agent</b>.').waitFor()
  await agent.ask()
}

async function deny(t: TestContext, world: World): Promise<void> {
  const callback = await openCallback(t)
  const { redirectUrl } = callback
  const owner = await world.user()
  const agent = openAgent(t, world.origin, { redirectUrl })
  const { page } = await openPage(t, world, {
    cookie: (await world.session(owner)).cookie,
    otherOrigins: [callback.origin],
  })
  await page.goto(await agent.ask())
  await page.getByRole('button', { name: 'Deny' }).click()
  await eventually(() => assert.match(callback.returned[0] ?? '', /error=access_denied/))

  const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  await world.sql`delete from members where user_id = ${viewer.userId} and workspace_id <> ${owner.workspaceId}`
  const other = await openPage(t, world, { cookie: (await world.session(viewer)).cookie })
  await other.page.goto(await agent.ask())
  await other.page.getByText('Only admins and owners of a workspace can allow apps.').waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Allow' }).count(), 0)
}

async function typeCode(t: TestContext, world: World): Promise<void> {
  const user = await world.user()
  const { cookie } = await world.session(user)
  const { page } = await openPage(t, world, { cookie })
  const post = (path: string, fields: Record<string, string>) =>
    world.call('POST', `/v1/auth/oauth/${path}`, { body: new URLSearchParams(fields) })
  const fields = { client_id: 'signpost-cli', scope: '*:read' }
  const { body: device } = await post('device', fields)
  await page.goto(device.verification_uri)
  await page.getByLabel('Code').fill(device.user_code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(device.user_code).waitFor()
  await page.getByLabel('Read-only').check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Allowed. Go back to the terminal.').waitFor()
  const { body: tokens } = await post('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'signpost-cli',
    device_code: device.device_code,
  })
  assert.equal((await callsWith(tokens.access_token, world.origin).get('/links')).status, 200)
}
