import type { Part, Table } from './table.ts'

/** A list of objects, each on a line of its own. */
export async function* writeJson({ columns, pages }: Table): AsyncGenerator<Part> {
  let before = '['
  for await (const { rows, done } of pages) {
    const lines = rows.map((row) => {
      const fields = columns.map((column, at) => [column, row[at]] as const)
      const line = `${before}\n${JSON.stringify(Object.fromEntries(fields))}`
      before = ','
      return line
    })
    yield { content: lines.join(''), rows: rows.length, done }
  }
  yield { content: before === '[' ? '[]\n' : '\n]\n', rows: 0, done: 1 }
}
