import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'

const MAX_EXECUTION_SECONDS = 8

/**
 * Counts the human clicks of a workspace since the start of a UTC day. They are shown beside the plan's
 * clicks_monthly, which is never enforced: links redirect under every plan.
 */
export function createClickCounter(clickhouse: ClickHouseClient) {
  return async (workspaceId: string, since: Date): Promise<number> => {
    const result = await clickhouse.query({
      // Whole days and no other column, so that ClickHouse reads a projection.
      query: `select count() as clicks from clicks
        where workspace_id = {workspaceId:String} and kind = 'human' and toDate(at) >= {day:Date}`,
      query_params: { workspaceId, day: since.toISOString().slice(0, 10) },
      format: 'JSONEachRow',
      clickhouse_settings: { max_execution_time: MAX_EXECUTION_SECONDS },
    })
    const [row] = await result.json<{ clicks: string | number }>()
    return Number(row?.clicks ?? 0)
  }
}
