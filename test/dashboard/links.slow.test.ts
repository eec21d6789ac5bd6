import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { callServer } from '../../src/operator/socket.ts'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage, contentOf } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import { openReceiver } from '../support/receiver.ts'
import { answer } from '../support/receiver-scripts.ts'
import type { World } from '../support/world.ts'

// The package declares its function as `default` of a module that exports it whole.
const decode = jsqr as unknown as typeof jsqr.default

test('a link in the dashboard', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  await t.test('each code that is offered can be read, and the file is the preview', (part) =>
    readCodes(part, world),
  )
  await t.test('keys open the code and the form, also after the menu was closed', (part) =>
    openByKeys(part, world),
  )
  await t.test('a version is rolled back, and a visit explained', (part) => rollBack(part, world))
  await t.test('a filter that cannot be read takes no other away', (part) =>
    filterByTag(part, world),
  )
  await t.test('the title of a typed destination becomes the name', (part) =>
    nameByPreview(part, world),
  )
  await t.test('a blocked link says why, leads to its reports, and cannot be changed', (part) =>
    openBlocked(part, world),
  )
})

async function openLinkPage(t: TestContext, world: World, slug: string) {
  const owner = await world.member()
  const link = { name: 'Winter', slug, destinationUrl: 'https://example.com/one' }
  const { body } = await must(201, owner.post('/links', link))
  const id = body.data.id as string
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  const url = `${world.origin}/app/${owner.workspaceId}/links/${id}`
  return { owner, id, shortUrl: body.data.shortUrl as string, page, url }
}

async function openByKeys(t: TestContext, world: World): Promise<void> {
  const { page, url } = await openLinkPage(t, world, 'keyed')
  await page.goto(url)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  for (const key of ['q', 'e']) {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
}

/** The text of a code, by a reader that other people wrote. */
async function read(image: Buffer): Promise<string | null> {
  const { data, info } = await sharp(image, { density: 150 })
    .resize(600, 600, { kernel: 'nearest' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decode(new Uint8ClampedArray(data), info.width, info.height)?.data ?? null
}

async function readCodes(t: TestContext, world: World): Promise<void> {
  const { page, url, shortUrl } = await openLinkPage(t, world, 'coded')
  await page.goto(`${url}?open=qr`)
  const dialog = page.getByRole('dialog')
  const preview = dialog.getByRole('img')
  await preview.waitFor()
  const source = new URL((await preview.getAttribute('src'))!, page.url()).href
  const shown = await (await page.request.get(source)).body()
  assert.equal(await read(shown), `${shortUrl}?qr=1`)
  const save = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name }).click(),
    ])
    return contentOf(download)
  }
  assert.deepEqual(await save('SVG'), shown)
  for (const size of ['256', '512', '1024', '2048']) {
    await dialog.getByLabel('PNG size').selectOption(size)
    const png = await save('PNG')
    assert.equal((await sharp(png).metadata()).width, Number(size))
    assert.equal(await read(png), `${shortUrl}?qr=1`)
  }
  await page.goto(`${url}?open=edit`)
  const drawn = dialog.getByRole('img', { name: /^QR code of/ })
  await drawn.waitFor()
  assert.equal(await read(await drawn.screenshot()), `${shortUrl}?qr=1`)
}

async function rollBack(t: TestContext, world: World): Promise<void> {
  const { owner, id, page, url } = await openLinkPage(t, world, 'rolled')
  await must(200, owner.patch(`/links/${id}`, { destinationUrl: 'https://example.com/two' }))
  await page.goto(url)
  await page.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('v3 current').waitFor()
  await eventually(async () => {
    const { body } = await owner.get(`/links/${id}`)
    assert.equal(body.data.destinationUrl, 'https://example.com/one')
  })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Test this link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Redirect 302 to').waitFor()
  await dialog.getByText('https://example.com/one').first().waitFor()
}

async function openBlocked(t: TestContext, world: World): Promise<void> {
  const { owner, id, shortUrl, page, url } = await openLinkPage(t, world, 'bad')
  await must(200, owner.patch(`/links/${id}`, { destinationUrl: 'https://example.com/two' }))
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(url)
  await button('Edit').waitFor()
  await button('Roll back').waitFor()
  const body = JSON.stringify({ url: shortUrl, reason: 'phishing', details: 'Not the\nreal shop.' })
  const headers = { 'content-type': 'application/json' }
  await must(202, world.call('POST', '/report-abuse', { body, headers }))
  const block = { kind: 'link', value: shortUrl, reason: 'a copied shop' }
  await callServer(world.dataDir, 'block', block)
  await page.reload()
  await page.getByText('Blocked by the operator of this server (a copied shop)').waitFor()
  await page.getByText('v3 current').waitFor()
  for (const name of ['Edit', 'Roll back']) assert.equal(await button(name).count(), 0, name)
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Archive' }).count(), 0)
  await page.getByRole('menuitem', { name: 'Abuse reports' }).click()
  const report = page.getByRole('list', { name: 'Abuse reports' }).getByRole('listitem')
  await report.getByText('Phishing').waitFor()
  await report.getByText('real shop.').waitFor()
  await report.getByRole('link').click()
  await page.getByText('Blocked by the operator of this server').waitFor()

  await page.goto(`${url}?open=edit`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Blocked by the operator of this server (a copied shop)').waitFor()
  assert.ok(await dialog.getByLabel('Name', { exact: true }).isDisabled())
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled())

  await page.goto(url.slice(0, url.lastIndexOf('/')))
  await page.getByRole('checkbox', { name: 'Select bad' }).check()
  await button('Delete').waitFor()
  for (const name of ['Edit', 'Archive']) assert.equal(await button(name).count(), 0, name)
}

async function nameByPreview(t: TestContext, world: World): Promise<void> {
  const receiver = await openReceiver(t)
  const head = `<title>Winter coats</title><meta name="description" content="Warm until spring.">
    <meta property="og:image" content="${receiver.url('/coat.png')}">`
  receiver.on('/coats', answer(200, { headers: { 'content-type': 'text/html' }, body: head }))
  const owner = await world.member()
  const { page } = await openPage(t, world, await world.session(owner))
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links?new=true`)
  const dialog = page.getByRole('dialog')
  const destination = dialog.getByLabel('Points to').first()
  const name = dialog.getByLabel('Name', { exact: true })
  const card = dialog.getByRole('region', { name: 'Destination page' })
  await destination.fill(receiver.url('/coats'))
  await card.getByText('Winter coats').waitFor()
  await card.getByText('Warm until spring.').waitFor()
  await card.getByText(`with an image at ${new URL(receiver.origin).host}`).waitFor()
  await card.getByRole('button', { name: 'Use title as name' }).click()
  assert.equal(await name.inputValue(), 'Winter coats')
  assert.equal(await card.getByRole('button').count(), 0)

  const unread = page.waitForResponse(/\/links\/preview\?url=.*gone/)
  await destination.fill(receiver.url('/gone'))
  await unread
  await card.getByText('This page could not be loaded.').waitFor()
  await destination.fill(receiver.url('/coats'))
  await card.getByText('Winter coats').waitFor()
  // The first answer is kept, and the browser loads no image of another host.
  assert.deepEqual(
    receiver.requests.map(({ path }) => path),
    ['/coats', '/gone'],
  )
}

async function filterByTag(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const link = { name: 'Tagged', destinationUrl: 'https://example.com/', tags: ['spring'] }
  await must(201, owner.post('/links', link))
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, expected: [/status of 500/] })
  await page.route('**/v1/campaigns?**', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'INTERNAL', message: 'Stopped.' } } }),
  )
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links`)
  await page.getByLabel('Tag', { exact: true }).selectOption('spring')
  await page.waitForURL(/tag=spring/)
}
