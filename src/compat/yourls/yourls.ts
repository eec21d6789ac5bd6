import type { Answered, Asked, CompatApi, Context } from '../api.ts'
import { textOf } from '../fields.ts'
import { SUCCESS, toAnswer, toRefusal, type Get, type Output } from './output.ts'
import { findKey, type YourlsDeps } from './key.ts'
import { shorten } from './shorturl.ts'
import { expand, readStatsOf, readTotals, listStats } from './stats.ts'

export type { YourlsDeps } from './key.ts'

/** The version whose API this is. */
const VERSION = '1.10.5'
const DB_VERSION = '507'

type Action = (context: Context, of: Get) => Promise<Output> | Output

export function createYourls(deps: YourlsDeps): CompatApi {
  const actions: Readonly<Record<string, Action>> = {
    shorturl: shorten,
    expand,
    'url-stats': readStatsOf,
    stats: listStats,
    'db-stats': readTotals,
    version,
    signature: (context) => showSignature(deps, context),
  }
  const act = async (context: Context): Promise<Answered> => {
    const of = fieldsOf(context)
    const name = of('action') ?? ''
    const action = Object.hasOwn(actions, name) ? actions[name]! : unknown
    return toAnswer(await action(context, of), of)
  }
  return {
    name: 'YOURLS',
    prefix: '/yourls-api.php',
    rows: { 'GET ': act, 'POST ': act, 'GET /:keyId': act, 'POST /:keyId': act },
    takesForms: true,
    findKey: (asked) => findKey(deps, fieldsOf(asked), asked.params.keyId),
    toError: (error, asked) => toAnswer(toRefusal(error), fieldsOf(asked)),
  }
}

/** As PHP reads them: a field of the form before one of the query. */
function fieldsOf({ query, body }: Asked): Get {
  return (name) => textOf(body, name) ?? textOf(query, name)
}

function version(_context: Context, of: Get): Output {
  return { version: VERSION, simple: VERSION, ...(of('db') === '1' && { db_version: DB_VERSION }) }
}

/** Not of YOURLS, whose dashboard shows it. It grants what the key grants, to which it belongs. */
async function showSignature(
  { findSignature }: YourlsDeps,
  { keyId, origin }: Context,
): Promise<Output> {
  const signature = (await findSignature(keyId!)) ?? ''
  return {
    signature,
    apiUrl: `${origin}/yourls-api.php/${keyId}`,
    ...SUCCESS,
    simple: signature,
  }
}

function unknown(): Output {
  const message = 'Unknown or missing "action" parameter'
  return { errorCode: '400', message, simple: message }
}
