import type { ResponseHead } from '../../platform/http/plain-connection.ts'
import { ERRORS, errorBody } from '../../platform/core/errors.ts'
import {
  contentPolicy,
  errorFoot,
  htmlPage,
  problemText,
  styleHashes,
} from '../../platform/http/html.ts'
import type { AttemptLimit } from '../links/unlock.ts'
import { prefersJson, reportLink, sendBody, toPageHeaders, type Shown } from './pages.ts'

export type PasswordReason = 'missing' | 'wrong'

const TITLE = 'This link needs a password'

/**
 * The page has an opaque origin because it shares its host with other pages, and may only use forms.
 * `form-action` names no host: Chromium and Safari also apply it to redirects after the form, and the page
 * must not reveal the destination's host.
 */
const HEADERS = toPageHeaders(
  contentPolicy({
    'style-src': styleHashes(htmlPage({ title: '', content: '' })),
    'img-src': "'self'",
    'form-action': 'http: https:',
    sandbox: 'allow-forms',
  }),
)

/** Nothing in the response depends on the link but its own address. */
export function sendPasswordPage(res: ResponseHead, reason: PasswordReason, client: Shown): void {
  const { requestId, host } = client
  const html = () =>
    htmlPage({ title: TITLE, label: host, content: FORMS[reason], foot: reportLink(client) })
  const message = reason === 'wrong' ? 'The password is wrong.' : `${TITLE}.`
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
  const { requestId, host: label } = client
  const wait = retryAfter < 120 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`
  const content = `<p>This password was not checked. Try again in ${wait}.</p>
<a class="button" href="">Back to the link</a>`
  const [status] = ERRORS.RATE_LIMITED
  const foot = errorFoot(status, requestId)
  const html = () => htmlPage({ title: 'Too many attempts', label, content, foot })
  const json = () => errorBody(requestId, 'RATE_LIMITED', message, details)
  send(res, status, client, html, json, ['Retry-After', String(retryAfter), ...headers])
}

/** Contains no script, and nothing that a visitor or an author wrote. */
const FORMS: Record<PasswordReason, string> = {
  missing: toForm(''),
  wrong: toForm(problemText('This password is wrong. Check it and try again.')),
}

/** Not the visitor's own password, so browsers should not offer those. */
function toForm(problem: string): string {
  return `<p>Enter the password that came with the link.</p>
${problem}<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="256" autocomplete="off">
<button type="submit">Open link</button>
</form>
<p>A cookie keeps the link open in this browser for 12 hours.</p>`
}

function send(
  res: ResponseHead,
  status: number,
  { requestId, accept }: Shown,
  html: () => string,
  json: () => object,
  headers: readonly string[],
): void {
  const isJson = prefersJson(accept)
  const body = isJson ? JSON.stringify(json()) : html()
  sendBody(res, { status, isJson, body, requestId, headers: [...HEADERS, ...headers] })
}
