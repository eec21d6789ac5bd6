import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import { ApiError } from '../../platform/core/errors.ts'
import { MAX_COLUMNS, MAX_ROWS, refused, tooManyColumns, tooManyRows } from './file-refusals.ts'
import { toRecords } from './json-records.ts'

/** A row of a file: its number as a spreadsheet shows it, the first row being the header, and its cells. */
export type TableRow = { row: number; cells: string[] }
export type Table = { headers: readonly string[]; rows: readonly TableRow[] }

const MAX_HEADER_CHARS = 200
/** The header, and blank rows, which are not counted before the end. */
const MAX_RECORDS = 2 * MAX_ROWS
/** The longest row: a link with every option. */
const MAX_RECORD_BYTES = 1024 * 1024
const MAX_HEADER_BYTES = 64 * 1024
/** Beginnings of files that are often sent in place of text. */
const BINARY_FORMATS: readonly [name: string, magic: string][] = [
  ['an Excel or OpenDocument workbook', '504b0304'],
  ['an old Excel workbook', 'd0cf11e0'],
  ['a PDF', '25504446'],
  ['a compressed file', '1f8b'],
]
const QUOTE_ERRORS: readonly string[] = [
  'CSV_QUOTE_NOT_CLOSED',
  'CSV_INVALID_CLOSING_QUOTE',
  'INVALID_OPENING_QUOTE',
]

/**
 * Reads a CSV file, or a JSON export, into rows of text. It takes seconds for the worst file, so it runs in a process of its own.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE for another format; VALIDATION_ERROR with path `file` for a file that
 *   cannot be read as a whole; PAYLOAD_TOO_LARGE beyond 10,000 rows
 */
export function readTable(bytes: Buffer): Table {
  refuseBinary(bytes)
  if (!isUtf8(bytes))
    throw refused('The file must be UTF-8; save it as "CSV UTF-8" and send it again.', 'charset')
  const records = /^\ufeff?\s*[[{]/.test(bytes.toString('utf8', 0, 100))
    ? toRecords(bytes.toString('utf8'))
    : readCsv(bytes)
  const [header, ...rest] = records
  if (!header || header.every(isBlank))
    throw refused('The first row must name the columns.', 'header')
  const headers = checkHeaders(header)
  const rows = rest
    .map((cells, index) => ({ row: index + 2, cells }))
    .filter(({ cells }) => !cells.every(isBlank))
  if (rows.length > MAX_ROWS) throw tooManyRows()
  return { headers, rows }
}

function refuseBinary(bytes: Buffer): void {
  const format = BINARY_FORMATS.find(([, magic]) => bytes.toString('hex', 0, 4).startsWith(magic))
  if (format)
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The file is ${format[0]}; save its sheet as CSV and send that.`,
    )
}

function readCsv(bytes: Buffer): string[][] {
  try {
    const records = parse(bytes, {
      bom: true,
      delimiter: guessDelimiter(bytes),
      max_record_size: MAX_RECORD_BYTES,
      relax_column_count: true,
      to: MAX_RECORDS + 1,
    })
    if (records.length > MAX_RECORDS) throw tooManyRows()
    return records
  } catch (error) {
    throw error instanceof CsvError ? toRefusal(error) : error
  }
}

/** The one of comma, semicolon and tab that is most frequent in the first line; spreadsheets use them by country. */
function guessDelimiter(bytes: Buffer): string {
  const [line = ''] = bytes.toString('utf8', 0, MAX_HEADER_BYTES).split(/[\r\n]/, 1)
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: bare.split(delimiter).length,
  }))
  return counts.toSorted((one, other) => other.count - one.count)[0]!.delimiter
}

function toRefusal(error: CsvError): ApiError {
  const { code, lines } = error as CsvError & { lines?: number }
  const place = lines === undefined ? '' : ` near line ${lines}`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return refused(`A row${place} is larger than 1 MiB; a quote may not be closed.`, 'record_size')
  if (QUOTE_ERRORS.includes(code))
    return refused(
      `A quote${place} is not closed, or stands inside of a cell; write a cell with quotes as "a ""word""".`,
      'quote',
    )
  return refused(`The file is not valid CSV${place}.`, 'csv')
}

function checkHeaders(cells: readonly string[]): string[] {
  const headers = cells.map((cell) => cell.trim())
  if (headers.length > MAX_COLUMNS) throw tooManyColumns()
  const seen = new Set<string>()
  for (const header of headers) {
    if (header === '') continue
    if (header === '__proto__' || header.includes('\0') || header.length > MAX_HEADER_CHARS)
      throw refused(`The file must not have the column "${header.slice(0, 40)}".`, 'header')
    if (seen.has(header))
      throw refused(`The file has the column "${header}" twice; rename or remove one.`, 'header')
    seen.add(header)
  }
  return headers
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}
