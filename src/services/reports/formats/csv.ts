import { BYTE_ORDER_MARK, toCsvRecord } from '../../csv.ts'
import type { Cell, Part, Table } from './table.ts'

/** A text that begins like a formula gets a mark, by the rule of all files (src/services/csv.ts). */
export async function* writeCsv({ columns, pages }: Table): AsyncGenerator<Part> {
  yield { content: BYTE_ORDER_MARK + toCsvRecord(columns), rows: 0, done: 0 }
  for await (const { rows, done } of pages) {
    const content = rows.map((row) => toCsvRecord(row.map(toText))).join('')
    yield { content, rows: rows.length, done }
  }
}

function toText(cell: Cell): string {
  if (cell === null) return ''
  return typeof cell === 'object' ? cell.join(',') : String(cell)
}
