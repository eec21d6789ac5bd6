import type { Principal } from '../../src/platform/routes/principal.ts'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openAnalytics } from '../../test/support/analytics.ts'
import { fillClicks, seconds, settle } from './analytics-clicks.ts'
import { openDatabases } from './databases.ts'
import { quantile } from './figures.ts'
import { fillLinks, WORKSPACE_ID } from './links.ts'
import { askTimed } from './refusals.ts'

const LINK_ID = 'lnk_0'

/**
 * The analytics of a link with a tenth of all clicks, beside two other reads in the same rounds: `count()` of
 * that link, the smallest possible read, and the same analytics without projections, which read click by click.
 */
export async function measureLink(options: {
  clicks: number
  rounds: number
  timezone: string
  /** Rounds before those that count. */
  warmUps: number
  look: number
}): Promise<void> {
  const { clicks, rounds, timezone, warmUps, look } = options
  const nowMs = Date.now()
  await using stack = new AsyncDisposableStack()
  const { sql, clickhouse, clickhouseUrl } = stack.use(await openDatabases())
  await fillLinks(sql, { plain: 1 })
  await sql`
    insert into link_clicks (link_id, workspace_id, clicks)
    values (${LINK_ID}, ${WORKSPACE_ID}, ${clicks / 10})`

  const filledAt = performance.now()
  await fillClicks(clickhouse, {
    clicks,
    linkClicks: clicks / 10,
    workspaceId: WORKSPACE_ID,
    linkId: LINK_ID,
    endMs: nowMs,
  })
  console.log(
    `${clicks} clicks stored in ${seconds(filledAt)} s, merged in ${await settle(clickhouse, look)} s`,
  )

  const rawScan = openClickHouse(clickhouseUrl)
  stack.defer(() => rawScan.close())
  const question = { days: 30, timezone, includeBots: false }
  const principal = { workspaceId: WORKSPACE_ID } as Principal
  const ask = (client: ClickHouseClient) => {
    // New ones each time, since an answer is kept for a second.
    return () => openAnalytics(sql, client, nowMs).link(principal, LINK_ID, question)
  }
  const contenders: [name: string, run: () => Promise<unknown>][] = [
    ['the answer', ask(clickhouse)],
    ['count()', () => countClicks(clickhouse)],
    ['click by click', ask(withoutProjections(rawScan))],
  ]
  const times = contenders.map(() => [] as number[])
  for (let round = -warmUps; round < rounds; round++) {
    for (const [at, [, run]] of contenders.entries()) {
      const { ms } = await askTimed(run)
      // The first rounds warm up.
      if (round >= 0) times[at]!.push(ms)
    }
  }
  const { data } = (await askTimed(ask(clickhouse))).answer
  const humanClicks = await countClicks(clickhouse, "and kind = 'human'")
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
}

async function countClicks(clickhouse: ClickHouseClient, condition = ''): Promise<number> {
  const result = await clickhouse.query({
    query: `
      select count() as n from clicks
      where workspace_id = {workspaceId:String} and link_id = {linkId:String} ${condition}`,
    query_params: { workspaceId: WORKSPACE_ID, linkId: LINK_ID },
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
