/** Columns of the list that a user can choose, in their order. */
export const COLUMNS = [
  'status',
  'tags',
  'periodClicks',
  'clicks',
  'conversions',
  'lastClickedAt',
  'createdAt',
] as const
export type Column = (typeof COLUMNS)[number]

export const DEFAULT_COLUMNS: readonly Column[] = [
  'status',
  'tags',
  'periodClicks',
  'conversions',
  'lastClickedAt',
]

/** Widths, and whether a narrow window has room for the column. */
const LOOKS: Record<Column, { width: string; isFirst?: true }> = {
  status: { width: '92px', isFirst: true },
  tags: { width: 'minmax(0,3fr)' },
  periodClicks: { width: '70px', isFirst: true },
  clicks: { width: '70px' },
  conversions: { width: '130px' },
  lastClickedAt: { width: '96px' },
  createdAt: { width: '96px' },
}

/** Classes of the cells of a column. */
export function cellClass(column: Column): string {
  return LOOKS[column].isFirst ? 'max-md:hidden' : 'max-lg:hidden'
}

/** The tracks of the grid: the box, the link, the columns, and the actions. */
export function tracksOf(columns: readonly Column[]): Record<string, string> {
  const toTracks = (shown: readonly Column[]) =>
    ['28px', 'minmax(0,7fr)', ...shown.map((column) => LOOKS[column].width), '76px'].join(' ')
  return {
    '--tracks-md': toTracks(columns.filter((column) => LOOKS[column].isFirst)),
    '--tracks-lg': toTracks(columns),
  }
}

/** On a phone a row has no columns but the clicks. */
export const ROW_GRID =
  'grid grid-cols-[44px_minmax(0,1fr)_auto_44px] items-center gap-x-3 pe-2 ps-2 text-sm max-md:gap-x-2 md:grid-cols-(--tracks-md) lg:grid-cols-(--tracks-lg)'
