import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { PRESETS } from '../../src/platform/facts/page-theme.ts'
import { PLATFORMS } from '../../src/platform/facts/bio-page.ts'
import { PAYLOADS } from '../support/payloads.ts'
import { evaluateBeside } from '../support/beside.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import {
  findViolations,
  openPage,
  overhangOf,
  reshape,
  type Size,
  type Theme,
} from '../support/dashboard-browser.ts'
import { eventually } from '../support/eventually.ts'
import { freshImage } from '../support/images.ts'
import { openWorld, type Member } from '../support/world.ts'

const MAX_BYTES = 30_000
const TITLE_CHARS = 100
/** Of the init script of the test, which a page without scripts does not run. */
const NO_SCRIPTS = [/Blocked script execution/]
let serial = 0

async function publish(owner: Member, input: object) {
  const body = { slug: `shown-${++serial}`, title: 'Ana', status: 'published', ...input }
  const answer = await owner.post('/bio-pages', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

type Input = { title: string; blocks: object[] } & Record<string, unknown>

/** Publishes a page without the fields and blocks that a payload makes invalid. */
async function publishTaken(owner: Member, { ...input }: Input) {
  const slug = `shown-${++serial}`
  for (;;) {
    const answer = await owner.post('/bio-pages', { slug, status: 'published', ...input })
    if (answer.status === 201) return answer.body.data
    assert.equal(answer.status, 400, answer.text)
    const [field = '', index = ''] = String(answer.body.error.details[0].path).split('.')
    if (field === 'title') input.title = 'Ana'
    else if (field === 'blocks') input.blocks = input.blocks.toSpliced(Number(index), 1)
    else delete input[field]
  }
}

async function image(owner: Member): Promise<string> {
  const answer = await owner.post('/media', freshImage(64), { 'content-type': 'image/png' })
  return answer.body.data.id
}

test(
  'published pages in a browser',
  { concurrency: false, skip: SKIP_WITHOUT_BROWSER },
  async (t) => {
    const world = await openWorld(t, { isClockReal: true })

    await t.test('no payload runs, whichever field holds it', async (sub) => {
      const owner = await world.member()
      const mediaId = await image(owner)
      const { page, problems } = await openPage(sub, world, { size: 'phone', expected: NO_SCRIPTS })
      let shown = 0
      for (const payload of PAYLOADS) {
        const title = payload.slice(0, TITLE_CHARS)
        const url = `https://example.com/?q=${payload}#${payload}`
        const shownPage = await publishTaken(owner, {
          title,
          description: payload,
          seo: { title, description: payload },
          socials: [{ platform: 'x', url }],
          blocks: [
            { type: 'header', title: payload },
            { type: 'text', title: payload },
            { type: 'link', title: payload, url },
            { type: 'image', title: payload, url, mediaId },
            { type: 'social', title: payload, url, icon: 'x' },
            { type: 'embed', title: payload, url },
          ],
        })
        await page.goto(`${world.origin}/p/${shownPage.slug}`)
        const found = await evaluateBeside<number>(
          page,
          `document.querySelectorAll('[data-payload],script,iframe,[onload],[onerror],[style]').length`,
        )
        assert.equal(found, 0, payload)
        const schemes = await evaluateBeside<string[]>(
          page,
          `Array.from(document.links, (link) => link.protocol).filter((scheme) => !/^https?:$/.test(scheme))`,
        )
        assert.deepEqual(schemes, [], payload)
        shown += shownPage.blocks.length
      }
      assert.ok(shown > PAYLOADS.length * 4, `${shown} blocks`)
      assert.deepEqual(problems, [])
    })

    await t.test('a link opens in a tab that is not sandboxed', async (sub) => {
      const site = createServer((_req, res) => {
        res.writeHead(200, { 'content-type': 'text/html' })
        res.end('<title>waiting</title><script>document.title = self.origin</script>')
      }).listen(0, '127.0.0.1')
      await once(site, 'listening')
      sub.after(() => site.close())
      const { port } = site.address() as { port: number }
      const origin = `http://127.0.0.1:${port}`
      const owner = await world.member()
      const shownPage = await publish(owner, {
        blocks: [{ type: 'link', title: 'Shop', url: `${origin}/shop` }],
      })
      const { page, context, problems } = await openPage(sub, world, {
        size: 'phone',
        expected: NO_SCRIPTS,
      })
      await page.goto(`${world.origin}/p/${shownPage.slug}`)
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        page.locator('.link').click(),
      ])
      await eventually(async () => assert.equal(await opened.title(), origin))
      assert.equal(opened.url(), `${origin}/shop`)
      const foreign = problems.splice(0)
      assert.ok(
        foreign.every(
          (text) =>
            text === `foreign request: ${origin}/shop` || text.includes(`${origin}/favicon.ico`),
        ),
        foreign.join('\n'),
      )
    })

    await t.test(
      'every theme is light, fits both sizes, and has no finding of axe',
      async (sub) => {
        const owner = await world.member()
        const [avatarMediaId, mediaId] = [await image(owner), await image(owner)]
        const { page } = await openPage(sub, world, { size: 'phone', expected: NO_SCRIPTS })
        // Axe needs timers, which a sandboxed document without scripts does not have.
        await page.route('**/p/*', async (route) => {
          const response = await route.fetch()
          const given = response.headers()
          const policy = given['content-security-policy']!.replace(/; sandbox[^;]*/, '')
          const headers = { ...given, 'content-security-policy': policy }
          await route.fulfill({ response, headers })
        })
        const url = 'https://example.com/a'
        for (const preset of PRESETS) {
          const shownPage = await publish(owner, {
            title: 'Ana Lima',
            description: 'Ceramics, slowly.\nLisbon.',
            avatarMediaId,
            theme: { preset },
            socials: PLATFORMS.slice(0, 20).map((platform) => ({ platform, url })),
            blocks: [
              { type: 'link', title: 'Shop the spring collection', url, icon: '🏺' },
              { type: 'header', title: 'From the studio' },
              { type: 'text', title: `Long words fit: ${'x'.repeat(120)}` },
              { type: 'image', title: 'A bowl', mediaId },
              { type: 'image', mediaId, url },
              { type: 'social', icon: 'email', url: 'mailto:ana@example.com' },
              { type: 'social', icon: 'phone', url: 'tel:+351210000000', title: 'Call the studio' },
              {
                type: 'embed',
                title: 'How a bowl is thrown',
                url: 'https://www.youtube.com/watch?v=x',
              },
              { type: 'embed', url: 'https://open.spotify.com/track/x' },
            ],
          })
          const response = await page.goto(`${world.origin}/p/${shownPage.slug}`)
          const { length } = await response!.body()
          assert.ok(length < MAX_BYTES, `${preset}: ${length} bytes`)
          const themes: Theme[] = preset === 'plain' ? ['light', 'dark'] : ['light']
          for (const size of ['phone', 'desktop'] satisfies Size[])
            for (const theme of themes) {
              await reshape(page, size, theme)
              assert.deepEqual(await findViolations(page), [], `${preset}, ${size}, ${theme}`)
              assert.equal(await overhangOf(page), 0, `${preset}, ${size}`)
            }
          const small = await evaluateBeside<number>(
            page,
            `Array.from(document.querySelectorAll('a'), (link) => link.getBoundingClientRect())
          .filter(({ width, height }) => width < 44 || height < 44).length`,
          )
          assert.equal(small, 0, `${preset}: targets below 44 pixels`)
        }
      },
    )
  },
)
