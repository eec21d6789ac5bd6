import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { evaluateBeside } from '../support/beside.ts'
import {
  AT_ONCE,
  findViolations,
  openPage,
  overhangOf,
  reshape,
  waitUntilLoaded,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'
import { freshImage } from '../support/images.ts'
import type { World } from '../support/world.ts'
import { addDomain } from '../support/bio-pages-world.ts'
import { PAYLOADS } from '../support/payloads.ts'

const IN_BROWSER = { skip: SKIP_WITHOUT_BROWSER }
/** With the heading and the slug of a new page. */
const TEXTS_OF_A_PAGE = 60
/** Of the preview, while a new block or profile is empty. */
const INCOMPLETE = [/status of 400 .*\/preview/]

test('bio pages in the dashboard', { ...IN_BROWSER, concurrency: AT_ONCE }, async (t) => {
  const world = await openDashboardWorld(t)
  await Promise.all([
    t.test(
      'a page is made, its blocks are ordered by keys and by the mouse, and published',
      (part) => makeAndPublish(part, world),
    ),
    t.test('the links of an import become a page, which says what it left out', (part) =>
      makeOfImport(part, world),
    ),
    t.test('views, visitors and the clicks of each block are shown by period', (part) =>
      showFigures(part, world),
    ),
    t.test('the preview is the page that is published, also while it is changed', (part) =>
      comparePreview(part, world),
    ),
    t.test('on a phone the preview opens above the fields', (part) => previewOnPhone(part, world)),
    t.test('a page moves to the root of a domain, and gets profiles', (part) =>
      moveToDomain(part, world),
    ),
    t.test('of two editors the later one sees what the other has changed', (part) =>
      editTogether(part, world),
    ),
    t.test('a page with changes asks before it is left, and is deleted with its links', (part) =>
      leaveAndDelete(part, world),
    ),
    t.test('a refused field says why beside it', (part) => refuseFields(part, world)),
    t.test('hostile texts of a page are shown as text', (part) => showTexts(part, world)),
    t.test('a viewer reads a page, and has no control that changes it', (part) =>
      lookAsViewer(part, world),
    ),
  ])
})

async function makeOfImport(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/links/import`)
  const rows = Array.from({ length: 201 }, (_, i) => `Link ${i},https://example.com/${i}`)
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'links.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['name,destinationUrl', ...rows].join('\n')),
  })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: 'Create bio page' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The links of the import become its blocks').waitFor()
  await dialog.getByLabel('Heading').fill('Ana')
  await dialog.getByLabel('Address').fill('ana-imported')
  assert.deepEqual(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await page.getByText('1 link did not fit on the page.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Ana' }).waitFor()
  const blocks = page.getByRole('list', { name: 'Blocks' }).getByRole('listitem')
  const first = blocks.nth(0).getByRole('textbox', { name: 'Text of the link' })
  assert.equal(await first.inputValue(), 'Link 0')
}

async function makeAndPublish(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, expected: INCOMPLETE })
  await page.goto(`${world.origin}/app/${owner.workspaceId}`)
  await waitUntilLoaded(page)
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await page.getByText('No pages yet').waitFor()
  await page.getByRole('button', { name: 'New page' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Heading').fill('Ana Lima')
  await dialog.getByLabel('Address').fill('ana-lima')
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ana Lima' }).waitFor()

  const add = page.getByRole('group', { name: 'Add a block' })
  const blocks = page.getByRole('list', { name: 'Blocks' }).getByRole('listitem')
  await add.getByRole('button', { name: 'Header' }).click()
  await blocks.nth(0).getByRole('textbox', { name: 'Header' }).fill('Studio')
  await add.getByRole('button', { name: 'Link' }).click()
  await blocks.nth(1).getByRole('textbox', { name: 'Text of the link' }).fill('Shop')
  await blocks.nth(1).getByRole('textbox', { name: 'Destination' }).fill('https://example.com/shop')
  await add.getByRole('button', { name: 'Text' }).click()
  await blocks.nth(2).getByRole('textbox', { name: 'Text' }).fill('By hand.')
  await page.getByRole('button', { name: 'Move Shop up' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Moved to position 1 of 3.').waitFor()
  const focused = `document.activeElement.getAttribute('aria-label')`
  assert.equal(await evaluateBeside(page, focused), 'Move Shop up')
  await blocks.nth(2).locator('[draggable=true]').dragTo(blocks.nth(1))
  await page.getByText('Moved to position 2 of 3.').waitFor()
  await page.getByLabel('Theme').selectOption('ocean')
  await page.getByText('Unsaved changes').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const [stored] = (await must(200, owner.get('/bio-pages'))).body.data
  assert.deepEqual(
    stored.blocks.map(({ title, url }: { title: string; url: string | null }) => [title, url]),
    [
      ['Shop', 'https://example.com/shop'],
      ['By hand.', null],
      ['Studio', null],
    ],
  )
  assert.deepEqual([stored.status, stored.theme.preset], ['draft', 'ocean'])

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('The page is public.').waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('img', { name: `QR code of ${stored.url}` }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Open' }).getAttribute('href'), stored.url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByText('The page is a draft again.').waitFor()
  const after = (await must(200, owner.get(`/bio-pages/${stored.id}`))).body.data
  // Saved as it was, with the link that it had.
  assert.equal(after.blocks[0].linkId, stored.blocks[0].linkId)
  assert.equal(after.status, 'draft')
}

async function previewOnPhone(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const input = { slug: 'on-a-phone', title: 'Ana Lima' }
  const { id } = (await must(201, owner.post('/bio-pages', input))).body.data
  const { page } = await openPage(t, world, { cookie, size: 'phone' })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/bio-pages/${id}`)
  await waitUntilLoaded(page)
  await page.getByRole('textbox', { name: 'Heading', exact: true }).fill('Ana, changed')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog').getByRole('region', { name: 'Preview' })
  await preview.getByText('Ana, changed').waitFor()
  assert.equal(await overhangOf(page), 0)
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Close' }).click()
  await preview.waitFor({ state: 'detached' })
}

async function showFigures(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const blocks = [
    { type: 'link', title: 'Shop', url: 'https://example.com/shop' },
    { type: 'link', title: 'Studio', url: 'https://example.com/studio' },
  ]
  const input = { slug: 'seen-often', title: 'Ana Lima', status: 'published', blocks }
  const { id, blocks: stored } = (await must(201, owner.post('/bio-pages', input))).body.data
  for (const visit of ['p/seen-often', 'p/seen-often']) await openLink(world, visit)
  await openLink(world, new URL(stored[0].shortUrl).pathname.slice(1))
  await eventually(async () => {
    const { data } = (await must(200, owner.get(`/analytics/bio-pages/${id}`))).body
    assert.deepEqual([data.periodViews, data.periodClicks], [2, 1])
  })
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/bio-pages/${id}`)
  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('heading', { name: 'Views per day' }).waitFor()
  const main = page.getByRole('main')
  assert.match(await main.innerText(), /2\s+Views[^]*1\s+Visitors[^]*1\s+Clicks\s+50\.0%/)
  const cells = page.getByRole('table').locator('tbody :is(th, td)')
  assert.deepEqual(await cells.allTextContents(), [
    ...['Shop', '1', '1', '50.0%'],
    ...['Studio', '0', '0', '0%'],
  ])
  await page.getByRole('button', { name: /^Phone 2 100%/ }).click()
  const takeOff = page.getByRole('button', { name: 'Remove the Device filter' })
  await takeOff.waitFor()
  assert.match(page.url(), /device=mobile/)
  await takeOff.click()
  await takeOff.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Period/ }).click()
  await page.getByRole('button', { name: 'Last 24 hours' }).click()
  await page.getByRole('heading', { name: 'Views per hour' }).waitFor()
  assert.match(page.url(), /period=24h/)
  for (const size of ['phone', 'desktop'] as const) {
    await reshape(page, size, 'dark')
    assert.deepEqual(await findViolations(page), [])
    assert.equal(await overhangOf(page), 0)
  }
}

/** The elements, attributes and texts below a node, images by their ids. */
const STRUCTURE = `(function describe(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data
  const toValue = ({ name, value }) =>
    name === 'src' ? /med_[0-9A-Z]+/.exec(value)[0] : value
  const attributes = [...node.attributes].map((each) => each.name + '=' + toValue(each)).sort()
  const children = [...node.childNodes].map(describe).filter((child) => child !== '\\n')
  return [node.localName, ...attributes, ...children]
})`
const STYLES = `((main) => ['h1', '.link', '.text', '.socials a', '.embed b'].map((selector) => {
  const { color, backgroundColor, fontSize, fontFamily, lineHeight } =
    getComputedStyle(main.querySelector(selector))
  return { selector, color, backgroundColor, fontSize, fontFamily, lineHeight }
}))`
const IN_PREVIEW = `(document.querySelector('[data-preview]').shadowRoot.querySelector('main'))`
const ON_PAGE = `(document.querySelector('main'))`

async function comparePreview(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const uploaded = await must(
    201,
    owner.post('/media', freshImage(64), { 'content-type': 'image/png' }),
  )
  const mediaId = uploaded.body.data.id
  const input = {
    slug: 'drawn',
    title: 'Ana <Lima>',
    description: 'Ceramics,\nslowly.',
    avatarMediaId: mediaId,
    theme: { preset: 'ocean' },
    socials: [{ platform: 'github', url: 'https://github.com/ana' }],
    blocks: [
      { type: 'link', title: 'Shop & more', url: 'https://example.com/shop', icon: '🏺' },
      { type: 'header', title: 'Studio' },
      { type: 'text', title: 'By hand.\n"Slowly."' },
      { type: 'image', mediaId, url: 'https://example.com/bowl' },
      { type: 'social', icon: 'email', url: 'mailto:ana@example.com' },
      { type: 'embed', title: 'A film', url: 'https://www.example.com/film' },
      { type: 'text', title: 'Switched off', enabled: false },
    ],
  }
  const { id } = (await must(201, owner.post('/bio-pages', input))).body.data
  const { cookie } = await world.session(owner)
  const expected = [/Blocked script execution/, /status of 400/]
  const { page, context } = await openPage(t, world, { cookie, expected })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/bio-pages/${id}`)
  const heading = page.locator('[data-preview] h1')
  await heading.filter({ hasText: 'Ana <Lima>' }).waitFor()
  assert.deepEqual(await findViolations(page), [])

  // A field that is not valid keeps the drawing.
  await page.getByLabel('Background', { exact: true }).fill('#12')
  await page.getByText('Showing the last valid version').waitFor()
  await heading.filter({ hasText: 'Ana <Lima>' }).waitFor()
  await page.getByLabel('Background', { exact: true }).fill('#fff8e0')
  await page.getByLabel('Heading', { exact: true }).fill('Ana Lima')
  await heading.filter({ hasText: 'Ana Lima' }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('The page is public.').waitFor()

  await openLink(world, 'p/drawn')
  const published = await context.newPage()
  await published.goto(`${world.origin}/p/drawn`)
  for (const describe of [STRUCTURE, STYLES])
    assert.deepEqual(
      await evaluateBeside(page, describe + IN_PREVIEW),
      await evaluateBeside(published, describe + ON_PAGE),
    )
}

async function moveToDomain(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { id: domainId, hostname } = await addDomain(world, owner)
  const { id } = (await must(201, owner.post('/bio-pages', { slug: 'move', title: 'M' }))).body.data
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, expected: INCOMPLETE })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/bio-pages/${id}`)
  await page.getByLabel('Domain', { exact: true }).selectOption({ label: hostname })
  await page.getByLabel('Use as the home page of the domain').check()
  for (const url of ['https://instagram.com/ana', 'https://github.com/ana']) {
    await page.getByRole('button', { name: 'Add a profile below the heading' }).click()
    await page.getByLabel('Profile URL').last().fill(url)
  }
  await page.getByLabel('Platform').last().selectOption('github')
  await page.getByRole('button', { name: 'Move github up' }).click()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const stored = (await must(200, owner.get(`/bio-pages/${id}`))).body.data
  assert.deepEqual([stored.domainId, stored.isRoot, stored.slug], [domainId, true, 'move'])
  assert.deepEqual(stored.socials, [
    { platform: 'github', url: 'https://github.com/ana' },
    { platform: 'instagram', url: 'https://instagram.com/ana' },
  ])
  await page.getByLabel('Domain', { exact: true }).selectOption({ index: 0 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const back = (await must(200, owner.get(`/bio-pages/${id}`))).body.data
  assert.deepEqual([back.domainId, back.isRoot], [null, false])
}

async function editTogether(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const blocks = [{ type: 'header', title: 'Studio' }]
  const input = { slug: 'together', title: 'First', blocks }
  const { id } = (await must(201, owner.post('/bio-pages', input))).body.data
  const path = `/bio-pages/${id}`
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, expected: [/status of 412/] })
  await page.goto(`${world.origin}/app/${owner.workspaceId}${path}`)
  await page.getByLabel('Heading', { exact: true }).fill('Mine')
  const theirs = { title: 'Theirs', description: 'By hand.', blocks: [] }
  await must(200, owner.patch(path, theirs))
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  const conflict = page.getByRole('alert')
  await conflict.getByText('Another user has changed this page').waitFor()
  assert.match(
    await conflict.innerText(),
    /Heading\s+Now: Theirs\s+Yours: Mine\s+Text below the heading\s+Now: By hand\.\s+Blocks\s+Now: nothing/,
  )
  assert.equal((await must(200, owner.get(path))).body.data.title, 'Theirs')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await save.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { data } = (await must(200, owner.get(path))).body
  assert.deepEqual([data.title, data.description, data.blocks], ['Mine', 'By hand.', []])
}

async function leaveAndDelete(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const blocks = [{ type: 'link', title: 'Shop', url: 'https://example.com/shop' }]
  const input = { slug: 'leaving', title: 'Leaving', blocks }
  const { id, blocks: stored } = (await must(201, owner.post('/bio-pages', input))).body.data
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  const base = `${world.origin}/app/${owner.workspaceId}/bio-pages`
  await page.goto(`${base}/${id}`)
  await page.getByLabel('Heading', { exact: true }).fill('Changed')
  await page.getByRole('link', { name: 'Statistics' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('Leave without saving?').waitFor()
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Heading', { exact: true }).inputValue(), 'Changed')
  const asked = page.waitForEvent('dialog')
  await page.reload()
  assert.equal((await asked).type(), 'beforeunload')
  assert.equal(await page.getByLabel('Heading', { exact: true }).inputValue(), 'Leaving')
  await page.getByLabel('Heading', { exact: true }).fill('Changed')
  await page.getByRole('link', { name: 'Statistics' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(/\/figures/)
  await page.getByRole('link', { name: 'Content', exact: true }).click()
  assert.equal(await page.getByLabel('Heading', { exact: true }).inputValue(), 'Leaving')

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await question.getByLabel('Also delete 1 link in its blocks').check()
  assert.deepEqual(await findViolations(page), [])
  await question.getByRole('button', { name: 'Delete the page' }).click()
  await page.getByText('No pages yet').waitFor()
  await must(404, owner.get(`/bio-pages/${id}`))
  await must(404, owner.get(`/links/${stored[0].linkId}`))
}

async function refuseFields(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { id } = (await must(201, owner.post('/bio-pages', { slug: 'ref', title: 'R' }))).body.data
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie, expected: [/status of 400/] })
  await page.goto(`${world.origin}/app/${owner.workspaceId}/bio-pages/${id}`)
  await page.getByRole('button', { name: 'Card', exact: true }).click()
  await page.getByLabel('Destination').fill('javascript:alert(1)')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await eventually(async () =>
    assert.equal(await page.getByLabel('Destination').getAttribute('aria-invalid'), 'true'),
  )
  await page.getByRole('button', { name: 'Remove Card' }).click()
  await page.getByLabel('Background', { exact: true }).fill('#ffffff')
  await page.getByLabel('Text', { exact: true }).fill('#ffffff')
  await save.click()
  await eventually(async () =>
    assert.equal(
      await page.getByLabel('Text', { exact: true }).getAttribute('aria-invalid'),
      'true',
    ),
  )
}

async function showTexts(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  const marked = `document.querySelectorAll('[data-payload]').length`
  const texts = `document.body.textContent + [...document.querySelectorAll('input, textarea')]
    .map((field) => field.value).join(' ')`
  let stored = 0
  for (let at = 0; at < PAYLOADS.length; at += TEXTS_OF_A_PAGE) {
    const some = PAYLOADS.slice(at, at + TEXTS_OF_A_PAGE)
    const made = await must(
      201,
      owner.post('/bio-pages', { slug: `texts-${at}`, title: `Texts ${at}` }),
    )
    const path = `/bio-pages/${made.body.data.id}`
    const kept: string[] = []
    const blocks: object[] = []
    for (const payload of some) {
      const block = { type: 'header', title: payload }
      const { status } = await owner.patch(path, { blocks: [block] })
      assert.ok([200, 400].includes(status), `${status} for ${payload}`)
      if (status !== 200) continue
      kept.push(payload)
      blocks.push(block, { type: 'text', title: payload })
      for (const fields of [
        { title: payload },
        { description: payload },
        { seo: { title: payload, description: payload } },
      ])
        assert.ok([200, 400].includes((await owner.patch(path, fields)).status), payload)
    }
    await must(200, owner.patch(path, { blocks }))
    await page.goto(`${world.origin}/app/${owner.workspaceId}${path}`)
    await waitUntilLoaded(page)
    const shown = await evaluateBeside<string>(page, texts)
    assert.deepEqual(
      // The comparison leaves out white space before and after a text.
      kept.filter((payload) => !shown.includes(payload.trim())),
      [],
    )
    assert.equal(await evaluateBeside<number>(page, marked), 0)
    stored += kept.length
  }
  assert.ok(stored > PAYLOADS.length / 2, `${stored} texts`)
}

async function lookAsViewer(t: TestContext, world: World): Promise<void> {
  const owner = await world.member()
  const blocks = [{ type: 'header', title: 'Studio' }]
  const made = await must(201, owner.post('/bio-pages', { slug: 'seen', title: 'Seen', blocks }))
  const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const { cookie } = await world.session(viewer)
  const { page } = await openPage(t, world, { cookie })
  const base = `${world.origin}/app/${owner.workspaceId}/bio-pages`
  await page.goto(base)
  await page.getByRole('link', { name: 'Seen' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'New page' }).count(), 0)
  await page.goto(`${base}/${made.body.data.id}`)
  await page.getByRole('heading', { level: 1, name: 'Seen' }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Header' }).isDisabled(), true)
  for (const name of ['Save', 'Publish'])
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
}
