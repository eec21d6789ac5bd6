import type { Principal } from '../../src/platform/routes/principal.ts'
import { openAnalytics } from '../../test/support/analytics.ts'
import { fillClicks, seconds, settle } from './analytics-clicks.ts'
import { openDatabases } from './databases.ts'
import { spread } from './figures.ts'
import { fillLinks, WORKSPACE_ID } from './links.ts'
import { askTimed } from './refusals.ts'

const BATCH = 100_000
const DAY_MS = 86_400_000
const FILTERS = { country: 'CA', browser: 'Browser 1' }

/**
 * Clicks and visitors of 30 days with two filters, beside the same count in PostgreSQL over the same clicks, in
 * pairs. PostgreSQL has an index by workspace and time that covers the statement.
 */
export async function measureFilters(options: {
  clicks: number
  rounds: number
  warmUps: number
  look: number
}): Promise<void> {
  const { clicks, rounds, warmUps, look } = options
  await using stack = new AsyncDisposableStack()
  const { sql, clickhouse } = stack.use(await openDatabases())
  await fillLinks(sql, { plain: 1 })
  const nowMs = Date.now()
  const startedAt = performance.now()
  await fillClicks(clickhouse, {
    ...{ clicks, days: 90, linkClicks: 0, workspaceId: WORKSPACE_ID, linkId: 'lnk_0' },
    endMs: nowMs,
  })
  // Countries of the synthetic clicks have no two letters, which a filter requires.
  await clickhouse.command({
    query: `alter table clicks update country = 'CA' where country = 'C1' settings mutations_sync = 1`,
  })
  await settle(clickhouse, look)
  await copyClicks()
  console.log(`${clicks} clicks stored in both in ${seconds(startedAt)} s`)
  const ratios: number[] = []
  const times: number[] = []
  for (let round = -warmUps; round < rounds; round++) {
    const [own, plain] = [await askTimed(ask), await askTimed(count)]
    if (own.answer !== plain.answer || own.answer === 0)
      throw new Error(`the answers differ: ${own.answer} and ${plain.answer} clicks`)
    if (round < 0) continue
    ratios.push(plain.ms / own.ms)
    times.push(own.ms)
  }
  console.log(`two filters over 30 days: PostgreSQL × ${spread(ratios)}, ${spread(times)} ms`)

  async function ask(): Promise<number> {
    const question = { days: 30, timezone: 'UTC', includeBots: false, ...FILTERS }
    const principal = { workspaceId: WORKSPACE_ID } as Principal
    const series = { ...question, granularity: 'month' } as const
    const { data } = await openAnalytics(sql, clickhouse, nowMs).timeseries(principal, {}, series)
    return data.reduce((sum, row) => sum + row.clicks, 0)
  }

  async function count(): Promise<number> {
    const end = new Date(Math.ceil(nowMs / DAY_MS) * DAY_MS)
    const start = new Date(end.getTime() - 30 * DAY_MS)
    const rows = await sql<{ clicks: number }[]>`
      select date_trunc('month', at) as bucket, count(*) as clicks, count(distinct visitor)
      from plain_clicks
      where workspace_id = ${WORKSPACE_ID} and at >= ${start} and at < ${end} and kind = 'human'
        and country = ${FILTERS.country} and browser = ${FILTERS.browser}
      group by 1`
    return rows.reduce((sum, row) => sum + row.clicks, 0)
  }

  async function copyClicks(): Promise<void> {
    await sql.unsafe(`
      create table plain_clicks (workspace_id text, at timestamptz, kind text, country text, browser text, visitor bigint)`)
    for (let from = 0; from < clicks; from += BATCH) {
      const result = await clickhouse.query({
        query: `
          select toString(at) as at, kind, country, browser, toString(reinterpretAsInt64(visitor)) as visitor
          from clicks order by workspace_id, link_id, at limit ${BATCH} offset ${from}`,
        format: 'JSONEachRow',
      })
      const rows = await result.text()
      await sql`
        insert into plain_clicks
        select ${WORKSPACE_ID}, (row ->> 'at')::timestamptz, row ->> 'kind', row ->> 'country', row ->> 'browser',
          (row ->> 'visitor')::bigint
        from (select line::json as row from string_to_table(${rows.trim()}, ${'\n'}) as line) as lines`
    }
    await sql`
      create index plain_clicks_by_filter on plain_clicks
        (workspace_id, kind, country, browser, at) include (visitor)`
    await sql`vacuum analyze plain_clicks`
  }
}
