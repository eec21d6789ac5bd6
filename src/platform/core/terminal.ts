import type { DestinationStream } from 'pino'

type Output = {
  write(text: string): unknown
  isTTY?: boolean
  hasColors?(): boolean
}

type Line = Record<string, unknown> & { level: string; time: string; msg?: string }

const COLORS: Record<string, number> = { debug: 2, warn: 33, error: 31 }
const DIM = 2

export function toLogStream(
  format: 'text' | 'json' | null,
  output: Output = process.stdout,
): DestinationStream {
  const isText = format === null ? output.isTTY === true : format === 'text'
  const hasColors = isText && output.isTTY === true && output.hasColors?.() === true
  return { write: (line) => void output.write(isText ? toText(line, hasColors) : line) }
}

function toText(json: string, hasColors: boolean): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line
  const paint = (text: string, color = 0) =>
    hasColors && color > 0 && text !== '' ? `\u001b[${color}m${text}\u001b[0m` : text
  const values = Object.entries(fields).map(([name, value]) => [name, toValue(value)] as const)
  const short = values.filter(([, value]) => !value.includes('\n'))
  const long = values.filter(([, value]) => value.includes('\n')).map(([, value]) => value)
  const clock = new Date(time).toTimeString().slice(0, 8)
  const details = short.map(([name, value]) => `  ${name}=${value}`).join('')
  const first = `${paint(clock, DIM)} ${paint(level.padEnd(5), COLORS[level])}  ${toPlain(msg)}${paint(details, DIM)}`
  const rest = [...long, ...(err === undefined ? [] : [toStack(err)])]
  return [first, ...rest.map((text) => paint(text.replaceAll(/^/gm, '    '), DIM)), ''].join('\n')
}

function toValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[^\s"=]+$/.test(text) || text.includes('\n') ? toPlain(text) : JSON.stringify(text)
}

function toStack(error: unknown): string {
  const { stack } = (error ?? {}) as { stack?: string }
  return toPlain(stack ?? JSON.stringify(error) ?? '').trimEnd()
}

function toPlain(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, '?')
}

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
