import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openChromium } from '../support/chromium.ts'
import { eventually, openWorld } from '../support/world.ts'

/** Another site, which short links lead to. */
async function openSite(t: TestContext) {
  const site = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html' })
    res.end('<title>Destination</title><p>The destination</p>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  t.after(() => site.close())
  return `http://127.0.0.1:${(site.address() as { port: number }).port}`
}

test(
  'the page that asks for the password of a link',
  { skip: SKIP_WITHOUT_BROWSER, concurrency: false },
  async (t) => {
    const world = await openWorld(t)
    const site = await openSite(t)
    const owner = await world.member()
    const browser = await openChromium(t)
    const page = {
      ...browser,
      /** The first look-up of a link may take longer than the edge waits, which is a 503 that asks to try again. */
      async visit(url: string) {
        const head = () => fetch(url, { method: 'HEAD', redirect: 'manual' })
        await eventually(async () => assert.notEqual((await head()).status, 503))
        await browser.visit(url)
      },
    }

    await t.test(
      'leads to the destination with the password, and once more without it',
      async () => {
        const link = {
          name: 'Docs',
          password: 'quiet harbour lamp',
          destinationUrl: `${site}/docs`,
        }
        const { id, slug } = (await owner.post('/links', link)).body.data
        const shortUrl = `${world.origin}/${slug}?size=m`
        const seesForm = () =>
          eventually(async () => assert.match(await page.text(), /This link needs a password/))

        // Chromium ignores keys and clicks until it has painted a page: submits again until the page has changed.
        const submit = (password: string, hasArrived: () => Promise<void>) =>
          eventually(async () => {
            const isThere = await hasArrived().then(
              () => true,
              () => false,
            )
            if (isThere) return
            await page.evaluate(`document.querySelector('#password').value = ''`)
            await page.type('#password', password)
            await page.click('button')
            await eventually(hasArrived, 10_000)
          })

        await page.visit(shortUrl)
        await seesForm()
        assert.doesNotMatch(
          await page.evaluate<string>('document.documentElement.outerHTML'),
          /docs/,
        )
        await submit('seven grey herons', async () =>
          assert.match(await page.text(), /This password is wrong/),
        )
        await submit('quiet harbour lamp', async () =>
          assert.equal(await page.url(), `${site}/docs?size=m`),
        )
        assert.equal(await page.text(), 'The destination')

        await page.visit(shortUrl)
        await eventually(async () => assert.equal(await page.url(), `${site}/docs?size=m`))
        await eventually(async () => {
          const { body } = await owner.get(`/analytics/links/${id}`)
          assert.equal(body.data.totalClicks, 2)
        })
        const other = (await owner.post('/links', link)).body.data
        await page.visit(`${world.origin}/${other.slug}`)
        await seesForm()
      },
    )

    await t.test('fits a phone, and its field is reached with the keyboard', async () => {
      const link = { name: 'Docs', password: 'quiet', destinationUrl: 'https://example.com/docs' }
      const { slug } = (await owner.post('/links', link)).body.data
      const size = { width: 360, height: 640, deviceScaleFactor: 1, mobile: true }
      await page.command('Emulation.setDeviceMetricsOverride', size)
      await page.visit(`${world.origin}/${slug}`)
      await eventually(async () => {
        assert.equal(await page.url(), `${world.origin}/${slug}`)
        assert.match(await page.text(), /needs a password/)
      })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      const box = 'getBoundingClientRect()'
      for (const selector of ['#password', 'button'])
        assert.ok(
          (await page.evaluate<number>(`document.querySelector('${selector}').${box}.height`)) >=
            44,
        )
      for (const type of ['keyDown', 'keyUp'])
        await page.command('Input.dispatchKeyEvent', {
          type,
          key: 'Tab',
          code: 'Tab',
          windowsVirtualKeyCode: 9,
        })
      assert.equal(await page.evaluate('document.activeElement.id'), 'password')
    })
  },
)
