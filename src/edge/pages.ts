import type { ServerResponse } from 'node:http'
import { getQuality } from '../base/accept.ts'
import { ERRORS, errorBody, type ErrorCode } from '../base/errors.ts'
import { contentPolicy, escapeHtml, htmlDocument, htmlPage, styleHashes } from '../base/html.ts'
import { isMixedScript } from '../facts/mixed-script.ts'
import type { Inspection, Interstitial, PageName, Preview } from '../decision/link.ts'

/** Beside an address whose host may be another one than it seems to be. */
const MIXED_SCRIPT =
  'The host of this address mixes alphabets, or imitates Latin letters with those of another one. Compare it with the one that you expect.'

/** An answer of the edge that is not a redirect. Its text does not depend on the link. */
type Page = { code: ErrorCode; title: string; text: string; headers?: readonly string[] }

export type AnyPage = Exclude<PageName, 'password'> | keyof typeof OWN_PAGES
/** Pages by their names in the metrics. */
export type CountedPage = AnyPage | 'bio' | 'card' | 'inspection' | 'password' | 'attempts'

const LINK_PAGES: Record<Exclude<PageName, 'password'>, Page> = {
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
  formTooLarge: {
    code: 'PAYLOAD_TOO_LARGE',
    title: 'This form is too large',
    text: 'The form of a link has a password and nothing else, 4,096 bytes at most.',
    headers: ['Connection', 'close'],
  },
  formType: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    title: 'This form has another type',
    text: 'The form of a link is application/x-www-form-urlencoded in UTF-8.',
    headers: ['Connection', 'close'],
  },
  formMalformed: {
    code: 'VALIDATION_ERROR',
    title: 'This form is not valid',
    text: 'It must be percent-encoded UTF-8, with the field "password" once.',
  },
  formTooSlow: {
    code: 'REQUEST_TIMEOUT',
    title: 'This form took too long',
    text: 'It did not arrive within ten seconds. Try again.',
    headers: ['Connection', 'close'],
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

/** No script, foreign content, form or frame; of pictures only the icon of the tab. */
function toPolicy(sandbox: string): string {
  return contentPolicy({
    'style-src': styleHashes(htmlPage({ title: '', content: '' })),
    'img-src': "'self'",
    'form-action': "'none'",
    sandbox,
  })
}

/** Headers of a page that no search engine should index. */
export function toPageHeaders(policy: string): string[] {
  return Object.entries({
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
    'X-Robots-Tag': 'noindex',
  }).flat()
}

const COMMON_HEADERS = toPageHeaders(toPolicy(''))
/** Without the token, a sandboxed page cannot follow links to apps. */
const APP_HEADERS = toPageHeaders(toPolicy('allow-top-navigation-to-custom-protocols'))
const CARD_HEADERS = COMMON_HEADERS.slice(0, -2)
const NOINDEX = COMMON_HEADERS.slice(-2)

/** Stands for the id of the request in a page that is prepared. */
const REQUEST_ID = 'REQUEST_ID'

/** Pages by their names, rendered but for the id of the request: a flood of unknown slugs is answered with one. */
const PREPARED = Object.fromEntries(
  Object.entries(PAGES).map(([name, page]) => [name, prepare(page)]),
) as Record<AnyPage, ReturnType<typeof prepare>>

function prepare({ code, title, text, headers = [] }: Page) {
  const status = ERRORS[code][0]
  const content = `<p>${escapeHtml(text)}</p>`
  const html = htmlPage({ title, content, label: String(status), requestId: REQUEST_ID })
  const [beforeId = '', afterId = ''] = html.split(REQUEST_ID)
  return { status, code, title, beforeId, afterId, headers: [...COMMON_HEADERS, ...headers] }
}

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
  const { status, code, title, beforeId, afterId, headers } = PREPARED[name]
  const isJson = prefersJson(accept)
  const body = isJson
    ? JSON.stringify(errorBody(requestId, code, `${title}.`))
    : beforeId + requestId + afterId
  sendBody(res, { status, isJson, body, encoding: 'latin1', requestId, headers })
}

/** The page that offers to open an app. It works without script. */
export function sendInterstitial(
  res: ServerResponse,
  { location, fallback }: Interstitial,
  requestId: string,
  host: string,
): void {
  const content = `<p>Without the app, it leads to <strong>${escapeHtml(new URL(fallback).host)}</strong>.</p>
<a class="button" href="${escapeHtml(location)}">Open the app</a>
<a class="button quiet" href="${escapeHtml(fallback)}">Continue in the browser</a>`
  const page = { title: 'This link opens an app', content, label: host }
  sendHtml(res, htmlPage({ ...page, requestId }), requestId, APP_HEADERS)
}

/** The page that shows a destination without going there. */
export function sendInspection(
  res: ServerResponse,
  { destination, isConditional }: Inspection,
  requestId: string,
  shortUrl: string,
): void {
  const notes = [
    ...(isConditional
      ? ['It may lead elsewhere, depending on the device, the place or the time.']
      : []),
    ...(isMixedScript(new URL(destination).hostname) ? [MIXED_SCRIPT] : []),
  ].map((note) => `\n<p>${note}</p>`)
  const url = escapeHtml(destination)
  const content = `<p><a href="${url}" rel="noreferrer">${url}</a></p>${notes.join('')}`
  const page = { title: 'This link leads to', content, label: withoutScheme(shortUrl) }
  sendHtml(res, htmlPage({ ...page, requestId }), requestId, COMMON_HEADERS)
}

/** The preview in the form that messengers and social networks read. */
export function sendCard(
  res: ServerResponse,
  { card, isNoindex }: Preview,
  requestId: string,
  shortUrl: string,
): void {
  const { description, image } = card
  const title = card.title ?? withoutScheme(shortUrl)
  const tags = [
    ['property', 'og:type', 'website'],
    ['property', 'og:url', shortUrl],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:image', image],
    ['name', 'description', description],
    ['name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'],
    ['name', 'twitter:title', title],
    ['name', 'twitter:description', description],
    ['name', 'twitter:image', image],
  ] as const
  const head = tags
    .filter(([, , value]) => value !== null)
    .map(([kind, name, value]) => `<meta ${kind}="${name}" content="${escapeHtml(value ?? '')}">`)
  const url = escapeHtml(shortUrl)
  const html = htmlDocument({
    title,
    head: [...head, `<link rel="canonical" href="${url}">`],
    body: `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(description ?? '')}</p>
<p><a href="${url}">${escapeHtml(withoutScheme(shortUrl))}</a></p>`,
  })
  sendHtml(res, html, requestId, isNoindex ? [...CARD_HEADERS, ...NOINDEX] : CARD_HEADERS)
}

function sendHtml(
  res: ServerResponse,
  html: string,
  requestId: string,
  headers: readonly string[],
): void {
  sendBody(res, { status: 200, isJson: false, body: html, requestId, headers })
}

type Body = {
  status: number
  /** JSON; HTML otherwise. */
  isJson: boolean
  body: string
  /** `latin1` for a body of ASCII alone, which Node writes with less work. */
  encoding?: 'latin1' | 'utf8'
  requestId: string
  headers: readonly string[]
}

/** Sends an answer that is no redirect. */
export function sendBody(
  res: ServerResponse,
  { status, isJson, body, encoding = 'utf8', requestId, headers }: Body,
): void {
  res.writeHead(status, [
    'Content-Type',
    `${isJson ? 'application/json' : 'text/html'}; charset=utf-8`,
    'Content-Length',
    String(Buffer.byteLength(body, encoding)),
    'X-Request-Id',
    requestId,
    ...headers,
  ])
  res.end(body, encoding)
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/

/** True when JSON is named with a higher quality than HTML. Image tags of browsers and curl send `*`, which is neither. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json/i.test(accept)) return false
  return getQuality(accept, JSON_TYPE) > getQuality(accept, HTML_TYPE)
}
