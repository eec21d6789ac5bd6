import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { CLICK_TABLES, literal, type ClickTable } from './clickhouse-tables.ts'
import { writeRows } from './files.ts'
import type { ClickHousePart, RowsFile } from './manifest.ts'
import type { Snapshot } from './postgres-dump.ts'

/** About 15 MB of Native: the embedded engine holds an answer, of at most 256 MB, in memory. */
const PIECE_ROWS = 50_000
/** Lists of journals are in the statements. */
const STATEMENT_SETTINGS = { max_query_size: '64000000' } as const

/** Writes the rows of ClickHouse that belong to a snapshot of PostgreSQL, in pieces of their sorting key. */
export async function dumpClickHouse(
  clickhouse: ClickHouseClient,
  snapshot: Snapshot,
  directory: string,
): Promise<ClickHousePart> {
  const tables: ClickHousePart['tables'] = []
  const existing = (await readRows<[string]>(clickhouse, 'show tables')).flat()
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
  const partitions = await readRows<[string]>(
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

/** Consecutive ranges of the sorting key that cover a condition, each with its number of rows. */
async function* pieces(clickhouse: ClickHouseClient, { name, key }: ClickTable, part: string) {
  const columns = key.map((column) => `toString(${column})`).join(', ')
  let after: string[] | null = null
  for (;;) {
    const from: string = after === null ? part : `${part} and ${compare(key, after, '>')}`
    const [last] = await readRows<string[]>(
      clickhouse,
      `select ${columns} from ${name} where ${from}
        order by ${key.join(', ')} limit 1 offset ${PIECE_ROWS - 1}`,
    )
    // Rows with the same key are never parted.
    const where: string = last === undefined ? from : `${from} and not ${compare(key, last, '>')}`
    const [counted] = await readRows<[number]>(
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

async function readRows<Row>(clickhouse: ClickHouseClient, query: string): Promise<Row[]> {
  const answer = await clickhouse.query({
    query,
    format: 'JSONCompactEachRow',
    clickhouse_settings: STATEMENT_SETTINGS,
  })
  return answer.json<Row>()
}
