import type { ToShortUrl } from '../../platform/facts/click-data.ts'
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  labelOfEmpty,
  type Dimension,
} from '../questions/dimensions.ts'
import { toEvent, type EventRow } from './events-rows.ts'

/** Columns that are no label of a breakdown. */
const OWN_COLUMNS = [
  ...(['id', 'timestamp', 'kind', 'linkId', 'slug', 'shortUrl', 'host', 'visitor'] as const),
] as const

export function isDimension(column: string): column is Dimension {
  return Object.hasOwn(DIMENSIONS, column)
}

/** The other columns are dimensions, under their names and with the labels of the breakdowns. */
export const EXPORT_COLUMNS = [...OWN_COLUMNS, ...DIMENSION_NAMES] as const

/** The texts of a click, in the order of {@link EXPORT_COLUMNS}: each breakdown is a count of one column. */
export function toExportTexts(
  row: EventRow,
  toShortUrl: ToShortUrl,
  toVisitor: (row: EventRow) => string | null,
): string[] {
  const { id, timestamp, kind, link, visitor } = toEvent(row, toShortUrl, toVisitor)
  const { id: linkId, slug, shortUrl, domain: host } = link
  const own = { id, timestamp, kind, linkId, slug, shortUrl, host, visitor: visitor ?? '' }
  return [
    ...OWN_COLUMNS.map((column) => own[column]),
    ...DIMENSION_NAMES.map((name) => toLabel(row, name)),
  ]
}

/** Empty for a UTM value that the click does not have. */
function toLabel(row: EventRow, name: Dimension): string {
  return row[DIMENSIONS[name].column] || (labelOfEmpty(name) ?? '')
}
