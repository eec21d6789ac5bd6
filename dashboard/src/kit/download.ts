/** Saves a text that the page has made as a file of the user. */
export function downloadText(name: string, type: string, text: string): void {
  downloadBlob(name, new Blob([text], { type }))
}

export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(url)
}

/** A table as CSV. A cell that a spreadsheet would calculate gets an apostrophe before it. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null) => {
    if (value === null) return ''
    if (typeof value === 'number') return String(value)
    const safe = /^[\s]*[=+\-@\t\r]/.test(value) ? `'${value}` : value
    return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
