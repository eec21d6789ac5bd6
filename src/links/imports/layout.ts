import { invalid, type ApiError } from '../../platform/core/errors.ts'
import { OWN_FIELDS, SOURCES, toColumnKey, type Field, type SourceName } from './fields.ts'

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

export function fileError(message: string, code: string): ApiError {
  return invalid('file', message, code)
}

export function recognize(
  headers: readonly string[],
  source: SourceName,
  mapping: Mapping,
): Layout {
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
