import type { ResponseHead } from '../../platform/http/plain-connection.ts'
import { ERRORS, errorBody } from '../../platform/core/errors.ts'
import { errorFoot, escapeHtml, htmlPage, problemText } from '../../platform/http/html.ts'
import type { Language } from '../../platform/facts/languages.ts'
import type { AttemptLimit } from '../links/unlock.ts'
import { LINK_TEXTS } from '../../platform/text/links.ts'
import type { LinkTexts } from '../../platform/text/texts.ts'
import { createPageHeaders, prefersJson, reportLink, sendBody, type Shown } from './pages.ts'

export type PasswordReason = 'missing' | 'wrong'

/**
 * The page has an opaque origin because it shares its host with other pages, and may only use forms.
 * `form-action` names no host: Chromium and Safari also apply it to redirects after the form, and the page
 * must not reveal the destination's host.
 */
const toHeaders = createPageHeaders('http: https:', 'allow-forms')

/** Nothing in the response depends on the link but its own address and the brand of its host. */
export function sendPasswordPage(res: ResponseHead, reason: PasswordReason, client: Shown): void {
  const { requestId, host, spoken, branding } = client
  const { mark, style } = branding
  const { password } = LINK_TEXTS[spoken]
  const content = toForm(password, reason)
  const foot = reportLink(client)
  const html = () =>
    htmlPage({ language: spoken, title: password.title, label: host, mark, style, content, foot })
  const message = reason === 'wrong' ? 'The password is wrong.' : 'This link needs a password.'
  const json = () => errorBody(requestId, 'PASSWORD_REQUIRED', message, { reason })
  const [status] = ERRORS.PASSWORD_REQUIRED
  send(res, status, client, html, json, ['WWW-Authenticate', 'LinkPassword'])
}

/** Refuses an attempt over a limit, whether its password is right or wrong. */
export function sendAttemptLimit(
  res: ResponseHead,
  { message, details, retryAfter }: AttemptLimit,
  client: Shown,
  headers: readonly string[] = [],
): void {
  const { requestId, host: label, spoken, branding } = client
  const { mark, style } = branding
  const { attempts, error } = LINK_TEXTS[spoken]
  const content = `<p>${escapeHtml(attempts.wait(formatWait(spoken, retryAfter)))}</p>
<a class="button" href="">${escapeHtml(attempts.back)}</a>`
  const [status] = ERRORS.RATE_LIMITED
  const foot = errorFoot(status, requestId, error)
  const html = () =>
    htmlPage({ language: spoken, title: attempts.title, label, mark, style, content, foot })
  const json = () => errorBody(requestId, 'RATE_LIMITED', message, details)
  send(res, status, client, html, json, ['Retry-After', String(retryAfter), ...headers])
}

/** "30 seconds", "5 minutes". */
function formatWait(language: Language, seconds: number): string {
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/**
 * Contains no script, and nothing that a visitor or an author wrote. The password is not the visitor's own, so browsers
 * should not offer those.
 */
function toForm(
  { intro, wrong, label, open, cookie }: LinkTexts['password'],
  reason: PasswordReason,
): string {
  return `<p>${escapeHtml(intro)}</p>
${reason === 'wrong' ? problemText(wrong) : ''}<form method="post">
<label for="password">${escapeHtml(label)}</label>
<input id="password" name="password" type="password" required maxlength="256" autocomplete="off">
<button type="submit">${escapeHtml(open)}</button>
</form>
<p>${escapeHtml(cookie)}</p>`
}

function send(
  res: ResponseHead,
  status: number,
  { requestId, accept, branding }: Shown,
  html: () => string,
  json: () => object,
  headers: readonly string[],
): void {
  const isJson = prefersJson(accept)
  const body = isJson ? JSON.stringify(json()) : html()
  sendBody(res, { status, isJson, body, requestId, headers: [...toHeaders(branding), ...headers] })
}
