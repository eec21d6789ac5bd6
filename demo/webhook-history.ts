import { setTimeout as sleep } from 'node:timers/promises'
import { RECENT_LINKS } from './content.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfDay, type DemoClock } from './demo-clock.ts'
import type { Person } from './person.ts'
import type { Receivers } from './receivers.ts'
import type { Step, WorkspacePlan } from './workspace.ts'

/** The receiver of the stock broke down so long ago, and works again since. */
const OUTAGE = { fromMs: 4 * HOUR_MS, toMs: 2 * HOUR_MS }
const EDITS = { fromMs: 22 * HOUR_MS, toMs: 5 * HOUR_MS, count: 26 }
const FIRST_ARTICLE = 4_101
const BETWEEN_LINKS_MS = 2 * MINUTE_MS
const POLL_EVERY_MS = 50
const QUIET_TIMEOUT_MS = 10_000

/** The endpoints, created in the past, so that what happened since was delivered to them. */
export function endpointSteps(
  { people }: WorkspacePlan,
  time: DemoClock,
  receivers: Receivers,
): Step[] {
  const today = startOfDay(time.nowMs())
  const add = (daysAgo: number, body: object): Step => ({
    atMs: today - daysAgo * DAY_MS + 9 * HOUR_MS,
    run: () => people.grace.ask('POST', '/webhooks/endpoints', body),
  })
  return [
    add(25, {
      url: receivers.url('crm'),
      description: 'Customer records',
      events: ['link.created', 'link.updated', 'link.deleted'],
      headers: { 'x-tenant': 'alder' },
    }),
    add(12, {
      url: receivers.url('stock'),
      description: 'Stock of the warehouse',
      events: ['link.created', 'link.updated'],
    }),
  ]
}

/** The last day up to the outage: a member enters the numbers of articles, and the receivers take each change. */
export async function playEdits(plan: WorkspacePlan, time: DemoClock): Promise<void> {
  const { ada, edsger } = plan.people
  const edited = plan.links.slice(0, EDITS.count)
  const betweenMs = (EDITS.fromMs - EDITS.toMs) / edited.length
  for (const [i, { id }] of edited.entries()) {
    time.set(time.nowMs() - EDITS.fromMs + i * betweenMs)
    await edsger.ask('PATCH', `/links/${id}`, { externalId: `article-${FIRST_ARTICLE + i}` })
    await settle(ada, time)
  }
}

/**
 * The last hours: one receiver is down while links are made, so that deliveries fail until they are dead
 * letters; then it works again. Another one, which is new, never works.
 */
export async function playOutage(
  plan: WorkspacePlan,
  time: DemoClock,
  receivers: Receivers,
): Promise<void> {
  const { ada, grace } = plan.people
  const nowMs = time.nowMs()
  receivers.isStockDown = true
  for (const [i, link] of RECENT_LINKS.entries()) {
    time.set(nowMs - OUTAGE.fromMs + i * BETWEEN_LINKS_MS)
    await plan.makeLink(link)
    await settle(ada, time)
  }
  for (let nextMs = await lastAttemptAt(ada); nextMs !== null; nextMs = await lastAttemptAt(ada)) {
    time.set(nextMs)
    await settle(ada, time)
  }
  receivers.isStockDown = false
  time.set(nowMs - OUTAGE.toMs)
  await grace.ask('POST', '/webhooks/endpoints', {
    url: receivers.url('reports'),
    description: 'Monthly reports',
    events: ['link.updated'],
  })
  for (const { id, plan: made } of plan.links.slice(-2))
    await grace.ask('PATCH', `/links/${id}`, { tags: [...made.tags, 'new'] })
  await settle(ada, time)
  time.catchUp()
  await settle(ada, time)
}

type Delivery = { status: string; nextAttemptAt: string | null }

/** When the last of the deliveries that failed is attempted again; null without one. */
async function lastAttemptAt(person: Person): Promise<number | null> {
  const failed = (await listLatest(person)).filter(({ status }) => status === 'failed')
  const times = failed.map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? ''))
  return times.length === 0 ? null : Math.max(...times)
}

/** One request: a delivery that moves from one state to the next between two would be in neither. */
function listLatest(person: Person): Promise<Delivery[]> {
  return person.ask('GET', '/webhooks/deliveries?limit=100')
}

/** Waits until every delivery that is due has been attempted. */
async function settle(person: Person, time: DemoClock): Promise<void> {
  const deadlineMs = performance.now() + QUIET_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    const isDue = ({ status, nextAttemptAt }: Delivery) =>
      status === 'pending' ||
      status === 'processing' ||
      (status === 'failed' && Date.parse(nextAttemptAt ?? '') <= time.clock())
    if (!(await listLatest(person)).some(isDue)) return
    // Workers look for deliveries whose time has come once a second.
    await sleep(POLL_EVERY_MS)
  }
}
