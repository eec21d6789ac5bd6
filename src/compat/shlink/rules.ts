import type { Link } from '../../links/link/schema.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { Answered, Context, Rows } from '../api.ts'
import { asText, toObject, type Fields } from '../fields.ts'
import { findShortUrl } from './short-urls.ts'
import { parseDate, toDate } from './short-url.ts'

type Rule = Link['rules'][number]
type Condition = { type: string; matchKey: string | null; matchValue: string | null }

const SYSTEMS = {
  ...{ android: 'Android', ios: 'iOS', windows: 'Windows', macos: 'macOS', linux: 'Linux' },
  chromeos: 'ChromeOS',
}
const BROWSERS = {
  ...{ chrome: 'Chrome', firefox: 'Firefox', edge: 'Edge', safari: 'Safari', opera: 'Opera' },
  android_browser: 'Android Browser',
}
/** Conditions on a label, by type and name; of those with words, Shlink has these alone. */
const LABELS: readonly [type: string, name: string, words?: Readonly<Record<string, string>>][] = [
  ['device', 'os', SYSTEMS],
  ['device', 'device', { mobile: 'mobile', desktop: 'desktop' }],
  ['browser', 'browser', BROWSERS],
  ['language', 'language'],
  ['geolocation-country-code', 'country'],
]
const TIMES = [
  ['before-date', 'to'],
  ['after-date', 'from'],
] as const
/** The value that the parameter must have: null for any, undefined for the value in the condition. */
const QUERIES: readonly [type: string, value?: string | null][] = [
  ['any-value-query-param', null],
  ['valueless-query-param', ''],
  ['query-param'],
]
const MAX_COMBINATIONS = 100

export const ruleRows: Rows = {
  'GET /v3/short-urls/:shortCode/redirect-rules': async (context) =>
    show(await findShortUrl(context)),
  'POST /v3/short-urls/:shortCode/redirect-rules': replace,
}

function show({ destinationUrl, rules }: Link): Answered {
  const redirectRules = rules
    .flatMap((rule) => toShlink(rule) ?? [])
    .map((rule, i) => ({ ...rule, priority: i + 1 }))
  return { body: { defaultLongUrl: destinationUrl, redirectRules } }
}

/** Rules that Shlink cannot show stay, after the new ones. */
async function replace(context: Context): Promise<Answered> {
  const { redirectRules } = toObject(context.body)
  if (!Array.isArray(redirectRules)) throw invalid('redirectRules', 'redirectRules must be a list.')
  const rules = redirectRules.map(fromShlink)
  const { id, rules: before } = await findShortUrl(context)
  const kept = before.filter((rule) => toShlink(rule) === null)
  const given = { params: { id }, body: { rules: [...rules, ...kept] } }
  return show((await context.call<Link>('PATCH', '/links/:id', given)).data)
}

function fromShlink(rule: unknown) {
  const { longUrl, conditions } = toObject(rule, 'redirectRules')
  if (!Array.isArray(conditions) || conditions.length === 0)
    throw invalid('redirectRules', 'A rule has at least one condition.')
  const ours: Record<string, unknown> = {}
  for (const condition of conditions) {
    const [name, value] = fromCondition(toObject(condition, 'redirectRules'))
    if (name !== 'query' && name in ours)
      throw invalid('redirectRules', 'A rule has one condition of each kind.')
    ours[name] = name === 'query' ? { ...(ours['query'] as object), ...(value as object) } : value
  }
  return { destinationUrl: longUrl, conditions: ours }
}

function fromCondition({ type, matchKey, matchValue }: Fields): [name: string, value: unknown] {
  const given = asText(matchValue)
  for (const [label, name, words = { [given]: given }] of LABELS)
    if (label === type && Object.hasOwn(words, given)) return [name, [words[given]]]
  const time = TIMES.find((each) => each[0] === type)
  if (time) return [time[1], parseDate(matchValue, 'redirectRules')]
  const query = QUERIES.find((each) => each[0] === type)
  if (query) return ['query', { [asText(matchKey)]: query[1] === undefined ? given : query[1] }]
  const what = asText(type).slice(0, 50)
  throw invalid('redirectRules', `This server has no condition ${what} with this value.`)
}

/** A list of labels is a rule for each; null if Shlink has no such rule. */
function toShlink({ enabled, destinationUrl, conditions }: Rule) {
  let combined: Condition[][] = [[]]
  for (const condition of Object.entries(conditions)) {
    const choices = toChoices(condition)
    combined = combined.flatMap((before) => choices.map((choice) => [...before, ...choice]))
    if (combined.length > MAX_COMBINATIONS) return null
  }
  if (!enabled || combined.length === 0) return null
  return combined.map((all) => ({ longUrl: destinationUrl, conditions: all }))
}

/** Of the choices one must hold, with all its conditions; none if Shlink has no such condition. */
function toChoices([name, value]: [string, unknown]): Condition[][] {
  const time = TIMES.find((each) => each[1] === name)
  if (time) return [[{ type: time[0], matchKey: null, matchValue: toDate(value as string) }]]
  if (name === 'query') return [Object.entries(value as object).map(toQueryCondition)]
  const [type, , words] = LABELS.find((each) => each[1] === name) ?? []
  if (type === undefined) return []
  const labels = (value as string[]).map((label) =>
    words ? Object.keys(words).find((word) => words[word] === label) : label,
  )
  if (labels.includes(undefined)) return []
  return labels.map((label) => [{ type, matchKey: null, matchValue: label! }])
}

function toQueryCondition([matchKey, value]: [string, string | null]): Condition {
  const [type] = QUERIES.find((each) => each[1] === value) ?? ['query-param']
  return { type, matchKey, matchValue: value || null }
}
