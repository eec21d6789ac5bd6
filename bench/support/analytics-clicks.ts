import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'

const BATCH = 1_000_000
const MERGE_DEADLINE_MS = 120_000

/** Synthetic clicks: `linkClicks` of one link among `clicks` of two thousand links. */
export type Synthetic = {
  clicks: number
  linkClicks: number
  workspaceId: string
  linkId: string
  /** Just after the last click; the link's clicks are in the 30 days before. */
  endMs: number
  /** Days before it with clicks of the others. */
  days?: number
  /** Number of the first click: rows that are added later have others. */
  from?: number
}

/** Fills an empty click table. Labels are skewed: few are common, many are rare. */
export async function fillClicks(clickhouse: ClickHouseClient, data: Synthetic): Promise<void> {
  const { from = 0, days = 90, linkClicks } = data
  await fill(clickhouse, data, from, linkClicks, '{linkId:String}', 29)
  const stranger = "concat('lnk_', leftPad(toString(sipHash64(number, 20) % 2000), 26, '0'))"
  await fill(clickhouse, data, from + linkClicks, data.clicks - linkClicks, stranger, days)
}

async function fill(
  clickhouse: ClickHouseClient,
  { workspaceId, linkId, endMs }: Synthetic,
  from: number,
  count: number,
  link: string,
  days: number,
): Promise<void> {
  for (let done = 0; done < count; done += BATCH) {
    await clickhouse.command({
      query: insertOf(link, from + done, Math.min(BATCH, count - done), days, endMs),
      query_params: { workspaceId, linkId },
    })
  }
}

function insertOf(link: string, from: number, count: number, days: number, endMs: number): string {
  return `
    insert into clicks (workspace_id, link_id, click_id, at, segment, kind, visitor, host, slug,
      country, region, city, continent, device, browser, os, referrer, language, trigger,
      utm_source, utm_medium, utm_campaign, utm_term, utm_content, destination)
    with ${skewed(1, 3_000)} as town, ${skewed(2, 40)} as campaign, sipHash64(number, 3) % 3 = 0 as isTagged,
      sipHash64(number, 4) % 100 as share
    select {workspaceId:String}, ${link}, leftPad(toString(number), 26, '0'),
      fromUnixTimestamp64Milli(toInt64(${endMs} - 1 - sipHash64(number, 5) % ${days * 86_400_000}), 'UTC'),
      concat('bench-', toString(intDiv(number, 1000))),
      multiIf(share < 90, 'human', share < 96, 'bot', share < 98, 'preview', 'prefetch'),
      sipHash64(sipHash64(number, 6) % 700000, ${link}), 'sho.rt', 'bench',
      concat('C', toString(town % 60)), concat('C', toString(town % 60), '-', toString(town % 600)),
      concat('Town ', toString(town)), ['EU', 'NA', 'AS', 'SA'][1 + town % 4],
      ['mobile', 'desktop', 'tablet', 'other'][1 + ${skewed(7, 4)}],
      concat('Browser ', toString(${skewed(8, 14)})), concat('System ', toString(${skewed(9, 9)})),
      if(sipHash64(number, 10) % 2 = 0, 'direct', concat('site', toString(${skewed(11, 400)}), '.example')),
      concat('l', toString(${skewed(12, 30)})), if(sipHash64(number, 13) % 10 = 0, 'qr', 'link'),
      if(isTagged, concat('source', toString(campaign % 10)), ''),
      if(isTagged, concat('medium', toString(campaign % 5)), ''),
      if(isTagged, concat('campaign', toString(campaign)), ''), '', '', 'https://example.com/landing'
    from numbers(${from}, ${count})`
}

/** A number below `below` that is the smaller the more often. */
function skewed(seed: number, below: number): string {
  return `toUInt32(pow((sipHash64(number, ${seed + 100}) % 1000003) / 1000003, 3) * ${below})`
}

/**
 * Waits until ClickHouse has merged what was inserted, or for two minutes.
 * @param everyMs between two of the looks, of which three in a row find no merge
 */
export async function settle(clickhouse: ClickHouseClient, everyMs: number): Promise<string> {
  const startedAt = performance.now()
  let quiet = 0
  while (quiet < 3 && performance.now() - startedAt < MERGE_DEADLINE_MS) {
    const result = await clickhouse.query({
      query: 'select count() as merges from system.merges where database = currentDatabase()',
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ merges: number }>()
    quiet = row?.merges === 0 ? quiet + 1 : 0
    await sleep(everyMs)
  }
  return seconds(startedAt)
}

export function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1)
}
