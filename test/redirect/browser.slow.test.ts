import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage, overhangOf } from '../support/dashboard-browser.ts'
import { eventually, until } from '../support/eventually.ts'
import { openEdgeWorld } from '../support/edge-world.ts'
import { makeLink } from '../support/edge-links.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const skip = SKIP_WITHOUT_BROWSER
/** Pages of the edge run no scripts, so not the one that the test adds either. */
const EXPECTED = [/Blocked script execution/, /favicon\.ico/, /exampleapp:/]

/** A browser with the screen and the user agent of a phone, at the page of a link to an app. */
async function openInterstitial(t: TestContext) {
  const site = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' })
    res.end('<title>Shop</title><p>The shop</p>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  t.after(() => site.close())
  const { port } = site.address() as { port: number }
  const siteOrigin = `http://127.0.0.1:${port}`
  const destinationUrl = `${siteOrigin}/shop`
  const world = await openEdgeWorld(t)
  const options = { iosDeepLink: 'exampleapp://item/1' }
  const { slug } = await makeLink(world.sql, { destinationUrl, options })
  const origin = `http://127.0.0.1:${world.port}`
  const { page } = await openPage(
    t,
    { origin },
    {
      size: 'phone',
      userAgent: IPHONE,
      expected: EXPECTED,
      otherOrigins: [siteOrigin],
    },
  )
  /** Addresses that the browser began to open. */
  const opened: string[] = []
  page.on('request', (request) => opened.push(request.url()))
  const shortUrl = `${origin}/${slug}`
  await page.goto(shortUrl)
  await page.getByText('This link opens an app').waitFor()
  return { ...world, page, opened, shortUrl, destinationUrl }
}

test('the button of the interstitial opens the app', { skip }, async (t) => {
  const { page, opened, clicks } = await openInterstitial(t)
  const isApp = (url: string) => url === 'exampleapp://item/1'
  assert.ok(!opened.some(isApp), 'nothing opens by itself')
  await page.locator('.button').first().click()
  await until(() => opened.some(isApp), 'the browser opens the app')
  assert.equal(clicks().length, 1)
})

test('the other button of the interstitial leads to the destination', { skip }, async (t) => {
  const { page, clicks, destinationUrl } = await openInterstitial(t)
  assert.equal(await overhangOf(page), 0)
  const buttons = await page.locator('.button').all()
  const heights = await Promise.all(
    buttons.map(async (button) => (await button.boundingBox())!.height),
  )
  assert.ok(heights.length === 2 && heights.every((height) => height >= 44), heights.join())
  await page.locator('.quiet').click()
  await page.waitForURL(destinationUrl)
  await page.getByText('The shop').waitFor()
  assert.equal(clicks().length, 1)
})

test('the page of a plus sign shows the destination and leads there', { skip }, async (t) => {
  const { page, clicks, shortUrl, destinationUrl } = await openInterstitial(t)
  await page.goto(`${shortUrl}+`)
  await page.getByText('This link leads to').waitFor()
  await eventually(async () => assert.ok((await page.innerText('body')).includes(destinationUrl)))
  assert.equal(clicks().length, 1, 'that of the interstitial')
  await page.locator('main a').first().click()
  await page.waitForURL(destinationUrl)
})
