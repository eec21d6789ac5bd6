import { hash } from 'node:crypto'
import { contentPolicy, escapeHtml, htmlDocument, styleHashes } from '../../platform/http/html.ts'
import type { PageBlock, PageElement, PageNode, PageView } from '../../platform/facts/bio-page.ts'
import { toLook } from '../../platform/facts/page-theme.ts'
import { toStyle } from './bio-style.ts'
import { drawPage } from './bio-tree.ts'
import { toPageHeaders } from './pages.ts'

export type RenderInput = PageView & {
  canonicalUrl: string
}

export type RenderedPage = {
  html: Buffer
  etag: string
  /** All but length and request id, as node:http takes them. */
  headers: readonly string[]
  /** When a block appears or disappears next. */
  endsAtMs: number
}

/** How elements without content end: in HTML, and in SVG. */
const ENDS: Readonly<Record<string, string>> = { img: '>', path: '/>', circle: '/>', rect: '/>' }

/**
 * Renders a page once for all its visitors. All text is escaped, all attributes are quoted, and the page
 * has neither scripts nor frames.
 */
export function renderBioPage(input: RenderInput): RenderedPage {
  const { content, nowMs, isShared, sharedOrigin } = input
  const { title, theme, seo } = content
  const { tag, children } = drawPage(input)
  const text = htmlDocument({
    title: seo.title ?? title,
    head: toHead(input),
    style: toStyle(toLook(theme)),
    body: `<${tag}>\n${children.map((child) => `${toHtml(child)}\n`).join('')}</${tag}>`,
  })
  const html = Buffer.from(text)
  const etag = `"${hash('sha256', html, 'base64url').slice(0, 32)}"`
  const policy = contentPolicy({
    'style-src': styleHashes(text),
    'img-src': isShared ? `'self' ${sharedOrigin}` : sharedOrigin,
    'form-action': "'none'",
    // Without the second token, tabs opened from a sandboxed page would be sandboxed too.
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
  })
  return {
    html,
    etag,
    headers: toHeaders(policy, etag, seo.noindex),
    endsAtMs: nextChange(content.blocks, nowMs),
  }
}

function toHeaders(policy: string, etag: string, isNoindex: boolean): string[] {
  const own = new Set(['Cache-Control', 'Vary', ...(isNoindex ? [] : ['X-Robots-Tag'])])
  const common = toPageHeaders(policy)
  const kept = common.filter((_, i) => !own.has(common[i - (i % 2)]!))
  return [...kept, 'Cache-Control', 'no-cache', 'ETag', etag]
}

function nextChange(blocks: readonly PageBlock[], nowMs: number): number {
  const times = blocks
    .filter(({ enabled }) => enabled)
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .flatMap((time) => (time === null ? [] : [Date.parse(time)]))
  return Math.min(Infinity, ...times.filter((time) => time > nowMs))
}

/** For search engines and messengers; both need absolute URLs. */
function toHead({ content, canonicalUrl, images, sharedOrigin }: RenderInput): string[] {
  const { seo } = content
  const title = seo.title ?? content.title
  const description = seo.description ?? content.description
  const imageId = [seo.imageMediaId, content.avatarMediaId].find(
    (id) => id !== null && images.has(id),
  )
  const image = imageId ? `${sharedOrigin}/media-public/${imageId}?size=card` : null
  const tags = [
    ['name', 'description', description],
    ['property', 'og:type', 'profile'],
    ['property', 'og:url', canonicalUrl],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:image', image],
    ['name', 'twitter:card', seo.imageMediaId === null ? 'summary' : 'summary_large_image'],
    ...(seo.noindex ? [['name', 'robots', 'noindex'] as const] : []),
  ] as const
  const metas = tags.flatMap(([kind, name, value]) =>
    value === null ? [] : [`<meta ${kind}="${name}" content="${escapeHtml(value)}">`],
  )
  return [...metas, `<link rel="canonical" href="${escapeHtml(canonicalUrl)}">`]
}

function toHtml(node: PageNode): string {
  if (typeof node === 'string') return escapeHtml(node)
  const { tag, children } = node
  const start = `<${tag}${toAttributes(node)}`
  const end = ENDS[tag]
  return end ? start + end : `${start}>${children.map(toHtml).join('')}</${tag}>`
}

function toAttributes({ attributes }: PageElement): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')
}
