import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp } from '../src/app/app.ts'
import type { Log } from '../src/platform/core/log.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { planClicks, planViews, shipClicks } from './clicks.ts'
import { createDemoClock, type DemoClock } from './demo-clock.ts'
import { COUNTRY_HEADER, sendVisitors } from './live-visitors.ts'
import { signIn } from './person.ts'
import { createRandom } from './random.ts'
import { openReceivers } from './receivers.ts'
import { reportSales, resourceSteps } from './resources.ts'
import { openSignInLinks } from './sign-in-link.ts'
import { endpointSteps, playEdits, playOutage } from './webhook-history.ts'
import { takeSteps, WorkspacePlan } from './workspace.ts'

const CHECKOUT = join(import.meta.dirname, '..')
const LOOPBACK = '127.0.0.0/8,::1/128'
const SEED = 20
const CLICKS_PER_DAY = 1_200

export type DemoOptions = {
  port: string
  log: Log
  /** Aborted, it ends the demo, the start included. */
  signal: AbortSignal
  /** Told of each step. */
  say: (step: string) => void
  /** Clicks of an average day at the end of the period. */
  clicksPerDay?: number
  /** Origin of the short links, if they only have to look well. */
  shortUrl?: string
  /** The present of the demo, if it plays on another day. */
  presentMs?: number
}

export type Demo = {
  origin: string
  dataDir: string
  workspaceId: string
  /** Clicks that were written, those of bots included. */
  clicks: number
  /** The present of the demo. */
  nowMs(): number
  /** Issues a link that signs the first browser in that opens it. */
  newSignInLink(): string
  /** Sends visitors until the signal. */
  run(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the program on a data directory that is deleted at the end, and makes a workspace in it. The
 * environment does not count, so that a demo touches no other data.
 * @throws the signal's reason when it is aborted before the demo is ready
 */
export async function openDemo(options: DemoOptions): Promise<Demo> {
  const { log, signal, say } = options
  await using opening = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-demo-'))
  opening.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const time = createDemoClock(options.presentMs)
  say('Starting the databases …')
  const app = await openProgram(options, dataDir, time, opening)
  const receivers = await openReceivers()
  opening.defer(() => receivers.close())
  say('Making a workspace of the last 60 days …')
  const plan = await WorkspacePlan.begin(app, time)
  const steps = [
    ...plan.steps(),
    ...resourceSteps(plan, time),
    ...endpointSteps(plan, time, receivers),
  ]
  await takeSteps(steps, time)
  signal.throwIfAborted()
  await playEdits(plan, time)
  await playOutage(plan, time, receivers)
  say('Writing its clicks to the journal, which the server ships …')
  const { clicksPerDay = CLICKS_PER_DAY, shortUrl = app.origin } = options
  const { workspaceId, links } = plan
  const place = { workspaceId, host: new URL(shortUrl).host, nowMs: time.nowMs(), clicksPerDay }
  const journal = { dataDir, log, signal }
  const clicks = await shipClicks(planClicks(links, place, createRandom(SEED)), journal)
  await shipClicks(planViews(plan.page!, place, createRandom(SEED)), journal)
  await reportSales(plan, time.nowMs(), createRandom(SEED))
  const signInLinks = await openSignInLinks(
    () => signIn(app.origin, plan.owner),
    `${app.origin}/app/${workspaceId}`,
  )
  opening.defer(() => signInLinks.close())
  const parts = opening.move()
  return {
    origin: app.origin,
    dataDir,
    workspaceId,
    clicks,
    nowMs: time.nowMs,
    newSignInLink: () => signInLinks.issue(),
    run: () => sendVisitors(app.origin, links, signal),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** The program as it is, with the settings that the demo needs. */
async function openProgram(
  { port, log, signal, shortUrl }: DemoOptions,
  dataDir: string,
  { clock }: DemoClock,
  opening: AsyncDisposableStack,
) {
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: port,
    ...(shortUrl !== undefined && { SHORT_URL: shortUrl }),
    // Its receivers and its visitors are on this machine.
    EGRESS_ALLOWED_CIDRS: LOOPBACK,
    WEBHOOK_ALLOW_HTTP: 'true',
    TRUSTED_PROXIES: LOOPBACK,
    COUNTRY_HEADER,
    // All members sign in from one address.
    RATE_LIMIT_AUTH: '100000',
    SIGNUP: 'invite',
    CNAME_TARGET: 'links.example.com',
  })
  const app = opening.use(await openApp(config, { log, clock, stop: signal, checkout: CHECKOUT }))
  const ending = new AbortController()
  const running = app.run(ending.signal)
  // A failure of a part ends the demo when it is closed.
  running.catch(() => {})
  opening.defer(async () => {
    ending.abort()
    await running
  })
  return app
}
