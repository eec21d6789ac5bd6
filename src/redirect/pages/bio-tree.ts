import type {
  PageBlock,
  Platform,
  PageElement,
  PageNode,
  PagePreview,
  PageView,
} from '../../platform/facts/bio-page.ts'
import { toLook } from '../../platform/facts/page-theme.ts'
import { nameOf, PLAY_ICON, iconOf } from './bio-icons.ts'
import { BODY_CLASS, toShadowStyle } from './bio-style.ts'

const HTTP = /^https?:/i

/** Draws a page as elements, for its HTML and its preview. */
export function drawPage(view: PageView): PageElement {
  const { content, nowMs } = view
  const { title, description, socials } = content
  const avatar = toImageUrl(view, content.avatarMediaId, 'small')
  const size = { width: '104', height: '104' }
  return element('main', {}, [
    ...(avatar === null
      ? []
      : [element('img', { class: 'avatar', src: avatar, alt: '', ...size })]),
    element('h1', {}, [title]),
    ...(description === null ? [] : [element('p', { class: 'about' }, [description])]),
    ...drawSocials(socials.map((social) => ({ ...social, title: null }))),
    ...drawBlocks(
      view,
      content.blocks.filter((block) => isShown(block, nowMs)),
    ),
  ])
}

/** A page to draw below a shadow root of another document. */
export function previewPage(view: PageView): PagePreview {
  return {
    style: toShadowStyle(toLook(view.content.theme)),
    root: element('div', { class: BODY_CLASS }, [drawPage(view)]),
  }
}

function element(
  tag: string,
  attributes: PageElement['attributes'] = {},
  children: readonly PageNode[] = [],
): PageElement {
  return { tag, attributes, children }
}

function isShown({ enabled, startsAt, endsAt }: PageBlock, nowMs: number): boolean {
  if (!enabled) return false
  if (startsAt !== null && Date.parse(startsAt) > nowMs) return false
  return endsAt === null || Date.parse(endsAt) > nowMs
}

type Profile = { platform: Platform; url: string; title: string | null }

/** Adjacent social blocks form one row. */
function drawBlocks(view: PageView, blocks: readonly PageBlock[]): PageElement[] {
  const drawn: PageElement[] = []
  let row: Profile[] = []
  for (const block of blocks) {
    if (block.type === 'social') {
      row.push({ platform: block.icon as Platform, url: block.url!, title: block.title })
      continue
    }
    drawn.push(...drawSocials(row), ...drawBlock(view, block))
    row = []
  }
  return [...drawn, ...drawSocials(row)]
}

function drawSocials(profiles: readonly Profile[]): PageElement[] {
  if (profiles.length === 0) return []
  const items = profiles.map(({ platform, url, title }) => {
    const name = { 'aria-label': title ?? nameOf(platform) }
    return element('li', {}, [element('a', { ...toLink(url), ...name }, [iconOf(platform)])])
  })
  return [element('ul', { class: 'socials' }, items)]
}

function drawBlock(view: PageView, block: PageBlock): PageElement[] {
  const title = block.title ?? ''
  if (block.type === 'header') return [element('h2', {}, [title])]
  if (block.type === 'text') return [element('p', { class: 'text' }, [title])]
  if (block.type === 'image') return drawImage(view, block)
  if (block.type === 'embed') return [drawEmbed(block)]
  const href = view.links.get(block.linkId ?? '')
  if (href === undefined) return []
  const emoji = element('span', { 'aria-hidden': 'true' }, [block.icon ?? ''])
  const attributes = { class: 'link', ...toLink(href) }
  return [element('a', attributes, [emoji, element('span', {}, [title])])]
}

function drawImage(view: PageView, { mediaId, title, url }: PageBlock): PageElement[] {
  const src = toImageUrl(view, mediaId, 'wide')
  if (src === null) return []
  const image = element('img', { src, alt: title ?? '', loading: 'lazy' })
  if (url === null) return [element('div', { class: 'image' }, [image])]
  // A link needs a name, which an image without alternative text does not provide.
  const name: Record<string, string> = title === null ? { 'aria-label': hostOf(url) } : {}
  return [element('a', { class: 'image', ...toLink(url), ...name }, [image])]
}

/** A card that links to the source: nothing is loaded from another site. */
function drawEmbed({ title, url }: PageBlock): PageElement {
  const host = hostOf(url!)
  const name =
    title === null
      ? [element('b', {}, [host])]
      : [element('b', {}, [title]), element('small', {}, [host])]
  const attributes = { class: 'embed', ...toLink(url!) }
  return element('a', attributes, [PLAY_ICON, element('span', {}, name)])
}

/** `mailto:` and `tel:` open no tab. */
function toLink(url: string): Record<string, string> {
  const isOpenedInTab = HTTP.test(url) || url.startsWith('/')
  const target: Record<string, string> = isOpenedInTab ? { target: '_blank' } : {}
  return { href: url, ...target, rel: 'noopener nofollow' }
}

function toImageUrl(
  { images, isShared, sharedOrigin }: PageView,
  id: string | null,
  size: 'small' | 'wide',
): string | null {
  if (id === null || !images.has(id)) return null
  return `${isShared ? '' : sharedOrigin}/media-public/${id}?size=${size}`
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '')
}
