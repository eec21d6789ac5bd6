import { invalid } from '../../platform/core/errors.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { checkDestination, type IsOwn } from '../link/destination.ts'
import { URL_MAX_CHARS } from './option-shapes.ts'

const SCHEME = /^([a-z][a-z0-9+.-]*):/
/** Schemes that run a script, read a file, or leave the choice of the app to the link. */
const REFUSED = new Set(['javascript', 'data', 'vbscript', 'blob', 'file', 'about', 'intent'])
const CONTROL = /\p{Cc}/u
const NOT_VISIBLE_ASCII = /[^\u0021-\u007e]/

/**
 * A deep link as it is stored and sent: http and https URLs as destinations, others in visible ASCII.
 * @param path `iosDeepLink` or `androidDeepLink`
 * @throws ApiError VALIDATION_ERROR with the path
 */
export function checkDeepLink(input: string, isOwn: IsOwn, path: string): string {
  const refuse = (message: string) => invalid(path, `${path} ${message}`, 'invalid_url')
  const text = input.trim()
  if (CONTROL.test(text)) throw refuse('must not contain control characters.')
  const url = URL.parse(text)
  if (!url) throw refuse('must be a full URL, such as exampleapp://page.')
  if (url.protocol === 'https:' || url.protocol === 'http:')
    return checkDestination(text, isOwn, path)
  const scheme = SCHEME.exec(text)?.[1]
  if (scheme === undefined)
    throw refuse('must begin with https://, http:// or a custom scheme in lower case.')
  if (REFUSED.has(scheme)) throw refuse(`must not have the scheme ${scheme}.`)
  const stored = NOT_VISIBLE_ASCII.test(text) ? url.href.replaceAll(' ', '%20') : text
  if (stored.length > URL_MAX_CHARS)
    throw refuse(`must be at most ${URL_MAX_CHARS} characters long.`)
  return stored
}

/** Whether a change sets a deep link, which needs the capability; one that is kept or removed does not. */
export function addsDeepLink(before: LinkOptions | null, after: LinkOptions | null): boolean {
  const fields = ['iosDeepLink', 'androidDeepLink'] as const
  return fields.some((field) => after?.[field] !== undefined && after[field] !== before?.[field])
}
