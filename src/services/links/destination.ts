import { invalid } from '../../base/errors.ts'

const MAX_CHARS = 8_192
/** The part between `//` and the path, as the loosest reader would cut it. */
const AUTHORITY = /^https?:\/\/([^/?#]*)/i
/** The parser drops some, and encodes others. */
const CONTROL = /\p{Cc}/u
/** Lower-case scheme, a host at once, and no backslash before query or fragment: some read it as a slash. */
const PLAIN = /^https?:\/\/[^\s\\/][^\\?#]*(?:[?#]|$)/

/**
 * The destination as it is stored and later sent in `Location`: byte for byte what the author wrote
 * when that is unambiguous, otherwise its WHATWG serialization.
 *
 * Everything is judged after parsing, since the parser drops tabs, newlines and leading controls
 * that a look at the text would miss.
 * @param isOwn true for an address at which this server answers; a destination there would be a loop
 * @throws ApiError VALIDATION_ERROR with path `destinationUrl`
 */
export function checkDestination(input: string, isOwn: (url: URL) => boolean): string {
  const text = input.trim()
  const url = URL.parse(text)
  if (!url) throw refuse('destinationUrl must be a full URL, such as https://example.com/page.')
  if (CONTROL.test(text)) throw refuse('destinationUrl must not hold control characters.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('destinationUrl must begin with https:// or http://.')
  if (url.username !== '' || url.password !== '' || AUTHORITY.exec(text)?.[1]?.includes('@'))
    throw refuse('destinationUrl must not hold a user name or password.')
  if (isOwn(url)) throw refuse('destinationUrl must not lead to a short link of this server.')
  const stored = isUnambiguous(text, url) ? text : url.href
  if (stored.length > MAX_CHARS)
    throw refuse(`destinationUrl must be at most ${MAX_CHARS} characters long.`)
  return stored
}

/** True when every reader sees the same URL in the text, whatever page it would be resolved against. */
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
