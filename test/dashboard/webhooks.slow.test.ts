import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage } from '../support/dashboard-browser.ts'
import { evaluateBeside } from '../support/beside.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { answer } from '../support/receiver-scripts.ts'
import type { World } from '../support/world.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }
const REASON = '<img src=x onerror=alert(1)> upstream is draining'
const NAME = '<svg onload=alert(1)>'
const TOKEN = 'token-7f3a9c1e'

test('webhooks in the dashboard', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t, {
    config: { webhookRetrySchedule: [0.05, 0.05, 0.05, 0.05, 0.05] },
  })
  const receiver = await openReceiver(t)
  await t.test('a failure is found and read, its receiver is repaired, and it is retried', (part) =>
    mendAndRetry(part, world, receiver),
  )
  await t.test('the receiver that the page offers accepts a test', (part) => useSample(part, world))
  await t.test('values of headers are kept, and never shown', (part) =>
    keepHeaders(part, world, receiver),
  )
  await t.test('an event of the own is sent, replayed, and signed by both secrets', (part) =>
    replaceSecret(part, world, receiver),
  )
  await t.test('an endpoint is deleted from its page, which leads to the others', (part) =>
    deleteEndpoint(part, world, receiver),
  )
  await t.test('a viewer reads deliveries, and has no control that changes anything', (part) =>
    lookAsViewer(part, world, receiver),
  )
})

type Opened = Awaited<ReturnType<typeof openWorkspace>>

/** A workspace with one endpoint, and its owner's browser. */
async function openWorkspace(t: TestContext, world: World, endpoint: object) {
  const owner = await world.member()
  const { body } = await owner.post('/webhooks/endpoints', {
    events: ['link.created'],
    ...endpoint,
  })
  const { id: endpointId, secret } = body.data as { id: string; secret: string }
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  const url = `${world.origin}/app/${owner.workspaceId}/webhooks`
  const dialog = page.getByRole('dialog')
  return { owner, endpointId, secret, page, url, dialog }
}

async function mendAndRetry(t: TestContext, world: World, receiver: Receiver): Promise<void> {
  const path = '/repaired'
  receiver.on(path, answer(503, { body: REASON, headers: { 'content-type': 'text/html' } }))
  const opened = await openWorkspace(t, world, { url: receiver.url(path) })
  const { owner, page } = opened
  for (const slug of ['one', 'two', 'three'])
    await owner.post('/links', { name: NAME, slug, destinationUrl: 'https://example.com/' })
  await eventually(async () => {
    const { body } = await owner.get('/webhooks/deliveries/counts')
    assert.equal(body.data.dead_letter, 3)
  })

  await page.goto(`${world.origin}/app/${owner.workspaceId}`)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('15 failed in a row').waitFor()
  await tab(page, 'Failed for good 3').click()
  await rowsOf(page).first().click()
  await readFailure(page)

  receiver.on(path, answer(200, { body: '{"taken":"gladly"}' }))
  await tab(page, 'All 3').click()
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await page.getByText('Your server responded with 2xx.').waitFor()
  await page.locator('[data-delivery][aria-current]', { hasText: 'Delivered' }).waitFor()
  await page.getByText('gladly').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), null)

  await retryTheRest(opened)
}

/** Every attempt, the reason of the receiver as text, and what was sent. */
async function readFailure(page: Page): Promise<void> {
  await page.getByText('No attempt got a 2xx response.').waitFor()
  const attempts = page.getByRole('table', { name: 'Attempts' }).getByRole('row')
  await eventually(async () => assert.equal(await attempts.count(), 6))
  const read = page.getByRole('region', { name: 'Response to attempt 5' })
  assert.match(await read.innerText(), /503[\s\S]*<img src=x onerror=alert\(1\)> upstream/)
  const sent = await page.getByRole('region', { name: 'Request' }).innerText()
  assert.match(sent, /x-service-signature/)
  assert.ok(sent.includes(NAME), 'the payload is text')
  assert.equal(await page.locator('main img, main svg[onload]').count(), 0)
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  const command = await readClipboard(page)
  assert.match(command, /^curl .*\/repaired'/)
  assert.ok(command.includes(`"name":"${NAME}"`))
}

/** Those that two filters leave, after a look at how many they are. */
async function retryTheRest({ page, dialog, endpointId }: Opened): Promise<void> {
  await page.getByLabel('Response', { exact: true }).selectOption('200')
  await tab(page, 'Failed for good 0').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Retry \d/ }).count(), 0)
  await page.getByLabel('Response', { exact: true }).selectOption('503')
  await page.getByLabel('Endpoint', { exact: true }).selectOption(endpointId)
  await page.getByRole('button', { name: 'Retry 2 deliveries' }).click()
  await dialog.getByText('2 failed for good').waitFor()
  assert.match(await dialog.innerText(), /Response\s+503/)
  await dialog.getByRole('button', { name: 'Retry 2 deliveries' }).click()
  await page.getByText('2 deliveries queued.').waitFor()
  // The address has the filters: it shows the same to others.
  await page.reload()
  await tab(page, 'Failed for good 0').waitFor()
  assert.equal(await page.getByLabel('Endpoint', { exact: true }).inputValue(), endpointId)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await tab(page, 'Delivered 3').waitFor()
}

async function useSample(t: TestContext, world: World): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hook`
  const { page, dialog, endpointId, secret, ...opened } = await openWorkspace(t, world, { url })
  await page.goto(`${opened.url}/${endpointId}`)
  await page.getByText('no response yet').waitFor()
  await page.getByRole('button', { name: 'Copy the receiver' }).click()
  await start(t, join(world.dataDir, 'receive.mjs'), await readClipboard(page), { port, secret })
  await page.getByRole('button', { name: 'Send test' }).click()
  await dialog.getByLabel('Event').selectOption('link.deleted')
  await dialog.getByText('"link.deleted"').waitFor()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Your server responded with 2xx.').waitFor()
  await page.getByText('204', { exact: true }).first().waitFor()
  await page.getByText('Healthy').waitFor()
}

/** Runs the sample until the end of the test. */
async function start(
  t: TestContext,
  file: string,
  source: string,
  { port, secret }: { port: number; secret: string },
): Promise<void> {
  writeFileSync(file, source)
  const env = { ...process.env, PORT: String(port), SECRET: secret }
  const child = spawn(process.execPath, [file], { env, stdio: 'ignore' })
  t.after(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await eventually(async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    assert.equal(status, 401)
  })
}

async function keepHeaders(t: TestContext, world: World, receiver: Receiver): Promise<void> {
  const path = '/headers'
  const url = receiver.url(path)
  const headers = { 'X-Token': TOKEN }
  const { page, dialog, endpointId, ...opened } = await openWorkspace(t, world, { url, headers })
  await page.goto(`${opened.url}/${endpointId}?open=edit`)
  await dialog.getByLabel('Value X-Token').waitFor()
  assert.equal(await dialog.getByLabel('Value X-Token').inputValue(), '')
  await dialog.getByRole('button', { name: 'Add a header' }).click()
  await dialog.getByLabel('Name', { exact: true }).last().fill('X-Tenant')
  await dialog.getByLabel('Value X-Tenant').fill('acme')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('X-Tenant').waitFor()
  assert.ok(!(await page.content()).includes(TOKEN))
  await page.getByRole('button', { name: 'Send test' }).click()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Your server responded with 2xx.').waitFor()
  const [request] = receiver.requestsOf(path)
  assert.deepEqual([request?.headers['x-token'], request?.headers['x-tenant']], [TOKEN, 'acme'])
}

async function lookAsViewer(t: TestContext, world: World, receiver: Receiver): Promise<void> {
  const path = '/viewed'
  receiver.on(path, answer(500))
  const owner = await world.member()
  await owner.post('/webhooks/endpoints', { url: receiver.url(path), events: ['*'] })
  await owner.post('/webhooks/dispatch', { type: 'link.created' })
  const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const { cookie } = await world.session(viewer)
  const { page } = await openPage(t, world, { cookie, size: 'phone' })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/webhooks`)
  await tab(page, 'Failed for good 1').click()
  await rowsOf(page).first().click()
  await page.getByText('No attempt got a 2xx response.').waitFor()
  const changing = page.getByRole('button', {
    name: /^retry( \d|$)|new endpoint|actions of|more actions/i,
  })
  assert.equal(await changing.count(), 0)
}

async function deleteEndpoint(t: TestContext, world: World, receiver: Receiver): Promise<void> {
  const opened = await openWorkspace(t, world, { url: receiver.url('/deleted') })
  const { page, url, dialog, endpointId, owner } = opened
  await page.goto(`${url}/${endpointId}?open=delete`)
  await dialog.getByLabel(/^Type .+ to confirm$/).fill(new URL(receiver.origin).hostname)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Endpoint deleted').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  assert.equal(page.url(), url)
  assert.equal((await owner.get(`/webhooks/endpoints/${endpointId}`)).status, 404)
}

function tab(page: Page, name: string) {
  return page.getByRole('group', { name: 'Status' }).getByRole('button', { name })
}

function rowsOf(page: Page) {
  return page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem').getByRole('button')
}

function readClipboard(page: Page): Promise<string> {
  return evaluateBeside<string>(page, 'navigator.clipboard.readText()')
}

/** Sends an event, replaces the secret with an overlap, and sends the events of the last hour again. */
async function replaceSecret(t: TestContext, world: World, receiver: Receiver): Promise<void> {
  const path = '/replaced'
  receiver.on(path, answer(200))
  const opened = await openWorkspace(t, world, { url: receiver.url(path) })
  const { page, url, dialog, endpointId, secret } = opened
  await page.goto(`${url}?open=dispatch`)
  await dialog.getByLabel('Payload').fill('{"name":"mine"}')
  await dialog.getByRole('button', { name: 'Send event' }).click()
  await page.getByText('Sent to 1 endpoint.').waitFor()
  const areSignedTwice = () =>
    receiver.requestsOf(path).map(({ headers }) => 'x-service-signature-previous' in headers)
  await eventually(() => assert.deepEqual(areSignedTwice(), [false]))

  await page.goto(`${url}/${endpointId}?open=secret`)
  await dialog.getByText('Rotate the secret').click()
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await dialog.getByText('The old one is valid until').waitFor()
  assert.notEqual(await dialog.locator('code').innerText(), secret)

  await page.goto(`${url}/${endpointId}?open=replay`)
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByText('1 delivery queued.').waitFor()
  await eventually(() => assert.deepEqual(areSignedTwice(), [false, true]))
}
