import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { clearClickHouseLedger } from '../../platform/storage/clickhouse/clickhouse-ledger.ts'
import { CLICK_TABLES } from './clickhouse-tables.ts'
import { readRows } from './files.ts'
import { damaged, type ClickHousePart } from './manifest.ts'

const INSERT_SETTINGS = {
  async_insert: 0,
  wait_end_of_query: 1,
  insert_deduplicate: 0,
  max_partitions_per_insert_block: '0',
} as const

/** Puts the rows of a backup into migrated tables, whose ledger is empty afterwards. */
export async function loadClickHouse(
  clickhouse: ClickHouseClient,
  directory: string,
  { tables }: ClickHousePart,
): Promise<void> {
  await emptyClickHouse(clickhouse)
  for (const { table, files } of tables) {
    for (const file of files) {
      const { stream } = await clickhouse.exec({
        query: `insert into ${table} format Native`,
        values: readRows(directory, file),
        clickhouse_settings: INSERT_SETTINGS,
      })
      await finished(stream.resume())
    }
    const rows = await countRows(clickhouse, table)
    if (rows !== files.reduce((sum, file) => sum + file.rows, 0))
      throw damaged(directory, `clickhouse/${table}`)
  }
}

/** Removes all rows of the tables, which exist, and of the ledger. */
export async function emptyClickHouse(clickhouse: ClickHouseClient): Promise<void> {
  await clearClickHouseLedger(clickhouse)
  for (const { name } of CLICK_TABLES)
    await clickhouse.command({
      query: `truncate table if exists ${name}`,
      clickhouse_settings: { wait_end_of_query: 1 },
    })
}

async function countRows(clickhouse: ClickHouseClient, table: string): Promise<number> {
  const answer = await clickhouse.query({
    query: `select count() from ${table}`,
    format: 'JSONCompactEachRow',
  })
  const [[rows] = [0]] = await answer.json<[number]>()
  return rows
}
