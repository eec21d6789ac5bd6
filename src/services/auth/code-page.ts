const STYLE =
  ':root{color-scheme:light dark}*{box-sizing:border-box}' +
  'body{margin:0;min-height:100svh;display:grid;place-items:center;padding:1.5rem;' +
  'font:1rem/1.55 system-ui,sans-serif;color:#1f2430;background:#f6f7f9}' +
  'main{width:100%;max-width:22rem}h1{font-size:1.375rem;line-height:1.3;margin:0 0 .4rem}' +
  'p{margin:0 0 1.25rem;color:#4a5262}label{display:block;font-weight:600;margin-bottom:.35rem}' +
  'input,button{width:100%;min-height:2.75rem;border-radius:.5rem;font:inherit}' +
  'input{padding:0 .75rem;border:1px solid #8b93a3;background:#fff;color:inherit;' +
  'font:1.125rem ui-monospace,monospace;letter-spacing:.1em}' +
  'button{margin-top:1rem;border:0;background:#1f2430;color:#fff;font-weight:600;cursor:pointer}' +
  ':focus-visible{outline:3px solid #4c7dff;outline-offset:2px}' +
  '@media(prefers-color-scheme:dark){body{color:#e8eaf0;background:#14171d}p{color:#b4bbc8}' +
  'input{background:#1d222b;border-color:#5f6878}button{background:#e8eaf0;color:#14171d}}'

/**
 * Asks a browser for the code of the second factor.
 * @param returnPath where it goes afterwards; a path of ours
 */
export function codePage(returnPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Enter your code</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Enter your code</h1>
<p>Six digits from your authenticator app, or one of your backup codes.</p>
<form method="post" action="/v1/auth/two-factor/verify">
<input type="hidden" name="redirect" value="${escape(returnPath)}">
<label for="code">Code</label>
<input id="code" name="code" required maxlength="32" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" autofocus>
<button>Sign in</button>
</form>
</main>
</body>
</html>
`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
