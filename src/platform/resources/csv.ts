/** Beginnings that make a spreadsheet take a text for a formula, and the mark itself. */
const MARKED = /^[=+\-@\t\r\n']/
const MARK = "'"
const QUOTED = /[",\r\n]|^\s|\s$/

/** Without it Excel reads the file in the machine's charset. */
export const BYTE_ORDER_MARK = '\ufeff'

export function markCell(text: string): string {
  return MARKED.test(text) ? MARK + text : text
}

/** Keeps a mark that was not needed, such as `'tis` from another program. */
export function unmarkCell(cell: string): string {
  return cell.startsWith(MARK) && MARKED.test(cell.slice(MARK.length))
    ? cell.slice(MARK.length)
    : cell
}

/** The mark alone sets a field to empty; an empty cell leaves it alone. */
export function isMarkedEmpty(cell: string): boolean {
  return cell.trim() === MARK
}

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
