import type { Answered, CompatApi } from '../api.ts'
import { textOf } from '../fields.ts'
import { domainRows } from './domains.ts'
import { toAnswer, toProblem } from './problem.ts'
import { ruleRows } from './rules.ts'
import { shortUrlRows } from './short-urls.ts'
import { tagRows } from './tags.ts'
import { visitRows } from './visits.ts'

/** The version whose API this is: clients ask for it to learn what they may use. */
const VERSION = '5.1.0'

const health = {
  handle: (): Answered => ({ body: { status: 'pass', version: VERSION, links: {} } }),
  isPublic: true,
} as const

export const shlink: CompatApi = {
  name: 'Shlink',
  rows: {
    ...shortUrlRows,
    ...ruleRows,
    ...visitRows,
    ...tagRows,
    ...domainRows,
    'DELETE /rest/v3/short-urls/:shortCode/visits': {
      handle: () =>
        toAnswer(501, {
          type: 'about:blank',
          title: 'Not implemented',
          detail: 'This server deletes no visits.',
          status: 501,
        }),
    },
    'GET /rest/v3/mercure-info': {
      handle: () =>
        toAnswer(501, {
          type: 'https://shlink.io/api/error/mercure-not-configured',
          title: 'Mercure integration not configured',
          detail: 'This server is not integrated with a mercure hub.',
          status: 501,
        }),
    },
    'GET /rest/v3/health': health,
    'GET /rest/health': health,
  },
  unknownBelow: '/rest/v3',
  findKey: ({ headers }) => textOf(headers, 'x-api-key') ?? null,
  toError: toProblem,
}
