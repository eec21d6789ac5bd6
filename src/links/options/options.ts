import { invalid } from '../../platform/core/errors.ts'
import type {
  Card,
  Conditions,
  LinkOptions,
  Rule,
  Variant,
} from '../../platform/facts/link-options.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { checkDestination, type IsOwn } from '../link/destination.ts'
import { isMediaId } from '../write/references.ts'
import {
  CONTINENT_CODES,
  DEVICE_KINDS,
  CONDITION_NAMES,
  MAX_QUERY_CONDITIONS,
  MAX_VARIANTS,
  URL_MAX_CHARS,
  type CardInput,
  type ConditionsInput,
  type OptionInputs,
  type RuleInput,
  type VariantInput,
} from './option-shapes.ts'
import { newId } from '../../platform/core/ids.ts'
import { CONTINENTS } from '../../platform/facts/geo-fields.ts'
import { toBrowserLabel, toSystemLabel } from '../../platform/facts/device.ts'
import { toLanguageLabel } from '../../platform/facts/visit-headers.ts'

/** Bounds the stored options, which every edge that serves the link keeps in memory. */
const MAX_BYTES = 32 * 1024
const SCHEME = /^([a-z][a-z0-9+.-]*):/
/** Schemes that run a script, read a file, or let the link choose the app. */
const REFUSED = new Set(['javascript', 'data', 'vbscript', 'blob', 'file', 'about', 'intent'])
const NOT_VISIBLE_ASCII = /[^\u0021-\u007e]/

type Changes = { [name in keyof LinkOptions]?: LinkOptions[name] | null }
type Surroundings = {
  isOwn: IsOwn
  nowMs: number
  toMediaUrl: (id: string) => string
}

const CHECKS: {
  [name in keyof LinkOptions & keyof OptionInputs]-?: (
    value: NonNullable<OptionInputs[name]>,
    surroundings: Surroundings,
  ) => LinkOptions[name] | null
} = {
  startsAt: (value) => toDate(value, 'startsAt').toISOString(),
  expiredUrl: (value, { isOwn }) => checkDestination(value, isOwn, 'expiredUrl'),
  maxClicks: (value) => value,
  iosDeepLink: (value, { isOwn }) => checkDeepLink(value, isOwn, 'iosDeepLink'),
  androidDeepLink: (value, { isOwn }) => checkDeepLink(value, isOwn, 'androidDeepLink'),
  rules: (value, { isOwn, nowMs }) => (value.length === 0 ? null : checkRules(value, isOwn, nowMs)),
  variants: (value, { isOwn, nowMs }) =>
    value.length === 0 ? null : checkVariants(value, isOwn, nowMs),
  variantsUntil: (value) => toDate(value, 'variantsUntil').toISOString(),
  forwardQuery: (value) => (value ? null : false),
  noindex: (value) => (value ? true : null),
  card: (value, { toMediaUrl }) => checkCard(value, toMediaUrl),
  trackConversions: (value) => (value ? true : null),
  qrLogoMediaId: (value) => value,
}

/** Null and the default of an option remove it. Undefined: the request has none; null: all have their defaults. */
export function checkOptions(
  input: OptionInputs,
  before: LinkOptions | null,
  surroundings: Surroundings,
): LinkOptions | null | undefined {
  const changes = toChanges(input, surroundings)
  const changed = Object.keys(changes)
  if (changed.length === 0) return undefined
  const options = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  // Sorted, so that equal options are equal texts.
  options.sort(([a], [b]) => (a < b ? -1 : 1))
  if (options.length === 0) return null
  const stored = Object.fromEntries(options) as LinkOptions
  checkSize(stored, changed)
  return stored
}

function toChanges(input: OptionInputs, surroundings: Surroundings): Changes {
  const changes: Record<string, unknown> = {}
  for (const [name, check] of Object.entries(CHECKS)) {
    const value = input[name as keyof typeof CHECKS]
    if (value === undefined) continue
    changes[name] = value === null ? null : check(value as never, surroundings)
  }
  return changes
}

function checkSize(options: LinkOptions, changed: readonly string[]): void {
  const bytes = sizeOf(options)
  if (bytes <= MAX_BYTES) return
  const size = (name: string) => sizeOf(options[name as keyof LinkOptions] ?? null)
  const [path = ''] = changed.toSorted((a, b) => size(b) - size(a))
  throw invalid(
    path,
    `All options of a link together must have at most ${MAX_BYTES} bytes as JSON; they have ${bytes}. Shorten ${path}.`,
    'too_large',
  )
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** An http(s) URL like a destination; any other URL in visible ASCII. */
export function checkDeepLink(input: string, isOwn: IsOwn, path: string): string {
  const refuse = (message: string) => invalid(path, `${path} ${message}`, 'invalid_url')
  const text = input.trim()
  if (/\p{Cc}/u.test(text)) throw refuse('must not contain control characters.')
  const url = URL.parse(text)
  if (!url) throw refuse('must be a full URL, such as exampleapp://page.')
  if (url.protocol === 'https:' || url.protocol === 'http:')
    return checkDestination(text, isOwn, path)
  const scheme = SCHEME.exec(text)?.[1]
  if (scheme === undefined)
    throw refuse('must begin with https://, http:// or a custom scheme in lower case.')
  if (REFUSED.has(scheme)) throw refuse(`must not have the scheme ${scheme}.`)
  const stored = NOT_VISIBLE_ASCII.test(text) ? url.href.replaceAll(' ', '%20') : text
  if (stored.length > URL_MAX_CHARS) throw refuse(`must have at most ${URL_MAX_CHARS} characters.`)
  return stored
}

/** Whether a change sets a deep link, which needs the capability. Keeping or removing one does not. */
export function addsDeepLink(before: LinkOptions | null, after: LinkOptions | null): boolean {
  const fields = ['iosDeepLink', 'androidDeepLink'] as const
  return fields.some((field) => after?.[field] !== undefined && after[field] !== before?.[field])
}

function checkCard(input: CardInput, toMediaUrl: (id: string) => string): Card {
  const card = {
    title: checkText(input.title, 'card.title'),
    description: checkText(input.description, 'card.description'),
    image: input.image ? checkImage(input.image, toMediaUrl) : null,
  }
  if (Object.values(card).every((value) => value === null))
    throw invalid('card', 'card must have a title, a description or an image; null removes it.')
  return card
}

function checkText(input: string | null | undefined, path: string): string | null {
  const text = input?.trim().replace(/\r?\n/g, ' ')
  if (!text) return null
  if (CONTROL.test(text)) throw invalid(path, `${path} must not contain control characters.`)
  return text
}

/** An uploaded image becomes its public address. Images of this server are allowed, since no visit is redirected to one. */
function checkImage(input: string, toMediaUrl: (id: string) => string): string {
  if (isMediaId(input)) return toMediaUrl(input)
  const path = 'card.image'
  const url = checkDestination(input, () => false, path)
  if (!/^https:/i.test(url)) throw invalid(path, `${path} must begin with https://.`, 'invalid_url')
  return url
}

const ULID = '[0-9A-HJKMNP-TV-Z]{26}'
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
/** A code of ISO 3166-2 in lower case; names begin with a capital. */
const CODE = /^[a-z\d]{1,3}$/
const REGION = /^([A-Z]{2})-(\S(?:.*\S)?)$/i

/** For each list of labels: the stored form of a label, null if it is unknown, and a hint for the error. */
const LABELS = {
  country: [toCountry, 'the ISO 3166-1 code of a country, such as DE'],
  region: [toRegion, 'a country and a region, such as US-CA'],
  continent: [(label) => oneOf(CONTINENT_CODES, label), `one of ${CONTINENT_CODES.join(', ')}`],
  device: [(label) => oneOf(DEVICE_KINDS, label), `one of ${DEVICE_KINDS.join(', ')}`],
  os: [toSystemLabel, 'an operating system as the analytics name it, such as iOS'],
  browser: [toBrowserLabel, 'a browser as the analytics name it, such as Safari'],
  language: [toLanguageLabel, 'a language without a region, such as de'],
} as const satisfies Record<string, readonly [(label: string) => string | null, string]>

const LABEL_FIELDS = Object.keys(LABELS) as (keyof typeof LABELS)[]

function checkRules(input: readonly RuleInput[], isOwn: IsOwn, nowMs: number): Rule[] {
  const toId = createIds('rul', nowMs)
  return input.map((rule, i) => {
    const path = `rules.${i}`
    return {
      id: toId(rule.id, `${path}.id`),
      name: checkOptionName(rule.name, `${path}.name`),
      enabled: rule.enabled ?? true,
      conditions: checkConditions(rule.conditions, `${path}.conditions`),
      destinationUrl: checkDestination(rule.destinationUrl, isOwn, `${path}.destinationUrl`),
    }
  })
}

function checkVariants(input: readonly VariantInput[], isOwn: IsOwn, nowMs: number): Variant[] {
  if (input.length === 1)
    throw invalid(
      'variants',
      `variants must be empty or have 2 to ${MAX_VARIANTS} entries; it has 1.`,
    )
  const toId = createIds('var', nowMs)
  const variants = input.map((variant, i) => ({
    id: toId(variant.id, `variants.${i}.id`),
    name: checkOptionName(variant.name, `variants.${i}.name`),
    destinationUrl: checkDestination(variant.destinationUrl, isOwn, `variants.${i}.destinationUrl`),
    weight: variant.weight,
  }))
  const sum = variants.reduce((total, { weight }) => total + weight, 0)
  if (variants.length > 0 && sum !== 100)
    throw invalid('variants', `The weights of variants must sum to 100; they sum to ${sum}.`)
  return variants
}

function createIds(prefix: 'rul' | 'var', nowMs: number) {
  const form = new RegExp(`^${prefix}_${ULID}$`)
  const taken = new Set<string>()
  return (id: string | null | undefined, path: string): string => {
    const kept = id ?? newId(prefix, nowMs)
    if (!form.test(kept))
      throw invalid(path, `${path} must be an id that an answer gave; leave it out for a new one.`)
    if (taken.has(kept)) throw invalid(path, `${path} must not be the id of another entry.`)
    taken.add(kept)
    return kept
  }
}

function checkOptionName(name: string | null | undefined, path: string): string {
  const trimmed = name?.trim() ?? ''
  if (CONTROL.test(trimmed)) throw invalid(path, `${path} must not contain control characters.`)
  return trimmed
}

/** Refuses an unknown condition: if it were ignored, the rule would apply to more visitors. */
function checkConditions(input: ConditionsInput, path: string): Conditions {
  const unknown = Object.keys(input).find(
    (name) => !CONDITION_NAMES.some((known) => known === name),
  )
  if (unknown !== undefined)
    throw invalid(`${path}.${unknown}`, `${path}.${unknown} is not a condition.`)
  const conditions: Conditions = {}
  for (const field of LABEL_FIELDS) {
    const labels = input[field]
    if (labels) conditions[field] = checkLabels(field, labels, `${path}.${field}`)
  }
  if (input.query) conditions.query = checkQuery(input.query, `${path}.query`)
  if (input.from) conditions.from = toDate(input.from, `${path}.from`).toISOString()
  if (input.to) conditions.to = toDate(input.to, `${path}.to`).toISOString()
  if (Object.keys(conditions).length === 0)
    throw invalid(path, `${path} must have at least one condition.`)
  const { from, to } = conditions
  if (from !== undefined && to !== undefined && from >= to)
    throw invalid(`${path}.from`, `${path}.from must be before ${path}.to.`)
  return conditions
}

function checkLabels(field: keyof typeof LABELS, labels: readonly string[], path: string) {
  const [toLabel, hint] = LABELS[field]
  const found = labels.map((label, i) => {
    const known = toLabel(label.trim())
    if (known === null) throw invalid(`${path}.${i}`, `${path}.${i} must be ${hint}.`)
    return known
  })
  return [...new Set(found)]
}

function checkQuery(query: Record<string, string | null>, path: string) {
  const names = Object.keys(query)
  if (names.length === 0 || names.length > MAX_QUERY_CONDITIONS)
    throw invalid(path, `${path} must have 1 to ${MAX_QUERY_CONDITIONS} parameters.`)
  for (const [name, value] of Object.entries(query))
    if (CONTROL.test(name) || CONTROL.test(value ?? ''))
      throw invalid(path, `${path} must not contain control characters.`)
  return query
}

function toCountry(label: string): string | null {
  const code = label.toUpperCase()
  return CONTINENTS.has(code) ? code : null
}

/** Checks only the country, since the database has names for regions without codes. */
export function toRegion(label: string): string | null {
  const [, country = '', region = ''] = REGION.exec(label) ?? []
  if (toCountry(country) === null || CONTROL.test(region)) return null
  return `${country.toUpperCase()}-${CODE.test(region) ? region.toUpperCase() : region}`
}

function oneOf(labels: readonly string[], label: string): string | null {
  return labels.find((known) => known.toLowerCase() === label.toLowerCase()) ?? null
}
