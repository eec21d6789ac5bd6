import { invalid } from '../../platform/core/errors.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { checkCard } from '../link/card.ts'
import { checkDeepLink } from './deep-links.ts'
import { checkDestination, type IsOwn } from '../link/destination.ts'
import type { OptionInputs } from './option-shapes.ts'
import { checkRules } from './rules.ts'
import { checkVariants } from './variants.ts'

/** Limit for the stored object of a link, which every edge that serves the link has in memory. */
const MAX_BYTES = 32 * 1024

type Changes = { [name in keyof LinkOptions]?: LinkOptions[name] | null }
type Surroundings = {
  isOwn: IsOwn
  nowMs: number
  toMediaUrl: (id: string) => string
}

/** The change of each option, null for its default. */
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

/**
 * Applies the options of a request to the stored ones. Null and the default of an option remove it.
 * @returns undefined if the request has no options; null if all of them have their defaults
 * @throws ApiError VALIDATION_ERROR with the option's path
 */
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

/** The path is the largest of the options that the request changes. */
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
