import { getQuality } from '../../platform/http/request.ts'
import type { ResponseHead } from '../../platform/http/plain-connection.ts'
import { ERRORS, errorBody, type ErrorCode } from '../../platform/core/errors.ts'
import {
  contentPolicy,
  errorFoot,
  escapeHtml,
  htmlDocument,
  htmlPage,
} from '../../platform/http/html.ts'
import type { Language } from '../../platform/facts/languages.ts'
import { LINK_TEXTS } from '../../platform/text/links.ts'
import { isMixedScript } from '../../platform/facts/hosts.ts'
import type { Inspection, Interstitial, PageName, Preview } from '../../decision/link.ts'
import { NO_BRANDING, type Branding } from './brand.ts'

/**
 * A response that is no redirect. Its text does not depend on the link. Without a title and a text here, they are in
 * the visitor's language; the others are met by programs, and in English.
 */
type Page = { code: ErrorCode; headers?: readonly string[] } & (
  | { title: string; text: string }
  | { title?: never; text?: never }
)

export type AnyPage = Exclude<PageName, 'password'> | keyof typeof OWN_PAGES
export type CountedPage = AnyPage | 'bio' | 'card' | 'inspection' | 'password' | 'attempts'

const LINK_PAGES: Record<Exclude<PageName, 'password'>, Page> = {
  missing: { code: 'NOT_FOUND' },
  pending: { code: 'NOT_FOUND' },
  expired: { code: 'GONE' },
  exhausted: { code: 'GONE' },
  suspended: { code: 'GONE' },
  blocked: { code: 'BLOCKED' },
}

const OWN_PAGES = {
  noPreview: { code: 'NOT_FOUND' },
  malformed: { code: 'VALIDATION_ERROR' },
  tooLong: { code: 'URI_TOO_LONG' },
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
  unavailable: { code: 'UNAVAILABLE', headers: ['Retry-After', '1'] },
  broken: { code: 'INTERNAL_ERROR' },
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

/** No scripts, foreign content or frames; only the tab's icon and the logo. */
export function createPageHeaders(formAction: string, sandbox: string) {
  const known = new WeakMap<Branding, readonly string[]>()
  return (branding: Branding): readonly string[] => {
    let headers = known.get(branding)
    if (headers) return headers
    headers = toPageHeaders(
      contentPolicy({
        'style-src': branding.styleSource,
        'img-src': branding.imageSource,
        'form-action': formAction,
        sandbox,
      }),
    )
    known.set(branding, headers)
    return headers
  }
}

const commonHeaders = createPageHeaders("'none'", '')
/** Without the token, a sandboxed page cannot follow links to apps. */
const appHeaders = createPageHeaders("'none'", 'allow-top-navigation-to-custom-protocols')
const CARD_HEADERS = commonHeaders(NO_BRANDING).slice(0, -2)
const NOINDEX = commonHeaders(NO_BRANDING).slice(-2)

/** Placeholders for what depends on the request. */
const [STYLE, LABEL, FOOT, HOST] = ['PAGE_STYLE', 'PAGE_LABEL', 'PAGE_FOOT', 'PAGE_HOST']

/**
 * Rendered once for each language, except for what depends on the request: one page answers a flood of unknown slugs.
 */
const prepared = new Map<string, ReturnType<typeof prepare>>()

function preparedPage(name: AnyPage, language: Language) {
  const key = `${name} ${language}`
  let page = prepared.get(key)
  if (!page) prepared.set(key, (page = prepare(name, language)))
  return page
}

function prepare(name: AnyPage, language: Language) {
  const { code, headers = [], ...own } = PAGES[name]
  const { title, text } = own.title === undefined ? saidIn(language, name) : own
  const html = htmlPage({
    ...{ language, title, content: `<p>${escapeHtml(text)}</p>` },
    ...{ style: STYLE, mark: LABEL, label: '', foot: FOOT },
  })
  const [toStyle = '', styled = ''] = html.split(STYLE)
  const [toLabel = '', labeled = ''] = styled.split(LABEL)
  const [toFoot = '', end = ''] = labeled.split(FOOT)
  const status = ERRORS[code][0]
  return { status, code, title, toStyle, toLabel, toFoot, end, headers }
}

function saidIn(language: Language, name: AnyPage): { title: string; text: string } {
  const { pages } = LINK_TEXTS[language]
  if (!(name in pages)) throw new Error(`the page ${name} has no text`)
  return pages[name as keyof typeof pages]
}

export type Shown = {
  requestId: string
  accept: string | undefined
  /** The language of the page. */
  spoken: Language
  host: string
  reportUrl: string | null
  branding: Branding
}

/**
 * Sends a page, or the API's error body if the client prefers JSON. For a HEAD request node:http sends only
 * the headers.
 */
export function sendPage(res: ResponseHead, name: AnyPage, shown: Shown): void {
  const { requestId, accept, host, branding } = shown
  const isJson = prefersJson(accept)
  // Error bodies are for programs.
  const spoken = isJson ? 'en' : shown.spoken
  const {
    status,
    code,
    title,
    toStyle,
    toLabel,
    toFoot,
    end,
    headers: own,
  } = preparedPage(name, spoken)
  const report = REPORTED.has(name) ? reportLink(shown) : ''
  const body = isJson
    ? JSON.stringify(errorBody(requestId, code, `${title}.`))
    : `${toStyle}${branding.style}${toLabel}${branding.mark}${escapeHtml(host || 'Signpost')}${toFoot}${report}${errorFoot(status, requestId, LINK_TEXTS[spoken].error)}${end}`
  const encoding = spoken === 'en' && branding === NO_BRANDING ? 'latin1' : 'utf8'
  const headers = [...commonHeaders(branding), ...own]
  sendBody(res, { status, isJson, body, encoding, requestId, headers })
}

export function reportLink({ reportUrl, spoken }: Pick<Shown, 'reportUrl' | 'spoken'>): string {
  if (reportUrl === null) return ''
  const words = escapeHtml(LINK_TEXTS[spoken].reportAbuse)
  return `<a href="${escapeHtml(reportUrl)}">${words}</a> `
}

/** Offers to open an app. Works without scripts. */
export function sendInterstitial(
  res: ResponseHead,
  { location, fallback }: Interstitial,
  shown: Shown,
): void {
  const { app } = LINK_TEXTS[shown.spoken]
  const host = `<strong>${escapeHtml(new URL(fallback).host)}</strong>`
  const content = `<p>${escapeHtml(app.without(HOST)).replace(HOST, () => host)}</p>
<a class="button" href="${escapeHtml(location)}">${escapeHtml(app.open)}</a>
<a class="button quiet" href="${escapeHtml(fallback)}">${escapeHtml(app.browser)}</a>`
  sendLinkPage(res, { title: app.title, content, label: shown.host }, shown, appHeaders)
}

export function sendInspection(
  res: ResponseHead,
  { destination, isConditional }: Inspection,
  shown: Shown,
  shortUrl: string,
): void {
  const { inspection } = LINK_TEXTS[shown.spoken]
  const notes = [
    ...(isConditional ? [inspection.conditional] : []),
    ...(isMixedScript(new URL(destination).hostname) ? [inspection.mixedScript] : []),
  ].map((note) => `\n<p>${escapeHtml(note)}</p>`)
  const url = escapeHtml(destination)
  const content = `<p><a href="${url}" rel="noreferrer" dir="ltr">${url}</a></p>${notes.join('')}`
  const label = withoutScheme(shortUrl)
  sendLinkPage(res, { title: inspection.title, content, label }, shown, commonHeaders)
}

function sendLinkPage(
  res: ResponseHead,
  page: { title: string; content: string; label: string },
  shown: Shown,
  toHeaders: (branding: Branding) => readonly string[],
): void {
  const { spoken: language, branding, requestId } = shown
  const { mark, style } = branding
  const html = htmlPage({ ...page, language, mark, style, foot: reportLink(shown) })
  sendHtml(res, html, requestId, toHeaders(branding))
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
