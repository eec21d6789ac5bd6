import { LINK_FIELDS, OWN_FIELDS, type Field } from './fields.ts'

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

/** Names of columns are compared by their letters and digits alone. */
type Source = {
  /** Any of these sets of columns identifies the service's export. */
  readonly isKnownBy: readonly (readonly string[])[]
  /** The columns of each field; the first one with a value counts. */
  readonly columns: { readonly [field in Field]?: readonly string[] }
}

const toColumns = (fields: readonly string[]): Source['columns'] =>
  Object.fromEntries(fields.map((field) => [field, [field.toLowerCase()]]))
const OWN_COLUMNS = toColumns(OWN_FIELDS)
const UTM_COLUMNS = toColumns(
  Object.keys(LINK_FIELDS).filter((field) => /^utm(?!Template)/.test(field)),
)

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
    },
  },
}

/** A file that several services could have made is taken for the first of these. */
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

export function detectSource(headers: readonly string[]): SourceName {
  const keys = new Set(headers.map(toColumnKey))
  const isKnown = (name: SourceName) =>
    SOURCES[name].isKnownBy.some((columns) => columns.every((column) => keys.has(column)))
  return DETECTED.find(isKnown) ?? 'csv'
}
