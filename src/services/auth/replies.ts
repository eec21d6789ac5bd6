import type { Caller } from '../../base/caller.ts'
import { ApiError } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import { messagePage } from '../../base/html.ts'
import type { SignInReply } from './schema.ts'
import { linkIsGone } from './tokens.ts'

/** Where a browser goes that has just been signed in by a form, and one that needs its second factor. */
const HOME_PATH = '/'
const TWO_FACTOR_PATH = '/v1/auth/two-factor/verify'

/** The page behind a link that opens nothing any more. */
export function goneReply(): { html: string; status: number } {
  const { message, status } = linkIsGone()
  return { html: messagePage({ title: 'This link is no longer valid', message }), status }
}

/** A finished sign-in, for a browser that sent a form. */
export function signedInRedirect(reply: Reply<SignInReply>): Reply<never> {
  if (!('data' in reply)) return reply
  return {
    redirect: reply.data.twoFactorRequired ? TWO_FACTOR_PATH : HOME_PATH,
    cookies: reply.cookies ?? [],
  }
}

/** What a form's page says about a failure that its reader can mend. Null: it is no such failure. */
export function problemOf(
  caller: Caller,
  error: unknown,
): { message: string; status: number; isGone: boolean } | null {
  if (!caller.wantsHtml || !(error instanceof ApiError)) return null
  const { code, message, status } = error
  if (!['GONE', 'VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(code))
    return null
  return { message, status, isGone: code === 'GONE' }
}
