import type { ClickHouseClient } from '../storage/clickhouse.ts'
import { insertBlock } from '../storage/clickhouse-block.ts'

/** Rows of one segment, and the range of their times. */
export type Span = { segment: string; fromMs: number; toMs: number }

export type ClickTable = ReturnType<typeof createClickTable>

/**
 * The range of `at` limits the read to parts of that time; the primary key does not begin with the
 * segment.
 */
const FROM_SEGMENT = `
  from clicks
  where segment = {segment:String}
    and at >= fromUnixTimestamp64Milli({fromMs:Int64})
    and at <= fromUnixTimestamp64Milli({toMs:Int64})`

/** ClickHouse's side of a segment. */
export function createClickTable(clickhouse: ClickHouseClient) {
  const insert = (chunks: readonly Buffer[], token: string) =>
    insertBlock(clickhouse, 'clicks', chunks, token)

  async function count(span: Span): Promise<{ rows: number; ids: number }> {
    const answer = await clickhouse.query({
      query: `select count() as rows, uniqExact(click_id) as ids ${FROM_SEGMENT}`,
      query_params: span,
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ rows: number; ids: number }>()
    return row!
  }

  async function clickIds(span: Span): Promise<Set<string>> {
    const answer = await clickhouse.query({
      query: `select click_id ${FROM_SEGMENT}`,
      query_params: span,
      format: 'JSONCompactEachRow',
    })
    const rows = await answer.json<[string]>()
    return new Set(rows.map(([clickId]) => clickId))
  }

  return { insert, count, clickIds }
}
