import type { Overview } from '../../analytics/report-numbers.ts'

/** A value of a cell. Lists are joined by commas, and objects are JSON, where the format has neither. */
export type Cell = string | number | readonly string[] | object | null
/** Rows, each in the order of the columns; `done`: the part of all rows that they and those before are, from 0 to 1. */
export type Page = { rows: readonly (readonly Cell[])[]; done: number }
export type Table = { columns: readonly string[]; pages: AsyncIterable<Page> }

/** A part of a file, with the rows in it. */
export type Part = { content: string | Buffer; rows: number; done: number }

/** Texts and figures of a page, beside the rows. */
export type Facts = {
  name: string
  /** Subject and period of the report. */
  description: string
  timezone: string
  /** ISO 4217 code. */
  currency: string
  /** Numbers of the period; null for what has none. */
  readOverview: () => Promise<Overview | null>
}
export type Write = (table: Table, facts: Facts) => AsyncGenerator<Part>

export function toText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'object') return String(cell)
  return Array.isArray(cell) ? cell.join(',') : JSON.stringify(cell)
}
