import { escapeHtml } from '../base/html.ts'

/** The one inline style of the pages for people; their policy names it by its hash. */
const PAGE_STYLE =
  ':root{color-scheme:light dark}*{box-sizing:border-box}' +
  'body{margin:0;min-height:100svh;display:grid;place-items:center;padding:1.5rem;' +
  'font:1rem/1.55 system-ui,sans-serif;color:#1f2430;background:#f6f7f9}' +
  'main{width:100%;max-width:25rem;padding:1.75rem 1.5rem;background:#fff;' +
  'border:1px solid #e3e6eb;border-radius:12px}' +
  'b{font:600 .8125rem/1 ui-monospace,monospace;letter-spacing:.12em;color:#5b6474}' +
  'h1{font-size:1.375rem;line-height:1.3;margin:.9rem 0 .6rem;text-wrap:balance}' +
  'p{margin:0 0 1rem;color:#4a5262;overflow-wrap:anywhere}' +
  '.problem{color:#a3261c}form{margin:0}label{display:block;font-weight:600;margin:0 0 .35rem}' +
  'input,button{width:100%;min-height:2.75rem;font:inherit;border-radius:8px}' +
  'input{padding:.5rem .75rem;margin:0 0 1rem;color:inherit;background:transparent;' +
  'border:1px solid #7d8798}' +
  'button{border:0;padding:.5rem 1rem;font-weight:600;color:#fff;background:#1f2430;cursor:pointer}' +
  '.quiet{margin:.75rem 0 0;color:inherit;background:transparent;border:1px solid #7d8798}' +
  'ul{margin:0;padding:0;list-style:none}li{margin:0 0 .75rem}a{color:inherit}' +
  '.way{display:grid;place-items:center;min-height:2.75rem;padding:.5rem 1rem;font-weight:600;' +
  'text-align:center;text-decoration:none;border:1px solid #7d8798;border-radius:8px}' +
  ':focus-visible{outline:3px solid #3b6fd4;outline-offset:2px}' +
  '@media(prefers-color-scheme:dark){body{color:#e8eaf0;background:#14171d}' +
  'main{background:#1c2028;border-color:#2c323d}b{color:#a3abb9}p{color:#b4bbc8}' +
  '.problem{color:#ff9c92}button:not(.quiet){color:#14171d;background:#e8eaf0}}'

/** A whole page with a sentence on it. */
export function messagePage({ title, message }: { title: string; message: string }): string {
  return page(title, `<p>${escapeHtml(message)}</p>`)
}

/**
 * Under `no-referrer` browsers send forms with `Origin: null`, which is refused as another site's;
 * `same-origin` tells other sites as little.
 */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<b>Signpost</b>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
}
