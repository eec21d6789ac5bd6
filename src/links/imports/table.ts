import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { isObject, toRecord } from './foreign-records.ts'
import { isTooDeep, MAX_JSON_DEPTH } from '../../platform/routes/text-checks.ts'

export type TableRow = { row: number; cells: string[] }
type Table = { headers: readonly string[]; rows: readonly TableRow[] }

const MAX_ROWS = 10_000
const MAX_COLUMNS = 200
const MAX_HEADER_CHARS = 200
/** Blank rows are counted only at the end. */
const MAX_RECORDS = 2 * MAX_ROWS
const MAX_RECORD_BYTES = 1024 * 1024
const MAX_HEADER_BYTES = 64 * 1024
/** First bytes of files that users often send instead of text. */
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

/** Names under which other services keep their list of links: APIs, exports, and the data of a page of Linktree. */
const LIST_NAMES = [
  ...['data', 'links', 'result', 'results'],
  ...['shortUrls', 'props', 'pageProps', 'account'],
]

/** Reads CSV or JSON into rows of text. The worst file takes seconds, so this runs in its own process. */
export function readTable(bytes: Buffer): Table {
  refuseBinary(bytes)
  if (!isUtf8(bytes))
    throw fileError('The file must be UTF-8; save it as "CSV UTF-8" and send it again.', 'charset')
  const records = /^\ufeff?\s*[[{]/.test(bytes.toString('utf8', 0, 100))
    ? readJson(bytes.toString('utf8'))
    : readCsv(bytes)
  const [header, ...rest] = records
  if (!header || header.every(isBlank))
    throw fileError('The first row must name the columns.', 'header')
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
    throw error instanceof CsvError ? toFileError(error) : error
  }
}

/** Spreadsheets use comma, semicolon or tab, depending on the country: takes the most frequent one of the first line. */
function guessDelimiter(bytes: Buffer): string {
  const [line = ''] = bytes.toString('utf8', 0, MAX_HEADER_BYTES).split(/[\r\n]/, 1)
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: bare.split(delimiter).length,
  }))
  return counts.toSorted((one, other) => other.count - one.count)[0]!.delimiter
}

function toFileError(error: CsvError): ApiError {
  const { code, lines } = error as CsvError & { lines?: number }
  const place = lines === undefined ? '' : ` near line ${lines}`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return fileError(
      `A row${place} is larger than 1 MiB; a quote may not be closed.`,
      'record_size',
    )
  if (QUOTE_ERRORS.includes(code))
    return fileError(
      `A quote${place} is not closed, or is inside a cell; write a cell with quotes as "a ""word""".`,
      'quote',
    )
  return fileError(`The file is not valid CSV${place}.`, 'csv')
}

function checkHeaders(cells: readonly string[]): string[] {
  const headers = cells.map((cell) => cell.trim())
  if (headers.length > MAX_COLUMNS) throw tooManyColumns()
  const seen = new Set<string>()
  for (const header of headers) {
    if (header === '') continue
    if (header === '__proto__' || header.includes('\0') || header.length > MAX_HEADER_CHARS)
      throw fileError(`The file must not have the column "${header.slice(0, 40)}".`, 'header')
    if (seen.has(header))
      throw fileError(`The file has the column "${header}" twice; rename or remove one.`, 'header')
    seen.add(header)
  }
  return headers
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

/** Reads JSON exports, and what the APIs of programs without one return. The first record is the header. */
function readJson(text: string): string[][] {
  const objects = findList(parseJson(text))
    .filter(isObject)
    // A blank row: the ones after it keep their numbers.
    .map((object) => toRecord(object) ?? {})
  if (objects.length > MAX_ROWS) throw tooManyRows()
  const names = new Set<string>()
  for (const object of objects)
    for (const name of Object.keys(object)) {
      names.add(name)
      // Checked here, before every row gets a cell for each name.
      if (names.size > MAX_COLUMNS) throw tooManyColumns()
    }
  const header = [...names]
  return [header, ...objects.map((object) => header.map((name) => toCell(object, name)))]
}

export function parseJson(text: string): unknown {
  if (isTooDeep(text))
    throw fileError(`The file is nested beyond ${MAX_JSON_DEPTH} levels.`, 'json')
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw fileError('The file is not valid JSON.', 'json')
  }
}

/** The list itself, or the one inside an answer. YOURLS returns an object whose values are the links. */
function findList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  if (!isObject(value)) return []
  const list = listIn(value)
  if (!isObject(list)) return findList(list)
  return listIn(list) === undefined ? Object.values(list) : findList(list)
}

function listIn(object: Record<string, unknown>): unknown {
  return LIST_NAMES.map((name) => object[name]).find(
    (value) => typeof value === 'object' && value !== null,
  )
}

function toCell(object: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : null
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(',')
  return JSON.stringify(value)
}

function tooManyRows(): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file has more than ${MAX_ROWS.toLocaleString('en')} rows; split it and import the parts one after the other.`,
  )
}

function tooManyColumns(): ApiError {
  return fileError(`The file has more than ${MAX_COLUMNS} columns.`, 'header')
}

export function fileError(message: string, code: string): ApiError {
  return invalid('file', message, code)
}
