import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { ApiError } from '../base/errors.ts'
import { escapeHtml } from '../base/html.ts'

const STYLE_ELEMENT = /<style[^>]*>([\s\S]*?)<\/style>/g
const MAX_POLICIES = 100

/** The policy of a page by its styles; there are few of them, and pages are many. */
const policies = new Map<string, string>()

/** Sends a page under a policy without scripts: its own inline styles, named by their hashes, and forms to us. */
export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': policyOf(html),
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(html)
}

function policyOf(html: string): string {
  const styles = Array.from(html.matchAll(STYLE_ELEMENT), ([, style]) => style!)
  const key = styles.join('\0')
  const known = policies.get(key)
  if (known !== undefined) return known
  const hashes = styles.map((style) => `'sha256-${hash('sha256', style, 'base64')}'`)
  const policy = [
    "default-src 'none'",
    `style-src ${hashes.length === 0 ? "'none'" : hashes.join(' ')}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  if (policies.size >= MAX_POLICIES) policies.clear()
  policies.set(key, policy)
  return policy
}

const STYLE =
  ':root{color-scheme:light dark}*{box-sizing:border-box}' +
  'body{margin:0;min-height:100svh;display:grid;place-items:center;padding:1.5rem;' +
  'font:1rem/1.55 system-ui,sans-serif;color:#1f2430;background:#f6f7f9}' +
  'main{max-width:26rem;text-align:center}' +
  'b{font:600 .8125rem/1 ui-monospace,monospace;letter-spacing:.12em;color:#5b6474}' +
  'h1{font-size:1.375rem;line-height:1.3;margin:.9rem 0 .6rem;text-wrap:balance}' +
  'p{margin:0;color:#4a5262}small{display:block;margin-top:2rem;color:#5f6878;' +
  'font:.75rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}' +
  '@media(prefers-color-scheme:dark){body{color:#e8eaf0;background:#14171d}' +
  'b,small{color:#8d96a6}p{color:#b4bbc8}}'

/** The answer to a form that failed: the sentence, for a person. */
export function errorPage(error: ApiError, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>That did not work</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<b>${error.status}</b>
<h1>${escapeHtml(error.message)}</h1>
<p>Go back, change what you entered, and try again.</p>
<small>${escapeHtml(requestId)}</small>
</main>
</body>
</html>
`
}
