import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { CONTINENTS } from '../../platform/facts/geo-fields.ts'
import { toBrowserLabel, toSystemLabel } from '../../platform/facts/device.ts'
import { toLanguageLabel } from '../../platform/facts/visit-headers.ts'
import type { Conditions, Rule, Variant } from '../../platform/facts/link-options.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { checkDestination, type IsOwn } from '../link/destination.ts'
import {
  CONTINENT_CODES,
  DEVICE_KINDS,
  MAX_QUERY_CONDITIONS,
  MAX_VARIANTS,
  type ConditionsInput,
  type RuleInput,
  type VariantInput,
} from './option-shapes.ts'

const ULID = '[0-9A-HJKMNP-TV-Z]{26}'
export const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
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
const FIELDS = new Set<string>([...LABEL_FIELDS, 'query', 'from', 'to'])

/**
 * The stored form of rules.
 * @throws ApiError VALIDATION_ERROR with a path such as `rules.0.conditions.country.1`
 */
export function checkRules(input: readonly RuleInput[], isOwn: IsOwn, nowMs: number): Rule[] {
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

/**
 * The stored form of variants.
 * @throws ApiError VALIDATION_ERROR with a path such as `variants.1.destinationUrl`, or `variants` for
 *   a single one or weights that do not sum to 100
 */
export function checkVariants(
  input: readonly VariantInput[],
  isOwn: IsOwn,
  nowMs: number,
): Variant[] {
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

/** Gives ids to rules or variants, and keeps those that the request has. */
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
  const unknown = Object.keys(input).find((name) => !FIELDS.has(name))
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
