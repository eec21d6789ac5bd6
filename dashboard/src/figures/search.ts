import { getTimeZone } from '../kit/locale.ts'

const PERIODS = ['24h', '7d', '30d', '90d', '1y', 'mtd', 'qtd', 'ytd', 'all'] as const
export type Period = (typeof PERIODS)[number]
export const DIMENSIONS = [
  'country',
  'region',
  'city',
  'device',
  'browser',
  'os',
  'referrer',
  'trigger',
  'language',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'destination',
] as const
export type Dimension = (typeof DIMENSIONS)[number]
/** What links belong to, by ids; tags by their names. */
export const GROUPS = ['linkId', 'tag', 'folderId', 'campaignId', 'domainId'] as const
export type Group = (typeof GROUPS)[number]
/** Everything that clicks can be filtered by. */
export const FILTERS = [...GROUPS, ...DIMENSIONS] as const
export type FilterName = Group | Dimension

/** Filters of a page with figures. All of them are in the address, so that a link shows the same numbers. */
export type FigureSearch = {
  period?: Period | undefined
  /** The first and the last day of a period of the user's own, both included: 2026-11-01. */
  start?: string | undefined
  end?: string | undefined
  /** `previous` when absent; two days of the user's own: 2026-10-01,2026-10-31. */
  compare?: string | undefined
  zone?: string | undefined
} & { [F in FilterName]?: string | undefined }

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The days of a comparison of the user's own; null: another kind, or none. */
export function toOwnCompare(compare: string): { start: string; end: string } | null {
  const [start, end, ...rest] = compare.split(',')
  const isOwn = start && end && rest.length === 0 && DAY.test(start) && DAY.test(end)
  return isOwn ? { start, end } : null
}

/** Reads the search of an address; what it does not know is left out. */
export function readFigureSearch(search: Record<string, unknown>): FigureSearch {
  const textOf = (key: string) => {
    const value = search[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const start = textOf('start')
  const end = textOf('end')
  const compare = textOf('compare')
  const filters = FILTERS.flatMap((name) => {
    const value = textOf(name)
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(filters),
    ...(PERIODS.includes(search.period as Period) ? { period: search.period as Period } : {}),
    ...(start && end && DAY.test(start) && DAY.test(end) ? { start, end } : {}),
    ...(compare === 'none' || compare === 'year' || (compare && toOwnCompare(compare))
      ? { compare }
      : {}),
    ...(textOf('zone') ? { zone: textOf('zone') } : {}),
  }
}

/** The address after a choice. It names the zone from then on: elsewhere, the days would be those of another one. */
export function toSearch<S extends FigureSearch>(now: S, change: Partial<FigureSearch>): S {
  return { ...now, zone: now.zone ?? getTimeZone(), ...change }
}

/** The query of `GET /analytics/summary` for an address. */
export function toQuestion(search: FigureSearch) {
  const { period = '30d', start, end, compare = 'previous', zone, ...filters } = search
  return {
    timezone: zone ?? getTimeZone(),
    ...(start && end ? { start, end } : { interval: period }),
    ...(compare === 'none' ? {} : { compare }),
    ...(Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as {
      [F in FilterName]?: string
    }),
  }
}

export function isFiltered(search: FigureSearch): boolean {
  return FILTERS.some((name) => search[name] !== undefined)
}

/** A label as a filter: its comma, backslash and leading hyphen are text, not operators. */
export function toFilterValue(label: string): string {
  return label.replace(/[\\,]/g, (char) => `\\${char}`).replace(/^-/, '\\-')
}

/** Several labels as one filter. */
export function toFilter(labels: readonly string[], isExcluded: boolean): string {
  return `${isExcluded ? '-' : ''}${labels.map(toFilterValue).join(',')}`
}

/** The labels of a filter and whether it excludes them: the inverse of `toFilterValue`. */
export function readFilter(value: string): { labels: string[]; isExcluded: boolean } {
  const isExcluded = value.startsWith('-')
  const labels: string[] = []
  let label = ''
  const body = isExcluded ? value.slice(1) : value
  for (let at = 0; at < body.length; at++) {
    if (body[at] === '\\' && at + 1 < body.length) label += body[++at]!
    else if (body[at] === ',') {
      labels.push(label)
      label = ''
    } else label += body[at]!
  }
  labels.push(label)
  return { labels, isExcluded }
}
