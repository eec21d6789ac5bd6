/** A value of a cell. Lists are joined by commas where the format has none. */
export type Cell = string | number | readonly string[] | null
/** Rows, each in the order of the columns; `done`: the part of all rows that they and those before are, from 0 to 1. */
export type Page = { rows: readonly (readonly Cell[])[]; done: number }
export type Table = { columns: readonly string[]; pages: AsyncIterable<Page> }

/** A part of a file, with the rows in it. */
export type Part = { content: string | Buffer; rows: number; done: number }
export type Write = (table: Table) => AsyncGenerator<Part>
