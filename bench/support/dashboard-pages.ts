import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { BROWSER } from '../../test/support/browser-program.ts'
import { fillClicks as fillFigures } from './analytics-clicks.ts'
import { openDatabases } from './databases.ts'
import { quantile } from './figures.ts'
import { fillWorkspaces } from './many-links.ts'
import { observeVitals, readVitals, type Vitals } from './page-vitals.ts'

type Options = { checkout: string; rounds: number; links: number; clicks: number }

/** What a browser measured; times in milliseconds. */
export type PageFigures = {
  /** Of cold starts of the overview, each in a profile of its own. */
  lcpMs: number[]
  cls: number[]
  interactionsMs: number[]
  /** While a list of all links was moved from its head to its end. */
  longTasksMs: number[]
  /** Of the analytics of all clicks, from the answer of the API to the frame with the chart. */
  chartMs: number[]
}

type Site = { origin: string; base: string; browser: Browser; cookies: Cookies }
type Cookies = Parameters<BrowserContext['addCookies']>[0]

const NAME = 'bench'
const WORKSPACE_ID = `wsp_${NAME}`
/** The first of the links that `fillWorkspaces` adds. */
const LINK_ID = `lnk_${NAME}${'1'.padStart(22, '0')}`
const OWNER = { email: 'owner@example.com', password: 'quiet harbour lamp' }
const SIZE = { width: 1280, height: 900 }
const TIMEOUT_MS = 120_000
/** Time for what follows an interaction, such as an answer of the server. */
const REST_MS = 300
const LIST_STEPS = ['End', 'Home', 'PageDown', 'PageDown', 'End', 'PageUp', 'Home']

/** Opens the pages of a workspace with many links and clicks in a Chromium, as a user would. */
export async function measurePages(options: Options): Promise<PageFigures> {
  await using site = await openSite(options)
  const figures: PageFigures = {
    lcpMs: [],
    cls: [],
    interactionsMs: [],
    longTasksMs: [],
    chartMs: [],
  }
  const take = ({ cls, interactionsMs }: Vitals) => {
    figures.cls.push(cls)
    figures.interactionsMs.push(...interactionsMs)
  }
  for (let i = 0; i < options.rounds; i++) {
    const cold = await visit(site, '', async () => {})
    take(cold)
    figures.lcpMs.push(cold.lcpMs)
    const analytics = await visit(site, '/analytics', async (page) => {
      await page.locator('svg[role=slider] path').first().waitFor()
    })
    take(analytics)
    if (analytics.chartMs !== null) figures.chartMs.push(analytics.chartMs)
    const list = await visit(site, '/links', walkList)
    take(list)
    figures.longTasksMs.push(...list.longTasksMs)
    take(await visit(site, '', walkPages))
  }
  return figures
}

async function openSite({ checkout, links, clicks }: Options) {
  await using opening = new AsyncDisposableStack()
  const { sql, clickhouse, url, clickhouseUrl, dataDir, log } = opening.use(await openDatabases())
  await fillWorkspaces(sql, [{ name: NAME, links }])
  await fillFigures(clickhouse, {
    clicks,
    linkClicks: Math.floor(clicks / 10),
    workspaceId: WORKSPACE_ID,
    linkId: LINK_ID,
    endMs: Date.now(),
  })
  const config = {
    ...readConfig({}),
    ...{ port: 0, databaseUrl: url, clickhouseUrl },
    dataDir: join(dataDir, 'program'),
    rateLimitAuth: 1_000_000,
  }
  const app = opening.use(await openApp(config, { log, checkout }))
  const stop = new AbortController()
  const running = app.run(stop.signal)
  opening.defer(async () => {
    stop.abort()
    await running
  })
  await app.bootstrap.create({ ...OWNER, workspace: WORKSPACE_ID, role: 'owner' })
  const browser = await chromium.launch(BROWSER)
  opening.defer(() => browser.close())
  const { origin } = app
  const opened = opening.move()
  return {
    ...{ origin, browser, base: `${origin}/app/${WORKSPACE_ID}` },
    cookies: await signIn(origin),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function signIn(origin: string): Promise<Cookies> {
  const answer = await fetch(`${origin}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  })
  if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`)
  return answer.headers.getSetCookie().map((line) => {
    const [name = '', value = ''] = line.split(';')[0]!.split('=')
    return { url: origin, name, value }
  })
}

/** Opens a page in a new profile, whose cache is empty. */
async function visit(
  { browser, base, cookies }: Site,
  path: string,
  work: (page: Page) => Promise<void>,
): Promise<Vitals> {
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' })
  try {
    context.setDefaultTimeout(TIMEOUT_MS)
    await context.addCookies(cookies)
    const page = await context.newPage()
    await observeVitals(page)
    await page.goto(`${base}${path}`)
    await settle(page)
    await work(page)
    await page.waitForTimeout(REST_MS)
    return await readVitals(page)
  } finally {
    await context.close()
  }
}

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
  await page.waitForTimeout(REST_MS)
}

/** From the head of the list to its end and back; the tasks before it are those of the start. */
async function walkList(page: Page): Promise<void> {
  await page.evaluate('benchVitals.longTasksMs.length = 0')
  for (const key of LIST_STEPS) {
    await page.keyboard.press(key)
    await page.waitForTimeout(REST_MS)
  }
}

/** By the navigation through the pages, with a menu, a filter and a drawer. */
async function walkPages(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation').first()
  for (const name of ['Links', 'Analytics', 'Campaigns', 'Webhooks', 'Settings', 'Overview']) {
    await navigation.getByRole('link', { name, exact: true }).click()
    await settle(page)
  }
  await page.keyboard.press('c')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Points to').pressSequentially('https://example.com/spring')
  await drawer.getByLabel('Short link').pressSequentially('spring')
  await page.waitForTimeout(REST_MS)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').first().pressSequentially('links')
  await page.keyboard.press('Escape')
}

/** The median of the cold starts, the worst shift, and the 98th percentile of the interactions. */
export function summarize({ lcpMs, cls, interactionsMs, longTasksMs, chartMs }: PageFigures) {
  return {
    lcpMs: quantile(lcpMs, 0.5),
    cls: Math.max(0, ...cls),
    inpMs: quantile(interactionsMs, 0.98),
    longestTaskMs: Math.max(0, ...longTasksMs),
    chartMs: quantile(chartMs, 0.5),
  }
}
