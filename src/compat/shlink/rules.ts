import type { Answered, Context, Row } from '../api.ts'
import type { Link } from '../../links/link/schema.ts'

type Rule = Link['rules'][number]
import { invalidData } from './problem.ts'
import { findShortUrl } from './short-urls.ts'
import { parseDate, toData, toDate } from './short-url.ts'

type Condition = { type: string; matchKey: string | null; matchValue: string | null }
type Conditions = Rule['conditions']
type ShlinkRule = { longUrl: string; conditions: Condition[] }

const SYSTEMS: Readonly<Record<string, string>> = {
  android: 'Android',
  ios: 'iOS',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  chromeos: 'ChromeOS',
}
const DEVICES: readonly string[] = ['mobile', 'desktop']
const BROWSERS: Readonly<Record<string, string>> = {
  chrome: 'Chrome',
  firefox: 'Firefox',
  edge: 'Edge',
  safari: 'Safari',
  opera: 'Opera',
  android_browser: 'Android Browser',
}
const MAX_COMBINATIONS = 100

export const ruleRows = {
  'GET /rest/v3/short-urls/:shortCode/redirect-rules': {
    handle: async (context) => show(await findShortUrl(context)),
  },
  'POST /rest/v3/short-urls/:shortCode/redirect-rules': { handle: replace },
} as const satisfies Record<string, Row>

function show(link: Link): Answered {
  const rules = link.rules.flatMap((rule) => toShlink(rule) ?? [])
  return {
    body: {
      defaultLongUrl: link.destinationUrl,
      redirectRules: rules.map((rule, i) => ({ ...rule, priority: i + 1 })),
    },
  }
}

/** Rules that Shlink cannot show stay, after the new ones. */
async function replace(context: Context): Promise<Answered> {
  const { redirectRules } = toData(context.body)
  if (!Array.isArray(redirectRules))
    throw invalidData('redirectRules must be a list.', 'redirectRules')
  const rules = redirectRules.map(toOurs)
  const { id, rules: before } = await findShortUrl(context)
  const kept = before.filter((rule) => toShlink(rule) === null)
  const { data: link } = await context.call<Link>('PATCH', '/links/:id', {
    params: { id },
    body: { rules: [...rules, ...kept] },
  })
  return show(link)
}

function toOurs(given: unknown) {
  const { longUrl, conditions } = toData(given)
  if (!Array.isArray(conditions) || conditions.length === 0)
    throw invalidData('A rule has at least one condition.', 'redirectRules')
  const ours: Record<string, unknown> = {}
  for (const condition of conditions) {
    const [name, value] = toOurCondition(toData(condition) as Condition)
    if (name === 'query') ours.query = { ...(ours.query as object), ...(value as object) }
    else if (name in ours)
      throw invalidData('A rule has one condition of each kind.', 'redirectRules')
    else ours[name] = value
  }
  return { destinationUrl: longUrl, conditions: ours }
}

function toOurCondition({ type, matchKey, matchValue }: Condition): [keyof Conditions, unknown] {
  const [key, value] = [String(matchKey), String(matchValue)]
  switch (type) {
    case 'device':
      if (DEVICES.includes(value)) return ['device', [value]]
      if (Object.hasOwn(SYSTEMS, value)) return ['os', [SYSTEMS[value]]]
      break
    case 'browser':
      if (Object.hasOwn(BROWSERS, value)) return ['browser', [BROWSERS[value]]]
      break
    case 'language':
      return ['language', [value]]
    case 'geolocation-country-code':
      return ['country', [value]]
    case 'query-param':
      return ['query', { [key]: value }]
    case 'any-value-query-param':
      return ['query', { [key]: null }]
    case 'valueless-query-param':
      return ['query', { [key]: '' }]
    case 'before-date':
      return ['to', parseDate(matchValue, 'redirectRules')]
    case 'after-date':
      return ['from', parseDate(matchValue, 'redirectRules')]
  }
  throw invalidData(
    `This server has no condition ${type.slice(0, 50)} with this value.`,
    'redirectRules',
  )
}

/** A list of labels is a rule for each; null if Shlink has no such rule. */
function toShlink({ enabled, destinationUrl, conditions }: Rule): ShlinkRule[] | null {
  const kinds = Object.entries(conditions).map(([name, value]) => toChoices(name, value))
  if (!enabled || kinds.includes(null)) return null
  let combined: Condition[][] = [[]]
  for (const choices of kinds as Condition[][][])
    combined = combined.flatMap((before) => choices.map((choice) => [...before, ...choice]))
  if (combined.length > MAX_COMBINATIONS) return null
  return combined.map((all) => ({ longUrl: destinationUrl, conditions: all }))
}

/** Of the choices one must hold, with all its conditions. */
function toChoices(name: string, value: Conditions[keyof Conditions]): Condition[][] | null {
  const each = (type: string, words?: Readonly<Record<string, string>>) => {
    const labels = (value as string[]).map((label) => (words ? wordFor(words, label) : label))
    return labels.includes(null) ? null : labels.map((label) => [toCondition(type, label)])
  }
  switch (name) {
    case 'os':
      return each('device', SYSTEMS)
    case 'device':
      return (value as string[]).every((kind) => DEVICES.includes(kind)) ? each('device') : null
    case 'browser':
      return each('browser', BROWSERS)
    case 'language':
      return each('language')
    case 'country':
      return each('geolocation-country-code')
    case 'query':
      return [Object.entries(value as Record<string, string | null>).map(toQueryCondition)]
    case 'to':
      return [[toCondition('before-date', toDate(value as string))]]
    case 'from':
      return [[toCondition('after-date', toDate(value as string))]]
    default:
      return null
  }
}

function toQueryCondition([key, value]: [string, string | null]): Condition {
  if (value === null) return toCondition('any-value-query-param', null, key)
  return value === ''
    ? toCondition('valueless-query-param', null, key)
    : toCondition('query-param', value, key)
}

function toCondition(type: string, matchValue: string | null, matchKey: string | null = null) {
  return { type, matchKey, matchValue }
}

function wordFor(words: Readonly<Record<string, string>>, label: string): string | null {
  return Object.keys(words).find((word) => words[word] === label) ?? null
}
