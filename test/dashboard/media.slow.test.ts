import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import sharp from 'sharp'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { evaluateBeside } from '../support/beside.ts'
import { findViolations, openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import { freshImage, pngOf } from '../support/images.ts'
import type { World } from '../support/world.ts'
import { PAYLOADS } from '../support/payloads.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }
const PNG = { 'content-type': 'image/png' }

test('images in the dashboard', IN_BROWSER, async (t) => {
  const world = await openDashboardWorld(t)
  await t.test('images are uploaded by the button and by a drop, and refusals say why', (part) =>
    uploadAndRefuse(part, world),
  )
  await t.test(
    'an image is chosen for a card and a QR code, and a deletion names its uses',
    (part) => chooseAndDelete(part, world),
  )
  await t.test('names of images are shown as text', (part) => showNames(part, world))
  await t.test('a viewer looks at images, and has no control that changes anything', (part) =>
    lookAsViewer(part, world),
  )
})

async function uploadAndRefuse(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, expected: [/status of 415/] })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/media`)
  await waitUntilLoaded(page)
  await page.getByText('No images yet').waitFor()
  await page.getByText('0 of 50 MB used.').waitFor()
  await page.getByLabel('Upload', { exact: true }).setInputFiles([
    { name: 'sign.png', mimeType: 'image/png', buffer: freshImage(40) },
    { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(6 * 1024 * 1024) },
  ])
  const list = page.getByRole('list', { name: 'Images' })
  await list.getByText('sign.png').waitFor()
  await page.getByText('The file must be a PNG, JPEG, GIF, WebP or AVIF image.').waitFor()
  await page.getByText('The file is larger than 5 MiB.').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Dismiss large.png' }).click()
  await page.getByRole('button', { name: 'Dismiss drawing.svg' }).click()
  assert.equal(await page.getByRole('list', { name: 'Uploads' }).count(), 0)
  await evaluateBeside(page, drop('dropped.png', freshImage(30)))
  await list.getByText('dropped.png').waitFor()
  await page.getByText('2 images, ').waitFor()
  await page.getByRole('searchbox').fill('DROP')
  await page.getByRole('searchbox').press('Enter')
  await eventually(async () => assert.equal(await list.getByText('sign.png').count(), 0))
  assert.ok(page.url().endsWith('/media?q=DROP'))
  await eventually(async () =>
    assert.equal(await evaluateBeside(page, `document.querySelector('main img').naturalWidth`), 30),
  )
}

/** Drops a file on the page, as a script: an event with files cannot be made by the mouse. */
function drop(name: string, bytes: Buffer): string {
  return `(() => {
    const files = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))
    files.items.add(new File([bytes], '${name}', { type: 'image/png' }))
    const area = document.querySelector('main ul[aria-label=Images]')
    for (const type of ['dragover', 'drop'])
      area.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }))
  })()`
}

async function chooseAndDelete(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const red = pngOf(80, 80, [240, 0, 0])
  const { body } = await must(201, owner.post('/media', red, PNG))
  const link = { name: 'Poster', slug: 'poster-1', destinationUrl: 'https://example.com/' }
  const made = await must(201, owner.post('/links', link))
  const { id } = made.body.data
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  const base = `${world.origin}/app/${owner.workspaceId}`
  await page.goto(`${base}/links/${id}?open=qr`)
  const code = page.getByRole('img', { name: /QR code/ })
  await code.waitFor()
  assert.equal(await isRed(await code.screenshot()), false)
  const logo = page.getByRole('group', { name: 'Logo in the center' })
  await logo.getByRole('button', { name: 'Choose an image' }).click()
  await page.getByRole('button', { name: 'image.png' }).click()
  await logo.getByRole('button', { name: 'Remove' }).waitFor()
  await eventually(async () => assert.ok(await isRed(await code.screenshot())))
  assert.deepEqual(await findViolations(page), [])

  await page.goto(`${base}/links/${id}?open=edit`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Social preview').click()
  const card = dialog.getByRole('group', { name: 'Uploaded image' })
  await card.getByRole('button', { name: 'Choose an image' }).click()
  await page.getByRole('button', { name: 'image.png' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => {
    const { card: saved } = (await must(200, owner.get(`/links/${id}`))).body.data
    assert.equal(saved?.image, `${body.data.url}?size=card`)
  })

  await page.goto(`${base}/media`)
  const row = page.getByRole('listitem').filter({ hasText: 'image.png' })
  await row.getByRole('link', { name: 'Poster' }).waitFor()
  await row.getByRole('button', { name: 'Delete image.png' }).click()
  await page.getByText('It is used by Poster.').waitFor()
  await page.getByRole('button', { name: 'Delete everywhere' }).click()
  await page.getByText('No images yet').waitFor()
  const after = (await must(200, owner.get(`/links/${id}`))).body.data
  assert.deepEqual([after.card, after.qrLogoMediaId], [null, null])
}

/** Whether the middle of a picture is red. */
async function isRed(picture: Buffer): Promise<boolean> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const middle = Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)
  const [red = 0, green = 0] = data.subarray(middle * info.channels)
  return red > 200 && green < 60
}

async function showNames(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const kept = new Set<string>()
  for (const payload of PAYLOADS) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(freshImage())]), payload)
    const headers = { authorization: `Bearer ${owner.apiKey}` }
    const answer = await fetch(`${world.origin}/v1/media`, { method: 'POST', headers, body: form })
    assert.ok([201, 400].includes(answer.status), `${answer.status} for ${payload}`)
    const { data } = (await answer.json()) as { data?: { filename: string } }
    if (data) kept.add(data.filename)
  }
  assert.ok(kept.size > PAYLOADS.length / 2, `${kept.size} names`)
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/media`)
  await waitUntilLoaded(page)
  const more = page.getByRole('button', { name: 'More', exact: true })
  while ((await more.count()) > 0) {
    const before = await page.locator('main li').count()
    await more.click()
    await eventually(async () => assert.ok((await page.locator('main li').count()) > before))
  }
  const shown = await evaluateBeside<string>(page, 'document.body.textContent')
  assert.deepEqual(
    [...kept].filter((name) => !shown.includes(name)),
    [],
  )
  const marked = `document.querySelectorAll('[data-payload]').length`
  assert.equal(await evaluateBeside<number>(page, marked), 0)
}

async function lookAsViewer(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  await must(201, owner.post('/media', freshImage(), PNG))
  const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const { cookie } = await world.session(viewer)
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/media`)
  await page.getByText('image.png').waitFor()
  await page.getByRole('link', { name: 'Download image.png' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete image.png' }).count(), 0)
  assert.equal(await page.getByLabel('Upload', { exact: true }).count(), 0)
}
