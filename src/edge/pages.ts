import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { ERRORS, errorBody, type ErrorCode } from '../base/errors.ts'
import { escapeHtml } from '../base/html.ts'
import type { PageName } from './decide.ts'

/** What the edge says when it does not redirect. None of it depends on what the link is. */
type Page = { code: ErrorCode; title: string; text: string; headers?: readonly string[] }

export type AnyPage = PageName | keyof typeof OWN_PAGES

const LINK_PAGES: Record<PageName, Page> = {
  missing: {
    code: 'NOT_FOUND',
    title: 'This link does not exist',
    text: 'Check the address for a typing mistake, or ask whoever shared it with you.',
  },
  expired: {
    code: 'GONE',
    title: 'This link has expired',
    text: 'It led somewhere once. Whoever shared it with you may have a newer one.',
  },
  suspended: {
    code: 'GONE',
    title: 'This link is out of service',
    text: 'Whoever made it can no longer use this server. Ask them where it led.',
  },
  blocked: {
    code: 'BLOCKED',
    title: 'This link has been blocked',
    text: 'It was reported and taken down, so it no longer leads anywhere.',
  },
}

const OWN_PAGES = {
  malformed: {
    code: 'VALIDATION_ERROR',
    title: 'This address cannot be read',
    text: 'It holds characters that no link has. Check whether it was copied whole.',
  },
  tooLong: {
    code: 'URI_TOO_LONG',
    title: 'This address is too long',
    text: 'No link is as long as this. Check whether it was copied alone.',
  },
  wrongMethod: {
    code: 'METHOD_NOT_ALLOWED',
    title: 'Links can only be followed',
    text: 'A link answers GET and HEAD requests, nothing else.',
    headers: ['Allow', 'GET, HEAD'],
  },
  unavailable: {
    code: 'UNAVAILABLE',
    title: 'One moment, please',
    text: 'This link cannot be looked up right now. Try again in a few seconds.',
    headers: ['Retry-After', '1'],
  },
  broken: {
    code: 'INTERNAL_ERROR',
    title: 'Something went wrong',
    text: 'The mistake is on our side. Try again in a few seconds.',
  },
} as const satisfies Record<string, Page>

const PAGES: Record<AnyPage, Page> = { ...LINK_PAGES, ...OWN_PAGES }

const STYLE =
  ':root{color-scheme:light dark}*{box-sizing:border-box}' +
  'body{margin:0;min-height:100svh;display:grid;place-items:center;padding:1.5rem;' +
  'font:1rem/1.55 system-ui,sans-serif;color:#1f2430;background:#f6f7f9}' +
  'main{max-width:26rem;text-align:center}' +
  'b{font:600 .8125rem/1 ui-monospace,monospace;letter-spacing:.12em;color:#5b6474}' +
  'h1{font-size:1.5rem;line-height:1.25;margin:.9rem 0 .6rem;text-wrap:balance}' +
  'p{margin:0;color:#4a5262}small{display:block;margin-top:2rem;color:#747d8c;' +
  'font:.75rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}' +
  '@media(prefers-color-scheme:dark){body{color:#e8eaf0;background:#14171d}' +
  'b,small{color:#8d96a6}p{color:#b4bbc8}}'

/** No script, no foreign content, no form, no frame around it; one style, named by its hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')

const COMMON_HEADERS = Object.entries({
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept',
}).flat()

/**
 * Answers with a page, or with the error body of the API for clients that prefer JSON. To a HEAD
 * request node:http sends the head alone.
 */
export function sendPage(
  res: ServerResponse,
  name: AnyPage,
  requestId: string,
  accept: string | undefined,
): void {
  const page = PAGES[name]
  const isJson = prefersJson(accept)
  const body = isJson
    ? JSON.stringify(errorBody(requestId, page.code, `${page.title}.`))
    : renderPage(page, requestId)
  res.writeHead(ERRORS[page.code][0], [
    'Content-Type',
    `${isJson ? 'application/json' : 'text/html'}; charset=utf-8`,
    'Content-Length',
    String(Buffer.byteLength(body)),
    'X-Request-Id',
    requestId,
    ...COMMON_HEADERS,
    ...(page.headers ?? []),
  ])
  res.end(body)
}

function renderPage(page: Page, requestId: string): string {
  const [status] = ERRORS[page.code]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<b>${status}</b>
<h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.text)}</p>
<small>${escapeHtml(requestId)}</small>
</main>
</body>
</html>
`
}

/** True when JSON is accepted, and HTML is not or less so. Anything at all (`*`) is what a browser's image tag or curl. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json/i.test(accept)) return false
  let json = 0
  let html = 0
  for (const part of accept.slice(0, 1_000).toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = q === undefined ? 1 : Number(q.slice(2)) || 0
    if (/^application\/(?:[\w.-]+\+)?json$/.test(type)) json = Math.max(json, quality)
    if (type === 'text/html' || type === 'application/xhtml+xml') html = Math.max(html, quality)
  }
  return json > html
}
