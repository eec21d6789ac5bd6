import type { Principal } from '../../src/platform/routes/principal.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openAnalytics } from '../../test/support/analytics.ts'
import { fillClicks, seconds, settle } from './analytics-clicks.ts'
import { openDatabases } from './databases.ts'
import { median, quantile } from './figures.ts'
import { fillLinks, WORKSPACE_ID } from './links.ts'
import { askTimed } from './refusals.ts'

/** Questions of a workspace over a year, at few clicks and at many. */
export async function measureGrowth(options: {
  few: number
  many: number
  rounds: number
  warmUps: number
  look: number
  /** The only question; '' for all. */
  ask: string
}): Promise<void> {
  const { few, many, rounds, warmUps, look, ask } = options
  await using stack = new AsyncDisposableStack()
  const { sql, clickhouse } = stack.use(await openDatabases())
  await fillLinks(sql, { plain: 1 })
  const nowMs = Date.now()
  const fill = async (from: number, clicks: number) => {
    const startedAt = performance.now()
    const days = 365
    const stored = { clicks, from, days, linkClicks: 0, linkId: 'lnk_0', endMs: nowMs }
    await fillClicks(clickhouse, { ...stored, workspaceId: WORKSPACE_ID })
    const merged = await settle(clickhouse, look)
    const bytes = (await countBytes(clickhouse)) / (from + clicks)
    console.log(
      `${from + clicks} clicks stored in ${seconds(startedAt)} s, merged in ${merged} s: ${bytes.toFixed(0)} bytes of each`,
    )
  }
  const principal = { workspaceId: WORKSPACE_ID } as Principal
  const measure = async (name: keyof typeof QUESTIONS) => {
    const times: number[] = []
    // The first rounds warm up.
    for (let round = -warmUps; round < rounds; round++) {
      // New ones each time, since an answer is kept for a second.
      const analytics = openAnalytics(sql, clickhouse, nowMs)
      const { ms } = await askTimed(() => QUESTIONS[name](analytics, principal))
      if (round >= 0) times.push(ms)
    }
    return times
  }
  const all = Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]
  const names = all.filter((name) => ask === '' || name === ask)
  await fill(0, few)
  const before = new Map<string, number[]>()
  for (const name of names) before.set(name, await measure(name))
  await fill(few, many - few)
  for (const name of names) {
    const [timesBefore, times] = [before.get(name)!, await measure(name)]
    const figures = [median(timesBefore), median(times), quantile(times, 0.95)]
    const [p50Before, p50, p95] = figures.map((ms) => ms.toFixed(1))
    console.log(
      `${name.padEnd(24)} p50 ${p50Before} → ${p50} ms, p95 ${p95} ms, × ${(figures[1]! / figures[0]!).toFixed(2)}`,
    )
  }
}

type Analytics = ReturnType<typeof openAnalytics>
type Ask = (analytics: Analytics, principal: Principal) => Promise<unknown>

const YEAR = { days: 365, timezone: 'UTC', includeBots: false }
const series =
  (granularity: 'day' | 'month', timezone: string): Ask =>
  (analytics, principal) =>
    analytics.timeseries(principal, {}, { ...YEAR, timezone, granularity })

const QUESTIONS = {
  overview: (analytics, principal) => analytics.overview(principal, {}, YEAR),
  'top links': (analytics, principal) =>
    analytics.topLinks(principal, { ...YEAR, limit: 10, offset: 0 }),
  'months, UTC': series('month', 'UTC'),
  'months, Paris': series('month', 'Europe/Paris'),
  'days, UTC': series('day', 'UTC'),
  'days, Paris': series('day', 'Europe/Paris'),
  'days, Kathmandu': series('day', 'Asia/Kathmandu'),
  breakdowns: (analytics, principal) => analytics.breakdowns(principal, YEAR),
  'a page': (analytics, principal) =>
    analytics.summary(principal, { ...YEAR, compare: 'previous' }),
} as const satisfies Record<string, Ask>

/** Of the table with its projections. */
async function countBytes(clickhouse: ClickHouseClient): Promise<number> {
  const result = await clickhouse.query({
    query: `
      select sum(bytes_on_disk) as bytes from system.parts
      where database = currentDatabase() and table = 'clicks' and active`,
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ bytes: number }>()
  return row!.bytes
}
