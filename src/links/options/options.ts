import { invalid } from '../../platform/core/errors.ts'
import type { Card, LinkOptions } from '../../platform/facts/link-options.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { checkDestination, type IsOwn } from '../link/destination.ts'
import { isMediaId } from '../write/images.ts'
import { URL_MAX_CHARS, type CardInput, type OptionInputs } from './option-shapes.ts'
import { checkRules, checkVariants, CONTROL } from './rules.ts'

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

/** Checks of the options. Null stands for the default. */
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

/** The path is the largest option that the request changes. */
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

/**
 * The stored form of a deep link: an http(s) URL like a destination, any other one in visible ASCII.
 * @param path `iosDeepLink` or `androidDeepLink`
 * @throws ApiError VALIDATION_ERROR with the path
 */
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
