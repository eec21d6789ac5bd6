import { randomFillSync } from 'node:crypto'

/**
 * A slug is the path of a short URL. It is kept in its author's spelling and matched by its key,
 * which only this file makes: the database compares keys byte by byte and folds nothing.
 *
 * A chosen slug: 1 to 190 code points; ASCII letters, digits and `_ - . /`, and letters, marks,
 * digits and symbols (emoji) of any script, in NFC; it begins with a letter, a digit or a symbol;
 * no empty, `.` or `..` segment, none that ends in `.php`, and none that is reserved for pages.
 *
 * No slug ends in a slash, so a request path with one slash at its end asks for the slug before it.
 */

const MAX_LENGTH = 190
const RANDOM_LENGTH = 7
/** No look-alikes (0 o, 1 l i): people read slugs aloud and type them. 31 letters. */
const RANDOM_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
/** The largest multiple of 31 in a byte; bytes from here on would favour the first letters. */
const RANDOM_LIMIT = 248

/** Files that browsers and crawlers ask of every host. */
const RESERVED_FILES = [
  'favicon.ico',
  'robots.txt',
  'sitemap.xml',
  'manifest.json',
  'manifest.webmanifest',
  'apple-app-site-association',
]

/** First path segments that the program itself answers on the shared host. */
const RESERVED_SEGMENTS = [
  'v1',
  'api',
  'auth',
  'app',
  'admin',
  'dashboard',
  'login',
  'signup',
  'logout',
  'health',
  'healthz',
  'ready',
  'metrics',
  'internal',
  'share',
  'media-public',
  'invite',
  'verify',
  'report-abuse',
  'billing',
  'mcp',
  'p',
]

const reservedOnBranded = new Set(RESERVED_FILES)
const reservedOnShared = new Set([...RESERVED_FILES, ...RESERVED_SEGMENTS])

const PLAIN = /^[a-z0-9][a-z0-9_-]*$/
const ASCII = /^[ -~]*$/
/**
 * Middle dots are letters to Catalan and Japanese. Invisible characters (fillers, joiners, the
 * blank braille cell) are letters or symbols to Unicode but not to a reader; the exceptions are
 * the emoji selector U+FE0F, which phone keyboards send and the key leaves out, and what joins
 * several emoji to one ({@link withoutJoined}).
 */
const ALLOWED =
  /^(?:[A-Za-z0-9_\-./]|(?![ -~\u2800]|\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{S}\u00b7\u30fb]|(?<=\p{Emoji}|\p{Emoji_Modifier})\ufe0f)*$/u
/** Emoji joined by U+200D, each perhaps with a selector or a skin tone. */
const JOINED =
  /\p{Emoji}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Emoji}[\ufe0f\p{Emoji_Modifier}]?)+/gu
/** Emoji that need a selector to be drawn as such: what RGI_Emoji has in joined sequences. */
const NEEDS_SELECTOR = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu
const RGI_EMOJI = /^\p{RGI_Emoji}$/v
const FLAG_OF_REGION = /\p{RGI_Emoji_Tag_Sequence}/gv
const GOOD_START = /^[^_\-./\p{M}]/u
const BAD_SEGMENT = /(?:^|\/)(?:\.{0,2}(?:\/|$)|\p{M})/u
const PHP = /\.php(?:\/|$)/

export type Slug = {
  /** The author's spelling, in NFC. */
  slug: string
  /** What is matched and what is unique within a host. */
  key: string
}
export type SlugProblem = { problem: string }

/**
 * Checks a chosen slug. `problem` is a sentence for the client. On branded hosts only the names of
 * well-known files are reserved.
 */
export function checkSlug(slug: string, host: 'shared' | 'branded' = 'shared'): Slug | SlugProblem {
  const checked = checkShape(slug)
  if ('problem' in checked) return checked
  const first = checked.key.split('/', 1)[0]!
  const reserved = host === 'shared' ? reservedOnShared : reservedOnBranded
  if (reserved.has(first)) return { problem: `The slug "${first}" is reserved.` }
  return checked
}

/**
 * The key under which a slug is matched: case folded as Unicode folds it, NFC, without emoji
 * selectors. Folding twice changes nothing; every spelling of a letter (`é` in one or two code
 * points, the Kelvin sign, the final sigma, `ß` and `ẞ` and `ss`) has one key.
 */
export function slugKey(slug: string): string {
  if (PLAIN.test(slug)) return slug
  if (ASCII.test(slug)) return slug.toLowerCase()
  let key = ''
  for (const char of slug.normalize('NFD')) if (char !== '\ufe0f') key += foldChar(char)
  return key.normalize('NFC')
}

/** Seven letters from the system's random source, each equally likely. */
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

/**
 * The slug that a request path (`/docs/a%CC%81`, still percent-encoded, without its query) asks
 * for. One slash at its end is left out. `null`: no slug can look like this. `malformed`: the path is no proper path either (bad
 * percent-encoding or UTF-8, an encoded slash or NUL, a backslash).
 */
export function slugFromPath(rawPath: string): Slug | 'malformed' | null {
  const raw = rawPath.length > 1 && rawPath.endsWith('/') ? rawPath.slice(1, -1) : rawPath.slice(1)
  if (PLAIN.test(raw) && raw.length <= MAX_LENGTH) return { slug: raw, key: raw }
  if (MALFORMED.test(raw)) return 'malformed'
  let decoded: string
  try {
    decoded = decodeURIComponent(raw.replace(RAW_BYTE, (byte) => encodeByte(byte)))
  } catch {
    return 'malformed'
  }
  const checked = checkShape(decoded)
  return 'problem' in checked ? null : checked
}

/** Encoded NUL, slash and backslash; a plain backslash; bytes that should have been encoded. */
// oxlint-disable-next-line no-control-regex
const MALFORMED = /%00|%2f|%5c|[\\\u0000-\u0020\u007f]/i

/** Some clients send UTF-8 unencoded; node:http hands each such byte over as one character. */
const RAW_BYTE = /[\u0080-\u00ff]/g

function encodeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16)}`
}

function checkShape(raw: string): Slug | SlugProblem {
  if (raw.length > MAX_LENGTH * 2) return { problem: TOO_LONG }
  const slug = raw.normalize('NFC')
  if (slug === '') return { problem: 'The slug must not be empty.' }
  if (codePoints(slug) > MAX_LENGTH) return { problem: TOO_LONG }
  if (!ALLOWED.test(withoutJoined(slug)))
    return { problem: 'The slug may hold letters, digits, emoji and the characters _ - . / only.' }
  if (!GOOD_START.test(slug))
    return { problem: 'The slug must begin with a letter, a digit or an emoji.' }
  if (BAD_SEGMENT.test(slug))
    return { problem: 'The slug must not end in a slash or hold an empty, "." or ".." segment.' }
  const key = slugKey(slug)
  if (PHP.test(key)) return { problem: 'The slug must not end in ".php".' }
  return { slug, key }
}

/**
 * The text with each emoji that is a sequence as one plain emoji. Joiners and tags are invisible, so
 * they are allowed only within sequences that Unicode recommends (RGI), with selectors or without:
 * the family and the rainbow flag, and the flags of England, Scotland and Wales.
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

/**
 * Lower, upper, lower reaches Unicode's full case folding one code point at a time (a whole string
 * would make the final sigma depend on its neighbours). The dotless ı stays itself, as there.
 */
function foldChar(char: string): string {
  return char === 'ı' ? char : char.toLowerCase().toUpperCase().toLowerCase()
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Slugs may hold letters of any script; in a URL they stand percent-encoded, their slashes as they are. */
export function encodeSlug(slug: string): string {
  return slug.split('/').map(encodeURIComponent).join('/')
}
