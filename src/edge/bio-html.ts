import { hash } from 'node:crypto'
import { contentPolicy, escapeHtml, htmlDocument, styleHashes } from '../base/html.ts'
import type { PageBlock, PageContent, Platform } from '../facts/bio-page.ts'
import { toLook } from '../facts/page-theme.ts'
import { nameOf, PLAY_SIGN, signOf } from './bio-icons.ts'
import { toStyle } from './bio-style.ts'
import { toPageHeaders } from './pages.ts'

export type RenderInput = {
  content: PageContent
  /** Short URLs of the links of blocks by their ids, relative on the host of the page; those that were deleted are missing. */
  links: ReadonlyMap<string, string>
  /** The ids of the images that are there. */
  images: ReadonlySet<string>
  /** The address of the page. */
  canonicalUrl: string
  /** The origin of the shared host, which has the images. */
  sharedOrigin: string
  /** The page is on the shared host. */
  isShared: boolean
  nowMs: number
}

export type RenderedPage = {
  html: Buffer
  /** With quotes. */
  etag: string
  /** All but the length and the id of the request, as node:http takes them. */
  headers: readonly string[]
  /** When a block appears or disappears next. */
  endsAtMs: number
}

const HTTP = /^https?:/i

/**
 * Renders a page once for all its visitors. All text is escaped, no attribute is without quotes, and the page has
 * neither a script nor a frame.
 */
export function renderBioPage(input: RenderInput): RenderedPage {
  const { content, nowMs, isShared, sharedOrigin } = input
  const { title, description, theme, socials } = content
  const blocks = content.blocks.filter((block) => isShown(block, nowMs))
  const avatar = toImageUrl(input, content.avatarMediaId, 'small')
  const body = `<main>
${avatar === null ? '' : `<img class="avatar" src="${escapeHtml(avatar)}" alt="" width="104" height="104">\n`}<h1>${escapeHtml(title)}</h1>
${description === null ? '' : `<p class="about">${escapeHtml(description)}</p>\n`}${renderSocials(socials.map((social) => ({ ...social, title: null })))}${renderBlocks(input, blocks)}</main>`
  const text = htmlDocument({
    title: content.seo.title ?? title,
    head: toHead(input),
    style: toStyle(toLook(theme)),
    body,
  })
  const html = Buffer.from(text)
  const etag = `"${hash('sha256', html, 'base64url').slice(0, 32)}"`
  const policy = contentPolicy({
    'style-src': styleHashes(text),
    'img-src': isShared ? `'self' ${sharedOrigin}` : sharedOrigin,
    'form-action': "'none'",
    // Links of a sandboxed page open in tabs of their own only with both tokens; without the second one such a tab
    // would be sandboxed as well.
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
  })
  return {
    html,
    etag,
    headers: toHeaders(policy, etag, content.seo.noindex),
    endsAtMs: nextChange(content.blocks, nowMs),
  }
}

function toHeaders(policy: string, etag: string, isNoindex: boolean): string[] {
  const own = new Set(['Cache-Control', 'Vary', ...(isNoindex ? [] : ['X-Robots-Tag'])])
  const common = toPageHeaders(policy)
  const kept = common.filter((_, i) => !own.has(common[i - (i % 2)]!))
  return [...kept, 'Cache-Control', 'no-cache', 'ETag', etag]
}

function isShown({ enabled, startsAt, endsAt }: PageBlock, nowMs: number): boolean {
  if (!enabled) return false
  if (startsAt !== null && Date.parse(startsAt) > nowMs) return false
  return endsAt === null || Date.parse(endsAt) > nowMs
}

function nextChange(blocks: readonly PageBlock[], nowMs: number): number {
  const times = blocks
    .filter(({ enabled }) => enabled)
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .flatMap((time) => (time === null ? [] : [Date.parse(time)]))
  return Math.min(Infinity, ...times.filter((time) => time > nowMs))
}

/** Search engines and messengers read it; both need full addresses. */
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

type Profile = { platform: Platform; url: string; title: string | null }

/** Social blocks that follow each other are one row. */
function renderBlocks(input: RenderInput, blocks: readonly PageBlock[]): string {
  let html = ''
  let row: Profile[] = []
  for (const block of blocks) {
    if (block.type === 'social') {
      row.push({ platform: block.icon as Platform, url: block.url!, title: block.title })
      continue
    }
    html += renderSocials(row)
    row = []
    html += renderBlock(input, block)
  }
  return html + renderSocials(row)
}

function renderSocials(profiles: readonly Profile[]): string {
  if (profiles.length === 0) return ''
  const items = profiles.map(
    ({ platform, url, title }) =>
      `<li><a ${toLinkAttributes(url)} aria-label="${escapeHtml(title ?? nameOf(platform))}">${signOf(platform)}</a></li>`,
  )
  return `<ul class="socials">${items.join('')}</ul>\n`
}

function renderBlock(input: RenderInput, block: PageBlock): string {
  const title = escapeHtml(block.title ?? '')
  if (block.type === 'header') return `<h2>${title}</h2>\n`
  if (block.type === 'text') return `<p class="text">${title}</p>\n`
  if (block.type === 'image') return renderImage(input, block)
  if (block.type === 'embed') return renderEmbed(block)
  const href = input.links.get(block.linkId ?? '')
  if (href === undefined) return ''
  const emoji = `<span aria-hidden="true">${escapeHtml(block.icon ?? '')}</span>`
  return `<a class="link" ${toLinkAttributes(href)}>${emoji}<span>${title}</span></a>\n`
}

function renderImage(input: RenderInput, { mediaId, title, url }: PageBlock): string {
  const src = toImageUrl(input, mediaId, 'wide')
  if (src === null) return ''
  const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(title ?? '')}" loading="lazy">`
  if (url === null) return `<div class="image">${image}</div>\n`
  // A link needs a name, which an image without an alternative text does not give it.
  const name = title === null ? ` aria-label="${escapeHtml(hostOf(url))}"` : ''
  return `<a class="image" ${toLinkAttributes(url)}${name}>${image}</a>\n`
}

/** A card that leads to the source: nothing of another site is loaded. */
function renderEmbed({ title, url }: PageBlock): string {
  const host = escapeHtml(hostOf(url!))
  const name =
    title === null ? `<b>${host}</b>` : `<b>${escapeHtml(title)}</b><small>${host}</small>`
  return `<a class="embed" ${toLinkAttributes(url!)}>${PLAY_SIGN}<span>${name}</span></a>\n`
}

/** Addresses of mails and phones open no tab. */
function toLinkAttributes(url: string): string {
  const target = HTTP.test(url) || url.startsWith('/') ? ' target="_blank"' : ''
  return `href="${escapeHtml(url)}"${target} rel="noopener nofollow"`
}

function toImageUrl(
  { images, isShared, sharedOrigin }: RenderInput,
  id: string | null,
  size: 'small' | 'wide',
): string | null {
  if (id === null || !images.has(id)) return null
  return `${isShared ? '' : sharedOrigin}/media-public/${id}?size=${size}`
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '')
}
