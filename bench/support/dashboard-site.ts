import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { BROWSER } from '../../test/support/browser-program.ts'
import { watchPages } from '../../test/support/page-problems.ts'
import { fillClicks, seconds, settle as settleMerges } from './analytics-clicks.ts'
import { openDatabases } from './databases.ts'
import { fillWorkspaces } from './many-links.ts'
import { observeVitals } from './page-vitals.ts'

export type SiteOptions = { checkout: string; links: number; clicks: number }

export type Site = {
  browser: Browser
  /** Address of the dashboard, of the workspace in it, and of the link with a tenth of the clicks. */
  urls: { dashboard: string; workspace: string; link: string }
  cookies: Cookies
  /** Problems of a page: console messages, exceptions, requests to other hosts. */
  problems: string[]
}
type Cookies = Parameters<BrowserContext['addCookies']>[0]

const NAME = 'bench'
const WORKSPACE_ID = `wsp_${NAME}`
/** The first of the links that `fillWorkspaces` adds. */
const LINK_ID = `lnk_${NAME}${'1'.padStart(22, '0')}`
export const OWNER = { email: 'owner@example.com', password: 'quiet harbour lamp' }
const DELIVERIES = 30
const SIZE = { width: 1280, height: 900 }
const TIMEOUT_MS = 30_000

/** The program with its dashboard, a workspace with many links, clicks and some deliveries, and a browser. */
export async function openSite({ checkout, links, clicks }: SiteOptions) {
  await using opening = new AsyncDisposableStack()
  const { sql, clickhouse, url, clickhouseUrl, dataDir, log } = opening.use(await openDatabases())
  const startedAt = performance.now()
  await fillWorkspaces(sql, [{ name: NAME, links }])
  await fillClicks(clickhouse, {
    clicks,
    linkClicks: Math.floor(clicks / 10),
    workspaceId: WORKSPACE_ID,
    linkId: LINK_ID,
    endMs: Date.now(),
    days: 30,
  })
  await settleMerges(clickhouse, 100)
  console.log(`${links} links and ${clicks} clicks stored in ${seconds(startedAt)} s`)
  const config = {
    ...readConfig({}),
    ...{ port: 0, databaseUrl: url, clickhouseUrl, dataDir: join(dataDir, 'program') },
    ...{ rateLimitAuth: 1_000_000, egressAllowedCidrs: ['127.0.0.0/8'], webhookAllowHttp: true },
  }
  const app = opening.use(await openApp(config, { log, checkout }))
  const stop = new AbortController()
  const running = app.run(stop.signal)
  opening.defer(async () => {
    stop.abort()
    await running
  })
  const { origin } = app
  const { apiKey } = await app.bootstrap.create({
    ...OWNER,
    workspace: WORKSPACE_ID,
    role: 'owner',
  })
  await sendDeliveries(origin, apiKey)
  const browser = await chromium.launch(BROWSER)
  opening.defer(() => browser.close())
  const workspace = `${origin}/app/${WORKSPACE_ID}`
  const site: Site = {
    browser,
    urls: { dashboard: `${origin}/app`, workspace, link: `${workspace}/links/${LINK_ID}` },
    cookies: await signIn(origin),
    problems: [],
  }
  const opened = opening.move()
  return { ...site, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The receiver is a path of the program that takes no POST: each delivery fails. */
async function sendDeliveries(origin: string, apiKey: string): Promise<void> {
  const send = async (path: string, body: object) => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { data: { id: string } }
  }
  const { data } = await send('/webhooks/endpoints', { url: `${origin}/health`, events: ['*'] })
  for (let i = 0; i < DELIVERIES; i++) await send(`/webhooks/endpoints/${data.id}/test`, {})
}

async function signIn(origin: string): Promise<Cookies> {
  const answer = await fetch(`${origin}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  })
  if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`)
  return answer.headers.getSetCookie().map((line) => {
    const pair = line.split(';')[0]!
    const at = pair.indexOf('=')
    return { url: origin, name: pair.slice(0, at), value: pair.slice(at + 1) }
  })
}

/** Works on a page of a new browser profile, whose cache is empty. */
export async function inProfile<T>(
  { browser, urls, cookies, problems }: Site,
  isSignedIn: boolean,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: SIZE, locale: 'en-GB' })
  try {
    context.setDefaultTimeout(TIMEOUT_MS)
    await watchPages(context, { origins: [new URL(urls.dashboard).origin], expected: [], problems })
    if (isSignedIn) await context.addCookies(cookies)
    const page = await context.newPage()
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText
      // A page ends its live feed, and reads that are no longer wanted.
      if (reason !== 'net::ERR_ABORTED') problems.push(`${request.url()}: ${reason}`)
    })
    await observeVitals(page)
    return await work(page)
  } finally {
    await context.close()
  }
}
