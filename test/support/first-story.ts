import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openPage, type Size } from './dashboard-browser.ts'
import { openDashboardWorld, openLink } from './dashboard-world.ts'
import { eventually } from './eventually.ts'
import type { Hand } from './hand.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { answer } from './receiver-scripts.ts'
import type { World } from './world.ts'

const PASSWORD = 'quiet harbour lamp'
const DESTINATION = 'https://example.com/winter-coats'

export type Way = {
  name: string
  handOf: (page: Page) => Hand
  look: Parameters<typeof openPage>[2] & { size: Size }
}
type Story = { world: World; page: Page; hand: Hand; receiver: Receiver; name: string }

/** Users of one server, who wait for its answers most of the time: from the sign-up to a delivery. */
export async function liveFirstStories(t: TestContext, ways: readonly Way[]): Promise<void> {
  const world = await openDashboardWorld(t)
  const receiver = await openReceiver(t)
  await Promise.all(
    ways.map(({ name: way, handOf, look }) =>
      t.test(`by ${way}`, async (part) => {
        const { page } = await openPage(part, world, look)
        const name = way.replaceAll(/\W+/g, '-')
        await liveThrough({ world, receiver, page, hand: handOf(page), name }, look.size)
      }),
    ),
  )
}

async function liveThrough(story: Story, size: Size): Promise<void> {
  const { page, hand, world } = story
  await page.goto(`${world.origin}/`)
  await signUp(story)
  await createLink(story)
  await watchFirstClick(story)
  if (size !== 'desktop') await hand.press(page.getByRole('link', { name: 'More' }))
  await readDelivery(story)
}

async function signUp({ page, hand, world, name }: Story): Promise<void> {
  const email = `${name}@example.com`
  await hand.press(page.getByRole('link', { name: 'Sign up' }))
  await hand.fill(page.getByLabel('Your name'), 'Ada Example')
  await hand.fill(page.getByLabel('E-mail'), email)
  await hand.fill(page.getByLabel('Password'), PASSWORD)
  await hand.press(page.getByRole('button', { name: 'Sign up' }))
  await page.getByText('Check your email').waitFor()
  const { link } = await world.outbox.next(email)
  await page.goto(link)
  await hand.press(page.getByRole('button', { name: 'Confirm and sign in' }))
  await page.getByText('Where should it point?').waitFor()
  assert.match(page.url(), /\/app\/wsp_/)
}

async function createLink({ page, hand, name }: Story): Promise<void> {
  await hand.fill(page.getByLabel('Points to'), DESTINATION.replace('https://', ''))
  await hand.press(page.getByRole('button', { name: 'Shorten' }))
  const card = page.getByRole('region', { name: 'Your short link is ready' })
  await card.getByRole('img', { name: /^QR code of/ }).waitFor()
  await hand.press(card.getByRole('link', { name: 'Customize' }))
  const drawer = page.getByRole('dialog')
  const slug = drawer.getByLabel('Short link')
  await hand.fill(slug, 'app')
  await drawer.getByText('This slug is reserved.').waitFor()
  await hand.fill(slug, `winter-${name}`)
  await drawer.getByText(/free on /).waitFor()
  await hand.press(drawer.locator('summary', { hasText: 'UTM parameters' }))
  await hand.fill(drawer.getByLabel('Source'), 'newsletter')
  await drawer.getByText(`${DESTINATION}?utm_source=newsletter`).waitFor()
  await hand.press(drawer.getByRole('button', { name: 'Save' }))
  await drawer.waitFor({ state: 'detached' })
  assert.match(page.url(), /\/links\/lnk_/)
  const message = await page.getByText('Saved.').boundingBox()
  const copy = await page.getByRole('button', { name: /^Copy/ }).last().boundingBox()
  assert.ok(areApart(message!, copy!), 'the message leaves the button that copies the link free')
  const qr = page.getByRole('button', { name: 'QR', exact: false }).first()
  await hand.press(qr)
  await page.getByRole('dialog').getByRole('img').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focusIsBackOn(qr)
}

async function focusIsBackOn(opener: Locator): Promise<void> {
  const isBack = () => opener.evaluate((node) => node === node.ownerDocument.activeElement)
  await eventually(async () => assert.ok(await isBack(), 'the focus is back on its button'))
}

type Box = { x: number; y: number; width: number; height: number }
const areApart = (a: Box, b: Box) =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y

async function watchFirstClick({ page, world, name }: Story): Promise<void> {
  const feed = page.getByRole('list', { name: 'Live' })
  await page.getByText('new clicks appear here').waitFor()
  const toOpen = page.getByRole('link', { name: 'Open the link' })
  assert.equal(await toOpen.getAttribute('href'), `${world.origin}/winter-${name}`)
  const { status, headers } = await openLink(world, `winter-${name}`)
  assert.deepEqual([status, headers.get('location')], [302, `${DESTINATION}?utm_source=newsletter`])
  await feed.getByText('Phone, Safari, iOS').waitFor()
  // The number of the figures follows the feed by itself.
  await page.getByText(/1 click, created/).waitFor()
  await toOpen.waitFor({ state: 'detached' })
}

async function readDelivery({ page, hand, receiver, name }: Story): Promise<void> {
  const hook = `/${name}`
  receiver.on(hook, answer(200, { body: '{"taken":"gladly"}' }))
  await hand.press(page.getByRole('link', { name: 'Webhooks' }))
  const newEndpoint = page.getByRole('button', { name: 'New endpoint' })
  await hand.press(newEndpoint)
  await hand.fill(page.getByRole('textbox', { name: 'Address' }), receiver.url(hook))
  await hand.press(page.getByRole('button', { name: 'Create endpoint' }))
  await page.getByText('Endpoint created').waitFor()
  await hand.press(page.getByRole('button', { name: 'Done' }))
  await focusIsBackOn(newEndpoint)
  await hand.choose(
    page.getByRole('button', { name: /^Actions of/ }),
    page.getByRole('menuitem', { name: 'Send test' }),
  )
  await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }))
  await page.getByText('gladly').waitFor()
  await page.getByText('Your server responded with 2xx.').waitFor()
  assert.equal(receiver.requestsOf(hook).length, 1)
}
