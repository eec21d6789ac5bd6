import { escapeHtml, htmlPage, messagePage } from '../../platform/http/html.ts'
import { ABUSE_REASONS, DETAILS_MAX_CHARS, URL_MAX_CHARS } from './schema.ts'

const LABELS: Record<(typeof ABUSE_REASONS)[number], string> = {
  phishing: 'It imitates another site',
  malware: 'It offers harmful software',
  spam: 'It is spam',
  other: 'Something else',
}

/** The form for a report. @param url that fills it in; one that is too long for a report is left out */
export function reportForm(url: string): string {
  const given = url.length > URL_MAX_CHARS ? '' : url
  const reasons = ABUSE_REASONS.map(
    (reason) => `<option value="${reason}">${escapeHtml(LABELS[reason])}</option>`,
  )
  return htmlPage({
    title: 'Report a short link',
    content: `<p>Your report goes to the operator of this service. The owner of the link can read what you write, but not your email address.</p>
<form method="post" action="/report-abuse">
<label for="url">Short link</label>
<input id="url" name="url" required maxlength="${URL_MAX_CHARS}" autocomplete="off" spellcheck="false" inputmode="url" value="${escapeHtml(given)}">
<label for="reason">What is wrong with it?</label>
<select id="reason" name="reason">${reasons.join('')}</select>
<label for="details">What happened (optional)</label>
<textarea id="details" name="details" rows="4" maxlength="${DETAILS_MAX_CHARS}"></textarea>
<label for="email">Your email, for questions (optional)</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email">
<button type="submit">Send report</button>
</form>`,
  })
}

export function reportedPage(): string {
  return messagePage({
    title: 'Thanks for your report',
    message: 'The operator of this service will look at the link. You can close this page.',
  })
}
