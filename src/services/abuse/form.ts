import { escapeHtml, htmlPage, messagePage } from '../../base/html.ts'
import { ABUSE_REASONS, DETAILS_MAX_CHARS } from './schema.ts'

const LABELS: Record<(typeof ABUSE_REASONS)[number], string> = {
  phishing: 'It asks for passwords or money in the name of others',
  malware: 'It offers harmful software',
  spam: 'It was sent unasked',
  other: 'Something else',
}

/** The form for a report. @param url that fills it in, '' for none */
export function reportForm(url: string): string {
  const reasons = ABUSE_REASONS.map(
    (reason) => `<option value="${reason}">${escapeHtml(LABELS[reason])}</option>`,
  )
  return htmlPage({
    title: 'Report a short link',
    content: `<p>The operator of this server reads your report. The owner of the link can read its text, and not your e-mail address.</p>
<form method="post" action="/report-abuse">
<label for="url">Short link</label>
<input id="url" name="url" required maxlength="2048" autocomplete="off" spellcheck="false" inputmode="url" value="${escapeHtml(url)}">
<label for="reason">What is wrong with it</label>
<select id="reason" name="reason">${reasons.join('')}</select>
<label for="details">What happened (optional)</label>
<textarea id="details" name="details" rows="4" maxlength="${DETAILS_MAX_CHARS}"></textarea>
<label for="email">Your e-mail address, for questions (optional)</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email">
<button type="submit">Send the report</button>
</form>`,
  })
}

/** The page after a report. */
export function reportedPage(): string {
  return messagePage({
    title: 'Thank you',
    message: 'The report has arrived. The operator of this server will look at the link.',
  })
}
