import { SIZES } from '../../platform/limits/sizes.ts'
import type { Answered, Asked, CompatApi, Context } from '../api.ts'
import { textOf } from '../fields.ts'
import { shorten } from './shorturl.ts'
import { toAnswer, toRefusal, type Output } from './output.ts'

const ACTIONS: Readonly<Record<string, (context: Context, of: Fields) => Promise<Output>>> = {
  shorturl: shorten,
}

/** A parameter of the query or the form, as PHP reads them. */
type Fields = (name: string) => string | undefined

const row = { handle: act, limits: { bodyBytes: SIZES.form.bytes } }

export const yourls: CompatApi = {
  name: 'YOURLS',
  rows: { 'GET /yourls-api.php': row, 'POST /yourls-api.php': row },
  takesForms: true,
  findKey: (asked) => fieldsOf(asked)('password') ?? fieldsOf(asked)('signature') ?? null,
  toError: (error, asked) => toAnswer(toRefusal(error), fieldsOf(asked)),
}

function fieldsOf({ query, body }: Asked): Fields {
  return (name) => textOf(body, name) ?? textOf(query, name)
}

async function act(context: Context): Promise<Answered> {
  const fields = fieldsOf(context)
  const action = ACTIONS[fields('action') ?? '']
  if (!action) return toAnswer(UNKNOWN, fields)
  return toAnswer(await action(context, fields), fields)
}

const UNKNOWN: Output = {
  errorCode: '400',
  message: 'Unknown or missing "action" parameter',
  simple: 'Unknown or missing "action" parameter',
}
