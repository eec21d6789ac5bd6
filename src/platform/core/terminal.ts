/** Replaces control characters, since users choose names and a terminal would obey them. */
export function printable(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd()
  return rows.map((row) => `${line(row)}\n`).join('')
}
