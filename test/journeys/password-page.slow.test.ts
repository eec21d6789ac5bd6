import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage, overhangOf } from '../support/dashboard-browser.ts'
import { eventually, openWorld } from '../support/world.ts'

/** Pages of the edge run no scripts, so not the one that the test adds either; a refused password is a 401. */
const EXPECTED = [/Blocked script execution/, /favicon\.ico/, /status of 401/]

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
    const { page } = await openPage(t, world, {
      size: 'phone',
      expected: EXPECTED,
      otherOrigins: [site],
    })
    const field = page.getByLabel('Password')
    const submit = async (password: string) => {
      await field.fill(password)
      await page.getByRole('button').click()
    }
    /** The first look-up of a link may take longer than the edge waits, which is a 503 that asks to try again. */
    const visit = async (url: string) => {
      const head = () => fetch(url, { method: 'HEAD', redirect: 'manual' })
      await eventually(async () => assert.notEqual((await head()).status, 503))
      await page.goto(url)
    }
    const seesForm = () => page.getByText('This link needs a password').waitFor()

    await t.test('leads to the destination, and once more without the password', async () => {
      const link = { name: 'Docs', password: 'quiet harbour lamp', destinationUrl: `${site}/docs` }
      const { id, slug } = (await owner.post('/links', link)).body.data
      const shortUrl = `${world.origin}/${slug}?size=m`
      await visit(shortUrl)
      await seesForm()
      assert.doesNotMatch(await page.content(), /docs/)
      await submit('seven grey herons')
      await page.getByText('This password is wrong').waitFor()
      await submit('quiet harbour lamp')
      await page.waitForURL(`${site}/docs?size=m`)
      await page.getByText('The destination').waitFor()

      await visit(shortUrl)
      await page.waitForURL(`${site}/docs?size=m`)
      await eventually(async () => {
        const { body } = await owner.get(`/analytics/links/${id}`)
        assert.equal(body.data.totalClicks, 2)
      })
      const other = (await owner.post('/links', link)).body.data
      await visit(`${world.origin}/${other.slug}`)
      await seesForm()
    })

    await t.test('fits a phone, and its field is reached with the keyboard', async () => {
      const link = { name: 'Docs', password: 'quiet', destinationUrl: 'https://example.com/docs' }
      const { slug } = (await owner.post('/links', link)).body.data
      await visit(`${world.origin}/${slug}`)
      await seesForm()
      assert.equal(await overhangOf(page), 0)
      for (const part of [field, page.getByRole('button')])
        assert.ok((await part.boundingBox())!.height >= 44)
      await page.keyboard.press('Tab')
      assert.equal(await page.locator(':focus').getAttribute('id'), 'password')
    })
  },
)
