import { BYTE_ORDER_MARK, toCsvRecord } from '../../../platform/resources/csv.ts'
import { cutPages, toText, type Cell, type Part, type Table } from './table.ts'

/** A text that begins like a formula gets a mark, by the rule of all files (src/platform/resources/csv.ts); a number does not. */
export async function* writeCsv({ columns, pages }: Table): AsyncGenerator<Part> {
  yield { content: BYTE_ORDER_MARK + toCsvRecord(columns), rows: 0, done: 0 }
  for await (const { rows, done } of cutPages(pages)) {
    const content = rows.map((row) => toCsvRecord(row.map(toField))).join('')
    yield { content, rows: rows.length, done }
  }
}

function toField(cell: Cell): string | number {
  return typeof cell === 'number' ? cell : toText(cell)
}
