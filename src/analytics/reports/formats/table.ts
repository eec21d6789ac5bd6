import type { Overview } from '../../answers/report-numbers.ts'

/** A value of a cell. Lists are joined by commas, and objects are JSON, where the format has neither. */
export type Cell = string | number | boolean | readonly string[] | object | null
export type Row = readonly Cell[]
/** Rows, each in the order of the columns; `done`: the part of all rows that they and those before are, from 0 to 1. */
export type Page = { rows: readonly Row[]; done: number }
export type Table = { columns: readonly string[]; pages: AsyncIterable<Page> }

/** A part of a file, with the rows in it. */
export type Part = { content: string | Uint8Array; rows: number; done: number }

/** Texts and figures of a page, beside the rows. */
export type Facts = {
  name: string
  description: string
  timezone: string
  currency: string
  /** Numbers of the period; null for what has none. */
  readOverview: () => Promise<Overview | null>
}
export type Write = (table: Table, facts: Facts) => AsyncGenerator<Part>

/** Rows whose text is made at once. */
const PART_ROWS = 100

/** The rows of pages in parts whose texts are small, so that they are collected with other short-lived objects. */
export async function* cutPages(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const { rows, done } of pages)
    for (let from = 0; from < rows.length; from += PART_ROWS)
      yield { rows: rows.slice(from, from + PART_ROWS), done }
}

/** In place of a change from a period without data. */
export const NO_EARLIER_DATA = 'no earlier data'

/** Puts a text in place of a change from nothing, and drops the column `hasEarlierPeriod`. */
export function withReadableChange({ columns, pages }: Table): Table {
  const flag = columns.indexOf('hasEarlierPeriod')
  if (flag === -1) return { columns, pages }
  const change = columns.indexOf('changePercent')
  const toRow = (row: Row): Row =>
    (row[flag] === false ? row.with(change, NO_EARLIER_DATA) : row).toSpliced(flag, 1)
  async function* read(): AsyncGenerator<Page> {
    for await (const { rows, done } of pages) yield { rows: rows.map(toRow), done }
  }
  return { columns: columns.toSpliced(flag, 1), pages: read() }
}

export function toText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'object') return String(cell)
  return Array.isArray(cell) ? cell.join(',') : JSON.stringify(cell)
}
