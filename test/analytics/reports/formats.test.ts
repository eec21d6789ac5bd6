import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMATS } from '../../../src/analytics/reports/formats/formats.ts'
import type { Cell, Facts, Page, Write } from '../../../src/analytics/reports/formats/table.ts'
import { readPdf, readSheet, readZip } from '../../support/archives.ts'
import { parseCsv } from '../../support/reports-world.ts'

const COLUMNS = ['name', 'tags', 'clicks', 'changes']
const ROWS: Cell[][] = [
  ['=cmd|calc', ['a', 'b'], 3, { url: { old: 'a', new: 'b' } }],
  ['@SUM(A1)', [], -490, null],
  ['line\r\nbreak, "quoted" <&> _x000D_ \u0007 \ud83d\ude00', ['=1'], 0, {}],
  ['', ['x'], 1.5, {}],
]

const FACTS: Facts = {
  name: 'Dvořák & Größe 日本',
  description: 'Summary, Mar 2, 2026 to Mar 8, 2026 (UTC)',
  timezone: 'UTC',
  currency: 'eur',
  readOverview: async () => ({
    period: { startMs: 0, endMs: 1 },
    metrics: [
      { metric: 'clicks', value: 12_345, previous: 10, changePercent: 100, hasEarlierPeriod: true },
      {
        metric: 'uniqueVisitors',
        value: 678,
        previous: 700,
        changePercent: -3.14,
        hasEarlierPeriod: true,
      },
      { metric: 'conversions', value: 3, previous: 0, changePercent: 100, hasEarlierPeriod: false },
      { metric: 'value', value: -4_900, previous: 0, changePercent: 0, hasEarlierPeriod: false },
    ],
    series: [4, 0, 8].map((clicks, at) => ({ start: `2026-03-0${at + 2}T00:00:00.000Z`, clicks })),
  }),
}

async function* pagesOf(...pages: Page[]): AsyncGenerator<Page> {
  yield* pages
}

async function writeAll(write: Write, pages: AsyncIterable<Page>, columns = COLUMNS) {
  const contents: Buffer[] = []
  let rows = 0
  for await (const part of write({ columns, pages }, FACTS)) {
    contents.push(Buffer.from(part.content as string))
    rows += part.rows
    // Gives the writer time to read ahead, as the storing of a part does.
    await new Promise((resolve) => setImmediate(resolve))
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

test('pdf is one page with numbers, a bar for each bucket with clicks, and the first rows', async () => {
  const { bytes, rows } = await writeAll(FORMATS.pdf.write, inTwoPages())
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  assert.equal(rows, 4)
  const { texts, program, bars, pages, images } = readPdf(bytes)
  assert.deepEqual({ bars, pages, images }, { bars: 2, pages: 1, images: 0 })
  for (const text of [
    ...['Dvorák & Größe ??', FACTS.description, 'Clicks', '12,345'],
    ...['+100 % on the period before', '-3.14 % on the period before'],
    ...[
      '-EUR\u00a049.00',
      'Mar 2, 2026',
      'Mar 4, 2026',
      ...['Name', 'Tags', 'Changes', 'a, b'],
      '=cmd|calc',
      '-490',
      '4 rows.',
    ],
  ]) {
    assert.ok(texts.includes(text), `${text} is not in ${JSON.stringify(texts)}`)
    if (program !== null) assert.ok(program.includes(text), `${text} is not in ${program}`)
  }
})

test('a pdf shows what a reader needs: amounts, local times, addresses, and no ids', async () => {
  const columns = ['id', 'shortUrl', 'value', 'currency', 'uniqueVisitors', 'createdAt', 'hash']
  const row = ['lnk_1', 'https://go.example.com/a', 4_900, 'jpy', 12_345, '2026-03-02T23:30:00Z']
  const { bytes } = await writeAll(
    FORMATS.pdf.write,
    pagesOf({ rows: [[...row, 'beef']], done: 1 }),
    columns,
  )
  const { texts } = readPdf(bytes)
  assert.deepEqual(texts.slice(texts.indexOf('Short URL')), [
    ...['Short URL', 'Value', 'Unique visitors', 'Created at'],
    ...['go.example.com/a', 'JPY\u00a04,900', '12,345', 'Mar 2, 2026, 23:30'],
    'This page has 4 of 7 columns. The formats csv, json and xlsx have all.',
  ])
})

test('a pdf of a summary has the value alone as an amount', async () => {
  const rows = [
    ['uniqueVisitors', 1_200, 0, 100],
    ['value', 1_200, 1_000, 20],
    ['clicks.country.DE', 7, 8, -12.5],
  ]
  const columns = ['metric', 'value', 'previous', 'changePercent']
  const pages = pagesOf({ rows, done: 1 })
  const { texts } = readPdf((await writeAll(FORMATS.pdf.write, pages, columns)).bytes)
  assert.deepEqual(texts.slice(texts.indexOf('Metric')), [
    ...['Metric', 'Value', 'Previous', 'Change'],
    ...['Unique visitors', '1,200', '0', '+100 %'],
    ...['Value', 'EUR\u00a012.00', 'EUR\u00a010.00', '+20 %'],
    ...['clicks.country.DE', '7', '8', '-12.5 %'],
    '3 rows.',
  ])
})

test('files say where there is no earlier data, and json keeps the numbers', async () => {
  const columns = ['metric', 'value', 'previous', 'changePercent', 'hasEarlierPeriod']
  const rows = [
    ['clicks', 3, 0, 100, false],
    ['uniqueVisitors', 2, 1, 100, true],
  ]
  const write = async (format: keyof typeof FORMATS) =>
    (await writeAll(FORMATS[format].write, pagesOf({ rows, done: 1 }), columns)).bytes
  assert.deepEqual(
    JSON.parse((await write('json')).toString()),
    rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
  )
  const shown = [columns.slice(0, -1), ['clicks', 3, 0, 'no earlier data'], rows[1]!.slice(0, -1)]
  assert.deepEqual(readSheet(await write('xlsx')), shown)
  assert.deepEqual(
    parseCsv(await write('csv')).map((row) => Object.values(row)),
    shown.slice(1).map((row) => row.map(String)),
  )
  const { texts } = readPdf(await write('pdf'))
  assert.deepEqual(texts.slice(texts.indexOf('Metric')), [
    ...['Metric', 'Value', 'Previous', 'Change'],
    ...['Clicks', '3', '0', 'no earlier data'],
    ...['Unique visitors', '2', '1', '+100 %'],
    '2 rows.',
  ])
  // Beside the table: the conversions and the value of the period.
  const above = texts.slice(0, texts.indexOf('Metric'))
  assert.equal(above.filter((text) => text === 'no earlier data').length, 2)
})

test('a pdf reads only as many rows as its page has, and says that there are more', async () => {
  let read = 0
  async function* endless(): AsyncGenerator<Page> {
    for (;;) yield { rows: Array.from({ length: 10 }, () => [++read, 'x'.repeat(5_000)]), done: 0 }
  }
  const { bytes, rows } = await writeAll(FORMATS.pdf.write, endless(), ['n', 'text'])
  assert.ok(rows >= 20 && read <= rows + 20, `${rows} rows of ${read}`)
  const { texts, pages } = readPdf(bytes)
  assert.equal(pages, 1)
  assert.ok(texts.some((text) => text.startsWith(`This page has the first ${rows} rows.`)))
  assert.ok(
    texts.some((text) => /^x+…$/.test(text)),
    'a long text is cut',
  )
})
