import { availableParallelism } from 'node:os'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { openAnalytics } from '../../test/support/analytics.ts'
import { fillClicks, seconds, settle } from './analytics-clicks.ts'
import { openDatabases } from './databases.ts'
import { median, quantile } from './figures.ts'
import { fillLinks } from './links.ts'
import { askTimed } from './refusals.ts'

/** Statements that the embedded engine reads at a time, by cores. */
const READERS = Math.min(Math.max(availableParallelism(), 2), 4)

/** Overviews over 30 days of several workspaces at once, which share the readers of the engine, beside one alone. */
export async function measureParallel(options: {
  clicks: number
  rounds: number
  warmUps: number
  workspaces: number
  look: number
}): Promise<void> {
  const { clicks, rounds, warmUps, workspaces, look } = options
  await using stack = new AsyncDisposableStack()
  const { sql, clickhouse } = stack.use(await openDatabases())
  await fillLinks(sql, { plain: 1 })
  const nowMs = Date.now()
  const startedAt = performance.now()
  const ids = Array.from({ length: workspaces }, (_, at) => `ws_${at}`)
  for (const [at, id] of ids.entries()) {
    await sql`insert into workspaces (id, name, created_at, updated_at) values (${id}, ${id}, now(), now())`
    const own = Math.floor(clicks / workspaces)
    const stored = { clicks: own, from: at * own, linkClicks: 0, linkId: 'lnk_0', endMs: nowMs }
    await fillClicks(clickhouse, { ...stored, workspaceId: id, days: 90 })
  }
  const merged = await settle(clickhouse, look)
  console.log(`${clicks} clicks stored in ${seconds(startedAt)} s, merged in ${merged} s`)
  const ask = async (analytics: ReturnType<typeof openAnalytics>, id: string) => {
    const principal = { workspaceId: id, userId: `usr_${id}` } as Principal
    const question = { days: 30, timezone: 'UTC', includeBots: false }
    return (await askTimed(() => analytics.overview(principal, {}, question))).ms
  }
  const alone: number[] = []
  const together: number[] = []
  for (let round = -warmUps; round < rounds; round++) {
    // New ones each time, since an answer is kept for a second.
    const single = await ask(openAnalytics(sql, clickhouse, nowMs), ids[0]!)
    const analytics = openAnalytics(sql, clickhouse, nowMs)
    const all = await Promise.all(ids.map((id) => ask(analytics, id)))
    if (round < 0) continue
    alone.push(single)
    together.push(...all)
  }
  const expected = (median(alone) * workspaces) / READERS
  const p95 = quantile(together, 0.95)
  console.log(
    `${workspaces} workspaces at once: p95 ${p95.toFixed(1)} ms, × ${(p95 / expected).toFixed(2)} of ${workspaces} × ${median(alone).toFixed(1)} ms ÷ ${READERS} readers`,
  )
}
