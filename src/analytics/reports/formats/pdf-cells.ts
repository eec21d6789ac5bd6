import { toText, type Cell, type Facts } from './table.ts'

/** Columns by which programs tell rows apart, and columns that repeat another one. */
const LEFT_OUT = new Set([
  ...['id', 'workspaceId', 'linkId', 'clickId', 'actorId', 'targetId', 'requestId', 'visitor'],
  ...['kind', 'slug', 'host', 'actorType', 'targetType', 'userAgent', 'currency'],
  ...['hash', 'prevHash'],
])

/** Whether a reader of paper wants the column; the other formats have it. */
export function isForReaders(column: string): boolean {
  return !LEFT_OUT.has(column)
}

/** The name of a column as words: `shortUrl` is `Short URL`. A percentage has its sign in each cell. */
export function toHeading(column: string): string {
  const words = column
    .replace(/Percent$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const upper = words.replace(/\b(url|ip|os|utm|id)\b/g, (word) => word.toUpperCase())
  return upper.charAt(0).toUpperCase() + upper.slice(1)
}

/** A cell as a reader expects it: amounts with their currency, times of the report's zone, addresses without scheme. */
export function toReadable(
  column: string,
  row: Readonly<Record<string, Cell>>,
  { currency, timezone }: Pick<Facts, 'currency' | 'timezone'>,
): string {
  const cell = row[column] ?? null
  if (typeof cell === 'number') {
    if (isAmount(column, row)) return toAmount(cell, toText(row['currency'] ?? currency))
    return column === 'changePercent' ? toPercent(cell) : cell.toLocaleString('en')
  }
  if (typeof cell !== 'string') return Array.isArray(cell) ? cell.join(', ') : toText(cell)
  if (/At$|^timestamp$/.test(column)) return toTime(cell, timezone)
  if (column.endsWith('Url')) return cell.replace(/^https?:\/\//, '')
  return column === 'metric' && /^[a-z]+$/i.test(cell) ? toHeading(cell) : cell
}

/** In a summary a row is an amount, else a column. */
function isAmount(column: string, row: Readonly<Record<string, Cell>>): boolean {
  if (!('metric' in row)) return column === 'value'
  return row['metric'] === 'value' && column !== 'changePercent'
}

/** @param value in the smallest unit of the currency */
export function toAmount(value: number, currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
  })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0
  return format.format(value / 10 ** digits)
}

export function toPercent(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percent.toLocaleString('en')} %`
}

export function toDay(iso: string, timezone: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: timezone }).format(
    Date.parse(iso),
  )
}

function toTime(iso: string, timeZone: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone } as const
  return new Intl.DateTimeFormat('en', style).format(Date.parse(iso))
}
