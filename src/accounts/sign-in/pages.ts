import { escapeHtml, htmlPage, problemText, messagePage } from '../../platform/http/html.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import type { SignInReply } from './schema.ts'
import { linkIsGone } from './tokens.ts'

type Form = {
  title: string
  text: string
  action: string
  token: string
  button: string
  password?: { label: string; autocomplete: 'current-password' | 'new-password' } | undefined
  problem?: string | undefined
}

/** The page of a sign-up's link. Only its button uses the link, since mail scanners open links. */
export function verifyEmailPage(options: {
  token: string
  email: string
  needsPassword: boolean
  problem?: string | undefined
}): string {
  const { email, needsPassword } = options
  return formPage({
    ...options,
    title: 'Confirm your email',
    text: needsPassword
      ? `Enter the password you chose when you signed up with ${email}. If that was not you, close this page.`
      : `You signed up with ${email} in this browser.`,
    action: '/v1/auth/verify-email',
    button: 'Confirm and sign in',
    password: needsPassword ? { label: 'Password', autocomplete: 'current-password' } : undefined,
  })
}

export function resetPasswordPage(options: {
  token: string
  email: string
  problem?: string | undefined
}): string {
  return formPage({
    ...options,
    title: 'Choose a new password',
    text: `For ${options.email}. This signs you out everywhere else.`,
    action: '/v1/auth/reset-password',
    button: 'Set password',
    password: { label: 'New password (at least 10 characters)', autocomplete: 'new-password' },
  })
}

export function changeEmailPage(options: {
  token: string
  account: { name: string; email: string }
  newEmail: string
  isApproval: boolean
  needsPassword: boolean
  problem?: string | undefined
}): string {
  const { token, account, newEmail, isApproval, needsPassword, problem } = options
  const facts = `The account of ${account.name} (${account.email}) moves to ${newEmail} once both addresses have confirmed.`
  const warning =
    'If this is not your account, close this page: confirming would give your address to it.'
  const confirmation = 'Enter the password of that account, or sign in to it in this browser first.'
  return formPage({
    token,
    title: isApproval ? 'Approve your new email' : 'Confirm your new email',
    text: [facts, ...(isApproval ? [] : [warning]), ...(needsPassword ? [confirmation] : [])].join(
      ' ',
    ),
    action: '/v1/auth/change-email/confirm',
    button: isApproval ? 'Approve' : 'Confirm',
    password: needsPassword ? { label: 'Password', autocomplete: 'current-password' } : undefined,
    problem,
  })
}

export function codePage(returnPath: string): string {
  return htmlPage({
    title: 'Enter your code',
    content: `<p>Enter the six digits from your authenticator app, or one of your backup codes.</p>
<form method="post" action="/v1/auth/two-factor/verify">
<input type="hidden" name="redirect" value="${escapeHtml(returnPath)}">
<label for="code">Code</label>
<input id="code" name="code" required maxlength="32" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" autofocus>
<button type="submit">Sign in</button>
</form>`,
  })
}

function formPage({ title, text, action, token, button, password, problem }: Form): string {
  return htmlPage({
    title,
    content: `<p>${escapeHtml(text)}</p>
${problem === undefined ? '' : problemText(problem)}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${password === undefined ? '' : passwordField(password)}
<button type="submit">${escapeHtml(button)}</button>
</form>`,
  })
}

function passwordField({ label, autocomplete }: NonNullable<Form['password']>): string {
  return `<label for="password">${escapeHtml(label)}</label>
<input id="password" name="password" type="password" autocomplete="${autocomplete}" maxlength="256" required autofocus>`
}

const HOME_PATH = '/'
export const TWO_FACTOR_PATH = '/v1/auth/two-factor/verify'

/** Errors that a form shows, because the user can fix them. */
const SHOWN_IN_FORM = ['VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'RATE_LIMITED']

export function goneReply(): { html: string; status: number } {
  const { message, status } = linkIsGone()
  return { html: messagePage({ title: 'This link no longer works', message }), status }
}

export function signedInRedirect(reply: Reply<SignInReply>): Reply<never> {
  if (!('data' in reply)) return reply
  return {
    redirect: reply.data.twoFactorRequired ? TWO_FACTOR_PATH : HOME_PATH,
    cookies: reply.cookies ?? [],
  }
}

/**
 * On a failure, a browser gets the page of an invalid link, or the form again with an error that the user can fix.
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
