import { randomFillSync } from 'node:crypto'
import { countChars } from '../core/errors.ts'

/**
 * A slug is stored as its author spelled it and matched by its key, which only this file computes: the database
 * compares keys byte by byte. It never ends in a slash, so one slash at the end of a request path is ignored.
 */

const MAX_LENGTH = 190
const RANDOM_LENGTH = 7
/** Without look-alikes (0 o, 1 l i), because slugs are read aloud and typed. */
const RANDOM_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
/** The largest multiple of 31 in a byte; larger bytes would favor the first letters. */
const RANDOM_LIMIT = 248

const RESERVED_FILES = words(`
  favicon.ico favicon.svg robots.txt sitemap.xml manifest.json manifest.webmanifest apple-app-site-association
`)

const RESERVED_SEGMENTS = words(`
  v1 api auth app admin dashboard login signup logout health healthz ready metrics internal share
  media-public invite verify report-abuse billing mcp rest compat p llms.txt
`)

const reservedOnBranded = new Set(RESERVED_FILES)
const reservedOnShared = new Set([...RESERVED_FILES, ...RESERVED_SEGMENTS])

const PLAIN = /^[a-z0-9][a-z0-9_-]*$/
const ASCII = /^[ -~]*$/
/**
 * Middle dots are letters in Catalan and Japanese. Invisible characters are refused although Unicode calls them
 * letters or symbols, except for the emoji selector U+FE0F, which phones send and the key omits.
 */
const ALLOWED =
  /^(?:[A-Za-z0-9_\-./]|(?![ -~\u2800]|\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{S}\u00b7\u30fb]|(?<=\p{Emoji}|\p{Emoji_Modifier})\ufe0f)*$/u
const JOINED =
  /\p{Emoji}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Emoji}[\ufe0f\p{Emoji_Modifier}]?)+/gu
const NEEDS_SELECTOR = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu
const RGI_EMOJI = /^\p{RGI_Emoji}$/v
const FLAG_OF_REGION = /\p{RGI_Emoji_Tag_Sequence}/gv
const GOOD_START = /^[^_\-./\p{M}]/u
const BAD_SEGMENT = /(?:^|\/)(?:\.{0,2}(?:\/|$)|\p{M})/u
const PHP = /\.php(?:\/|$)/

export type Slug = {
  slug: string
  key: string
}
type SlugProblem = { problem: string; isReserved?: true }

/** `problem` is a message for the client. */
export function checkSlug(
  slug: string,
  host: 'shared' | 'branded' = 'shared',
  isCaseSensitive = false,
): Slug | SlugProblem {
  const checked = checkShape(slug, isCaseSensitive)
  if ('problem' in checked) return checked
  const first = slugKey(checked.slug).split('/', 1)[0]!
  const reserved = host === 'shared' ? reservedOnShared : reservedOnBranded
  if (reserved.has(first)) return { problem: `The slug "${first}" is reserved.`, isReserved: true }
  return checked
}

/** Unicode case folding, NFC, without emoji selectors: every spelling of a letter has one key. Idempotent. */
export function slugKey(slug: string): string {
  if (PLAIN.test(slug)) return slug
  if (ASCII.test(slug)) return slug.toLowerCase()
  let key = ''
  for (const char of slug.normalize('NFD')) if (char !== '\ufe0f') key += foldChar(char)
  return key.normalize('NFC')
}

export function slugKeyOf(slug: string, isCaseSensitive: boolean): string {
  return isCaseSensitive ? slug.normalize('NFC').replaceAll('\ufe0f', '') : slugKey(slug)
}

export function isReservedFile(key: string): boolean {
  return reservedOnBranded.has(key)
}

export function randomSlug(): string {
  const bytes = Buffer.allocUnsafe(RANDOM_LENGTH * 2)
  let slug = ''
  while (slug.length < RANDOM_LENGTH) {
    randomFillSync(bytes)
    for (const byte of bytes)
      if (byte < RANDOM_LIMIT && slug.length < RANDOM_LENGTH)
        slug += RANDOM_ALPHABET.charAt(byte % RANDOM_ALPHABET.length)
  }
  return slug
}

/** @returns null if it cannot be a slug; `malformed` for bad percent-encoding or UTF-8, an encoded slash or NUL */
export function slugFromPath(rawPath: string, isCaseSensitive = false): Slug | 'malformed' | null {
  const raw = rawPath.length > 1 && rawPath.endsWith('/') ? rawPath.slice(1, -1) : rawPath.slice(1)
  if (PLAIN.test(raw) && raw.length <= MAX_LENGTH) return { slug: raw, key: raw }
  if (MALFORMED.test(raw)) return 'malformed'
  let decoded: string
  try {
    decoded = decodeURIComponent(
      raw.replace(RAW_BYTE, (byte) => `%${byte.charCodeAt(0).toString(16)}`),
    )
  } catch {
    return 'malformed'
  }
  const checked = checkShape(decoded, isCaseSensitive)
  return 'problem' in checked ? null : checked
}

/** Encoded NUL, slash and backslash; a plain backslash; bytes that should have been encoded. */
// oxlint-disable-next-line no-control-regex
const MALFORMED = /%00|%2f|%5c|[\\\u0000-\u0020\u007f]/i

/** Some clients send UTF-8 unencoded; node:http makes a character of each byte. */
const RAW_BYTE = /[\u0080-\u00ff]/g

function checkShape(raw: string, isCaseSensitive: boolean): Slug | SlugProblem {
  if (raw.length > MAX_LENGTH * 2) return { problem: TOO_LONG }
  const slug = raw.normalize('NFC')
  if (slug === '') return { problem: 'The slug must not be empty.' }
  if (countChars(slug) > MAX_LENGTH) return { problem: TOO_LONG }
  if (!ALLOWED.test(withoutJoined(slug)))
    return { problem: 'The slug may hold letters, digits, emoji and the characters _ - . / only.' }
  if (!GOOD_START.test(slug))
    return { problem: 'The slug must begin with a letter, a digit or an emoji.' }
  if (BAD_SEGMENT.test(slug))
    return { problem: 'The slug must not end in a slash or hold an empty, "." or ".." segment.' }
  const folded = slugKey(slug)
  if (PHP.test(folded)) return { problem: 'The slug must not end in ".php".' }
  return { slug, key: isCaseSensitive ? slugKeyOf(slug, true) : folded }
}

/**
 * Joiners and tags are invisible, so they are allowed only in sequences that Unicode recommends (RGI), such as the
 * rainbow flag.
 */
function withoutJoined(slug: string): string {
  if (ASCII.test(slug)) return slug
  return slug
    .replace(FLAG_OF_REGION, PLAIN_EMOJI)
    .replace(JOINED, (sequence) => (isRecommended(sequence) ? PLAIN_EMOJI : sequence))
}

const PLAIN_EMOJI = '😀'

function isRecommended(sequence: string): boolean {
  const bare = sequence.replaceAll('\ufe0f', '')
  return RGI_EMOJI.test(bare.replace(NEEDS_SELECTOR, '$&\ufe0f'))
}

const TOO_LONG = `The slug must have at most ${MAX_LENGTH} characters.`

/** Equals Unicode's full case folding of one code point; in a whole string the final sigma would depend on its neighbors. */
function foldChar(char: string): string {
  return char === 'ı' ? char : char.toLowerCase().toUpperCase().toLowerCase()
}

export function encodeSlug(slug: string): string {
  return slug.split('/').map(encodeURIComponent).join('/')
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
