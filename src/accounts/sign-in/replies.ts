import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { messagePage } from '../../platform/http/html.ts'
import type { SignInReply } from './schema.ts'
import { linkIsGone } from './tokens.ts'

const HOME_PATH = '/'
/** The page that asks for the code of the second factor. */
export const TWO_FACTOR_PATH = '/v1/auth/two-factor/verify'

/** Errors that a form shows on its page, because its reader can fix them. */
const SHOWN_IN_FORM = ['VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'RATE_LIMITED']

/** The page of a link that is no longer valid. */
export function goneReply(): { html: string; status: number } {
  const { message, status } = linkIsGone()
  return { html: messagePage({ title: 'This link no longer works', message }), status }
}

/** A finished sign-in, for a browser that sent a form. */
export function signedInRedirect(reply: Reply<SignInReply>): Reply<never> {
  if (!('data' in reply)) return reply
  return {
    redirect: reply.data.twoFactorRequired ? TWO_FACTOR_PATH : HOME_PATH,
    cookies: reply.cookies ?? [],
  }
}

/**
 * Answers the form of a mail's link. A browser gets a page for a failure: that of an invalid link, or
 * the form again with the message of an error that its reader can fix.
 * @param renderForm the form with a message, or null if the link is no longer valid
 */
export async function answerForm<T>(
  { wantsHtml }: Caller,
  work: () => Promise<Reply<T>>,
  renderForm: (problem: string) => Promise<string | null>,
): Promise<Reply<T>> {
  try {
    return await work()
  } catch (error) {
    if (!wantsHtml || !(error instanceof ApiError)) throw error
    if (error.code === 'GONE') return goneReply()
    if (!SHOWN_IN_FORM.includes(error.code)) throw error
    const html = await renderForm(error.message)
    return html === null ? goneReply() : { html, status: error.status }
  }
}
