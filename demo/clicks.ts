import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ulid } from '../src/platform/core/ids.ts'
import type { Log } from '../src/platform/core/log.ts'
import { drawVariant } from '../src/decision/steps.ts'
import type { ClickRecord } from '../src/clicks/journal/format.ts'
import { openJournal, type Journal } from '../src/clicks/journal/writer.ts'
import { CAMPAIGNS, DAYS, PAGE_DAYS, PEAK, type PlannedLink } from './content.ts'
import { DAY_MS, HOUR_MS, startOfDay } from './demo-clock.ts'
import type { Random } from './random.ts'
import { newVisitor, REFERRERS, type Visitor } from './visitors.ts'
import { STATUS_AFTER_DAYS, type MadeLink } from './workspace.ts'

/** Sunday first: a shop whose visitors look at it at work, and in the evening. */
const OF_WEEKDAY = [0.74, 1.08, 1.12, 1.1, 1.06, 0.98, 0.66]
const OF_HOUR = [
  2, 1, 1, 1, 1, 2, 4, 8, 11, 12, 12, 13, 15, 14, 12, 12, 13, 15, 17, 20, 22, 19, 12, 6,
]
const HOURS = OF_HOUR.map((weight, hour) => [hour, weight] as const)
/** Visits by visitors who come back, out of all. */
const RETURNING_SHARE = 0.3
const REMEMBERED_VISITORS = 4_000
const QR_SHARE = 0.03
/** Views of the page for each click on a link. */
const VIEW_SHARE = 0.4
const BATCH = 2_000
const SHIP_TIMEOUT_MS = 300_000
const POLL_EVERY_MS = 100

type Place = {
  workspaceId: string
  host: string
  nowMs: number
  /** Clicks of an average day at the end of the period. */
  clicksPerDay: number
}

/**
 * The clicks of the past days in order of time, as the redirect would have written them. Addresses are
 * those for documentation, so countries are named, as a proxy names them.
 */
export function* planClicks(
  links: readonly MadeLink[],
  { workspaceId, host, nowMs, clicksPerDay }: Place,
  random: Random,
): Generator<ClickRecord> {
  const visitors: Visitor[] = []
  for (let daysAgo = DAYS; daysAgo >= 0; daysAgo--) {
    const day = startOfDay(nowMs) - daysAgo * DAY_MS
    for (const atMs of planTimes(day, daysAgo, clicksPerDay, random)) {
      if (atMs >= nowMs) break
      const open = links.filter((link) => isOpen(link, atMs))
      if (open.length === 0) continue
      const link = random.pick(open.map((each) => [each, weightOf(each.plan, daysAgo)] as const))
      const visitor = meetVisitor(visitors, random)
      yield {
        clickId: ulid(atMs),
        atMs,
        workspaceId,
        linkId: link.id,
        host,
        slug: link.slug,
        ...routeOf(link, visitor),
        utm: [link.utmSource ?? '', link.utmMedium ?? '', utmCampaignOf(link, daysAgo), '', ''],
        trigger: random.next() < (link.plan.qrShare ?? QR_SHARE) ? 'qr' : 'link',
        ...visitor,
        referrer: random.next() < (link.plan.qrShare ?? 0) ? '' : random.pick(REFERRERS),
        isPrefetch: false,
        domainId: '',
        isView: false,
        hasGpc: false,
        hasDnt: false,
      }
    }
  }
}

/** Views of the page of the shop, which are no clicks. */
export function* planViews(
  page: { id: string; slug: string },
  { workspaceId, host, nowMs, clicksPerDay }: Place,
  random: Random,
): Generator<ClickRecord> {
  for (let daysAgo = PAGE_DAYS - 1; daysAgo >= 0; daysAgo--) {
    const day = startOfDay(nowMs) - daysAgo * DAY_MS
    for (const atMs of planTimes(day, daysAgo, clicksPerDay * VIEW_SHARE, random))
      if (atMs < nowMs)
        yield {
          ...{ clickId: ulid(atMs), atMs, workspaceId, linkId: page.id, host, slug: page.slug },
          ...{ route: 'default', destination: '', utm: ['', '', '', '', ''], trigger: 'link' },
          ...newVisitor(random),
          referrer: random.pick(REFERRERS),
          ...{ isPrefetch: false, domainId: '', isView: true, hasGpc: false, hasDnt: false },
        }
  }
}

function isOpen({ createdAt, plan }: MadeLink, atMs: number): boolean {
  const createdAtMs = Date.parse(createdAt)
  const endsAtMs = plan.status === undefined ? Infinity : createdAtMs + STATUS_AFTER_DAYS * DAY_MS
  return createdAtMs < atMs && atMs < endsAtMs
}

const isPeak = (daysAgo: number) => daysAgo <= PEAK.fromDaysAgo && daysAgo > PEAK.toDaysAgo

function weightOf({ weight, campaign }: PlannedLink, daysAgo: number): number {
  return campaign === 'winter' && isPeak(daysAgo) ? weight * PEAK.factor : weight
}

/** A link that is older than its campaign got the parameter with it. */
function utmCampaignOf({ utmCampaign, plan }: MadeLink, daysAgo: number): string {
  const isBefore = plan.campaign !== undefined && daysAgo >= CAMPAIGNS[plan.campaign].ageDays
  return isBefore ? '' : (utmCampaign ?? '')
}

function planTimes(day: number, daysAgo: number, clicksPerDay: number, random: Random): number[] {
  const growth = 0.55 + 0.45 * (1 - daysAgo / DAYS)
  const peak = isPeak(daysAgo) ? 1 + (daysAgo - PEAK.toDaysAgo) / 2.2 : 1
  const noise = 0.9 + 0.2 * random.next()
  const weekday = OF_WEEKDAY[new Date(day).getUTCDay()]!
  const count = Math.round(clicksPerDay * weekday * growth * peak * noise)
  return Array.from(
    { length: count },
    () => day + random.pick(HOURS) * HOUR_MS + random.below(HOUR_MS),
  ).toSorted((a, b) => a - b)
}

function meetVisitor(known: Visitor[], random: Random): Visitor {
  if (known.length > 0 && random.next() < RETURNING_SHARE) return known[random.below(known.length)]!
  const visitor = newVisitor(random)
  if (known.length < REMEMBERED_VISITORS) known.push(visitor)
  else known[random.below(REMEMBERED_VISITORS)] = visitor
  return visitor
}

/** The candidate that the redirect takes for this visitor, of the options that links of the demo have. */
function routeOf(
  link: MadeLink,
  { country, ip, userAgent }: Visitor,
): Pick<ClickRecord, 'route' | 'destination'> {
  if (link.iosDeepLink !== null && /iPhone|iPad/.test(userAgent))
    return { route: 'ios', destination: link.iosDeepLink }
  if (link.androidDeepLink !== null && userAgent.includes('Android'))
    return { route: 'android', destination: link.androidDeepLink }
  const rule = link.rules.find(({ conditions }) => conditions.country?.includes(country))
  if (rule !== undefined) return { route: `rule:${rule.id}`, destination: rule.destinationUrl }
  if (link.variants.length === 0) return { route: 'default', destination: link.destinationUrl }
  const drawn = drawVariant(link.id, { address: ip, userAgent }, link.variants)
  const { id, destinationUrl } = link.variants[drawn]!
  return { route: `variant:${id}`, destination: destinationUrl }
}

/**
 * Writes clicks as the journal of a process that has ended, which the running server finds and ships
 * like any other. Returns once all of it is shipped.
 * @returns the number of clicks
 */
export async function shipClicks(
  clicks: Iterable<ClickRecord>,
  { dataDir, log, signal }: { dataDir: string; log: Log; signal: AbortSignal },
): Promise<number> {
  const root = join(dataDir, 'journal')
  const journal = openJournal({ root, durability: 'write', onFailure: 'refuse', log })
  let written = 0
  let batch: ClickRecord[] = []
  for (const click of clicks) {
    batch.push(click)
    if (batch.length < BATCH) continue
    written += await append(journal, batch)
    batch = []
    signal.throwIfAborted()
  }
  written += await append(journal, batch)
  await journal.close()
  const deadlineMs = performance.now() + SHIP_TIMEOUT_MS
  while (existsSync(journal.folder)) {
    if (performance.now() > deadlineMs)
      throw new Error(`the journal ${journal.folder} was not shipped in time`)
    await sleep(POLL_EVERY_MS, undefined, { signal })
  }
  return written
}

async function append(journal: Journal, clicks: readonly ClickRecord[]): Promise<number> {
  const outcomes = clicks.map(
    (click) =>
      new Promise<string>((resolve) => {
        journal.append(click, { settled: resolve })
      }),
  )
  const lost = (await Promise.all(outcomes)).filter((outcome) => outcome !== 'journaled')
  if (lost.length > 0) throw new Error(`the journal ${journal.folder} cannot be written`)
  return clicks.length
}
