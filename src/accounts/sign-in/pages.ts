import type { Language } from '../../platform/facts/languages.ts'
import { escapeHtml, htmlPage, problemText, messagePage } from '../../platform/http/html.ts'
import { problemIn } from '../../platform/http/problems.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { FORM_TEXTS } from '../../platform/text/forms.ts'
import type { SignInReply } from './schema.ts'
import { linkIsGone } from './tokens.ts'

type Form = {
  language: Language
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
  language: Language
  token: string
  email: string
  needsPassword: boolean
  problem?: string | undefined
}): string {
  const { language, email, needsPassword } = options
  const { verify, password } = FORM_TEXTS[language]
  return formPage({
    ...options,
    title: verify.title,
    text: needsPassword ? verify.elsewhere(email) : verify.here(email),
    action: '/v1/auth/verify-email',
    button: verify.button,
    password: needsPassword ? { label: password, autocomplete: 'current-password' } : undefined,
  })
}

export function resetPasswordPage(options: {
  language: Language
  token: string
  email: string
  problem?: string | undefined
}): string {
  const { reset } = FORM_TEXTS[options.language]
  return formPage({
    ...options,
    title: reset.title,
    text: reset.text(options.email),
    action: '/v1/auth/reset-password',
    button: reset.button,
    password: { label: reset.label, autocomplete: 'new-password' },
  })
}

export function changeEmailPage(options: {
  language: Language
  token: string
  account: { name: string; email: string }
  newEmail: string
  isApproval: boolean
  needsPassword: boolean
  problem?: string | undefined
}): string {
  const { language, token, account, newEmail, isApproval, needsPassword, problem } = options
  const { change, password } = FORM_TEXTS[language]
  return formPage({
    ...{ language, token, problem },
    title: isApproval ? change.approveTitle : change.confirmTitle,
    text: [
      change.facts(account.name, account.email, newEmail),
      ...(isApproval ? [] : [change.warning]),
      ...(needsPassword ? [change.password] : []),
    ].join(' '),
    action: '/v1/auth/change-email/confirm',
    button: isApproval ? change.approve : change.confirm,
    password: needsPassword ? { label: password, autocomplete: 'current-password' } : undefined,
  })
}

export function codePage(language: Language, returnPath: string): string {
  const { code, signIn } = FORM_TEXTS[language]
  return htmlPage({
    language,
    title: code.title,
    content: `<p>${escapeHtml(code.text)}</p>
<form method="post" action="/v1/auth/two-factor/verify">
<input type="hidden" name="redirect" value="${escapeHtml(returnPath)}">
<label for="code">${escapeHtml(code.label)}</label>
<input id="code" name="code" required maxlength="32" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" autofocus>
<button type="submit">${escapeHtml(signIn)}</button>
</form>`,
  })
}

function formPage(form: Form): string {
  const { language, title, text, action, token, button, password, problem } = form
  return htmlPage({
    language,
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

export function goneReply({ language = 'en' }: Pick<Caller, 'language'>) {
  const { gone } = FORM_TEXTS[language]
  return { html: messagePage({ language, ...gone }), status: linkIsGone().status }
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
  caller: Caller,
  work: () => Promise<Reply<T>>,
  renderForm: (problem: string) => Promise<string | null>,
): Promise<Reply<T>> {
  try {
    return await work()
  } catch (error) {
    if (!caller.wantsHtml || !(error instanceof ApiError)) throw error
    if (error.code === 'GONE') return goneReply(caller)
    if (!SHOWN_IN_FORM.includes(error.code)) throw error
    const html = await renderForm(problemIn(caller.language ?? 'en', error))
    return html === null ? goneReply(caller) : { html, status: error.status }
  }
}
