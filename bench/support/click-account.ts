import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import type { SystemSql } from '../../src/platform/storage/postgres/postgres.ts'
import { isSound } from './figures.ts'
import type { Answers } from './visitors.ts'

export type Databases = { clickhouse: ClickHouseClient; systemSql: SystemSql }
type Counts = { rows: number; counted: number }

const POLL_MS = 100
const DEADLINE_MS = 10 * 60_000

/** Rows of ClickHouse, and the sum of the counters of links in PostgreSQL. */
export async function countClicks({ clickhouse, systemSql }: Databases): Promise<Counts> {
  const [answer, counters] = await Promise.all([
    clickhouse.query({ query: 'select count() from clicks', format: 'JSONCompactEachRow' }),
    systemSql<{ counted: number }[]>`
      select coalesce(sum(clicks), 0)::bigint as counted from link_clicks`,
  ])
  const [row] = await answer.json<[number]>()
  return { rows: row![0], counted: counters[0]!.counted }
}

/** Waits until both databases have so many clicks, or more, and equally many. @throws when they have not after ten minutes */
export async function awaitClicks(databases: Databases, expected: number): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    const { rows, counted } = await countClicks(databases)
    if (rows >= expected && rows === counted) return
    if (performance.now() > deadline)
      throw new Error(`${rows} rows and ${counted} counted of ${expected} clicks`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/**
 * Compares what was answered with what both databases have, once everything is shipped: every answered click once, and no
 * other one but those of visits that failed on their way.
 * @param others clicks that came another way
 * @returns false, with a line that says why, unless it fits
 */
export async function balance(
  name: string,
  databases: Databases,
  answers: Answers,
  others = 0,
): Promise<boolean> {
  await awaitClicks(databases, answers.ids.length + others)
  const stored = await readIds(databases.clickhouse)
  const unique = new Set(stored)
  const lost = answers.ids.filter((id) => !unique.has(id)).length
  const twice = stored.length - unique.size
  const failed = Object.values(answers.failures).reduce((sum, count) => sum + count, 0)
  const extra = stored.length - twice - (answers.ids.length - lost) - others
  const unexplained = Math.max(-extra, extra - failed, 0)
  if (lost + twice + unexplained > 0)
    console.log(`${name}: ${lost} clicks lost, ${twice} twice, ${extra} that were not answered`)
  return isSound(name, lost + twice + unexplained)
}

/** The ids of all clicks of ClickHouse. */
export async function readIds(clickhouse: ClickHouseClient): Promise<string[]> {
  const answer = await clickhouse.query({
    query: 'select click_id from clicks',
    format: 'TabSeparated',
  })
  return (await answer.text()).split('\n').filter((id) => id !== '')
}

/** Clicks of each link in ClickHouse, with a digest of its rows, and in PostgreSQL: equal texts for equal data. */
export async function readTotals({ clickhouse, systemSql }: Databases): Promise<string> {
  const answer = await clickhouse.query({
    query: `select link_id, count(), groupBitXor(cityHash64(*)) from clicks group by link_id order by link_id`,
    format: 'TabSeparated',
  })
  const counters = await systemSql<{ linkId: string; clicks: number }[]>`
    select link_id, clicks from link_clicks where clicks > 0 order by link_id`
  const counted = counters.map(({ linkId, clicks }) => `${linkId}\t${clicks}`)
  return (await answer.text()) + counted.join('\n')
}

/** `{}` as `none`, other failures as `503: 4, ECONNRESET: 1`. */
export function describeFailures({ failures }: Answers): string {
  const parts = Object.entries(failures).map(([name, count]) => `${name}: ${count}`)
  return parts.length === 0 ? 'none' : parts.join(', ')
}
