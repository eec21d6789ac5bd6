import { escapeHtml, htmlPage } from '../../base/html.ts'

/**
 * The form for the code of the second factor.
 * @param returnPath next path of the browser, on this server
 */
export function codePage(returnPath: string): string {
  return htmlPage({
    title: 'Enter your code',
    content: `<p>Six digits from your authenticator app, or one of your backup codes.</p>
<form method="post" action="/v1/auth/two-factor/verify">
<input type="hidden" name="redirect" value="${escapeHtml(returnPath)}">
<label for="code">Code</label>
<input id="code" name="code" required maxlength="32" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" autofocus>
<button type="submit">Sign in</button>
</form>`,
  })
}
