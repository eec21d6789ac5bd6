import type { CompatApi, Handler } from '../api.ts'
import { textOf } from '../fields.ts'
import { domainRows } from './domains.ts'
import { toAnswer, toProblem } from './problem.ts'
import { ruleRows } from './rules.ts'
import { shortUrlRows } from './short-urls.ts'
import { tagRows } from './tags.ts'
import { visitRows } from './visits.ts'

/** The version whose API this is: clients ask for it to learn what they may use. */
const VERSION = '5.1.0'

const health: Handler = () => ({ body: { status: 'pass', version: VERSION, links: {} } })

export const shlink: CompatApi = {
  name: 'Shlink',
  prefix: '/rest',
  publicRows: { 'GET /v3/health': health, 'GET /health': health },
  rows: {
    ...shortUrlRows,
    ...ruleRows,
    ...visitRows,
    ...tagRows,
    ...domainRows,
    'DELETE /v3/short-urls/:shortCode/visits': () =>
      toAnswer(501, { type: '', title: 'Not implemented' }, 'This server deletes no visits.'),
    'GET /v3/mercure-info': () =>
      toAnswer(
        501,
        { type: 'mercure-not-configured', title: 'Mercure integration not configured' },
        'This server is not integrated with a mercure hub.',
      ),
  },
  findKey: ({ headers }) => textOf(headers, 'x-api-key') ?? null,
  toError: toProblem,
}
