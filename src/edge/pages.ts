import type { ServerResponse } from 'node:http'
import { getQuality } from '../base/accept.ts'
import { ERRORS, errorBody, type ErrorCode } from '../base/errors.ts'
import { contentPolicy, escapeHtml, htmlPage, styleHashes } from '../base/html.ts'
import type { PageName } from './decide.ts'

/** An answer of the edge that is not a redirect. Its text does not depend on the link. */
type Page = { code: ErrorCode; title: string; text: string; headers?: readonly string[] }

export type AnyPage = PageName | keyof typeof OWN_PAGES

const LINK_PAGES: Record<PageName, Page> = {
  missing: {
    code: 'NOT_FOUND',
    title: 'This link does not exist',
    text: 'Check the address for a typing mistake, or ask the sender for the right one.',
  },
  expired: {
    code: 'GONE',
    title: 'This link has expired',
    text: 'It worked until its end date. Ask the sender for a newer link.',
  },
  suspended: {
    code: 'GONE',
    title: 'This link is out of service',
    text: 'The workspace that owns it is suspended. Ask the sender for the address it led to.',
  },
  blocked: {
    code: 'BLOCKED',
    title: 'This link has been blocked',
    text: 'It was reported and taken down.',
  },
}

const OWN_PAGES = {
  malformed: {
    code: 'VALIDATION_ERROR',
    title: 'This address is not valid',
    text: 'It has characters that a link cannot have. Check that it was copied completely.',
  },
  tooLong: {
    code: 'URI_TOO_LONG',
    title: 'This address is too long',
    text: 'A link is never this long. Check that nothing else was copied with it.',
  },
  wrongMethod: {
    code: 'METHOD_NOT_ALLOWED',
    title: 'This method is not allowed',
    text: 'A link answers GET and HEAD requests only.',
    headers: ['Allow', 'GET, HEAD'],
  },
  unavailable: {
    code: 'UNAVAILABLE',
    title: 'Please try again',
    text: 'The link cannot be looked up at the moment. Try again in a few seconds.',
    headers: ['Retry-After', '1'],
  },
  broken: {
    code: 'INTERNAL_ERROR',
    title: 'Something went wrong',
    text: 'The server failed. Try again in a few seconds.',
  },
} as const satisfies Record<string, Page>

const PAGES: Record<AnyPage, Page> = { ...LINK_PAGES, ...OWN_PAGES }

/** No script, foreign content, form or frame. */
const POLICY = contentPolicy({
  'style-src': styleHashes(htmlPage({ title: '', content: '' })),
  'form-action': "'none'",
  sandbox: '',
})

const COMMON_HEADERS = Object.entries({
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept',
}).flat()

/**
 * Answers with a page, or with the error body of the API if the client prefers JSON. For a HEAD
 * request node:http sends the headers alone.
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

function renderPage({ code, title, text }: Page, requestId: string): string {
  const content = `<p>${escapeHtml(text)}</p>`
  return htmlPage({ title, content, label: String(ERRORS[code][0]), requestId })
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/

/** True when JSON is named with a higher quality than HTML. Image tags of browsers and curl send `*`, which is neither. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json/i.test(accept)) return false
  return getQuality(accept, JSON_TYPE) > getQuality(accept, HTML_TYPE)
}
