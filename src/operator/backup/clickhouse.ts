import { inRanges } from '../../platform/storage/clickhouse/segment-ranges.ts'
import type { Snapshot } from './postgres.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { writeRows, readRows } from './files.ts'
import { type ClickHousePart, type RowsFile, damaged } from './manifest.ts'
import { finished } from 'node:stream/promises'
import { clearClickHouseLedger } from '../../platform/storage/clickhouse/clickhouse-ledger.ts'

type ClickTable = {
  name: string
  key: readonly [string, ...string[]]
  where(snapshot: Snapshot): string
}

const CLICK_TABLES: readonly ClickTable[] = [
  {
    name: 'clicks',
    key: ['workspace_id', 'link_id', 'at'],
    // Rows of a segment are stored before it is committed. Rows without a segment belong to no journal.
    where: ({ committed }) =>
      `(${inRanges(committed)} or not match(segment, '^[0-9a-f]{16}-[0-9]+$'))`,
  },
  {
    name: 'click_days',
    key: ['workspace_id', 'grp', 'link_id', 'day'],
    where: ({ folds }) => (folds.length === 0 ? '0' : `fold in (${folds.map(literal).join(', ')})`),
  },
  {
    name: 'conversions',
    key: ['workspace_id', 'link_id', 'at'],
    where: ({ batches: { last, open } }) =>
      `batch <= ${last}${open.length === 0 ? '' : ` and batch not in (${open.join(', ')})`}`,
  },
]

function literal(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}

/** About 15 MB of Native: the embedded engine holds an answer, of at most 256 MB, in memory. */
const PIECE_ROWS = 50_000
const STATEMENT_SETTINGS = { max_query_size: '64000000' } as const

export async function dumpClickHouse(
  clickhouse: ClickHouseClient,
  snapshot: Snapshot,
  directory: string,
): Promise<ClickHousePart> {
  const tables: ClickHousePart['tables'] = []
  const existing = (await select<[string]>(clickhouse, 'show tables')).flat()
  for (const table of CLICK_TABLES.filter(({ name }) => existing.includes(name)))
    tables.push({
      table: table.name,
      files: await dumpTable(clickhouse, table, snapshot, directory),
    })
  return { tables }
}

async function dumpTable(
  clickhouse: ClickHouseClient,
  table: ClickTable,
  snapshot: Snapshot,
  directory: string,
): Promise<RowsFile[]> {
  const files: RowsFile[] = []
  const partitions = await select<[string]>(
    clickhouse,
    `select distinct _partition_id from ${table.name} order by 1`,
  )
  for (const [partition] of partitions) {
    const part = `_partition_id = ${literal(partition)} and ${table.where(snapshot)}`
    for await (const { where, rows } of pieces(clickhouse, table, part)) {
      const path = `clickhouse/${table.name}-${files.length + 1}.native.gz`
      const { stream } = await clickhouse.exec({
        query: `select * from ${table.name} where ${where}\nFORMAT Native`,
        clickhouse_settings: STATEMENT_SETTINGS,
      })
      files.push({ ...(await writeRows(directory, path, stream)), rows })
    }
  }
  return files
}

async function* pieces(clickhouse: ClickHouseClient, { name, key }: ClickTable, part: string) {
  const columns = key.map((column) => `toString(${column})`).join(', ')
  let after: string[] | null = null
  for (;;) {
    const from: string = after === null ? part : `${part} and ${compare(key, after, '>')}`
    const [last] = await select<string[]>(
      clickhouse,
      `select ${columns} from ${name} where ${from}
        order by ${key.join(', ')} limit 1 offset ${PIECE_ROWS - 1}`,
    )
    // Rows with the same key are never parted.
    const where: string = last === undefined ? from : `${from} and not ${compare(key, last, '>')}`
    const [counted] = await select<[number]>(
      clickhouse,
      `select count() from ${name} where ${where}`,
    )
    const [rows] = counted!
    if (rows > 0) yield { where, rows }
    if (last === undefined) return
    after = last
  }
}

/** Spelled out, since the primary index does not serve a comparison of tuples. */
function compare(key: readonly string[], values: readonly string[], operator: '>'): string {
  const [column, ...columns] = key
  const [value, ...rest] = values
  const first = `${column} ${operator} ${literal(value!)}`
  if (columns.length === 0) return first
  return `(${first} or (${column} = ${literal(value!)} and ${compare(columns, rest, operator)}))`
}

async function select<Row>(clickhouse: ClickHouseClient, query: string): Promise<Row[]> {
  const answer = await clickhouse.query({
    query,
    format: 'JSONCompactEachRow',
    clickhouse_settings: STATEMENT_SETTINGS,
  })
  return answer.json<Row>()
}

const INSERT_SETTINGS = {
  async_insert: 0,
  wait_end_of_query: 1,
  insert_deduplicate: 0,
  max_partitions_per_insert_block: '0',
} as const

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
    const [[rows] = [0]] = await select<[number]>(clickhouse, `select count() from ${table}`)
    if (rows !== files.reduce((sum, file) => sum + file.rows, 0))
      throw damaged(directory, `clickhouse/${table}`)
  }
}

export async function emptyClickHouse(clickhouse: ClickHouseClient): Promise<void> {
  await clearClickHouseLedger(clickhouse)
  for (const { name } of CLICK_TABLES)
    await clickhouse.command({
      query: `truncate table if exists ${name}`,
      clickhouse_settings: { wait_end_of_query: 1 },
    })
}
