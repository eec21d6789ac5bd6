import { escapeHtml } from '../../base/html.ts'
import { page } from '../page.ts'

/**
 * Asks a browser for the code of the second factor.
 * @param returnPath where it goes afterwards; a path of ours
 */
export function codePage(returnPath: string): string {
  return page(
    'Enter your code',
    `<p>Six digits from your authenticator app, or one of your backup codes.</p>
<form method="post" action="/v1/auth/two-factor/verify">
<input type="hidden" name="redirect" value="${escapeHtml(returnPath)}">
<label for="code">Code</label>
<input id="code" name="code" required maxlength="32" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" autofocus>
<button type="submit">Sign in</button>
</form>`,
  )
}
