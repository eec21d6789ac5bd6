import { isTooDeep, MAX_JSON_DEPTH } from '../../platform/routes/text-checks.ts'
import { isMarkedEmpty, unmarkCell } from '../../platform/resources/csv.ts'
import type { CreateLink } from '../link/schema.ts'
import { CellError } from './cell-error.ts'
import { toDays } from './days.ts'

type Kind = 'text' | 'utm' | 'word' | 'number' | 'flag' | 'time' | 'list' | 'json' | 'days'

export const LINK_FIELDS = {
  name: 'text',
  domainId: 'word',
  domain: 'word',
  destinationUrl: 'word',
  slug: 'word',
  expiresAt: 'time',
  password: 'text',
  redirectType: 'number',
  status: 'word',
  utmSource: 'utm',
  utmMedium: 'utm',
  utmCampaign: 'utm',
  utmTerm: 'utm',
  utmContent: 'utm',
  metadata: 'json',
  iosDeepLink: 'word',
  androidDeepLink: 'word',
  expiredUrl: 'word',
  maxClicks: 'number',
  startsAt: 'time',
  variantsUntil: 'time',
  rules: 'json',
  forwardQuery: 'flag',
  noindex: 'flag',
  trackConversions: 'flag',
  card: 'json',
  variants: 'json',
  aliases: 'list',
  tags: 'list',
  folderId: 'word',
  campaignId: 'word',
  externalId: 'word',
  utmTemplateId: 'word',
} as const satisfies Partial<Record<keyof CreateLink, Kind>>

const OTHER_FIELDS = {
  id: 'text',
  folder: 'text',
  campaign: 'text',
  /** The path is the slug. */
  shortUrl: 'text',
  clicks: 'number',
  clicksByDay: 'days',
  archived: 'flag',
  banned: 'flag',
  /** Whether the other service has a password, which it does not export. */
  hasPassword: 'text',
} as const satisfies Record<string, Kind>

const ALL_FIELDS: Readonly<Record<string, Kind>> = { ...LINK_FIELDS, ...OTHER_FIELDS }
export const FIELD_NAMES = Object.keys(ALL_FIELDS) as Field[]
export type Field = keyof typeof LINK_FIELDS | keyof typeof OTHER_FIELDS

/** Fields that columns of our own files and mappings may name. */
export const OWN_FIELDS: readonly Field[] = [
  ...(Object.keys(LINK_FIELDS) as Field[]),
  'id',
  'folder',
  'campaign',
  'clicksByDay',
]

const YES = ['true', 'yes', '1', 'on']
const NO = ['false', 'no', '0', 'off']
const DAY = /^\d{4}-\d{2}-\d{2}$/
const ZONELESS = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/

export function toValue(field: Field, cell: string): unknown {
  if (cell.includes('\0')) throw new CellError('must not contain NUL characters')
  const text = unmarkCell(cell)
  switch (ALL_FIELDS[field]) {
    case 'utm':
      // Empty even if the campaign of the link has a value.
      return isMarkedEmpty(cell) ? '' : text
    case 'word':
      return field === 'status' ? text.trim().toLowerCase() : text.trim()
    case 'number':
      return toNumber(text.trim())
    case 'flag':
      return toFlag(text.trim())
    case 'time':
      return toTime(text.trim())
    case 'list':
      return toList(text.trim())
    case 'json':
      return toJson(text)
    case 'days':
      return toDays(toJson(text))
    default:
      return text
  }
}

function toNumber(text: string): number {
  // Spreadsheets write thousands with a separator.
  const plain = /^\d{1,3}([,.]\d{3})+$/.test(text) ? text.replace(/[,.]/g, '') : text
  if (!/^-?\d{1,15}$/.test(plain)) throw new CellError('must be a whole number')
  return Number(plain)
}

function toFlag(text: string): boolean {
  const word = text.toLowerCase()
  if (YES.includes(word)) return true
  if (NO.includes(word)) return false
  throw new CellError('must be true or false')
}

/** Without a zone the time is in UTC. A number is seconds or milliseconds since 1970. */
function toTime(text: string): string {
  if (DAY.test(text)) return `${text}T00:00:00Z`
  const [, day, minutes, seconds = ':00'] = ZONELESS.exec(text) ?? []
  if (day !== undefined) return `${day}T${minutes}${seconds}Z`
  if (/^\d{10}(\d{3})?$/.test(text)) {
    const time = new Date(Number(text) * (text.length === 10 ? 1_000 : 1))
    return time.toISOString()
  }
  return text
}

function toList(text: string): unknown {
  if (text.startsWith('[')) return toJson(text)
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function toJson(text: string): unknown {
  if (isTooDeep(text)) throw new CellError(`must not be nested beyond ${MAX_JSON_DEPTH} levels`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CellError('must be JSON')
  }
}

export const SOURCE_NAMES = [
  'csv',
  'bitly',
  'dub',
  'shortio',
  'rebrandly',
  'yourls',
  'kutt',
  'shlink',
  'sink',
  'linktree',
  'linkstack',
] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

type Source = {
  /** Any of these sets of columns identifies the service's export. */
  readonly isKnownBy: readonly (readonly string[])[]
  readonly columns: { readonly [field in Field]?: readonly string[] }
}

const toColumns = (fields: readonly string[]): Source['columns'] =>
  Object.fromEntries(fields.map((field) => [field, [field.toLowerCase()]]))
const OWN_COLUMNS = toColumns(OWN_FIELDS)
const UTM_COLUMNS = toColumns(
  Object.keys(LINK_FIELDS).filter((field) => /^utm(?!Template)/.test(field)),
)

/** Exports do not have it; a database does, with one query (docs/migrate.md). */
const CLICKS_BY_DAY = { clicksByDay: ['clicksbyday'] } as const

export const SOURCES: Readonly<Record<SourceName, Source>> = {
  csv: { isKnownBy: [['name', 'destinationurl']], columns: OWN_COLUMNS },
  bitly: {
    isKnownBy: ['link', 'bitlink', 'shortlink', 'custombitlinks', 'shorturl'].map((header) => [
      'longurl',
      header,
    ]),
    columns: {
      destinationUrl: ['longurl'],
      shortUrl: ['custombitlinks', 'custombitlink', 'link', 'bitlink', 'shortlink', 'shorturl'],
      name: ['title'],
      tags: ['tags'],
      archived: ['archived'],
      clicks: ['clicks', 'totalclicks', 'engagements', 'totalengagements'],
    },
  },
  dub: {
    isKnownBy: [
      ['shortlink', 'destinationurl'],
      ['shortlink', 'url'],
      ['link', 'url'],
      ['domain', 'key', 'url'],
    ],
    columns: {
      destinationUrl: ['destinationurl', 'url'],
      slug: ['key'],
      shortUrl: ['shortlink', 'link'],
      name: ['title'],
      externalId: ['externalid'],
      tags: ['tags'],
      folder: ['folder'],
      archived: ['archived'],
      expiresAt: ['expiresat'],
      expiredUrl: ['expiredurl'],
      password: ['password'],
      iosDeepLink: ['ios'],
      androidDeepLink: ['android'],
      clicks: ['clicks'],
      ...UTM_COLUMNS,
    },
  },
  shortio: {
    isKnownBy: [
      ['originalurl', 'path'],
      ['originalurl', 'shorturl'],
      ['originalurl', 'slug'],
    ],
    columns: {
      destinationUrl: ['originalurl'],
      slug: ['path', 'slug'],
      shortUrl: ['shorturl'],
      name: ['title'],
      tags: ['tags'],
      folder: ['folder'],
      archived: ['archived'],
      expiresAt: ['expiresat', 'expirationdate'],
      expiredUrl: ['expiredurl'],
      password: ['password'],
      maxClicks: ['clickslimit'],
      redirectType: ['redirecttype'],
      iosDeepLink: ['iphoneurl'],
      androidDeepLink: ['androidurl'],
      clicks: ['totalclicks', 'clicks', 'humanclicks'],
      ...UTM_COLUMNS,
    },
  },
  rebrandly: {
    isKnownBy: [
      ['slashtag', 'destination'],
      ['slashtag', 'destinationurl'],
      ['destination', 'shorturl'],
    ],
    columns: {
      destinationUrl: ['destination', 'destinationurl'],
      slug: ['slashtag'],
      shortUrl: ['shorturl'],
      name: ['title'],
      tags: ['tags'],
      forwardQuery: ['forwardparameters'],
      clicks: ['clicks', 'totalclicks'],
    },
  },
  yourls: {
    isKnownBy: [
      ['keyword', 'url'],
      ['shorturl', 'url', 'timestamp'],
    ],
    columns: {
      destinationUrl: ['url'],
      slug: ['keyword'],
      shortUrl: ['shorturl'],
      name: ['title'],
      clicks: ['clicks'],
      ...CLICKS_BY_DAY,
    },
  },
  kutt: {
    isKnownBy: [
      ['address', 'target'],
      ['target', 'visitcount'],
    ],
    columns: {
      destinationUrl: ['target'],
      slug: ['address'],
      shortUrl: ['link'],
      name: ['description'],
      banned: ['banned'],
      hasPassword: ['password'],
      expiresAt: ['expirein'],
      clicks: ['visitcount'],
      ...CLICKS_BY_DAY,
    },
  },
  shlink: {
    isKnownBy: [['longurl', 'shortcode']],
    columns: {
      destinationUrl: ['longurl'],
      slug: ['shortcode'],
      domain: ['domain'],
      name: ['title'],
      tags: ['tags'],
      startsAt: ['metavalidsince'],
      expiresAt: ['metavaliduntil'],
      maxClicks: ['metamaxvisits'],
      banned: ['isusedup'],
      forwardQuery: ['forwardquery'],
      clicks: ['visitssummarynonbots', 'visits', 'visitscount'],
      ...CLICKS_BY_DAY,
    },
  },
  sink: {
    isKnownBy: [['slug', 'url']],
    columns: {
      destinationUrl: ['url'],
      slug: ['slug'],
      name: ['title', 'comment'],
      tags: ['tags'],
      expiresAt: ['expiration'],
      hasPassword: ['password'],
      banned: ['unsafe'],
      forwardQuery: ['redirectwithquery'],
      iosDeepLink: ['apple'],
      androidDeepLink: ['google'],
      rules: ['rules'],
      card: ['card'],
      ...CLICKS_BY_DAY,
    },
  },
  linktree: {
    isKnownBy: [['title', 'url', 'position']],
    columns: { destinationUrl: ['url'], name: ['title'] },
  },
  linkstack: {
    isKnownBy: [['link', 'title', 'clicknumber']],
    columns: { destinationUrl: ['link'], name: ['title'], clicks: ['clicknumber'] },
  },
}

/** A file that several services could have made is taken for the first of these. */
const DETECTED: readonly SourceName[] = [
  'csv',
  'rebrandly',
  'shortio',
  'kutt',
  'yourls',
  'shlink',
  'bitly',
  'linkstack',
  'dub',
  'sink',
  'linktree',
]

export function toColumnKey(header: string): string {
  return header.toLowerCase().replace(/[^a-z0-9]/g, '')
}

export function detectSource(headers: readonly string[]): SourceName {
  const keys = new Set(headers.map(toColumnKey))
  const isKnown = (name: SourceName) =>
    SOURCES[name].isKnownBy.some((columns) => columns.every((column) => keys.has(column)))
  return DETECTED.find(isKnown) ?? 'csv'
}
