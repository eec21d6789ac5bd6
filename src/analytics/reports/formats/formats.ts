import { BYTE_ORDER_MARK, toCsvRecord } from '../../../platform/resources/csv.ts'
import type { ReportFormat } from '../schema.ts'
import { writePdf } from './pdf.ts'
import {
  cutPages,
  toText,
  withReadableChange,
  type Cell,
  type Part,
  type Row,
  type Table,
  type Write,
} from './table.ts'
import { writeXlsx } from './xlsx.ts'

const readable =
  (write: Write): Write =>
  (table, facts) =>
    write(withReadableChange(table), facts)

/** Each format: its media type, and what writes it. */
export const FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8', write: readable(writeCsv) },
  json: { contentType: 'application/json', write: writeJson },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: readable(writeXlsx),
  },
  pdf: { contentType: 'application/pdf', write: readable(writePdf) },
} as const satisfies Record<ReportFormat, { contentType: string; write: Write }>

/** A text that begins like a formula gets a mark, as in every file (src/platform/resources/csv.ts); a number does not. */
async function* writeCsv({ columns, pages }: Table): AsyncGenerator<Part> {
  yield { content: BYTE_ORDER_MARK + toCsvRecord(columns), rows: 0, done: 0 }
  for await (const { rows, done } of cutPages(pages)) {
    const content = rows.map((row) => toCsvRecord(row.map(toField))).join('')
    yield { content, rows: rows.length, done }
  }
}

function toField(cell: Cell): string | number {
  return typeof cell === 'number' ? cell : toText(cell)
}

/** A list of objects, each on a line of its own. */
async function* writeJson({ columns, pages }: Table): AsyncGenerator<Part> {
  const names = columns.map((column, at) => `${at === 0 ? '{' : ','}${JSON.stringify(column)}:`)
  const toObject = (row: Row) =>
    `${names.map((name, at) => name + JSON.stringify(row[at])).join('')}}`
  let before = '['
  for await (const { rows, done } of cutPages(pages)) {
    yield { content: `${before}\n${rows.map(toObject).join(',\n')}`, rows: rows.length, done }
    before = ','
  }
  yield { content: before === '[' ? '[]\n' : '\n]\n', rows: 0, done: 1 }
}
