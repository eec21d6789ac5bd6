import { getQuality } from '../../platform/http/request.ts'
import type { ResponseHead } from '../../platform/http/plain-connection.ts'
import { ERRORS, errorBody, type ErrorCode } from '../../platform/core/errors.ts'
import {
  contentPolicy,
  errorFoot,
  escapeHtml,
  htmlDocument,
  htmlPage,
  styleHashes,
} from '../../platform/http/html.ts'
import { isMixedScript } from '../../platform/facts/hosts.ts'
import type { Inspection, Interstitial, PageName, Preview } from '../../decision/link.ts'

/** Shown beside an address that may imitate another one. */
const MIXED_SCRIPT =
  'Careful: the site name in this address mixes alphabets or uses letters that look like Latin ones. Make sure that it is the site you expect.'

/** A response that is no redirect. Its text does not depend on the link. */
type Page = { code: ErrorCode; title: string; text: string; headers?: readonly string[] }

export type AnyPage = Exclude<PageName, 'password'> | keyof typeof OWN_PAGES
export type CountedPage = AnyPage | 'bio' | 'card' | 'inspection' | 'password' | 'attempts'

const LINK_PAGES: Record<Exclude<PageName, 'password'>, Page> = {
  missing: {
    code: 'NOT_FOUND',
    title: 'Link not found',
    text: 'Check the address for typos. The link may also have been turned off or deleted.',
  },
  pending: {
    code: 'NOT_FOUND',
    title: 'This link is not available yet',
    text: 'Come back later, or ask the sender when it opens.',
  },
  expired: {
    code: 'GONE',
    title: 'This link has expired',
    text: 'It worked until a date that its owner chose. Ask the sender for a new one.',
  },
  exhausted: {
    code: 'GONE',
    title: 'This link has reached its click limit',
    text: 'It could be opened a limited number of times. Ask the sender for a new one.',
  },
  suspended: {
    code: 'GONE',
    title: 'This link is out of service',
    text: 'The account behind it is not active. Ask the sender where it was supposed to lead.',
  },
  blocked: {
    code: 'BLOCKED',
    title: 'This link has been blocked',
    text: 'The operator of this service took it down. If a message sent you here, be careful with anything else that it asks for.',
  },
}

const OWN_PAGES = {
  noPreview: {
    code: 'NOT_FOUND',
    title: 'No preview for this address',
    text: 'Either there is no such link, or it does not show where it leads.',
  },
  malformed: {
    code: 'VALIDATION_ERROR',
    title: 'This address is not valid',
    text: 'It contains characters that no link has. Make sure that you copied all of it.',
  },
  tooLong: {
    code: 'URI_TOO_LONG',
    title: 'This address is too long',
    text: 'Make sure that nothing else was copied along with the link.',
  },
  wrongMethod: {
    code: 'METHOD_NOT_ALLOWED',
    title: 'This method is not allowed',
    text: 'Links answer GET and HEAD requests only.',
    headers: ['Allow', 'GET, HEAD'],
  },
  formTooLarge: {
    code: 'PAYLOAD_TOO_LARGE',
    title: 'This form is too large',
    text: 'Send only the password, in a form of at most 4,096 bytes.',
    headers: ['Connection', 'close'],
  },
  formType: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    title: 'This form has an unsupported type',
    text: 'Send it as application/x-www-form-urlencoded in UTF-8.',
    headers: ['Connection', 'close'],
  },
  formMalformed: {
    code: 'VALIDATION_ERROR',
    title: 'This form is not valid',
    text: 'Send it as percent-encoded UTF-8, with a single field named "password".',
  },
  formTooSlow: {
    code: 'REQUEST_TIMEOUT',
    title: 'The form took too long',
    text: 'It did not arrive within ten seconds. Please try again.',
    headers: ['Connection', 'close'],
  },
  unavailable: {
    code: 'UNAVAILABLE',
    title: 'Please try again',
    text: 'We cannot look up this link right now. Try again in a few seconds.',
    headers: ['Retry-After', '1'],
  },
  broken: {
    code: 'INTERNAL_ERROR',
    title: 'Something went wrong',
    text: 'The problem is on our side. Try again in a few seconds.',
  },
} as const satisfies Record<string, Page>

const PAGES: Record<AnyPage, Page> = { ...LINK_PAGES, ...OWN_PAGES }
/** Pages with a link to report abuse. A blocked address needs no further report. */
const REPORTED: ReadonlySet<string> = new Set<AnyPage>([
  'missing',
  'pending',
  'expired',
  'exhausted',
  'noPreview',
])

/** No scripts, foreign content, forms or frames; only the tab's icon. */
function toPolicy(sandbox: string): string {
  return contentPolicy({
    'style-src': styleHashes(htmlPage({ title: '', content: '' })),
    'img-src': "'self'",
    'form-action': "'none'",
    sandbox,
  })
}

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

/** Placeholders for what depends on the request. */
const [LABEL, FOOT] = ['PAGE_LABEL', 'PAGE_FOOT']

/**
 * Rendered in advance, except for what depends on the request: one page answers a flood of unknown slugs.
 */
const PREPARED = Object.fromEntries(
  Object.entries(PAGES).map(([name, page]) => [name, prepare(page)]),
) as Record<AnyPage, ReturnType<typeof prepare>>

function prepare({ code, title, text, headers = [] }: Page) {
  const status = ERRORS[code][0]
  const html = htmlPage({ title, content: `<p>${escapeHtml(text)}</p>`, label: LABEL, foot: FOOT })
  const [toLabel = '', rest = ''] = html.split(LABEL)
  const [toFoot = '', end = ''] = rest.split(FOOT)
  return { status, code, title, toLabel, toFoot, end, headers: [...COMMON_HEADERS, ...headers] }
}

export type Shown = {
  requestId: string
  accept: string | undefined
  host: string
  reportUrl: string | null
}

/**
 * Sends a page, or the API's error body if the client prefers JSON. For a HEAD request node:http sends only
 * the headers.
 */
export function sendPage(res: ResponseHead, name: AnyPage, shown: Shown): void {
  const { status, code, title, toLabel, toFoot, end, headers } = PREPARED[name]
  const { requestId, accept, host } = shown
  const isJson = prefersJson(accept)
  const report = REPORTED.has(name) ? reportLink(shown) : ''
  const body = isJson
    ? JSON.stringify(errorBody(requestId, code, `${title}.`))
    : `${toLabel}${escapeHtml(host || 'Signpost')}${toFoot}${report}${errorFoot(status, requestId)}${end}`
  sendBody(res, { status, isJson, body, encoding: 'latin1', requestId, headers })
}

export function reportLink({ reportUrl }: Pick<Shown, 'reportUrl'>): string {
  return reportUrl === null ? '' : `<a href="${escapeHtml(reportUrl)}">Report abuse</a> `
}

/** Offers to open an app. Works without scripts. */
export function sendInterstitial(
  res: ResponseHead,
  { location, fallback }: Interstitial,
  shown: Shown,
): void {
  const content = `<p>If you do not have the app, continue to <strong>${escapeHtml(new URL(fallback).host)}</strong>.</p>
<a class="button" href="${escapeHtml(location)}">Open the app</a>
<a class="button quiet" href="${escapeHtml(fallback)}">Continue in the browser</a>`
  const page = { title: 'This link opens an app', content, label: shown.host }
  sendHtml(res, htmlPage({ ...page, foot: reportLink(shown) }), shown.requestId, APP_HEADERS)
}

export function sendInspection(
  res: ResponseHead,
  { destination, isConditional }: Inspection,
  shown: Shown,
  shortUrl: string,
): void {
  const notes = [
    ...(isConditional
      ? ['It may lead somewhere else, depending on the device, the location, or the time.']
      : []),
    ...(isMixedScript(new URL(destination).hostname) ? [MIXED_SCRIPT] : []),
  ].map((note) => `\n<p>${note}</p>`)
  const url = escapeHtml(destination)
  const content = `<p><a href="${url}" rel="noreferrer">${url}</a></p>${notes.join('')}`
  const page = { title: 'This link leads to', content, label: withoutScheme(shortUrl) }
  sendHtml(res, htmlPage({ ...page, foot: reportLink(shown) }), shown.requestId, COMMON_HEADERS)
}

export function sendCard(
  res: ResponseHead,
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
  res: ResponseHead,
  html: string,
  requestId: string,
  headers: readonly string[],
): void {
  sendBody(res, { status: 200, isJson: false, body: html, requestId, headers })
}

type Body = {
  status: number
  isJson: boolean
  body: string
  /** `latin1` for pure ASCII, which Node writes with less work. */
  encoding?: 'latin1' | 'utf8'
  requestId: string
  headers: readonly string[]
}

export function sendBody(
  res: ResponseHead,
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

/**
 * True if JSON has a higher quality than HTML. Image tags of browsers and curl send `*`, which is neither.
 */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json/i.test(accept)) return false
  return getQuality(accept, JSON_TYPE) > getQuality(accept, HTML_TYPE)
}
