import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openLog } from '../src/base/log.ts'
import type { Who } from '../src/base/who.ts'
import { createAnalytics } from '../src/services/analytics/analytics.ts'
import { openClickHouse, type ClickHouseClient } from '../src/storage/clickhouse.ts'
import { openEngines } from '../src/storage/embedded/engines.ts'
import { migrate } from '../src/storage/migrate.ts'
import { closePostgres, openPostgres, type TenantSql } from '../src/storage/postgres.ts'
import { fillClicks } from './support/analytics-clicks.ts'

/**
 * How long the answer about one link takes that has a tenth of all clicks, in the embedded engines,
 * beside two others in the same rounds: `count()` over that link, which is the least that can be
 * asked, and the same answer with projections switched off, which reads click by click.
 *
 *   node bench/analytics.ts [--clicks 10000000] [--rounds 100] [--timezone UTC]
 */
const { values } = parseArgs({
  options: {
    clicks: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '100' },
    timezone: { type: 'string', default: 'UTC' },
  },
})
const clicks = Number(values.clicks)
const rounds = Number(values.rounds)
const MERGE_DEADLINE_MS = 120_000

const workspaceId = 'ws_bench'
const linkId = 'lnk_01JD0000000000000000000HOT'
const nowMs = Date.now()

await using stack = new AsyncDisposableStack()
const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
const log = openLog('warn')
const engines = stack.use(await openEngines({ dataDir, log, postgres: true, clickhouse: true }))
const sql = openPostgres(engines.postgresUrl!)
stack.defer(() => closePostgres(sql))
const clickhouse = openClickHouse(engines.clickhouseUrl!)
stack.defer(() => clickhouse.close())
await migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log })
await makeLink()

const filledAt = performance.now()
await fillClicks(clickhouse, { clicks, linkClicks: clicks / 10, workspaceId, linkId, endMs: nowMs })
console.log(`${clicks} clicks stored in ${seconds(filledAt)} s, merged in ${await settle()} s`)

const rawScan = openClickHouse(engines.clickhouseUrl!)
stack.defer(() => rawScan.close())
const question = { days: 30, timezone: values.timezone, includeBots: false }
const who = { workspaceId } as Who
const ask = (client: ClickHouseClient) => {
  const analytics = createAnalytics({
    sql: sql as TenantSql,
    clickhouse: client,
    clock: () => nowMs,
  })
  return () => analytics.link(who, linkId, question)
}
const contenders: [name: string, run: () => Promise<unknown>][] = [
  ['the answer', ask(clickhouse)],
  ['count()', countLink],
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
console.log(
  `the link: ${data.totalClicks} clicks, ${data.periodClicks} in the period, ${data.uniqueVisitors} visitors`,
)
const [answer, count] = times.map((each) => percentile(each, 50))
for (const [at, [name]] of contenders.entries()) {
  const p50 = percentile(times[at]!, 50)
  const figures = [p50, percentile(times[at]!, 95)].map((ms) => `${ms.toFixed(1)} ms`)
  const ratio = `${(p50 / count!).toFixed(1)} x count(), ${(p50 / answer!).toFixed(2)} x the answer`
  console.log(`${name.padEnd(15)} p50 ${figures[0]}, p95 ${figures[1]} (${ratio})`)
}

async function makeLink(): Promise<void> {
  const at = new Date(nowMs)
  await sql`
    insert into workspaces (id, name, created_at, updated_at) values (${workspaceId}, 'Bench', ${at}, ${at})`
  await sql`
    insert into links
      (id, workspace_id, name, slug, slug_key, destination_url, created_by, created_at, updated_at)
    values (${linkId}, ${workspaceId}, 'Bench', 'bench', 'bench', 'https://example.com/landing', 'usr_bench',
      ${at}, ${at})`
  await sql`
    insert into link_clicks (link_id, workspace_id, clicks) values (${linkId}, ${workspaceId}, ${clicks / 10})`
}

async function countLink(): Promise<void> {
  const result = await clickhouse.query({
    query: `
      select count() from clicks
      where workspace_id = {workspaceId:String} and link_id = {linkId:String}`,
    query_params: { workspaceId, linkId },
    format: 'JSONEachRow',
  })
  await result.json()
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

function percentile(each: number[], percent: number): number {
  const sorted = each.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!
}
