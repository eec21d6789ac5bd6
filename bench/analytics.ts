import { setTimeout as sleep } from 'node:timers/promises'
import type { Who } from '../src/base/who.ts'
import { openClickHouse, type ClickHouseClient } from '../src/storage/clickhouse.ts'
import { openAnalytics } from '../test/support/analytics.ts'
import { fillClicks } from './support/analytics-clicks.ts'
import { openDatabases } from './support/databases.ts'
import { quantile } from './support/figures.ts'
import { fillLinks, WORKSPACE_ID } from './support/links.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures the analytics of a link with a tenth of all clicks, in the embedded engines, beside two
 * other reads in the same rounds: `count()` of that link, the smallest possible read, and the same
 * analytics without projections, which read click by click.
 *
 *   node bench/analytics.ts [--clicks 10000000] [--rounds 100] [--timezone UTC]
 */
const { clicks, rounds, timezone } = readOptions(
  { clicks: 10_000_000, rounds: 100 },
  { timezone: 'UTC' },
)
const MERGE_DEADLINE_MS = 120_000

const linkId = 'lnk_0'
const nowMs = Date.now()

await using stack = new AsyncDisposableStack()
const { sql, clickhouse, engines } = stack.use(await openDatabases())
await fillLinks(sql, { plain: 1 })
await sql`
  insert into link_clicks (link_id, workspace_id, clicks)
  values (${linkId}, ${WORKSPACE_ID}, ${clicks / 10})`

const filledAt = performance.now()
await fillClicks(clickhouse, {
  clicks,
  linkClicks: clicks / 10,
  workspaceId: WORKSPACE_ID,
  linkId,
  endMs: nowMs,
})
console.log(`${clicks} clicks stored in ${seconds(filledAt)} s, merged in ${await settle()} s`)

const rawScan = openClickHouse(engines.clickhouseUrl!)
stack.defer(() => rawScan.close())
const question = { days: 30, timezone, includeBots: false }
const who = { workspaceId: WORKSPACE_ID } as Who
const ask = (client: ClickHouseClient) => {
  // New ones each time, since an answer is kept for a second.
  return () => openAnalytics(sql, client, nowMs).link(who, linkId, question)
}
const contenders: [name: string, run: () => Promise<unknown>][] = [
  ['the answer', ask(clickhouse)],
  ['count()', () => countClicks()],
  ['click by click', ask(withoutProjections(rawScan))],
]
const times = contenders.map(() => [] as number[])
for (let round = -3; round < rounds; round++) {
  for (const [at, [, run]] of contenders.entries()) {
    const startedAt = performance.now()
    await run()
    // The first rounds warm up.
    if (round >= 0) times[at]!.push(performance.now() - startedAt)
  }
}
const { data } = await ask(clickhouse)()
const humanClicks = await countClicks("and kind = 'human'")
if (data.totalClicks !== humanClicks)
  throw new Error(`the link has ${humanClicks} clicks, not ${data.totalClicks}`)
console.log(
  `the link: ${data.totalClicks} clicks, ${data.periodClicks} in the period, ${data.uniqueVisitors} visitors`,
)
const [answer, count] = times.map((taken) => quantile(taken, 0.5))
for (const [at, [name]] of contenders.entries()) {
  const p50 = quantile(times[at]!, 0.5)
  const figures = [p50, quantile(times[at]!, 0.95)].map((ms) => `${ms.toFixed(1)} ms`)
  const ratio = `${(p50 / count!).toFixed(1)} x count(), ${(p50 / answer!).toFixed(2)} x the answer`
  console.log(`${name.padEnd(15)} p50 ${figures[0]}, p95 ${figures[1]} (${ratio})`)
}

async function countClicks(condition = ''): Promise<number> {
  const result = await clickhouse.query({
    query: `
      select count() as n from clicks
      where workspace_id = {workspaceId:String} and link_id = {linkId:String} ${condition}`,
    query_params: { workspaceId: WORKSPACE_ID, linkId },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ n: number }>()
  return row!.n
}

function withoutProjections(client: ClickHouseClient): ClickHouseClient {
  const query: ClickHouseClient['query'] = (params) =>
    client.query({
      ...params,
      clickhouse_settings: { ...params.clickhouse_settings, optimize_use_projections: 0 },
    })
  return { query } as ClickHouseClient
}

/** Waits until ClickHouse has merged what was inserted, or for two minutes. */
async function settle(): Promise<string> {
  const startedAt = performance.now()
  let quiet = 0
  while (quiet < 3 && performance.now() - startedAt < MERGE_DEADLINE_MS) {
    const result = await clickhouse.query({
      query: 'select count() as merges from system.merges',
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ merges: number }>()
    quiet = row?.merges === 0 ? quiet + 1 : 0
    await sleep(500)
  }
  return seconds(startedAt)
}

function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1)
}
