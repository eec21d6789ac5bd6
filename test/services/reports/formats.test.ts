import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMATS } from '../../../src/services/reports/formats/formats.ts'
import type { Cell, Page, Write } from '../../../src/services/reports/formats/table.ts'
import { readSheet, readZip } from './archives.ts'
import { parseCsv } from './reports-world.ts'

const COLUMNS = ['name', 'tags', 'clicks', 'changes']
const ROWS: Cell[][] = [
  ['=cmd|calc', ['a', 'b'], 3, { url: { old: 'a', new: 'b' } }],
  ['@SUM(A1)', [], -490, null],
  ['line\r\nbreak, "quoted" <&> _x000D_ \u0007 \ud83d\ude00', ['=1'], 0, {}],
  ['', ['x'], 1.5, {}],
]

async function* pagesOf(...pages: Page[]): AsyncGenerator<Page> {
  yield* pages
}

async function writeAll(write: Write, pages: AsyncIterable<Page>, columns = COLUMNS) {
  const contents: Buffer[] = []
  let rows = 0
  for await (const part of write({ columns, pages })) {
    contents.push(Buffer.from(part.content as string))
    rows += part.rows
  }
  return { bytes: Buffer.concat(contents), rows }
}

const inTwoPages = () =>
  pagesOf({ rows: ROWS.slice(0, 3), done: 0.75 }, { rows: ROWS.slice(3), done: 1 })

test('csv marks texts that begin like a formula, and no number', async () => {
  const { bytes, rows } = await writeAll(FORMATS.csv.write, inTwoPages())
  const text = bytes.toString('utf8')
  assert.equal(rows, 4)
  assert.ok(text.includes("'=cmd|calc,"))
  assert.ok(text.includes("'@SUM(A1),,-490,\r\n"))
  assert.deepEqual(
    parseCsv(bytes).map((row) => Object.values(row)),
    [
      ['=cmd|calc', 'a,b', '3', '{"url":{"old":"a","new":"b"}}'],
      ['@SUM(A1)', '', '-490', ''],
      [ROWS[2]![0], '=1', '0', '{}'],
      ['', 'x', '1.5', '{}'],
    ],
  )
})

test('json has an object for each row, with lists and objects as such', async () => {
  const { bytes, rows } = await writeAll(FORMATS.json.write, inTwoPages())
  assert.equal(rows, 4)
  assert.deepEqual(
    JSON.parse(bytes.toString('utf8')),
    ROWS.map((row) => Object.fromEntries(COLUMNS.map((column, at) => [column, row[at]]))),
  )
  const empty = await writeAll(FORMATS.json.write, pagesOf())
  assert.deepEqual([JSON.parse(empty.bytes.toString()), empty.rows], [[], 0])
})

test('xlsx has texts that are never formulas, and numbers', async () => {
  const { bytes, rows } = await writeAll(FORMATS.xlsx.write, inTwoPages())
  assert.equal(rows, 4)
  assert.deepEqual(readSheet(bytes), [
    COLUMNS,
    ['=cmd|calc', 'a,b', 3, '{"url":{"old":"a","new":"b"}}'],
    ['@SUM(A1)', null, -490, null],
    [ROWS[2]![0], '=1', 0, '{}'],
    [null, 'x', 1.5, '{}'],
  ])
  const files = readZip(bytes)
  assert.deepEqual(
    [...files.keys()],
    [
      ...['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'],
      ...['xl/styles.xml', 'xl/worksheets/sheet1.xml'],
    ],
  )
  const sheet = files.get('xl/worksheets/sheet1.xml')!.toString('utf8')
  assert.ok(!sheet.includes('<f'), 'a cell is a formula')
})

test('a spreadsheet takes 1,048,575 rows, and with one more it fails and names csv', async () => {
  const page = { rows: Array.from({ length: 35_000 }, () => [1]), done: 0 }
  async function* rows(count: number): AsyncGenerator<Page> {
    for (let left = count; left > 0; left -= page.rows.length)
      yield { ...page, rows: page.rows.slice(0, left) }
  }
  const most = await writeAll(FORMATS.xlsx.write, rows(1_048_575), ['n'])
  assert.equal(most.rows, 1_048_575)
  await assert.rejects(writeAll(FORMATS.xlsx.write, rows(1_048_576), ['n']), (error: Error) => {
    assert.match(error.message, /1,048,575 rows.*csv/)
    return true
  })
})

test('a text longer than a cell of a spreadsheet is cut', async () => {
  const pages = pagesOf({ rows: [['x'.repeat(40_000)]], done: 1 })
  const { bytes } = await writeAll(FORMATS.xlsx.write, pages, ['n'])
  assert.equal((readSheet(bytes)[1]![0] as string).length, 32_767)
})
