import { OWN_FIELDS, type Field } from './fields.ts'

export const SOURCE_NAMES = [
  'csv',
  'bitly',
  'dub',
  'shortio',
  'rebrandly',
  'yourls',
  'kutt',
] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

/** The columns of a service's export. Names of columns are compared by their letters and digits alone. */
type Source = {
  /** Sets of columns, any of which tells that a file is an export of the service. */
  readonly isKnownBy: readonly (readonly string[])[]
  /** The field of each column. Of several columns of a field, the first that has a value counts. */
  readonly columns: readonly (readonly [column: string, field: Field])[]
}

const OWN_COLUMNS = OWN_FIELDS.map((field) => [field.toLowerCase(), field] as const)

/** Columns that several services have under the names of the API. */
const UTM_COLUMNS = (['source', 'medium', 'campaign', 'term', 'content'] as const).map(
  (each) => [`utm${each}`, `utm${each[0]!.toUpperCase()}${each.slice(1)}` as Field] as const,
)

export const SOURCES: Readonly<Record<SourceName, Source>> = {
  csv: { isKnownBy: [['name', 'destinationurl']], columns: OWN_COLUMNS },
  bitly: {
    isKnownBy: ['link', 'bitlink', 'shortlink', 'custombitlinks', 'shorturl'].map((header) => [
      'longurl',
      header,
    ]),
    columns: [
      ['longurl', 'destinationUrl'],
      ['custombitlinks', 'shortUrl'],
      ['custombitlink', 'shortUrl'],
      ['link', 'shortUrl'],
      ['bitlink', 'shortUrl'],
      ['shortlink', 'shortUrl'],
      ['shorturl', 'shortUrl'],
      ['title', 'name'],
      ['tags', 'tags'],
      ['archived', 'archived'],
      ['clicks', 'clicks'],
      ['totalclicks', 'clicks'],
      ['engagements', 'clicks'],
      ['totalengagements', 'clicks'],
    ],
  },
  dub: {
    isKnownBy: [
      ['shortlink', 'destinationurl'],
      ['shortlink', 'url'],
      ['link', 'url'],
      ['domain', 'key', 'url'],
    ],
    columns: [
      ['destinationurl', 'destinationUrl'],
      ['url', 'destinationUrl'],
      ['key', 'slug'],
      ['shortlink', 'shortUrl'],
      ['link', 'shortUrl'],
      ['title', 'name'],
      ['externalid', 'externalId'],
      ['tags', 'tags'],
      ['folder', 'folder'],
      ['archived', 'archived'],
      ['expiresat', 'expiresAt'],
      ['expiredurl', 'expiredUrl'],
      ['password', 'password'],
      ['ios', 'iosDeepLink'],
      ['android', 'androidDeepLink'],
      ['clicks', 'clicks'],
      ...UTM_COLUMNS,
    ],
  },
  shortio: {
    isKnownBy: [
      ['originalurl', 'path'],
      ['originalurl', 'shorturl'],
      ['originalurl', 'slug'],
    ],
    columns: [
      ['originalurl', 'destinationUrl'],
      ['path', 'slug'],
      ['slug', 'slug'],
      ['shorturl', 'shortUrl'],
      ['title', 'name'],
      ['tags', 'tags'],
      ['folder', 'folder'],
      ['archived', 'archived'],
      ['expiresat', 'expiresAt'],
      ['expirationdate', 'expiresAt'],
      ['expiredurl', 'expiredUrl'],
      ['password', 'password'],
      ['clickslimit', 'maxClicks'],
      ['redirecttype', 'redirectType'],
      ['iphoneurl', 'iosDeepLink'],
      ['androidurl', 'androidDeepLink'],
      ['totalclicks', 'clicks'],
      ['clicks', 'clicks'],
      ['humanclicks', 'clicks'],
      ...UTM_COLUMNS,
    ],
  },
  rebrandly: {
    isKnownBy: [
      ['slashtag', 'destination'],
      ['slashtag', 'destinationurl'],
      ['destination', 'shorturl'],
    ],
    columns: [
      ['destination', 'destinationUrl'],
      ['destinationurl', 'destinationUrl'],
      ['slashtag', 'slug'],
      ['shorturl', 'shortUrl'],
      ['title', 'name'],
      ['tags', 'tags'],
      ['forwardparameters', 'forwardQuery'],
      ['clicks', 'clicks'],
      ['totalclicks', 'clicks'],
    ],
  },
  yourls: {
    isKnownBy: [
      ['keyword', 'url'],
      ['shorturl', 'url', 'timestamp'],
    ],
    columns: [
      ['url', 'destinationUrl'],
      ['keyword', 'slug'],
      ['shorturl', 'shortUrl'],
      ['title', 'name'],
      ['clicks', 'clicks'],
    ],
  },
  kutt: {
    isKnownBy: [
      ['address', 'target'],
      ['target', 'visitcount'],
    ],
    columns: [
      ['target', 'destinationUrl'],
      ['address', 'slug'],
      ['link', 'shortUrl'],
      ['description', 'name'],
      ['banned', 'banned'],
      ['password', 'hasPassword'],
      ['expirein', 'expiresAt'],
      ['visitcount', 'clicks'],
    ],
  },
}

/** In this order: a file that several of them could have made is taken for the first one. */
const DETECTED: readonly SourceName[] = [
  'csv',
  'rebrandly',
  'shortio',
  'kutt',
  'yourls',
  'bitly',
  'dub',
]

export function toColumnKey(header: string): string {
  return header.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** The service whose export has these columns; `csv` for any other file. */
export function detectSource(headers: readonly string[]): SourceName {
  const keys = new Set(headers.map(toColumnKey))
  const isKnown = (name: SourceName) =>
    SOURCES[name].isKnownBy.some((columns) => columns.every((column) => keys.has(column)))
  return DETECTED.find(isKnown) ?? 'csv'
}
