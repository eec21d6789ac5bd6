import type { CreateLink } from '../link/schema.ts'
import { CellError, LINK_FIELDS, toValue, type Field } from './fields.ts'
import type { Layout } from './layout.ts'
import { readShortUrls, type GivenSlug } from './short-urls.ts'
import type { SourceName } from './sources.ts'
import type { TableRow } from './table.ts'

/** Something that must be changed in a row before it can be imported. */
export type RowError = { row: number; column: string | null; code: string; message: string }

/** A row as a request for a link, with what else its columns say. */
export type Draft = {
  row: number
  input: Partial<CreateLink>
  /** The short link as the file names it; null without, absent in an import of an earlier version. */
  given?: GivenSlug | null
  id: string | null
  folder: string | null
  campaign: string | null
  /** Clicks in the other service. */
  clicks: number | null
  errors: RowError[]
  /** For a reason that an earlier row has among its errors. */
  isRefused: boolean
}

const NAME_MAX_CHARS = 255
/** Sums over a million links are exact. */
const MAX_CLICKS = 1_000_000_000

/** Reads a row. An empty cell leaves its field alone. */
export function toDraft(layout: Layout, source: SourceName, { row, cells }: TableRow): Draft {
  const values = new Map<Field, unknown>()
  const errors: RowError[] = []
  for (const { place, header, field } of layout) {
    const cell = cells[place] ?? ''
    if (cell.trim() === '' || values.has(field)) continue
    try {
      values.set(field, toValue(field, cell))
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      errors.push(toError(row, header, `${header} ${error.message}.`))
    }
  }
  const given = readGiven(values)
  if (given?.slug === '') errors.push(toPathless(row, layout))
  const input = toInput(values, given, source)
  if (source === 'kutt' && /^(true|1|yes)$/i.test(textOf(values, 'hasPassword') ?? ''))
    errors.push(
      toError(
        row,
        toHeader(layout, 'hasPassword'),
        'Kutt does not export the password of this link. Write false here to import it without one, and set one later.',
      ),
    )
  const clicks = values.get('clicks')
  if (typeof clicks === 'number' && (clicks < 0 || clicks > MAX_CLICKS)) {
    const header = toHeader(layout, 'clicks')
    errors.push(toError(row, header, `${header} must be from 0 to ${MAX_CLICKS}.`))
  }
  return {
    row,
    input,
    given,
    id: textOf(values, 'id'),
    folder: textOf(values, 'folder'),
    campaign: textOf(values, 'campaign'),
    clicks: typeof clicks === 'number' ? clicks : null,
    errors: errors.toSorted((one, other) => placeOf(layout, one) - placeOf(layout, other)),
    isRefused: false,
  }
}

function placeOf(layout: Layout, { column }: RowError): number {
  return layout.find(({ header }) => header === column)?.place ?? -1
}

/** Rows with more cells than the header has columns are shifted, as by a comma that is not quoted. */
export function findExtraCells(
  headers: readonly string[],
  { row, cells }: TableRow,
): RowError | null {
  if (cells.slice(headers.length).every((cell) => cell.trim() === '')) return null
  return toError(
    row,
    null,
    `The row has ${cells.length} cells, and the header ${headers.length} columns; put quotes around a cell with a separator.`,
  )
}

/** The header of a field's column. */
export function toHeader(
  layout: readonly { header: string; field: string }[],
  field: string,
): string | null {
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

/** A column of slugs goes before one of short URLs. */
function readGiven(values: ReadonlyMap<Field, unknown>): GivenSlug | null {
  const [slug, shortUrl] = [values.get('slug'), values.get('shortUrl')]
  if (typeof slug === 'string' && slug !== '') return { slug, host: null, count: 1 }
  return typeof shortUrl === 'string' ? readShortUrls(shortUrl) : null
}

/** A short URL without a path would get a random slug, which the author of the file does not expect. */
function toPathless(row: number, layout: Layout): RowError {
  const header = toHeader(layout, 'shortUrl')
  return toError(
    row,
    header,
    `${header} has a host and no path, so that there is no slug to keep. Write the slug, or leave the cell empty for a random one.`,
  )
}

function toInput(
  values: ReadonlyMap<Field, unknown>,
  given: GivenSlug | null,
  source: SourceName,
): Partial<CreateLink> {
  const own = [...values].filter(([field]) => field in LINK_FIELDS)
  const input = Object.fromEntries(own) as Partial<CreateLink>
  if (given) input.slug = given.slug
  if (source === 'csv') return input
  // A service gives a link without a title none; here each has a name.
  const name = input.name ?? input.slug ?? input.destinationUrl
  if (name !== undefined) input.name = toShortName(name)
  if (values.get('archived') === true) input.status = 'archived'
  if (values.get('banned') === true) input.status = 'paused'
  return input
}

/** Titles of pages are longer than names may be, and span lines. */
function toShortName(title: string): string {
  const line = title.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return Array.from(line).slice(0, NAME_MAX_CHARS).join('')
}

function textOf(values: ReadonlyMap<Field, unknown>, field: Field): string | null {
  const value = values.get(field)
  return typeof value === 'string' ? value.trim() : null
}
