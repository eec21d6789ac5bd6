import type { ConditionsInput, RuleInput } from '../options/option-shapes.ts'
import { isObject } from './foreign-records.ts'

const MAX_RULES = 20
const SYSTEMS: Readonly<Record<string, string>> = {
  android: 'Android',
  ios: 'iOS',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  chromeos: 'ChromeOS',
}

/** A rule is taken over as a whole or not at all: without one of its conditions it would meet other visitors. */
export function toRules(list: readonly unknown[]): { rules: RuleInput[]; leftOut: string[] } {
  const rules: RuleInput[] = []
  const leftOut: string[] = []
  for (const rule of list.filter(isObject)) {
    const conditions = toConditions(rule['conditions'])
    if (typeof conditions === 'string') leftOut.push(conditions)
    else if (rules.length === MAX_RULES) leftOut.push(`more than ${MAX_RULES} rules`)
    else rules.push({ conditions, destinationUrl: String(rule['longUrl']) })
  }
  return { rules, leftOut: [...new Set(leftOut)] }
}

/** @returns the kind of the first condition that Signpost does not have */
function toConditions(list: unknown): ConditionsInput | string {
  if (!Array.isArray(list) || list.length === 0) return 'no conditions'
  const all: ConditionsInput = {}
  for (const entry of list) {
    if (!isObject(entry)) return 'no conditions'
    const { type, matchKey, matchValue } = entry
    const one = toCondition(String(type), String(matchKey), String(matchValue))
    // All conditions must hold, while labels of one field are alternatives.
    const [field] = Object.keys(one ?? {})
    const isTwice = field !== undefined && field !== 'query' && field in all
    if (one === null || isTwice) return String(type).slice(0, 40)
    Object.assign(all, one, one.query && { query: { ...all.query, ...one.query } })
  }
  return all
}

function toCondition(type: string, key: string, value: string): ConditionsInput | null {
  switch (type) {
    case 'device':
      if (value in SYSTEMS) return { os: [SYSTEMS[value]!] }
      return value === 'desktop' || value === 'mobile' ? { device: [value] } : null
    case 'language':
      // Labels of languages have no region.
      return /^[a-z]{2,3}$/i.test(value) ? { language: [value] } : null
    case 'query-param':
      return { query: { [key]: value } }
    case 'any-value-query-param':
      return { query: { [key]: null } }
    case 'valueless-query-param':
      return { query: { [key]: '' } }
    case 'geolocation-country-code':
      return { country: [value] }
    case 'after-date':
      return { from: value }
    case 'before-date':
      return { to: value }
    default:
      return null
  }
}
