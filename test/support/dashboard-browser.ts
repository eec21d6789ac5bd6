import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, type TestContext } from 'node:test'
import { buffer } from 'node:stream/consumers'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Download,
  type Page,
} from 'playwright-core'
import { evaluateAmong, evaluateBeside } from './beside.ts'
import { BROWSER } from './browser-program.ts'
import { eventually } from './eventually.ts'
import { watchPages } from './page-problems.ts'
import type { World } from './world.ts'

export const SIZES = {
  phone: { width: 375, height: 760 },
  desktop: { width: 1280, height: 900 },
  /** The smallest phone that pages are laid out for. */
  small: { width: 320, height: 568 },
  /** The desktop at a zoom of 400 %, in pixels of the page. */
  zoomed: { width: 320, height: 225 },
} as const

export type Size = keyof typeof SIZES
export type Theme = 'light' | 'dark'

type Options = {
  size?: Size
  theme?: Theme
  /** `name=value` of a session. */
  cookie?: string
  timezone?: string
  userAgent?: string
  /** The language of the browser. */
  locale?: string
  /** Other sites that the page may lead to. */
  otherOrigins?: readonly string[]
  /** Colors of the system in place of those of the page, as users with low vision have them. */
  forcedColors?: boolean
  /** Animations run; otherwise they are reduced. */
  isMoving?: boolean
  /** Messages of the console that the test brings about, such as refused requests. */
  expected?: readonly RegExp[]
}

export type Watched = {
  page: Page
  context: BrowserContext
  /** Problems so far: console messages, exceptions, dialogs, reports of the policy, foreign requests. */
  problems: string[]
}

/** Ten times what a busy machine needs. */
const TIMEOUT_MS = 90_000

/** Tests of a file that run at the same time: each waits for frames, answers and mails most of the time. */
export const AT_ONCE = 3

let browser: Promise<Browser> | undefined

// Registered here, outside of a test, it runs after the last test of the file.
after(async () => (await browser)?.close())

/** One browser for all tests of a file. Files have their own, since a browser has one clipboard. */
function sharedBrowser(): Promise<Browser> {
  return (browser ??= chromium.launch(BROWSER))
}

/** A page of a browser profile of its own. The end of the test asserts that the page met no problem. */
export async function openPage(
  t: TestContext,
  world: Pick<World, 'origin'> & Partial<Pick<World, 'beforeStop'>>,
  {
    size = 'desktop',
    theme = 'light',
    cookie,
    timezone,
    userAgent,
    locale = 'en-GB',
    otherOrigins = [],
    forcedColors = false,
    isMoving = false,
    expected = [],
  }: Options = {},
): Promise<Watched> {
  const context = await (
    await sharedBrowser()
  ).newContext({
    viewport: SIZES[size],
    hasTouch: size === 'phone' || size === 'small',
    colorScheme: theme,
    reducedMotion: isMoving ? 'no-preference' : 'reduce',
    forcedColors: forcedColors ? 'active' : 'none',
    locale,
    ...(timezone && { timezoneId: timezone }),
    ...(userAgent && { userAgent }),
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin })
  if (cookie !== undefined) await signIn(context, world.origin, cookie)
  const problems: string[] = []
  await watchPages(context, { origins: [world.origin, ...otherOrigins], expected, problems })
  world.beforeStop?.(() => context.close())
  t.after(async () => {
    await context.close()
    assert.deepEqual(problems, [])
  })
  return { page: await context.newPage(), context, problems }
}

/** The bytes of a saved file. */
export async function contentOf(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream())
}

/** Makes a browser profile that of a session. */
export async function signIn(context: BrowserContext, url: string, cookies: string): Promise<void> {
  const pairs = cookies.split('; ').map((cookie) => {
    const at = cookie.indexOf('=')
    return { url, name: cookie.slice(0, at), value: cookie.slice(at + 1) }
  })
  await context.addCookies(pairs)
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const runAxe = (options: object) => `axe.run(document, ${JSON.stringify({
  resultTypes: ['violations'],
  preload: false,
  ...options,
})}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    id + ' at ' + target.join(' ') + ': ' + failureSummary.replace(/\\s+/g, ' '))))`

/** The violations that axe finds on the page as it is shown, popups included. */
export async function findViolations(page: Page, options: object = {}): Promise<string[]> {
  if (!(await evaluateBeside<boolean>(page, `'axe' in globalThis`))) await evaluateBeside(page, AXE)
  return evaluateBeside<string[]>(page, runAxe(options))
}

/** More than any transition of the dashboard takes. */
const MAX_TRANSITION_MS = 500

/** Shows the page at another size and in another theme, as it is. */
export async function reshape(page: Page, size: Size, theme: Theme): Promise<void> {
  await page.setViewportSize(SIZES[size])
  await page.emulateMedia({ colorScheme: theme })
  // Colors change by transitions, which begin with the next frame.
  await evaluateBeside(page, SETTLED)
}

/**
 * A change of a color is inherited frame by frame, since each element has a transition of its own. One that runs
 * for longer than any of them is taken to its end, since nothing tells that the browser does not go on with it.
 */
const SETTLED = `(async () => {
  const isRunning = ({ playState, effect }) =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Infinity
  for (let calm = 0; calm < 4; calm++) {
    await new Promise(requestAnimationFrame)
    const running = document.getAnimations().filter(isRunning)
    if (running.length === 0) continue
    calm = 0
    const ended = Promise.allSettled(running.map(({ finished }) => finished))
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ${MAX_TRANSITION_MS}))])
    for (const animation of running.filter(isRunning)) animation.finish()
  }
})()`

/** Every size in every theme, each beside the one before, and what has changed since. */
const SHAPES: readonly (readonly [size: Size, theme: Theme, change: keyof typeof OF_CHANGE])[] = [
  ['phone', 'light', 'size'],
  ['phone', 'dark', 'theme'],
  ['desktop', 'dark', 'size'],
  ['desktop', 'light', 'theme'],
]
/** Rules of axe for a change: only the colors depend on the theme. */
const OF_CHANGE = { size: {}, theme: { runOnly: ['color-contrast'] } }

/** Shows the page in each size and theme. @returns where it is too wide, and the violations that axe finds */
export async function findFaultsInShapes(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const [size, theme, change] of SHAPES) {
    await reshape(page, size, theme)
    if (change === 'size') faults.push(...(await findOverhang(page, size)))
    faults.push(...(await findViolations(page, OF_CHANGE[change])))
  }
  return faults
}

export async function findOverhang(page: Page, size: Size): Promise<string[]> {
  const overhang = await overhangOf(page)
  return overhang > 0 ? [`${overhang} pixels too wide on: ${size}`] : []
}

/** Pixels by which the page is wider than its window. */
export function overhangOf(page: Page): Promise<number> {
  return evaluateBeside<number>(page, 'document.documentElement.scrollWidth - innerWidth')
}

/** The router leaves the page, forms with changes too, and has drawn the next one. */
const goBy = (path: string) => `(async () => {
  const router = globalThis.__TSR_ROUTER__
  if (!router) return false
  router.history.push(${JSON.stringify(path)}, undefined, { ignoreBlocker: true })
  const isThere = () => !router.state.isLoading &&
    router.state.resolvedLocation?.state.__TSR_key === router.latestLocation.state.__TSR_key
  do await new Promise(requestAnimationFrame)
  while (!isThere())
  return true
})()`

/** Shows another page of the dashboard as one of its links does: its scripts are not loaded anew. */
export async function goTo(page: Page, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url)
  const isInside = page.url().startsWith(`${origin}/app/`)
  if (!isInside || !(await evaluateAmong<boolean>(page, goBy(pathname + search))))
    await page.goto(url)
}

/** In the languages of the tests. */
const LOADING = /^(Loading|Wird geladen|جارٍ التحميل)/

/** Waits until the page has its title and everything in it. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const loading = page.getByRole('status', { name: LOADING })
  await eventually(async () => assert.equal(await loading.count(), 0))
}
