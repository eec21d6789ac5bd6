import { invalid } from '../../base/errors.ts'

const MAX_CHARS = 8_192
/** The part between `//` and the path, as the most lenient parser reads it. */
const AUTHORITY = /^https?:\/\/([^/?#]*)/i
/** The URL parser drops some control characters and encodes others. */
const CONTROL = /\p{Cc}/u
/** Lower-case scheme, then the host, and no backslash before the query, which some parsers read as a slash. */
const PLAIN = /^https?:\/\/[^\s\\/][^\\?#]*(?:[?#]|$)/

/**
 * Returns the destination as it is stored and sent in `Location`: unchanged if all parsers agree on
 * it, otherwise its WHATWG serialization. The checks use the parsed URL, because the parser drops tabs,
 * newlines and leading control characters.
 * @param isOwn true for URLs of this server, where a destination would be a loop
 * @throws ApiError VALIDATION_ERROR with path `destinationUrl`
 */
export function checkDestination(input: string, isOwn: (url: URL) => boolean): string {
  const text = input.trim()
  const url = URL.parse(text)
  if (!url) throw refuse('destinationUrl must be a full URL, such as https://example.com/page.')
  if (CONTROL.test(text)) throw refuse('destinationUrl must not contain control characters.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('destinationUrl must begin with https:// or http://.')
  if (url.username !== '' || url.password !== '' || AUTHORITY.exec(text)?.[1]?.includes('@'))
    throw refuse('destinationUrl must not contain a user name or password.')
  if (isOwn(url)) throw refuse('destinationUrl must not be a short link of this server.')
  const stored = isUnambiguous(text, url) ? text : url.href
  if (stored.length > MAX_CHARS)
    throw refuse(`destinationUrl must be at most ${MAX_CHARS} characters long.`)
  return stored
}

/** True when all parsers read the same URL, against any base URL. */
function isUnambiguous(text: string, url: URL): boolean {
  // oxlint-disable-next-line no-control-regex
  const isPrintableAscii = !/[^\u0021-\u007e]/.test(text)
  return (
    isPrintableAscii &&
    PLAIN.test(text) &&
    URL.parse(text, 'http://base.invalid')?.href === url.href
  )
}

function refuse(message: string) {
  return invalid('destinationUrl', message, 'invalid_url')
}
