/** Characters at the beginning of a cell by which a spreadsheet takes its text for a formula, and the mark itself. */
const MARKED = /^[=+\-@\t\r\n']/
const MARK = "'"
const QUOTED = /[",\r\n]|^\s|\s$/

/** Excel takes a file without it for one in the charset of the machine. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * The rule by which exports and imports of links write text into cells: a text that begins with a formula
 * character, or with the mark, gets the mark in front. So no spreadsheet runs it, and
 * {@link unmarkCell} gives back every text as it was.
 */
export function markCell(text: string): string {
  return MARKED.test(text) ? MARK + text : text
}

/** Only a mark in front of what needs one is removed; `'tis` of another program stays as it is. */
export function unmarkCell(cell: string): string {
  return cell.startsWith(MARK) && MARKED.test(cell.slice(MARK.length))
    ? cell.slice(MARK.length)
    : cell
}

/** True for the mark alone, by which a cell says that its field is empty, where an empty cell says nothing. */
export function isMarkedEmpty(cell: string): boolean {
  return cell.trim() === MARK
}

/** One record with its line end, as in RFC 4180. Null is written as a cell with the mark alone, a number as it is. */
export function toCsvRecord(values: readonly (string | number | null)[]): string {
  const cells = values.map((value) => {
    if (typeof value === 'number') return String(value)
    return value === null ? MARK : quote(markCell(value))
  })
  return `${cells.join(',')}\r\n`
}

function quote(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
