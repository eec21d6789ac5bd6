import { invalid, itHas, itIs } from '../../platform/core/errors.ts'
import { URL_MAX_CHARS } from '../options/option-shapes.ts'

export type IsOwn = (url: URL) => boolean

/** The part between `//` and the path, as the most lenient parser reads it. */
const AUTHORITY = /^https?:\/\/([^/?#]*)/i
/** The URL parser drops some control characters and encodes others. */
const CONTROL = /\p{Cc}/u
/** Lower-case scheme, then the host, and no backslash before the query, which some parsers read as a slash. */
const PLAIN = /^https?:\/\/[^\s\\/][^\\?#]*(?:[?#]|$)/

/** The destination as stored: unchanged if all parsers agree on it, else its WHATWG serialization. */
export function checkDestination(input: string, isOwn: IsOwn, path = 'destinationUrl'): string {
  const refuse = (message: string) => invalid(path, `${path} ${message}`, 'invalid_url')
  const text = input.trim()
  const url = URL.parse(text)
  if (!url) throw refuse(`must be a full URL, such as https://example.com/page${itIs(path, text)}.`)
  if (CONTROL.test(text)) throw refuse('must not contain control characters.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse(`must begin with https:// or http://${itIs(path, text)}.`)
  if (url.username !== '' || url.password !== '' || AUTHORITY.exec(text)?.[1]?.includes('@'))
    throw refuse('must not contain a user name or password.')
  if (isOwn(url)) throw refuse('must not be a short link of this server.')
  const stored = isUnambiguous(text, url) ? text : url.href
  if (stored.length > URL_MAX_CHARS)
    throw refuse(`must have at most ${URL_MAX_CHARS} characters${itHas(path, stored.length)}.`)
  return stored
}

function isUnambiguous(text: string, url: URL): boolean {
  // oxlint-disable-next-line no-control-regex
  const isPrintableAscii = !/[^\u0021-\u007e]/.test(text)
  return (
    isPrintableAscii &&
    PLAIN.test(text) &&
    URL.parse(text, 'http://base.invalid')?.href === url.href
  )
}
