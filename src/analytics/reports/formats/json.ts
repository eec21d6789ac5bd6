import { cutPages, type Part, type Row, type Table } from './table.ts'

/** A list of objects, each on a line of its own. */
export async function* writeJson({ columns, pages }: Table): AsyncGenerator<Part> {
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
