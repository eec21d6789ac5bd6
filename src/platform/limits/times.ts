export type Time = { readonly what: string; readonly ms: number; readonly answer: string }

/** Core and database time of one owner, regained at a steady rate. */
export type Share = {
  readonly what: string
  readonly per: string
  readonly seconds: number
  readonly windowSeconds: number
}

export const TIMES = {
  request: { what: 'Any other request', ms: 10_000, answer: '503' },
  bulkRequest: { what: 'A request for many links', ms: 60_000, answer: '503' },
  fileRequest: {
    what: 'A request with a file, or a DNS check',
    ms: 60_000,
    answer: '503',
  },
  stream: { what: 'A part of a live stream or an exported file', ms: 30_000, answer: '503' },
  exportPart: { what: 'A part of exported clicks', ms: 60_000, answer: '503' },
  statement: { what: 'A PostgreSQL statement', ms: 30_000, answer: '503' },
  idleTransaction: {
    what: 'A PostgreSQL transaction between two statements',
    ms: 30_000,
    answer: '503',
  },
  heavyRead: { what: 'A statement of a list, a search or a log', ms: 3_000, answer: '429' },
} satisfies Record<string, Time>

export const SHARES = {
  databaseReads: {
    what: 'Lists, searches and logs in PostgreSQL',
    per: 'user, and workspace',
    seconds: 3,
    windowSeconds: 10,
  },
  analytics: { what: 'Analytics', per: 'user, and workspace', seconds: 20, windowSeconds: 40 },
  clickLookups: {
    what: 'Looking up the clicks that conversions name',
    per: 'workspace',
    seconds: 10,
    windowSeconds: 20,
  },
  files: {
    what: 'Reading uploaded files and images, after the first second of each',
    per: 'network, user, and workspace',
    seconds: 20,
    windowSeconds: 60,
  },
} satisfies Record<string, Share>
