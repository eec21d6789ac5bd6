import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'

/** The rows of a statement in ClickHouse. */
export async function selectRows<Row = Record<string, unknown>>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row[]> {
  const answer = await clickhouse.query({ query, query_params: params, format: 'JSONEachRow' })
  return answer.json<Row>()
}

/** Inserts rows in a table of ClickHouse. */
export async function insertRows(
  clickhouse: ClickHouseClient,
  table: string,
  values: readonly object[],
): Promise<void> {
  await clickhouse.insert({ table, values, format: 'JSONEachRow' })
}
