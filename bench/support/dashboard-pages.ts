import type { Page } from 'playwright-core'
import { inProfile, openSite, type Site, type SiteOptions } from './dashboard-site.ts'
import { walk } from './dashboard-walk.ts'
import { readVitals, type Vitals } from './page-vitals.ts'

export type PageOptions = SiteOptions & {
  /** Loads of each page, in a new profile and again in the same one. */
  visits: number
  walks: number
  /** Time for what follows a load or an action, such as an answer of the server. */
  restMs: number
}

/** Measurements of a browser; times in milliseconds. */
export type PageFigures = {
  lcpMs: Record<PageName, { cold: number[]; warm: number[] }>
  /** The worst of each page, with what shifted. */
  shifts: Map<string, Pick<Vitals, 'cls' | 'shifted'>>
  interactionsMs: number[]
  slow: string[]
  /** While a list of all links was moved from its head to its end. */
  longTasksMs: number[]
  chartMs: number[]
  problems: string[]
}

const PAGES = ['sign-in', 'links', 'link'] as const
type PageName = (typeof PAGES)[number]

const LIST_KEYS = ['End', 'Home', 'PageDown', 'PageDown', 'End', 'PageUp', 'PageUp', 'Home']

/** Opens the pages of a workspace with many links and clicks in a browser, as a user would. */
export async function measurePages(options: PageOptions): Promise<PageFigures> {
  await using site = await openSite(options)
  const { visits, walks, restMs } = options
  const figures: PageFigures = {
    lcpMs: {
      'sign-in': { cold: [], warm: [] },
      links: { cold: [], warm: [] },
      link: { cold: [], warm: [] },
    },
    shifts: new Map(),
    interactionsMs: [],
    slow: [],
    longTasksMs: [],
    chartMs: [],
    problems: site.problems,
  }
  const take = (name: string, { cls, shifted, interactionsMs, slow }: Vitals) => {
    if (cls >= (figures.shifts.get(name)?.cls ?? 0)) figures.shifts.set(name, { cls, shifted })
    figures.interactionsMs.push(...interactionsMs)
    figures.slow.push(...slow.map((event) => `${name}: ${event}`))
  }
  for (let i = 0; i < visits; i++) {
    for (const name of PAGES) {
      const [cold, warm] = await visitTwice(site, name, restMs)
      for (const vitals of [cold, warm]) take(name, vitals)
      figures.lcpMs[name].cold.push(cold.lcpMs)
      figures.lcpMs[name].warm.push(warm.lcpMs)
    }
    const charted = await visitChart(site, restMs)
    take('analytics', charted)
    if (charted.chartMs !== null) figures.chartMs.push(charted.chartMs)
  }
  for (let i = 0; i < walks; i++) {
    const { longTasksMs } = await moveList(site, restMs)
    figures.longTasksMs.push(...longTasksMs)
    await inProfile(site, false, (page) => walk(page, site, { restMs, take }))
  }
  return figures
}

async function visitTwice(site: Site, name: PageName, restMs: number): Promise<[Vitals, Vitals]> {
  const { dashboard, workspace, link } = site.urls
  const url = { 'sign-in': `${dashboard}/sign-in`, links: `${workspace}/links`, link }[name]
  return inProfile(site, name !== 'sign-in', async (page) => {
    const cold = await load(page, url, restMs)
    await page.goto('about:blank')
    return [cold, await load(page, url, restMs)]
  })
}

async function load(page: Page, url: string, restMs: number): Promise<Vitals> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
  await page.waitForTimeout(restMs)
  return readVitals(page)
}

async function visitChart(site: Site, restMs: number): Promise<Vitals> {
  return inProfile(site, true, async (page) => {
    await page.goto(`${site.urls.workspace}/analytics`)
    // A path without a height is not visible.
    await page.locator('svg[role=slider] path').first().waitFor({ state: 'attached' })
    await page.waitForTimeout(restMs)
    return readVitals(page)
  })
}

/** From the head of the list of all links to its end and back; the tasks before it are those of the start. */
async function moveList(site: Site, restMs: number): Promise<Vitals> {
  return inProfile(site, true, async (page) => {
    await load(page, `${site.urls.workspace}/links`, restMs)
    for (const key of LIST_KEYS) {
      await page.keyboard.press(key)
      await page.waitForTimeout(restMs / 2)
    }
    return readVitals(page)
  })
}
