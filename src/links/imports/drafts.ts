import type { CreateLink } from '../link/schema.ts'
import { CellError } from './cell-error.ts'
import { MAX_CLICKS, sumOf, type Days } from './days.ts'
import {
  LINK_FIELDS,
  OWN_FIELDS,
  SOURCES,
  toColumnKey,
  toValue,
  type Field,
  type SourceName,
} from './fields.ts'
import { fileError, type TableRow } from './table.ts'
import { invalid } from '../../platform/core/errors.ts'

export type RowError = { row: number; column: string | null; code: string; message: string }

export type Draft = {
  row: number
  input: Partial<CreateLink>
  given: GivenSlug | null
  id: string | null
  folder: string | null
  campaign: string | null
  /** Those that no day is known for. */
  clicks: number | null
  days: Days
  /** What of the link was not taken over. */
  notes: string[]
  errors: RowError[]
  /** Refused for a reason that is among the errors of an earlier row. */
  isRefused: boolean
}

/** The content of a cell that names the short link of a row. */
export type GivenSlug = {
  slug: string
  /** Null for a slug alone. */
  host: string | null
  count: number
}

const NAME_MAX_CHARS = 255
const URL_START = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i
/** A name with a dot before a word, an address, or anything with a port; but no slug such as `v1.2/notes`. */
const HOST =
  /^(?:localhost|[^\s/:]+\.\p{L}[\p{L}\p{N}-]*|\d{1,3}(?:\.\d{1,3}){3}|[^\s/:]+:\d{1,5})$/u

export function toDraft(layout: Layout, source: SourceName, { row, cells }: TableRow): Draft {
  const values = new Map<Field, unknown>()
  const errors: RowError[] = []
  for (const { place, header, field } of layout) {
    const cell = cells[place] ?? ''
    if (cell.trim() === '' || values.has(field)) continue
    try {
      values.set(field, toValue(field, source === 'shlink' ? toPlainTags(field, cell) : cell))
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      errors.push(toError(row, header, `${header} ${error.message}.`))
    }
  }
  const given = readGiven(values)
  if (given?.slug === '') {
    const header = toHeader(layout, 'shortUrl')
    // Without this it would get a random slug, which the author of the file does not expect.
    errors.push(
      toError(
        row,
        header,
        `${header} has a host but no path, so there is no slug to keep. Write the slug, or leave the cell empty for a random one.`,
      ),
    )
  }
  const input = toInput(values, given, source)
  if (hasUnknownPassword(source, textOf(values, 'hasPassword'))) {
    const why = `${source === 'kutt' ? 'Kutt' : 'Sink'} does not export the password of this link. Write false here to import it without one, and set one later.`
    errors.push(toError(row, toHeader(layout, 'hasPassword'), why))
  }
  const clicks = values.get('clicks')
  if (typeof clicks === 'number' && (clicks < 0 || clicks > MAX_CLICKS)) {
    const header = toHeader(layout, 'clicks')
    errors.push(toError(row, header, `${header} must be from 0 to ${MAX_CLICKS}.`))
  }
  const days = (values.get('clicksByDay') ?? []) as Days
  return {
    row,
    input,
    given,
    id: textOf(values, 'id'),
    folder: textOf(values, 'folder'),
    campaign: textOf(values, 'campaign'),
    clicks: withoutDays(typeof clicks === 'number' ? clicks : null, days),
    days,
    notes: [],
    errors: errors.toSorted((one, other) => placeOf(layout, one) - placeOf(layout, other)),
    isRefused: false,
  }
}

/** The web client of Shlink joins tags with a bar. */
function toPlainTags(field: Field, cell: string): string {
  return field === 'tags' ? cell.replaceAll('|', ',') : cell
}

/** Kutt says whether there is one; Sink exports a hash. */
function hasUnknownPassword(source: SourceName, cell: string | null): boolean {
  if (cell === null) return false
  return source === 'kutt' ? /^(true|1|yes)$/i.test(cell) : !/^(false|0|no)$/i.test(cell)
}

/** A total that is less than its days is of another time. */
export function withoutDays(total: number | null, days: Days): number | null {
  return days.length === 0 ? total : Math.max(0, (total ?? 0) - sumOf(days))
}

function placeOf(layout: Layout, { column }: RowError): number {
  return layout.find(({ header }) => header === column)?.place ?? -1
}

/** A row with more cells than the header has columns is probably shifted by a comma that is not quoted. */
export function findExtraCells(headers: readonly string[], { row, cells }: TableRow) {
  if (cells.slice(headers.length).every((cell) => cell.trim() === '')) return null
  return toError(
    row,
    null,
    `The row has ${cells.length} cells, but the header has ${headers.length} columns; put quotes around cells that contain a separator.`,
  )
}

export function toHeader(layout: readonly { header: string; field: string }[], field: string) {
  const column =
    layout.find((entry) => entry.field === field) ??
    layout.find((entry) => field === 'slug' && entry.field === 'shortUrl')
  return column?.header ?? null
}

export function toError(
  row: number,
  column: string | null,
  message: string,
  code = 'VALIDATION_ERROR',
): RowError {
  return { row, column, code, message }
}

/** A column of slugs takes precedence over one of short URLs. */
function readGiven(values: ReadonlyMap<Field, unknown>): GivenSlug | null {
  const [slug, shortUrl] = [values.get('slug'), values.get('shortUrl')]
  if (typeof slug === 'string' && slug !== '') return { slug, host: null, count: 1 }
  return typeof shortUrl === 'string' ? readShortUrls(shortUrl) : null
}

function toInput(values: ReadonlyMap<Field, unknown>, given: GivenSlug | null, source: SourceName) {
  const own = [...values].filter(([field]) => field in LINK_FIELDS)
  const input = Object.fromEntries(own) as Partial<CreateLink>
  if (given) input.slug = given.slug
  if (source === 'csv') return input
  // Other services have links without a title; here every link has a name.
  const name = input.name ?? input.slug ?? input.destinationUrl
  if (name !== undefined) input.name = toShortName(name)
  if (values.get('archived') === true) input.status = 'archived'
  if (values.get('banned') === true) input.status = 'paused'
  return input
}

/** Titles of pages may be too long for a name, and may span lines. */
function toShortName(title: string): string {
  const line = title.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return Array.from(line).slice(0, NAME_MAX_CHARS).join('')
}

function textOf(values: ReadonlyMap<Field, unknown>, field: Field): string | null {
  const value = values.get(field)
  return typeof value === 'string' ? value.trim() : null
}

/** Reads a cell of short URLs, with or without a scheme. A text without a host is the slug itself. */
function readShortUrls(cell: string): GivenSlug {
  const text = cell.trim()
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const isList = parts.length > 1 && parts.every((part) => splitHost(part).host !== null)
  const { host, path } = splitHost(isList ? parts[0]! : text)
  const slug = host === null ? path.replace(/^\//, '') : toSlug(path)
  return { slug, host, count: isList ? parts.length : 1 }
}

function splitHost(text: string): { host: string | null; path: string } {
  const bare = text.replace(URL_START, '')
  const end = bare.search(/[/?#]/)
  const first = end === -1 ? bare : bare.slice(0, end)
  const isUrl = bare.length < text.length || (end !== -1 && HOST.test(first))
  return isUrl
    ? { host: first.toLowerCase(), path: bare.slice(first.length) }
    : { host: null, path: text }
}

function toSlug(path: string): string {
  const slug = path.replace(/[?#].*$/s, '').replace(/^\/|\/$/g, '')
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

type Column = { place: number; header: string; field: Field }

/** The columns to import. If several are for one field, the first with a value counts. */
export type Layout = readonly Column[]

export type Mapping = Readonly<Record<string, string | null>>

const MAX_MAPPING_CHARS = 16_384
const REQUIRED: readonly Field[] = ['name', 'destinationUrl']

export function parseMapping(text: string | undefined): Mapping {
  if (text === undefined || text === '') return {}
  if (text.length > MAX_MAPPING_CHARS)
    throw invalid('mapping', `mapping must be at most ${MAX_MAPPING_CHARS} characters long.`)
  const message =
    'mapping must be a JSON object of columns and fields, such as {"Target": "destinationUrl"}.'
  let mapping: unknown
  try {
    mapping = JSON.parse(text)
  } catch {
    throw invalid('mapping', message, 'json')
  }
  const isObject = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping)
  if (
    !isObject ||
    !Object.values(mapping!).every((field) => field === null || typeof field === 'string')
  )
    throw invalid('mapping', message, 'type')
  return mapping as Mapping
}

export type RecognizedColumn = { column: string; field: Field | null }

export function toColumns(headers: readonly string[], layout: Layout): RecognizedColumn[] {
  return headers.map((column, place) => ({
    column,
    field: layout.find((each) => each.place === place)?.field ?? null,
  }))
}

export function recognize(headers: readonly string[], source: SourceName, mapping: Mapping) {
  const mapped = new Map(Object.entries(mapping).map(([name, field]) => [name.trim(), field]))
  for (const [name, field] of mapped) checkMapping(headers, name, field)
  const places = new Map<string, number>()
  for (const [place, header] of headers.entries())
    if (header !== '' && !mapped.has(header)) places.set(toColumnKey(header), place)
  const chosen = [...mapped].flatMap(([header, field]) =>
    field === null ? [] : { place: headers.indexOf(header), header, field: field as Field },
  )
  const taken = new Set(chosen.map(({ field }) => field))
  const known = Object.entries(SOURCES[source].columns).flatMap(([name, columns]) => {
    const field = name as Field
    const found = taken.has(field) ? [] : columns.flatMap((column) => places.get(column) ?? [])
    return found.map((place) => ({ place, header: headers[place]!, field }))
  })
  return [...chosen, ...known]
}

export function getMissing(source: SourceName, layout: Layout): Field[] {
  const required = source === 'csv' ? REQUIRED : (['destinationUrl'] as const)
  return required.filter((field) => !layout.some((column) => column.field === field))
}

function checkMapping(headers: readonly string[], name: string, field: string | null): void {
  if (!headers.includes(name))
    throw invalid(
      'mapping',
      `mapping names the column "${name.slice(0, 100)}", which the file does not have. Its columns are ${listed(headers)}.`,
      'unknown_column',
    )
  if (field !== null && !OWN_FIELDS.includes(field as Field))
    throw invalid(
      'mapping',
      `mapping names the field "${field.slice(0, 100)}"; the fields are ${OWN_FIELDS.join(', ')}.`,
      'unknown_field',
    )
}

export function requireColumns(headers: readonly string[], source: SourceName, layout: Layout) {
  const missing = getMissing(source, layout)
  if (missing.length === 0) return
  throw fileError(
    `The first row must name the columns of the file, and ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing. It has ${listed(headers)}. Rename the columns, or use the option mapping.`,
    'missing_column',
  )
}

function listed(headers: readonly string[]): string {
  const shown = headers.filter((header) => header !== '').slice(0, 20)
  return shown.map((header) => `"${header.slice(0, 40)}"`).join(', ')
}
