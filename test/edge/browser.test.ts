import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openChromium } from '../support/chromium.ts'
import { eventually, until } from '../support/eventually.ts'
import { openEdgeWorld } from './edge-world.ts'
import { makeLink } from './make.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const skip = SKIP_WITHOUT_BROWSER

/** A browser with the screen and the user agent of a phone, at the page of a link to an app. */
async function openInterstitial(t: TestContext) {
  const site = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' })
    res.end('<title>Shop</title><p>The shop</p>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  t.after(() => site.close())
  const { port } = site.address() as { port: number }
  const destinationUrl = `http://127.0.0.1:${port}/shop`
  const world = await openEdgeWorld(t)
  const options = { iosDeepLink: 'exampleapp://item/1' }
  const { slug } = await makeLink(world.sql, { destinationUrl, options })
  const page = await openChromium(t)
  const size = { width: 360, height: 640, deviceScaleFactor: 1, mobile: true }
  await page.command('Emulation.setDeviceMetricsOverride', size)
  await page.command('Emulation.setUserAgentOverride', { userAgent: IPHONE })
  await page.command('Log.enable')
  const shortUrl = `http://127.0.0.1:${world.port}/${slug}`
  await page.visit(shortUrl)
  await eventually(async () => assert.match(await page.text(), /This link opens an app/))
  return { ...world, page, shortUrl, destinationUrl }
}

test('the button of the interstitial opens the app', { skip }, async (t) => {
  const { page, clicks } = await openInterstitial(t)
  const said = (text: string) => page.events.filter((event) => JSON.stringify(event).includes(text))
  assert.deepEqual(said('exampleapp://item/1'), [], 'nothing opens by itself')
  await page.click('.button')
  await until(
    () =>
      said('exampleapp://item/1').some(({ method }) => method === 'Page.frameStartedNavigating'),
    'the browser opens the app',
  )
  assert.deepEqual(said('blocked by sandbox'), [])
  assert.equal(clicks().length, 1)
})

test('the other button of the interstitial leads to the destination', { skip }, async (t) => {
  const { page, clicks, destinationUrl } = await openInterstitial(t)
  const policies = page.events.filter((event) => JSON.stringify(event).includes('Content Security'))
  assert.deepEqual(policies, [], 'the page obeys its own policy')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  const heights = await page.evaluate<number[]>(
    `Array.from(document.querySelectorAll('.button'), (link) => link.getBoundingClientRect().height)`,
  )
  assert.ok(heights.length === 2 && heights.every((height) => height >= 44), heights.join())
  await page.click('.quiet')
  await eventually(async () => assert.equal(await page.url(), destinationUrl))
  assert.equal(await page.text(), 'The shop')
  assert.equal(clicks().length, 1)
})

test('the page of a plus sign shows the destination and leads there', { skip }, async (t) => {
  const { page, clicks, shortUrl, destinationUrl } = await openInterstitial(t)
  await page.visit(`${shortUrl}+`)
  await eventually(async () => assert.match(await page.text(), /This link leads to/))
  assert.ok((await page.text()).includes(destinationUrl))
  assert.equal(clicks().length, 1, 'that of the interstitial')
  await page.click('main a')
  await eventually(async () => assert.equal(await page.url(), destinationUrl))
})
