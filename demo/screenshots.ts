import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import sharp from 'sharp'
import { openLog } from '../src/platform/core/log.ts'
import { openDemo, type Demo } from './demo.ts'
import { openLink } from './live-visitors.ts'
import { createRandom } from './random.ts'

/**
 * Renders the main pages from a demo into `docs/images/`, light and dark, for the README. Each run shows
 * the same workspace on the same day, so that a difference of the pictures is one of the pages.
 */
const FOLDER = join(import.meta.dirname, '../docs/images')
/** A Thursday afternoon; the demo and the browser agree on it. */
const PRESENT_MS = Date.UTC(2026, 10, 19, 14, 12)
const SHORT_URL = 'https://go.example.com'
const THEMES = ['light', 'dark'] as const
const DESKTOP = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 780 }
const SCALE = 1.5
const QUALITY = 76
const TIMEOUT_MS = 60_000
const SEED = 5
/** Longer than a click takes to its feed. */
const BETWEEN_VISITS_MS = 700
/** Left above a card that a picture begins with. */
const EDGE_PX = 32
const MAX_BYTES = 1_500_000

type Shot = {
  name: string
  /** Below that of the workspace. */
  path: (demo: Demo, linkId: string) => string
  size: { width: number; height: number }
  /** Links that are clicked while the page is open, for its feed. */
  visits?: readonly string[]
  /** Brings the page into the state of the picture. */
  prepare?: (page: Page) => Promise<void>
}

const OF_LINK = Array.from({ length: 6 }, () => 'winter')

/** The preview of a destination in the shop, whose example host has no page. */
const SHOP_PAGE = {
  data: {
    finalUrl: 'https://shop.example.com/rain-jackets',
    title: 'Rain jackets',
    description: 'Light, packable and tight in a storm. Sizes XS to XXL.',
    image: null,
    favicon: null,
    siteName: null,
  },
  meta: { requestId: 'req_preview' },
}

const SHOTS: readonly Shot[] = [
  {
    name: 'overview',
    path: () => '',
    size: DESKTOP,
    visits: ['winter', 'bio', 'poster', 'newsletter', 'boots', 'track'],
  },
  { name: 'links', path: () => '/links', size: DESKTOP },
  {
    name: 'link',
    path: (_demo, linkId) => `/links/${linkId}`,
    size: DESKTOP,
    visits: OF_LINK,
  },
  {
    name: 'analytics',
    path: () => '/analytics',
    size: DESKTOP,
    prepare: (page) => scrollTo(page, 'Locations'),
  },
  {
    name: 'webhooks',
    path: () => '/webhooks',
    size: DESKTOP,
    prepare: async (page) => {
      const rows = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
      await rows.filter({ hasText: 'Failed for good' }).getByRole('button').first().click()
      // The click has brought the row into view.
      await page.mouse.wheel(0, -DESKTOP.height)
    },
  },
  {
    name: 'phone-new',
    path: () => '/links?new=true',
    size: PHONE,
    prepare: async (page) => {
      await page.route('**/v1/links/preview?*', (route) => route.fulfill({ json: SHOP_PAGE }))
      await page
        .getByLabel('Points to', { exact: true })
        .fill('https://shop.example.com/rain-jackets')
      await page.getByLabel('Short link', { exact: true }).fill('rain-jackets')
      await page.getByText(/free on /).waitFor()
    },
  },
  { name: 'phone-link', path: (_demo, linkId) => `/links/${linkId}`, size: PHONE },
  {
    name: 'phone-chart',
    path: (_demo, linkId) => `/links/${linkId}`,
    size: PHONE,
    prepare: (page) => scrollTo(page, 'Clicks per day'),
  },
]

/** For the Chromium of a package, where the machine has none. */
using unpacked = temporaryFolder()
process.env.SIGNPOST_TEST_CHROMIUM ??= unpacked.path
const { BROWSER, SKIP_WITHOUT_BROWSER } = await import('../test/support/browser-program.ts')
if (SKIP_WITHOUT_BROWSER !== false) throw new Error(SKIP_WITHOUT_BROWSER)
const controller = new AbortController()
await using demo = await openDemo({
  port: '0',
  log: openLog('error'),
  signal: controller.signal,
  say: (step) => process.stderr.write(`${step}\n`),
  shortUrl: SHORT_URL,
  presentMs: PRESENT_MS,
})
await using browser = await chromium.launch(BROWSER)
mkdirSync(FOLDER, { recursive: true })
const storageState = await signIn(browser, demo)
let bytes = 0
for (const theme of THEMES)
  for (const shot of SHOTS) {
    const file = join(FOLDER, `${shot.name}-${theme}.webp`)
    await render(shot, theme, file)
    bytes += statSync(file).size
    process.stdout.write(`${file} ${(statSync(file).size / 1_000).toFixed(0)} kB\n`)
  }
if (bytes > MAX_BYTES) {
  process.stderr.write(`The pictures have ${bytes} bytes, more than ${MAX_BYTES}.\n`)
  process.exitCode = 1
}

function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'signpost-chromium-'))
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  return { path, [Symbol.dispose]: remove }
}

async function signIn(on: Browser, { newSignInLink }: Demo) {
  const context = await on.newContext()
  await (await context.newPage()).goto(newSignInLink())
  const state = await context.storageState()
  await context.close()
  return state
}

async function render(shot: Shot, theme: (typeof THEMES)[number], file: string): Promise<void> {
  const context = await browser.newContext({
    storageState,
    viewport: shot.size,
    deviceScaleFactor: SCALE,
    hasTouch: shot.size === PHONE,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Zurich',
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  await context.clock.setSystemTime(demo.nowMs())
  const page = await context.newPage()
  const linkId = await findLink(context)
  await page.goto(`${demo.origin}/app/${demo.workspaceId}${shot.path(demo, linkId)}`)
  await page.getByRole('heading').first().waitFor()
  await settle(page)
  const random = createRandom(SEED)
  for (const slug of shot.visits ?? []) {
    await openLink(`${demo.origin}/${slug}`, random)
    await page.waitForTimeout(BETWEEN_VISITS_MS)
  }
  await shot.prepare?.(page)
  await settle(page)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await context.close()
  const picture = sharp(png).webp({ quality: QUALITY, effort: 6, smartSubsample: true })
  writeFileSync(file, await picture.toBuffer())
}

/** Puts the card of the title at the upper edge. */
async function scrollTo(page: Page, title: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 2, name: title })
  const { y } = (await heading.boundingBox())!
  await page.mouse.wheel(0, y - EDGE_PX)
}

/** Waits until nothing is loading; the stream of clicks never ends. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(1_500)
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
  await page.waitForTimeout(500)
}

/** The link with the most clicks, which has rules and versions. */
async function findLink(context: BrowserContext): Promise<string> {
  const answer = await context.request.get(
    `${demo.origin}/v1/links?search=winter&workspaceId=${demo.workspaceId}`,
  )
  const { data } = (await answer.json()) as { data: { id: string; slug: string }[] }
  return data.find(({ slug }) => slug === 'winter')!.id
}
